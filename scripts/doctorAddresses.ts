import { lookup } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parseUrl } from '#shared/formats/parseUrl.ts';
import type { Config } from '#server/config/config.ts';
import { isLoopback, isPublicAddress } from '#server/security/publicAddress.ts';
import { type Gap, open } from './doctorGaps.ts';

interface Service {
  variable: string;
  url: string;
  /** What follows if its host can't be found. */
  consequence: string;
  /** Whether nothing is sent to an address that isn't public. */
  mustBePublic: boolean;
}

interface Resolver {
  find: (host: string) => Promise<readonly { address: string }[]>;
  timeoutMs: number;
}

/** As the system resolves names. A resolver that doesn't answer is not waited for. */
const system: Resolver = { find: (host) => lookup(host, { all: true }), timeoutMs: 5_000 };

type Settings = Pick<Config, 'crm' | 'production' | 'smtpUrl' | 'alertSmtp' | 'wordpressUrl'>;

function servicesOf({ crm, smtpUrl, alertSmtp, wordpressUrl }: Settings): Service[] {
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

/** The addresses of a host; empty: it has none; null: nobody answered in time. */
async function findAddresses(host: string, { find, timeoutMs }: Resolver): Promise<string[] | null> {
  const answered = new AbortController();
  const late = delay(timeoutMs, null, { signal: answered.signal }).catch(() => null);
  try {
    const found = await Promise.race([find(host).catch(() => []), late]);
    return found?.map(({ address }) => address) ?? null;
  } finally {
    answered.abort();
  }
}

/**
 * Whether the hosts of the CRM, the mail servers and WordPress can be found, and whether the CRM's may be called:
 * deliveries to an address that isn't public are held. Names are looked up, nothing is sent, and no address is in the
 * sentences.
 */
export async function addressGaps(config: Settings, resolver: Resolver = system): Promise<Gap[]> {
  const isAllowed = (address: string): boolean =>
    isPublicAddress(address) || (!config.production && isLoopback(address));
  const gapsOf = async ({ variable, url, consequence, mustBePublic }: Service): Promise<Gap[]> => {
    const host = parseUrl(url)?.hostname.replace(/^\[|\]$/g, '') ?? '';
    const addresses = await findAddresses(host, resolver);
    if (addresses === null) {
      const seconds = resolver.timeoutMs / 1_000;
      return [open(`${variable} names a host that wasn't found in ${seconds} seconds: ${consequence}.`)];
    }
    if (addresses.length === 0)
      return [open(`${variable} names a host that can't be found: ${consequence}.`)];
    return !mustBePublic || addresses.every(isAllowed)
      ? []
      : [open(`${variable} leads to an address that isn't public: its deliveries are held.`)];
  };
  return (await Promise.all(servicesOf(config).map(gapsOf))).flat();
}
