import type { DnsRecord, DomainFinding } from '#shared/providers/domainCheck.ts';
import { domainCheckMessages } from '#server/features/domains/messages.ts';
import type { Config } from '#server/config/config.ts';
import type { Addresses, NameLookup } from './nameLookup.ts';

const words = domainCheckMessages.dns;

interface DnsCheck {
  dns: DomainFinding;
  records: DnsRecord[];
  /** The addresses of the name; empty unless the finding is ok. */
  addresses: string[];
}

interface Deps {
  names: NameLookup;
  config: Pick<Config, 'mainDomains' | 'siteAddresses'>;
}

/** Whether a domain resolves to this service only, and the records it needs otherwise. */
export async function checkDns(domain: string, { names, config }: Deps): Promise<DnsCheck> {
  const mainDomain = config.mainDomains[0] ?? 'localhost';
  const [found, www, isZone, expected] = await Promise.all([
    names.findAddresses(domain),
    names.findAddresses(`www.${domain}`),
    isZoneOf(domain, names),
    expectedAddresses(mainDomain, { names, config }),
  ]);
  if (expected === null) return { dns: unsure(domain, found), records: [], addresses: [] };
  const dns = judge(domain, found, expected);
  if (dns.state !== 'ok' || found.kind !== 'found')
    return { dns, records: recordsFor(domain, { isZone, mainDomain, expected }), addresses: [] };
  // Nobody types `www.` before a subdomain.
  const text = isZone ? `${dns.text}${wwwNote(`www.${domain}`, www, expected)}` : dns.text;
  return { dns: { state: 'ok', text }, records: [], addresses: found.addresses };
}

/** A name with two labels is a registered domain; others are where a zone begins (`clinic.co.uk`). */
async function isZoneOf(domain: string, names: NameLookup): Promise<boolean> {
  return domain.split('.').length === 2 || names.isZone(domain);
}

/** Null if they are unknown. */
async function expectedAddresses(mainDomain: string, { names, config }: Deps): Promise<string[] | null> {
  if (config.siteAddresses.length > 0) return config.siteAddresses;
  const own = await names.findAddresses(mainDomain);
  return own.kind === 'found' ? own.addresses : null;
}

/** The finding without addresses to compare with. */
function unsure(domain: string, found: Addresses): DomainFinding {
  if (found.kind !== 'found') return judge(domain, found, []);
  return { state: 'unknown', text: `${words.leadsTo(domain, found.addresses)} ${words.unsure}` };
}

function judge(domain: string, found: Addresses, expected: readonly string[]): DomainFinding {
  if (found.kind === 'found') return judgeAddresses(domain, found, expected);
  if (found.kind === 'late') return { state: 'unknown', text: words.late };
  if (found.kind === 'failed') return { state: 'unknown', text: words.failed(domain, found.code) };
  return { state: 'wrong', text: words[found.kind](domain) };
}

function judgeAddresses(
  domain: string,
  { addresses, alias }: Extract<Addresses, { kind: 'found' }>,
  expected: readonly string[],
): DomainFinding {
  const wrong = addresses.filter((address) => !expected.includes(address));
  if (wrong.length === 0) return { state: 'ok', text: words.here(domain, addresses) };
  const text =
    wrong.length < addresses.length ? words.partly(domain, wrong) : words.elsewhere(domain, addresses, alias);
  return { state: 'wrong', text: `${text} ${words.expected(expected)}` };
}

/** Reports a missing `www.`; nothing if it resolves to this service or is unknown. */
function wwwNote(name: string, www: Addresses, expected: readonly string[]): string {
  if (www.kind === 'missing' || www.kind === 'empty') return ` ${words.wwwMissing(name)}`;
  const isElsewhere = www.kind === 'found' && www.addresses.some((address) => !expected.includes(address));
  return isElsewhere ? ` ${words.wwwElsewhere(name)}` : '';
}

/** An alias if one is allowed and has a target: it follows when our addresses change. */
function recordsFor(
  domain: string,
  { isZone, mainDomain, expected }: { isZone: boolean; mainDomain: string; expected: readonly string[] },
): DnsRecord[] {
  // A host with a dot that is not an address: `localhost` and addresses cannot be targets.
  if (!isZone && /\.[a-z][a-z0-9-]*$/.test(mainDomain))
    return [{ type: 'CNAME', name: domain, value: mainDomain }];
  return expected.map((value) => ({ type: value.includes(':') ? 'AAAA' : 'A', name: domain, value }));
}
