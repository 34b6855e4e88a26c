import { execFile } from 'node:child_process';
import { isIP } from 'node:net';
import { parseUrl } from '#shared/formats/text.ts';
import type { Config } from '#server/config/config.ts';
import { discoverProvider } from '#server/features/auth/oidc.ts';
import { isLoopback, isPublicAddress } from '#server/security/guardedRequest.ts';
import { type Gap, open } from './doctorGaps.ts';

interface Service {
  variable: string;
  url: string;
  /** What follows if its host can't be found. */
  consequence: string;
  /** Whether nothing is sent to an address that isn't public. */
  mustBePublic: boolean;
}

/** The addresses of a host; empty: it has none; null: nobody answered in time. */
type Find = (host: string) => Promise<readonly string[] | null>;

/** What a process of its own runs to look a name up, as all others of the product do. */
const lookup = `require('node:dns').lookup(process.argv[1], { all: true }, (_, found = []) =>
  process.stdout.write(found.map(({ address }) => address).join(' ')))`;

/** How long a resolver may take. */
const patienceMs = 5_000;

/**
 * The addresses of a host, as this machine resolves names. A resolver that doesn't answer is not waited for: nothing
 * but its end stops a process that waits for one, so another process asks.
 */
export function findAddresses(host: string, timeoutMs = patienceMs): Promise<string[] | null> {
  if (isIP(host) !== 0) return Promise.resolve([host]);
  const options = { timeout: timeoutMs, killSignal: 'SIGKILL' } as const;
  return new Promise((resolve) => {
    execFile(process.execPath, ['--eval', lookup, '--', host], options, (error, stdout) =>
      resolve(error?.killed === true ? null : stdout.split(' ').filter(Boolean)),
    );
  });
}

type Settings = Pick<Config, 'crm' | 'production' | 'smtpUrl' | 'alertSmtp' | 'wordpressUrl'>;

function pickServices({ crm, smtpUrl, alertSmtp, wordpressUrl }: Settings): Service[] {
  const mail = { consequence: 'email waits', mustBePublic: false };
  const waits = { consequence: 'its deliveries are retried, then held', mustBePublic: true };
  return [
    ...(crm === null
      ? []
      : [{ variable: crm.kind === 'webhook' ? 'CRM_WEBHOOK_URL' : 'HUBSPOT_URL', url: crm.url, ...waits }]),
    ...(smtpUrl === null ? [] : [{ variable: 'SMTP_URL', url: smtpUrl, ...mail }]),
    ...(alertSmtp === null
      ? []
      : [{ ...mail, variable: 'ALERT_SMTP_URL', url: alertSmtp.url, consequence: 'alerts reach nobody' }]),
    ...(wordpressUrl === null
      ? []
      : [{ variable: 'WORDPRESS_URL', url: wordpressUrl, consequence: 'syncs fail', mustBePublic: false }]),
  ];
}

/**
 * Whether the hosts of the CRM, the mail servers and WordPress can be found, and whether the CRM's may be called:
 * deliveries to an address that isn't public are held. Names are looked up, nothing is sent, and no address is in the
 * sentences.
 */
export async function addressGaps(config: Settings, find: Find = findAddresses): Promise<Gap[]> {
  const isAllowed = (address: string): boolean =>
    isPublicAddress(address) || (!config.production && isLoopback(address));
  const listGaps = async ({ variable, url, consequence, mustBePublic }: Service): Promise<Gap[]> => {
    const host = parseUrl(url)?.hostname.replace(/^\[|\]$/g, '') ?? '';
    const addresses = await find(host);
    if (addresses === null) {
      const seconds = patienceMs / 1_000;
      return [open(`${variable} names a host that wasn't found in ${seconds} seconds: ${consequence}.`)];
    }
    if (addresses.length === 0)
      return [open(`${variable} names a host that can't be found: ${consequence}.`)];
    return !mustBePublic || addresses.every(isAllowed)
      ? []
      : [open(`${variable} leads to an address that isn't public: its deliveries are held.`)];
  };
  return (await Promise.all(pickServices(config).map(listGaps))).flat();
}

/** Whether the identity provider of single sign-on answers with its discovery document. */
export async function singleSignOnGaps({ oidc }: Pick<Config, 'oidc'>): Promise<Gap[]> {
  if (oidc === null) return [];
  try {
    await discoverProvider(oidc);
    return [];
  } catch {
    return [
      open(
        'OIDC_ISSUER names no identity provider that answers: single sign-on fails, passwords still sign in.',
      ),
    ];
  }
}
