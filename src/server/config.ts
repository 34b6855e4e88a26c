import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { type AdIds, googleAdsIdPattern, hasAdIds, uetTagIdPattern } from '#shared/adIds.ts';
import type { PublicConfig, SiteContacts } from '#shared/site.ts';
import { isPasswordHash } from './features/staff/password.ts';
import { parseHost } from './tenant/parseHost.ts';

/** At most `points` calls in `windowSeconds`. */
export interface RateWindow {
  points: number;
  windowSeconds: number;
}

const windowUnits: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };
/** Longer ones would not fit a timer or a date; nobody means them. */
const windowSecondsMax = 31 * 86_400;

const rateWindows = z.string().transform((text, ctx): RateWindow[] => {
  if (text === 'off') return [];
  const windows = text.split(',').map((part) => {
    const [, points = '', count = '', unit = ''] =
      /^\s*([1-9]\d{0,8})\/([1-9]\d{0,8})([smhd])\s*$/.exec(part) ?? [];
    const windowSeconds = Number(count) * (windowUnits[unit] ?? 0);
    if (windowSeconds > 0 && windowSeconds <= windowSecondsMax)
      return { points: Number(points), windowSeconds };
    ctx.addIssue({ code: 'custom', message: `"${part}" is not a limit such as 5/1m, of 31 days at most` });
    return z.NEVER;
  });
  // Equal windows share one counter: each submission would count twice.
  const lengths = windows.map(({ windowSeconds }) => windowSeconds).filter((seconds) => seconds > 0);
  if (new Set(lengths).size < lengths.length)
    ctx.addIssue({ code: 'custom', message: 'two limits have the same window' });
  return windows;
});

const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

const host = z.string().transform((text, ctx) => {
  const match = parseHost(text, []);
  // A Host header may name a port, a main domain doesn't.
  const hasPort = /:\d+$/.test(text.replace(/^\[.*\]$/, ''));
  if (match.kind !== 'invalid' && !hasPort) return match.host;
  ctx.addIssue({ code: 'custom', message: `"${text}" is not a host name` });
  return z.NEVER;
});

/** In the form that DNS answers are compared in. */
const ipAddress = z.string().transform((text, ctx) => {
  if (ipaddr.IPv6.isValid(text) || ipaddr.IPv4.isValidFourPartDecimal(text))
    return ipaddr.process(text).toString();
  ctx.addIssue({ code: 'custom', message: `"${text}" is not an IPv4 or IPv6 address` });
  return z.NEVER;
});

const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' });
/** A site that paths are added to. */
const siteUrl = webUrl.refine((text) => {
  const url = URL.parse(text);
  // What is no address at all has been told already.
  return url === null || (!/[?#]/.test(text) && url.username === '' && url.password === '');
}, 'must be an http(s) address without query, fragment, user or password');
const count = (min: number, max: number) =>
  z.coerce
    .number({ error: `must be a whole number from ${min} to ${max}` })
    .int()
    .min(min)
    .max(max);

/** The public OpenStreetMap tiles, under their usage policy. */
const publicTilesUrl = 'https://tile.openstreetmap.org/{z}/{x}/{y}.png';

/** An address with `{z}`, `{x}` and `{y}` in its path; the host must be fixed, as pages name it in their security policy. */
const tilesUrl = z.string().transform((text, ctx): string | null => {
  if (text === 'off') return null;
  const url = URL.parse(text);
  const isTemplate = ['{z}', '{x}', '{y}'].every((part) => text.includes(part));
  if (url !== null && /^https?:$/.test(url.protocol) && isTemplate && !/[{}]|%7b/i.test(url.host))
    return text;
  ctx.addIssue({
    code: 'custom',
    message: 'must be an http(s) address with {z}, {x} and {y} in its path, or off',
  });
  return z.NEVER;
});
/** An instant with its zone, such as 2027-03-01T17:00:00Z: without one it would mean another moment on each machine. */
const instant = z.iso
  .datetime({ offset: true, error: 'must be a date-time with its zone, such as 2027-03-01T17:00:00Z' })
  .transform((text) => new Date(text));

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const environment = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  PORT: count(0, 65_535).default(3000),
  HOST: z.string().min(1).optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }).optional(),
  MAIN_DOMAINS: commaList.pipe(z.array(host)).default([]),
  SITE_ADDRESSES: commaList.pipe(z.array(ipAddress)).default([]),
  TRUSTED_PROXIES: count(0, 10).default(0),
  SECRET_KEYS: commaList
    .pipe(z.array(z.string().min(32, 'each key needs at least 32 characters')))
    .default([]),
  MATCH_RADIUS_MILES: z.coerce
    .number({ error: 'must be a number of miles' })
    .positive()
    .max(12_500)
    .default(100),
  RATE_LIMIT_LEADS: rateWindows.default([
    { points: 5, windowSeconds: 60 },
    { points: 20, windowSeconds: 3600 },
  ]),
  SAMPLE_DATA: z.enum(['on', 'off']).optional(),
  MAP_TILES_URL: tilesUrl.default(publicTilesUrl),
  WORDPRESS_URL: siteUrl.optional(),
  LEGAL_ARBITRATION_PLACE: z.string().min(3).optional(),
  LEGAL_POSTAL_ADDRESS: z.string().min(10).optional(),
  CONTACT_EMAIL: z.email().optional(),
  CONTACT_PHONE: z.string().min(10).optional(),
  PROVIDER_SIGNUP_URL: webUrl.optional(),
  STARTER_KIT_URL: webUrl.optional(),
  GOOGLE_ADS_ID: z
    .string()
    .regex(googleAdsIdPattern, 'must look like AW-123456789 or AW-123456789/label')
    .optional(),
  BING_ADS_ID: z.string().regex(uetTagIdPattern, 'must be the number of a UET tag').optional(),
  OFFER_ENDS_AT: instant.optional(),
  ADMIN_PASSWORD_HASH: z
    .string()
    .trim()
    .refine(isPasswordHash, 'must be what npm run admin:password prints, in single quotes')
    .optional(),
  LOG_LEVEL: z.enum(logLevels).optional(),
  METRICS_TOKEN: z.string().min(16).optional(),
  WORKER: z.enum(['inline', 'off']).default('inline'),
  CRM_WEBHOOK_URL: webUrl.optional(),
  CRM_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, 'must be whsec_ and 24 to 64 bytes as base64')
    .optional(),
  HUBSPOT_TOKEN: z.string().min(10).optional(),
  HUBSPOT_URL: siteUrl.default('https://api.hubapi.com'),
});

/** In production these have no safe default: the start is refused without them. */
const requiredInProduction = [
  'MAIN_DOMAINS',
  'SECRET_KEYS',
  'LEGAL_ARBITRATION_PLACE',
  'LEGAL_POSTAL_ADDRESS',
  'CONTACT_EMAIL',
  'CONTACT_PHONE',
  'PROVIDER_SIGNUP_URL',
  'STARTER_KIT_URL',
] as const;

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: string[];
  constructor(faults: string[]) {
    super(`The configuration is wrong:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

export interface Config {
  production: boolean;
  port: number;
  host: string;
  dataDir: string;
  /** null: the embedded Postgres under dataDir. */
  databaseUrl: string | null;
  /** Normalised hosts; the first is the one canonical links name. */
  mainDomains: string[];
  /** Where visitors reach this service, as ipaddr.js writes addresses. Empty: where the first main domain leads. */
  siteAddresses: string[];
  trustedProxies: number;
  /** First signs, all verify. Empty in development until filled with a key kept under dataDir. */
  secretKeys: string[];
  matchRadiusMiles: number;
  /** Empty: no limit. */
  rateLimitLeads: RateWindow[];
  sampleData: boolean;
  /** Street tiles over the maps' own ground, with `{z}`, `{x}` and `{y}`; null for none. */
  mapTilesUrl: string | null;
  /** The site that clinics are kept in; null: none. */
  wordpressUrl: string | null;
  contacts: SiteContacts;
  providerSignupUrl: string;
  starterKitUrl: string;
  /** Ad accounts of the brand's own site; clinics have theirs in their records. */
  adIds: AdIds;
  /** null: the recruitment page's countdown is tied to no date. */
  offerEndsAt: Date | null;
  /** Argon2id, as a PHC string. null: nobody gets in by the shared password. */
  adminPasswordHash: string | null;
  logLevel: (typeof logLevels)[number];
  metricsToken: string | null;
  /** Whether a web process does the background work too. */
  worker: 'inline' | 'off';
  /** Where leads are pushed to; null: nowhere. */
  crm:
    { kind: 'webhook'; url: string; secret: string } | { kind: 'hubspot'; url: string; token: string } | null;
}

type Environment = z.output<typeof environment>;

function crmFaults(values: Environment): string[] {
  const { CRM_WEBHOOK_URL: url, CRM_WEBHOOK_SECRET: secret, HUBSPOT_TOKEN: token } = values;
  return [
    ...((url === undefined) === (secret === undefined)
      ? []
      : ['CRM_WEBHOOK_URL, CRM_WEBHOOK_SECRET: neither is of use without the other']),
    ...(url !== undefined && token !== undefined
      ? ['HUBSPOT_TOKEN: leads go to one CRM, and CRM_WEBHOOK_URL names another']
      : []),
    ...(values.NODE_ENV === 'production' && url?.startsWith('http:') === true
      ? ['CRM_WEBHOOK_URL: must be https in production']
      : []),
  ];
}

function crmOf(values: Environment): Config['crm'] {
  const { CRM_WEBHOOK_URL: url, CRM_WEBHOOK_SECRET: secret, HUBSPOT_TOKEN: token } = values;
  if (url !== undefined && secret !== undefined) return { kind: 'webhook', url, secret };
  return token === undefined ? null : { kind: 'hubspot', url: values.HUBSPOT_URL, token };
}

/**
 * Reads the environment. Throws ConfigError that lists every fault at once. Empty variables count as unset, as shells and
 * process managers often pass them so.
 */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const parsed = environment.safeParse(given);
  const faults = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`);
  if (given['NODE_ENV'] === 'production') {
    // A list of nothing but commas is as good as none.
    for (const name of requiredInProduction)
      if (!/[^\s,]/.test(given[name] ?? '')) faults.push(`${name}: must be set in production`);
  }
  if (parsed.success) faults.push(...crmFaults(parsed.data));
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults);
  const values = parsed.data;
  const production = values.NODE_ENV === 'production';
  return {
    production,
    port: values.PORT,
    host: values.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL ?? null,
    mainDomains: values.MAIN_DOMAINS,
    siteAddresses: values.SITE_ADDRESSES,
    trustedProxies: values.TRUSTED_PROXIES,
    secretKeys: values.SECRET_KEYS,
    matchRadiusMiles: values.MATCH_RADIUS_MILES,
    rateLimitLeads: values.RATE_LIMIT_LEADS,
    sampleData: values.SAMPLE_DATA === undefined ? !production : values.SAMPLE_DATA === 'on',
    mapTilesUrl: values.MAP_TILES_URL,
    wordpressUrl: values.WORDPRESS_URL ?? null,
    contacts: {
      email: values.CONTACT_EMAIL ?? 'hello@example.com',
      phone: values.CONTACT_PHONE ?? '(555) 010-0100',
      postalAddress: values.LEGAL_POSTAL_ADDRESS ?? '100 Example Street, Springfield, IL 62701',
      arbitrationPlace: values.LEGAL_ARBITRATION_PLACE ?? 'Springfield, Illinois',
    },
    providerSignupUrl: values.PROVIDER_SIGNUP_URL ?? 'https://example.com/become-a-provider',
    starterKitUrl: values.STARTER_KIT_URL ?? 'https://example.com/starter-kit',
    adIds: { google: values.GOOGLE_ADS_ID ?? null, microsoft: values.BING_ADS_ID ?? null },
    offerEndsAt: values.OFFER_ENDS_AT ?? null,
    adminPasswordHash: values.ADMIN_PASSWORD_HASH ?? null,
    logLevel: values.LOG_LEVEL ?? (production ? 'info' : 'warn'),
    metricsToken: values.METRICS_TOKEN ?? null,
    worker: values.WORKER,
    crm: crmOf(values),
  };
}

/** What a browser may know of the configuration: an explicit list, so that a new variable never leaks. */
export function publicConfig(config: Config): PublicConfig {
  const [first] = config.mainDomains;
  return {
    mainOrigin:
      first === undefined
        ? `http://localhost:${config.port}`
        : `${config.production ? 'https' : 'http'}://${first}${config.production ? '' : `:${config.port}`}`,
    contacts: config.contacts,
    providerSignupUrl: config.providerSignupUrl,
    starterKitUrl: config.starterKitUrl,
    mapTilesUrl: config.mapTilesUrl,
    measuresAds: hasAdIds(config.adIds),
    offerEndsAt: config.offerEndsAt?.toISOString() ?? null,
  };
}
