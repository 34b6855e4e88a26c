import { z } from 'zod';
import { googleAdsIdPattern, uetTagIdPattern } from '#shared/providers/adIds.ts';
import { isPasswordHash } from '../security/password.ts';
import {
  commaList,
  count,
  databaseUrl,
  host,
  inboundAddress,
  instant,
  ipAddress,
  mailFrom,
  portOrOff,
  rateWindows,
  siteUrl,
  tilesUrl,
  webhookSecret,
  webUrl,
  wordpressFields,
} from './kinds.ts';
import { ledgerUrl } from './ledger.ts';
import { oidcVariables } from './oidc.ts';
import { defaultRetention, retention } from './retention.ts';

/** Exports hold up to three connections, and rematching holds one while it stores with another. */
const poolMax = count(5, 200);

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const environment = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  PORT: count(0, 65_535).default(3000),
  HOST: z.string().min(1).optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_REPLICA_URL: databaseUrl.optional(),
  DATABASE_OWNER_URL: databaseUrl.optional(),
  DATABASE_TLS: z.enum(['auto', 'require']).default('auto'),
  DATABASE_PREPARE: z.enum(['on', 'off']).default('on'),
  MIGRATE_ON_START: z.enum(['on', 'off']).default('on'),
  DATABASE_POOL_MAX: poolMax.optional(),
  /** The former name of DATABASE_POOL_MAX. */
  DATABASE_POOL_SIZE: poolMax.optional(),
  MAIN_DOMAINS: commaList.pipe(z.array(host)).default([]),
  SITE_ADDRESSES: commaList.pipe(z.array(ipAddress)).default([]),
  TRUSTED_PROXIES: count(0, 10).default(0),
  TRUST_FORWARDED_HOST: z.enum(['on', 'off']).default('off'),
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
  SHUTDOWN_DELAY_SECONDS: count(0, 300).optional(),
  SAMPLE_DATA: z.enum(['on', 'off']).optional(),
  MAP_TILES_URL: tilesUrl.optional(),
  WORDPRESS_URL: siteUrl.optional(),
  WORDPRESS_TYPE: z
    .string()
    .regex(/^[\w-]{1,60}$/, "must be the type's name in the REST API, such as provider")
    .default('provider'),
  WORDPRESS_USER: z.string().trim().optional(),
  WORDPRESS_APP_PASSWORD: z.string().trim().optional(),
  WORDPRESS_FIELDS: wordpressFields.default({}),
  WORDPRESS_USER_AGENT: z
    .string()
    .regex(/^[!-~](?:[ -~]{0,198}[!-~])?$/, 'must be up to 200 printable ASCII characters')
    .default('clinic-leads-sync'),
  SYNC_DEACTIVATION_LIMIT: count(0, 100).default(20),
  GEOCODER_URL: webUrl.optional(),
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
    .refine(
      (text) => text === 'off' || isPasswordHash(text),
      'must be what npm run admin:password prints, in single quotes, or off',
    )
    .optional(),
  LOG_LEVEL: z.enum(logLevels).optional(),
  METRICS_TOKEN: z.string().min(16).optional(),
  METRICS_PORT: portOrOff.default(9464),
  PAGE_TEMPLATES: z.enum(['on', 'off']).default('on'),
  WORKER: z.enum(['inline', 'off']).default('inline'),
  ALERT_SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' }).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' }).optional(),
  MAIL_FROM: mailFrom.optional(),
  MAIL_FROM_VISITORS: mailFrom.optional(),
  INBOUND_MAIL_ADDRESS: inboundAddress.optional(),
  INBOUND_MAIL_SECRET: webhookSecret.optional(),
  LEAD_EMAILS_PER_HOUR: count(1, 1_000_000).default(1000),
  CRM_WEBHOOK_URL: webUrl.optional(),
  CRM_WEBHOOK_SECRET: webhookSecret.optional(),
  HUBSPOT_TOKEN: z.string().min(10).optional(),
  HUBSPOT_URL: siteUrl.default('https://api.hubapi.com'),
  RETENTION: retention.default(defaultRetention),
  LEDGER_URL: ledgerUrl.optional(),
  AUDIT_SHIPPING: z.enum(['on', 'off']).default('off'),
  LEDGER_ACCESS_KEY_ID: z.string().min(3).optional(),
  LEDGER_SECRET_ACCESS_KEY: z.string().min(8).optional(),
  ...oidcVariables,
});

/** These have no safe default in production, which does not start without them. */
export const requiredInProduction = [
  'MAIN_DOMAINS',
  'TRUSTED_PROXIES',
  'SECRET_KEYS',
  'LEGAL_ARBITRATION_PLACE',
  'LEGAL_POSTAL_ADDRESS',
  'CONTACT_EMAIL',
  'CONTACT_PHONE',
  'STARTER_KIT_URL',
] as const;
