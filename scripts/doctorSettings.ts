import { isIPv6 } from 'node:net';
import { databaseTls } from '#server/config/databaseTls.ts';
import { findDatabaseUrl } from '#server/db/databaseUrl.ts';
import { keyBits } from '#server/config/secretFiles.ts';
import { rateWindows } from '#server/config/kinds.ts';
import { loopbackHosts, parseHost } from '#server/tenant/parseHost.ts';
import { brand, treatmentWords } from '#shared/brand/brand.ts';

type Environment = Record<string, string | undefined>;

/** A setting that production starts with, although a public site may need another. */
interface Check {
  applies: (value: (name: string) => string) => boolean;
  /**
   * Names the variable and what follows from its value, never the value itself unless it is a choice of a few words.
   */
  text: (value: (name: string) => string) => string;
}

function isUnset(name: string, consequence: string): Check {
  return { applies: (value) => value(name) === '', text: () => `${name} isn't set: ${consequence}.` };
}

function isOneOf(name: string, choices: readonly string[], consequence: string): Check {
  return {
    applies: (value) => choices.includes(value(name)),
    text: (value) => `${name} is ${value(name)}: ${consequence}.`,
  };
}

function check(applies: Check['applies'], text: string): Check {
  return { applies, text: () => text };
}

function isHttp(name: string, consequence: string): Check {
  return check((value) => value(name).startsWith('http:'), `${name} isn't https: ${consequence}.`);
}

/** Whether a host name or an address, IPv6 with or without brackets, is this machine. */
function isLoopback(host: string): boolean {
  return parseHost(isIPv6(host) ? `[${host}]` : host, loopbackHosts).kind === 'main';
}

/** What an address says about TLS; null for none and for one that can't be read, which startup reports. */
function getTls(url: string): ReturnType<typeof databaseTls> | null {
  return findDatabaseUrl(url) === null ? null : databaseTls(url);
}

/** Memory in KiB times passes: OWASP's recommendations for Argon2id all come to about 36,000 or more. */
const hashCostMin = 35_000;

function isCheapHash(phc: string): boolean {
  const [, memory = '', passes = ''] = /\$m=(\d+),t=(\d+),/.exec(phc) ?? [];
  return memory !== '' && Number(memory) * Number(passes) < hashCostMin;
}

/** Bits of a token that can't be guessed over a network. Keys, which can be tried offline, need more (keyBitsMin). */
const tokenBitsMin = 64;
/** Far more than one network's visitors send; the default is 20. */
const leadsPerHourMax = 1_000;
/** Ten times the default. */
const leadEmailsPerHourMax = 10_000;

/**
 * What the strictest window of a limit allows in an hour; 0 for none and for one that can't be read, which startup
 * reports.
 */
function leadsPerHour(limit: string): number {
  const { success, data } = rateWindows.safeParse(limit);
  if (!success || data.length === 0) return 0;
  return Math.min(...data.map(({ points, windowSeconds }) => (points * 3_600) / windowSeconds));
}

/** Whether a text says what the treatment is, whatever stands between its letters. */
function namesTreatment(text: string): boolean {
  const toLetters = (written: string): string => written.toLowerCase().replace(/[^\p{L}]/gu, '');
  return [brand.plainName, ...treatmentWords].some((word) => toLetters(text).includes(toLetters(word)));
}

/** A parameter of an address; null where there is none. */
function getParameter(url: string, name: string): string | null {
  return URL.parse(url)?.searchParams.get(name) ?? null;
}

/**
 * How long a process may take to stop after its delay (serve.ts), and what the units' TimeoutStopSec and compose's
 * stop_grace_period allow in all.
 */
const stopSeconds = 10;
const graceSeconds = 30;

const checks: readonly Check[] = [
  check(
    (value) => value('NODE_ENV') !== 'production',
    "NODE_ENV isn't production: generated secrets, sample data and the public map tiles are in use.",
  ),
  isOneOf(
    'TRUSTED_PROXIES',
    ['0'],
    'behind a proxy all visitors count as one network, and the evidence has its address',
  ),
  isOneOf(
    'TRUST_FORWARDED_HOST',
    ['on'],
    'the outermost trusted proxy has to overwrite or append X-Forwarded-Host, or visitors choose the site',
  ),
  check(
    (value) => Number(value('TRUSTED_PROXIES')) > 0 && !isLoopback(value('HOST')),
    "HOST isn't a loopback address: anyone who reaches the port directly can claim any address. Open it to the proxy only.",
  ),
  isUnset('DATABASE_URL', 'the embedded Postgres serves one machine and has no point-in-time recovery'),
  ...['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL', 'DATABASE_OWNER_URL'].flatMap((name) => [
    check((value) => {
      const tls = getTls(value(name));
      return tls !== null && tls.isPrivate && !tls.isLocal && !tls.isEncrypted;
    }, `${name} doesn't ask for TLS: anyone in that network can read what is sent to it.`),
    check((value) => {
      const tls = getTls(value(name));
      return tls !== null && tls.isEncrypted && !tls.isVerified;
    }, `${name} verifies no certificate: use sslmode=verify-full.`),
  ]),
  check(
    (value) => isCheapHash(value('ADMIN_PASSWORD_HASH')),
    'ADMIN_PASSWORD_HASH costs too little to guess: make a new one with npm run admin:password.',
  ),
  isOneOf('RATE_LIMIT_LEADS', ['off'], 'anyone can send any number of leads'),
  check(
    (value) => leadsPerHour(value('RATE_LIMIT_LEADS')) > leadsPerHourMax,
    'RATE_LIMIT_LEADS lets one network send more than 1,000 leads an hour: that is no limit.',
  ),
  check(
    (value) => Number(value('LEAD_EMAILS_PER_HOUR')) > leadEmailsPerHourMax,
    'LEAD_EMAILS_PER_HOUR is above 10,000: a flood of leads can make the mail server a source of spam.',
  ),
  isOneOf(
    'NODE_TLS_REJECT_UNAUTHORIZED',
    ['0'],
    'no certificate is verified, whatever the service, and anyone on the way can read what is sent',
  ),
  isOneOf('SAMPLE_DATA', ['on'], 'npm start fills an empty database with fictional providers'),
  check(
    (value) => /\bopenstreetmap\.org\b/i.test(value('MAP_TILES_URL')),
    'MAP_TILES_URL names the public OpenStreetMap tiles: their usage policy asks a busy site to use another server.',
  ),
  isHttp('MAP_TILES_URL', 'browsers load no such tiles on an https page'),
  isUnset(
    'LEDGER_URL',
    'after a restored backup, people who were erased or suppressed since come back (docs/backup.md)',
  ),
  isUnset('METRICS_TOKEN', 'GET /metrics answers nobody'),
  check(
    (value) => value('METRICS_TOKEN') !== '' && keyBits(value('METRICS_TOKEN')) < tokenBitsMin,
    'METRICS_TOKEN can be guessed: make a random one, such as openssl rand -hex 16 prints.',
  ),
  isOneOf('LOG_LEVEL', ['debug', 'trace'], 'every page read is a line in the log'),
  isOneOf('LOG_LEVEL', ['error', 'fatal', 'silent'], 'warnings are not logged'),
  isOneOf(
    'SHUTDOWN_DELAY_SECONDS',
    ['0'],
    'a load balancer learns that a process stops only when it refuses connections',
  ),
  {
    applies: (value) => Number(value('SHUTDOWN_DELAY_SECONDS')) + stopSeconds >= graceSeconds,
    text: (value) =>
      `SHUTDOWN_DELAY_SECONDS is ${Number(value('SHUTDOWN_DELAY_SECONDS'))}: stopping takes up to ${stopSeconds} seconds more, and the examples in deploy allow ${graceSeconds} in all. Raise TimeoutStopSec or stop_grace_period.`,
  },
  isUnset('SMTP_URL', 'no email is sent'),
  isUnset(
    'MAIL_FROM_VISITORS',
    "a visitor's locked phone shows MAIL_FROM. Give a registered name of yours that doesn't name the treatment",
  ),
  check(
    (value) => namesTreatment(value('MAIL_FROM_VISITORS')),
    "MAIL_FROM_VISITORS names the treatment, and a visitor's locked phone shows it: use another registered name.",
  ),
  check(
    (value) => /[?&]requireTLS=(false|0)\b/.test(value('SMTP_URL')),
    'SMTP_URL says requireTLS=false: email may leave unencrypted.',
  ),
  check(
    (value) => getParameter(value('SMTP_URL'), 'tls.rejectUnauthorized') === 'false',
    "SMTP_URL says tls.rejectUnauthorized=false: the mail server's certificate isn't verified.",
  ),
  isHttp('WORDPRESS_URL', 'others can change what is synced and read the password'),
  isHttp('GEOCODER_URL', "providers' addresses are sent unencrypted"),
  check(
    (value) => Number(value('SYNC_DEACTIVATION_LIMIT')) >= 100,
    'SYNC_DEACTIVATION_LIMIT is 100: a faulty source can deactivate every provider.',
  ),
  check(
    (value) =>
      value('MAIN_DOMAINS')
        .split(',')
        .some((domain) => isLoopback(domain.trim())),
    'MAIN_DOMAINS names this machine: links in messages lead nowhere.',
  ),
];

/** Optional settings: one that isn't set is a choice, not a gap. */
const optional: readonly { feature: string; variables: readonly string[] }[] = [
  { feature: 'WordPress', variables: ['WORDPRESS_URL'] },
  { feature: 'a CRM', variables: ['CRM_WEBHOOK_URL', 'HUBSPOT_TOKEN'] },
  { feature: 'withdrawal by a reply of STOP', variables: ['INBOUND_MAIL_ADDRESS'] },
];

/** One line with the features that aren't used, and their variables; none if all are. */
export function unusedFeatures(env: Environment): string[] {
  const unused = optional.filter(({ variables }) =>
    variables.every((name) => (env[name] ?? '').trim() === ''),
  );
  const names = unused.map(({ feature, variables }) => `${feature} (${variables.join(' or ')})`);
  return names.length === 0 ? [] : [`Not used: ${names.join(', ')}.`];
}

/**
 * A sentence for each setting of this environment that a public site may need to be different. No value of a secret is
 * in it.
 */
export function settingGaps(env: Environment): string[] {
  const value = (name: string): string => (env[name] ?? '').trim();
  return checks.filter(({ applies }) => applies(value)).map(({ text }) => text(value));
}
