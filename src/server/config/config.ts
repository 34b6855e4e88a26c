import type { z } from 'zod';
import { phoneE164 } from '#shared/leads/phone.ts';
import { hasAdIds } from '#shared/providers/adIds.ts';
import { brand } from '#shared/brand/brand.ts';
import { parseUrl } from '#shared/formats/text.ts';
import { paths } from '#shared/pages/paths.ts';
import type { PublicConfig } from '#shared/pages/site.ts';
import { environment, requiredInProduction } from './environment.ts';
import { isSet, readSecretFiles, keyBits, keyBitsMin } from './secretFiles.ts';
import { databaseTls } from './databaseTls.ts';
import { publicTilesUrl } from './kinds.ts';
import { ledgerFaults, getLedger } from './ledger.ts';
import { getOidc, oidcFaults } from './oidc.ts';
import { isLoopbackHost } from '../tenant/parseHost.ts';

const databaseUrls = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URL',
  'DATABASE_OWNER_URL',
] as const;

/** One requires the other. */
const wordpressLogin = ['WORDPRESS_USER', 'WORDPRESS_APP_PASSWORD'] as const;

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: string[];
  constructor(faults: string[]) {
    super(`The configuration is wrong:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

/** The configuration of a process, from its environment (docs/configuration.md). */
export type Config = ReturnType<typeof toConfig>;

interface InboundMail {
  /** Each message to a lead adds a token to it: `stop@…` becomes `stop+<token>@…`. */
  address: string;
  /** `whsec_…`: what posts received mail signs with it. */
  secret: string;
}

type Crm = { kind: 'webhook'; url: string; secret: string } | { kind: 'hubspot'; url: string; token: string };

type Environment = z.output<typeof environment>;

/** Values that need another one, or exclude it. */
function pairFaults(values: Environment): string[] {
  const { CRM_WEBHOOK_URL: url, CRM_WEBHOOK_SECRET: secret, HUBSPOT_TOKEN: token } = values;
  const { INBOUND_MAIL_ADDRESS: address, INBOUND_MAIL_SECRET: mailSecret } = values;
  const faults: string[] = [];
  if ((url === undefined) !== (secret === undefined))
    faults.push('CRM_WEBHOOK_URL, CRM_WEBHOOK_SECRET: neither is of use without the other');
  if (url !== undefined && token !== undefined)
    faults.push('HUBSPOT_TOKEN: leads go to one CRM, and CRM_WEBHOOK_URL names another');
  if ((address === undefined) !== (mailSecret === undefined))
    faults.push('INBOUND_MAIL_ADDRESS, INBOUND_MAIL_SECRET: set both or neither');
  return faults;
}

function getInboundMail(values: Environment): InboundMail | null {
  const { INBOUND_MAIL_ADDRESS: address, INBOUND_MAIL_SECRET: secret } = values;
  return address === undefined || secret === undefined ? null : { address, secret };
}

/** Values that are well-formed but not safe for visitors and staff. */
function productionFaults(values: Environment): string[] {
  const faults: string[] = [];
  if (values.CRM_WEBHOOK_URL?.startsWith('http:') === true)
    faults.push('CRM_WEBHOOK_URL: must be https in production');
  if (values.HUBSPOT_URL.startsWith('http:')) faults.push('HUBSPOT_URL: must be https in production');
  if (values.OIDC_ISSUER?.startsWith('http:') === true)
    faults.push('OIDC_ISSUER: must be https in production');
  if (values.SECRET_KEYS.some((key) => keyBits(key) < keyBitsMin))
    faults.push('SECRET_KEYS: a key is too easy to guess; make one with openssl rand -hex 32');
  if (values.LEDGER_URL?.kind === 's3' && values.LEDGER_URL.bucketUrl.startsWith('http:'))
    faults.push('LEDGER_URL: must be s3+https in production');
  for (const name of databaseUrls) {
    const { isEncrypted, isPrivate } = databaseTls(values[name] ?? 'postgres://localhost');
    if (!isEncrypted && !isPrivate && values.DATABASE_TLS === 'auto')
      faults.push(
        `${name}: must ask for TLS (?sslmode=verify-full, or require) unless the database is on this machine or in a private network`,
      );
  }
  return faults;
}

function databaseFaults(values: Environment): string[] {
  const { DATABASE_POOL_MAX: max, DATABASE_POOL_SIZE: size } = values;
  const dependent = databaseUrls.filter((name) => name !== 'DATABASE_URL' && values[name] !== undefined);
  const unencrypted = databaseUrls.filter((name) => {
    const { isEncrypted, isLocal } = databaseTls(values[name] ?? 'postgres://localhost');
    return !isEncrypted && !isLocal;
  });
  return [
    ...(values.DATABASE_TLS === 'auto'
      ? []
      : unencrypted.map(
          (name) =>
            `${name}: must ask for TLS (?sslmode=verify-full, or require), because DATABASE_TLS is require`,
        )),
    ...(values.DATABASE_URL === undefined
      ? dependent.map((name) => `${name}: needs DATABASE_URL, which names the role of the application`)
      : []),
    ...(max !== undefined && size !== undefined && max !== size
      ? ['DATABASE_POOL_SIZE: is the former name of DATABASE_POOL_MAX, which has another value; remove it']
      : []),
  ];
}

function toCrm(values: Environment): Crm | null {
  const { CRM_WEBHOOK_URL: url, CRM_WEBHOOK_SECRET: secret, HUBSPOT_TOKEN: token } = values;
  if (url !== undefined && secret !== undefined) return { kind: 'webhook', url, secret };
  return token === undefined ? null : { kind: 'hubspot', url: values.HUBSPOT_URL, token };
}

/**
 * Reads the environment. Empty variables count as unset, as shells may pass them. Throws ConfigError with all faults.
 */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const { env: read, faults } = readSecretFiles(env);
  const given = Object.fromEntries(
    Object.entries(read).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const parsed = environment.safeParse(given);
  if (!parsed.success)
    faults.push(...parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`));
  if (given['NODE_ENV'] === 'production') {
    // A list that contains only commas counts as unset.
    for (const name of requiredInProduction)
      if (!/[^\s,]/.test(given[name] ?? '') && !isSet(env[`${name}_FILE`]))
        faults.push(`${name}: must be set in production`);
  }
  const missingHalf = wordpressLogin.filter((name) => !(name in given));
  if (missingHalf.length === 1)
    faults.push(`${missingHalf[0]}: must be set where ${wordpressLogin.find((name) => name in given)} is`);
  if (parsed.success) {
    faults.push(
      ...pairFaults(parsed.data),
      ...ledgerFaults(parsed.data),
      ...oidcFaults(parsed.data),
      ...databaseFaults(parsed.data),
    );
    if (parsed.data.NODE_ENV === 'production') faults.push(...productionFaults(parsed.data));
    if (parsed.data.AUDIT_SHIPPING === 'on' && parsed.data.LEDGER_URL === undefined)
      faults.push('AUDIT_SHIPPING: needs LEDGER_URL, where the entries are shipped');
    if (parsed.data.TRUST_FORWARDED_HOST === 'on' && parsed.data.TRUSTED_PROXIES === 0)
      faults.push(
        'TRUST_FORWARDED_HOST: needs TRUSTED_PROXIES of 1 or more, or anyone could choose the host',
      );
  }
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults);
  return toConfig(parsed.data);
}

function toConfig(values: Environment) {
  const { WORDPRESS_USER: user, WORDPRESS_APP_PASSWORD: appPassword } = values;
  const production = values.NODE_ENV === 'production';
  const requiresTls = (url: string | undefined): boolean =>
    production && url !== undefined && !isLoopbackHost(parseUrl(url)?.hostname.toLowerCase() ?? '');
  const mailFrom = values.MAIL_FROM ?? {
    name: brand.plainName,
    address: values.CONTACT_EMAIL ?? 'hello@example.com',
  };
  return {
    production,
    port: values.PORT,
    host: values.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    dataDir: values.DATA_DIR,
    /** Null: not set. Only local commands allow it and start a Postgres under dataDir. */
    databaseUrl: values.DATABASE_URL ?? null,
    /** For work that needs a session of its own, if `databaseUrl` leads to a proxy; null: `databaseUrl` does. */
    databaseDirectUrl: values.DATABASE_DIRECT_URL ?? null,
    /** For reads that may be some seconds old; null: the primary serves them. */
    databaseReplicaUrl: values.DATABASE_REPLICA_URL ?? null,
    /** Of the role that owns the schema and migrates; null: the role in `databaseUrl` does. */
    databaseOwnerUrl: values.DATABASE_OWNER_URL ?? null,
    databasePrepare: values.DATABASE_PREPARE === 'on',
    /** Whether a process applies pending migrations when it starts; otherwise it refuses to start. */
    migrateOnStart: values.MIGRATE_ON_START === 'on',
    /** Connections of the main pool at most; null: as many as the process's work needs (`poolMaxOf`). */
    databasePoolMax: values.DATABASE_POOL_MAX ?? values.DATABASE_POOL_SIZE ?? null,
    /** Normalized hosts. Canonical links name the first. */
    mainDomains: values.MAIN_DOMAINS,
    /** The addresses where visitors reach this service, as ipaddr.js formats them. Empty: the first main domain's. */
    siteAddresses: values.SITE_ADDRESSES,
    trustedProxies: values.TRUSTED_PROXIES,
    /** Whether the outermost trusted proxy sends the host in X-Forwarded-Host. */
    trustForwardedHost: values.TRUST_FORWARDED_HOST === 'on',
    /** The first signs, all verify. Empty in development until withLocalSecrets adds a key. */
    secretKeys: values.SECRET_KEYS,
    matchRadiusMiles: values.MATCH_RADIUS_MILES,
    /** Empty: no limit. */
    rateLimitLeads: values.RATE_LIMIT_LEADS,
    sampleData: values.SAMPLE_DATA === undefined ? !production : values.SAMPLE_DATA === 'on',
    /** After SIGTERM, how long connections are still accepted while /healthz and /readyz fail. */
    shutdownDelaySeconds: values.SHUTDOWN_DELAY_SECONDS ?? (production ? 5 : 0),
    /** Street tiles above the basemap, with `{z}`, `{x}` and `{y}`; null without tiles. */
    mapTilesUrl:
      values.MAP_TILES_URL === undefined ? (production ? null : publicTilesUrl) : values.MAP_TILES_URL,
    wordpressUrl: values.WORDPRESS_URL ?? null,
    wordpress: {
      /** The post type of providers in the REST API. */
      type: values.WORDPRESS_TYPE,
      credentials: user === undefined || appPassword === undefined ? null : { user, appPassword },
      /** Paths of fields that differ from the default. */
      fields: values.WORDPRESS_FIELDS,
      userAgent: values.WORDPRESS_USER_AGENT,
    },
    /** Refuses a sync that would deactivate, or take the domain from, a higher percentage of the active providers. */
    syncDeactivationLimit: values.SYNC_DEACTIVATION_LIMIT,
    /** A service compatible with the Census Bureau's geocoder; null without one. */
    geocoderUrl: values.GEOCODER_URL ?? null,
    contacts: {
      email: values.CONTACT_EMAIL ?? 'hello@example.com',
      ...brandPhone(values.CONTACT_PHONE ?? '(555) 010-0100'),
      postalAddress: values.LEGAL_POSTAL_ADDRESS ?? '100 Example Street, Springfield, IL 62701',
      arbitrationPlace: values.LEGAL_ARBITRATION_PLACE ?? 'Springfield, Illinois',
    },
    /** An external page, or the path of our own. */
    providerSignupUrl: values.PROVIDER_SIGNUP_URL ?? paths.recruitment,
    starterKitUrl: values.STARTER_KIT_URL ?? 'https://example.com/starter-kit',
    /** Ad accounts of the brand's own site. Providers' accounts are in their records. */
    adIds: { google: values.GOOGLE_ADS_ID ?? null, microsoft: values.BING_ADS_ID ?? null },
    /** Null: the recruitment page's countdown has no date. */
    offerEndsAt: values.OFFER_ENDS_AT ?? null,
    /** Argon2id, as a PHC string. Null: there is none. */
    adminPasswordHash: values.ADMIN_PASSWORD_HASH === 'off' ? null : (values.ADMIN_PASSWORD_HASH ?? null),
    /** False: nobody signs in without an account, and no local password is generated. */
    allowsSharedPassword: values.ADMIN_PASSWORD_HASH !== 'off',
    /** Whether the password is the one that a trial generates (localSecrets.ts). */
    isPasswordLocal: false,
    logLevel: values.LOG_LEVEL ?? (production ? 'info' : 'warn'),
    metricsToken: values.METRICS_TOKEN ?? null,
    /** Where a worker answers probes and scrapes; null: nowhere. */
    metricsPort: values.METRICS_PORT,
    /** Fill pages from templates (render/templates/README.md). */
    pageTemplates: values.PAGE_TEMPLATES === 'on',
    worker: values.WORKER,
    /** Lead emails per hour over all processes; more wait. */
    leadEmailsPerHour: values.LEAD_EMAILS_PER_HOUR,
    /** Where people reply STOP; null: replies go to the contact address. */
    inboundMail: getInboundMail(values),
    crm: toCrm(values),
    retention: values.RETENTION,
    /** Where the erasure ledger is shipped to; null: its entries wait. */
    ledger: getLedger(values),
    /** Single sign-on; null: none. */
    oidc: getOidc(values),
    shipsAudit: values.AUDIT_SHIPPING === 'on',
    /** Null: email goes to a folder under dataDir; in production, it waits. */
    smtpUrl: values.SMTP_URL ?? null,
    /** The mail server for alerts to owners; null: the same as for other messages. */
    alertSmtp:
      values.ALERT_SMTP_URL === undefined
        ? null
        : { url: values.ALERT_SMTP_URL, requiresTls: requiresTls(values.ALERT_SMTP_URL) },
    /** Whether TLS is required, unless the address says `requireTLS=false`. */
    smtpRequiresTls: requiresTls(values.SMTP_URL),
    mailFrom,
    /** The sender of messages to visitors, whose name a locked phone shows. */
    mailFromVisitors: values.MAIL_FROM_VISITORS ?? mailFrom,
  };
}

/** The configuration that browsers may know: an explicit list, so that a new variable never leaks. */
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

function brandPhone(phone: string): { phone: string; phoneHref: string } {
  return { phone, phoneHref: `tel:${phoneE164(phone) ?? phone}` };
}
