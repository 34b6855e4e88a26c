import type { z } from 'zod';
import { type AdIds, hasAdIds } from '#shared/providers/adIds.ts';
import { brand } from '#shared/brand/brand.ts';
import { parseUrl } from '#shared/formats/text.ts';
import { paths } from '#shared/pages/paths.ts';
import type { PublicConfig, SiteContacts } from '#shared/pages/site.ts';
import { environment, type logLevels, requiredInProduction } from './environment.ts';
import { isSet, readSecretFiles } from './secretFiles.ts';
import { databaseTls } from './databaseTls.ts';
import { keyBits, keyBitsMin } from './keyStrength.ts';
import { publicTilesUrl, type RateWindow } from './kinds.ts';
import { type LedgerConfig, ledgerFaults, getLedger } from './ledger.ts';
import type { FieldOverrides } from './fieldMap.ts';
import type { Retention } from './retention.ts';
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

export interface Config {
  production: boolean;
  port: number;
  host: string;
  dataDir: string;
  /** Null: not set. Only local commands allow it and start a Postgres under dataDir. */
  databaseUrl: string | null;
  /** For work that needs a session of its own, if `databaseUrl` leads to a proxy; null: `databaseUrl` does. */
  databaseDirectUrl: string | null;
  /** For reads that may be some seconds old; null: the primary serves them. */
  databaseReplicaUrl: string | null;
  /** Of the role that owns the schema and migrates; null: the role in `databaseUrl` does. */
  databaseOwnerUrl: string | null;
  /** Whether statements may stay prepared on their connection. */
  databasePrepare: boolean;
  /** Whether a process applies pending migrations when it starts; otherwise it refuses to start. */
  migrateOnStart: boolean;
  /** Connections of the main pool at most; null: as many as the process's work needs (`poolMaxOf`). */
  databasePoolMax: number | null;
  /** Normalized hosts. Canonical links name the first. */
  mainDomains: string[];
  /**
   * The addresses at which visitors reach this service, as ipaddr.js formats them. Empty: those of the first main
   * domain.
   */
  siteAddresses: string[];
  trustedProxies: number;
  /** Whether the outermost trusted proxy sends the host in X-Forwarded-Host. */
  trustForwardedHost: boolean;
  /** The first signs, all verify. Empty in development until withLocalSecrets adds a key. */
  secretKeys: string[];
  matchRadiusMiles: number;
  /** Empty: no limit. */
  rateLimitLeads: RateWindow[];
  sampleData: boolean;
  /** After SIGTERM, how long connections are still accepted while /healthz and /readyz fail. */
  shutdownDelaySeconds: number;
  /** Street tiles above the basemap, with `{z}`, `{x}` and `{y}`; null without tiles. */
  mapTilesUrl: string | null;
  /** The site that stores the providers; null without one. */
  wordpressUrl: string | null;
  wordpress: {
    /** The post type of providers in the REST API. */
    type: string;
    credentials: { user: string; appPassword: string } | null;
    /** Paths of fields that differ from the default. */
    fields: FieldOverrides;
    /** Of the sync's requests. */
    userAgent: string;
  };
  /**
   * A sync is refused if it would deactivate, or take the domain from, more than this percentage of the active
   * providers.
   */
  syncDeactivationLimit: number;
  /** A service compatible with the Census Bureau's geocoder; null without one. */
  geocoderUrl: string | null;
  contacts: SiteContacts;
  /** An external page, or the path of our own. */
  providerSignupUrl: string;
  starterKitUrl: string;
  /** Ad accounts of the brand's own site. Providers' accounts are in their records. */
  adIds: AdIds;
  /** Null: the recruitment page's countdown has no date. */
  offerEndsAt: Date | null;
  /** Argon2id, as a PHC string. Null: the shared password is disabled. */
  adminPasswordHash: string | null;
  logLevel: (typeof logLevels)[number];
  metricsToken: string | null;
  /** Where a worker answers probes and scrapes; null: nowhere. */
  metricsPort: number | null;
  /** Fill pages from templates (render/templates/README.md). */
  pageTemplates: boolean;
  /** Whether a web process also runs the background work. */
  worker: 'inline' | 'off';
  /** Null: email goes to a folder under dataDir; in production, it waits. */
  smtpUrl: string | null;
  /** Whether TLS is required, unless the address says `requireTLS=false`. */
  smtpRequiresTls: boolean;
  /** The mail server for alerts to owners; null: the same as for other messages. */
  alertSmtp: { url: string; requiresTls: boolean } | null;
  /** The sender of messages. */
  mailFrom: { name: string; address: string };
  /** Where people reply STOP; null: replies go to the contact address. */
  inboundMail: InboundMail | null;
  /** Lead emails per hour over all processes; more wait. */
  leadEmailsPerHour: number;
  /** The CRM that receives leads; null without one. */
  crm: Crm | null;
  /** How long rows are kept. */
  retention: Retention;
  /** Where the erasure ledger is shipped to; null: its entries wait. */
  ledger: LedgerConfig | null;
  /** Whether the audit log is shipped beside the ledger. */
  shipsAudit: boolean;
}

interface InboundMail {
  /** Each message to a lead adds a token to it: `stop@…` becomes `stop+<token>@…`. */
  address: string;
  /** `whsec_…`: what posts received mail signs with it. */
  secret: string;
}

type Crm = { kind: 'webhook'; url: string; secret: string } | { kind: 'hubspot'; url: string; token: string };

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
  ];
}

function inboundFaults(values: Environment): string[] {
  const { INBOUND_MAIL_ADDRESS: address, INBOUND_MAIL_SECRET: secret } = values;
  return (address === undefined) === (secret === undefined)
    ? []
    : ['INBOUND_MAIL_ADDRESS, INBOUND_MAIL_SECRET: set both or neither'];
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
 * Reads the environment. Throws ConfigError, which lists all faults. Empty variables count as unset, because shells and
 * process managers often pass them.
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
    faults.push(...crmFaults(parsed.data), ...inboundFaults(parsed.data), ...ledgerFaults(parsed.data));
    faults.push(...databaseFaults(parsed.data));
    if (parsed.data.NODE_ENV === 'production') faults.push(...productionFaults(parsed.data));
    if (parsed.data.AUDIT_SHIPPING === 'on' && parsed.data.LEDGER_URL === undefined)
      faults.push('AUDIT_SHIPPING: needs LEDGER_URL, where the entries are shipped');
    if (parsed.data.TRUST_FORWARDED_HOST === 'on' && parsed.data.TRUSTED_PROXIES === 0)
      faults.push(
        'TRUST_FORWARDED_HOST: needs TRUSTED_PROXIES of 1 or more, or anyone could choose the host',
      );
  }
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults);
  const values = parsed.data;
  const { WORDPRESS_USER: user, WORDPRESS_APP_PASSWORD: appPassword } = values;
  const production = values.NODE_ENV === 'production';
  const requiresTls = (url: string | undefined): boolean =>
    production && url !== undefined && !isLoopbackHost(parseUrl(url)?.hostname.toLowerCase() ?? '');
  return {
    production,
    port: values.PORT,
    host: values.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL ?? null,
    databaseDirectUrl: values.DATABASE_DIRECT_URL ?? null,
    databaseReplicaUrl: values.DATABASE_REPLICA_URL ?? null,
    databaseOwnerUrl: values.DATABASE_OWNER_URL ?? null,
    databasePrepare: values.DATABASE_PREPARE === 'on',
    migrateOnStart: values.MIGRATE_ON_START === 'on',
    databasePoolMax: values.DATABASE_POOL_MAX ?? values.DATABASE_POOL_SIZE ?? null,
    mainDomains: values.MAIN_DOMAINS,
    siteAddresses: values.SITE_ADDRESSES,
    trustedProxies: values.TRUSTED_PROXIES,
    trustForwardedHost: values.TRUST_FORWARDED_HOST === 'on',
    secretKeys: values.SECRET_KEYS,
    matchRadiusMiles: values.MATCH_RADIUS_MILES,
    rateLimitLeads: values.RATE_LIMIT_LEADS,
    sampleData: values.SAMPLE_DATA === undefined ? !production : values.SAMPLE_DATA === 'on',
    shutdownDelaySeconds: values.SHUTDOWN_DELAY_SECONDS ?? (production ? 5 : 0),
    mapTilesUrl:
      values.MAP_TILES_URL === undefined ? (production ? null : publicTilesUrl) : values.MAP_TILES_URL,
    wordpressUrl: values.WORDPRESS_URL ?? null,
    wordpress: {
      type: values.WORDPRESS_TYPE,
      credentials: user === undefined || appPassword === undefined ? null : { user, appPassword },
      fields: values.WORDPRESS_FIELDS,
      userAgent: values.WORDPRESS_USER_AGENT,
    },
    syncDeactivationLimit: values.SYNC_DEACTIVATION_LIMIT,
    geocoderUrl: values.GEOCODER_URL ?? null,
    contacts: {
      email: values.CONTACT_EMAIL ?? 'hello@example.com',
      phone: values.CONTACT_PHONE ?? '(555) 010-0100',
      postalAddress: values.LEGAL_POSTAL_ADDRESS ?? '100 Example Street, Springfield, IL 62701',
      arbitrationPlace: values.LEGAL_ARBITRATION_PLACE ?? 'Springfield, Illinois',
    },
    providerSignupUrl: values.PROVIDER_SIGNUP_URL ?? paths.recruitment,
    starterKitUrl: values.STARTER_KIT_URL ?? 'https://example.com/starter-kit',
    adIds: { google: values.GOOGLE_ADS_ID ?? null, microsoft: values.BING_ADS_ID ?? null },
    offerEndsAt: values.OFFER_ENDS_AT ?? null,
    adminPasswordHash: values.ADMIN_PASSWORD_HASH ?? null,
    logLevel: values.LOG_LEVEL ?? (production ? 'info' : 'warn'),
    metricsToken: values.METRICS_TOKEN ?? null,
    metricsPort: values.METRICS_PORT,
    pageTemplates: values.PAGE_TEMPLATES === 'on',
    worker: values.WORKER,
    leadEmailsPerHour: values.LEAD_EMAILS_PER_HOUR,
    inboundMail: getInboundMail(values),
    crm: toCrm(values),
    retention: values.RETENTION,
    ledger: getLedger(values),
    shipsAudit: values.AUDIT_SHIPPING === 'on',
    smtpUrl: values.SMTP_URL ?? null,
    alertSmtp:
      values.ALERT_SMTP_URL === undefined
        ? null
        : { url: values.ALERT_SMTP_URL, requiresTls: requiresTls(values.ALERT_SMTP_URL) },
    smtpRequiresTls: requiresTls(values.SMTP_URL),
    mailFrom: values.MAIL_FROM ?? {
      name: brand.plainName,
      address: values.CONTACT_EMAIL ?? 'hello@example.com',
    },
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
