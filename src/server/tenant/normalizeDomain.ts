import { parseHost } from './parseHost.ts';

/** Why a text can't be a clinic's domain, in sentences for whoever keeps the clinics' records. */
const messages = {
  empty: 'The domain is empty.',
  malformed: 'The domain is not a host name, such as clinic.com.',
  address: (host: string) => `${host} is an IP address. A domain is a name, such as clinic.com.`,
  single: (host: string) => `${host} has no dot. A domain has at least two parts, such as clinic.com.`,
  underscore: (host: string) => `${host} has an underscore, which a website’s name can’t have.`,
  twiceWww: 'The domain begins with www. twice.',
  reserved: (host: string, ending: string) =>
    `${host} ends in .${ending}, which is reserved: no visitor could reach it.`,
  main: (host: string) => `${host} belongs to the main site.`,
  belowMain: (host: string, mainDomain: string) =>
    `${host} is part of ${mainDomain}, which belongs to the main site.`,
} as const;

export type NormalizedDomain = { domain: string } | { refused: string };

/**
 * Endings that never lead anywhere in public (RFC 6761 and 6762, IANA's special-use names, ICANN's `internal`). Names below `localhost`
 * are clinics in development, `test` and `example` serve trials: nobody can own one, so nobody can lose one.
 */
const reservedEndings = new Set(['alt', 'arpa', 'internal', 'invalid', 'local', 'localdomain', 'onion']);

/**
 * A clinic's domain as `providers.domain` keeps it and as requests are looked up by: the host alone, in the form parseHost gives it. People type an address
 * from their browser's bar, so scheme, port, path and `www.` are dropped. What could never be a clinic's own public host is refused with a
 * sentence for whoever typed it. `mainDomains` are normalised hosts, as the configuration has them.
 */
export function normalizeDomain(text: string, mainDomains: readonly string[]): NormalizedDomain {
  const [, typed = ''] = /^(?:(?:https?:)?\/\/)?([^/?#]*)/i.exec(text.trim()) ?? [];
  if (typed === '') return { refused: messages.empty };
  const match = parseHost(typed, mainDomains);
  if (match.kind === 'invalid') return { refused: messages.malformed };
  if (match.kind === 'main') return { refused: messages.main(match.host) };
  const refused = faultOf(match.host, mainDomains);
  return refused === null ? { domain: match.host } : { refused };
}

/** What is wrong with a well-formed host that isn't a main domain; null if nothing. */
function faultOf(host: string, mainDomains: readonly string[]): string | null {
  // Of digits and dots alone parseHost lets IPv4 addresses pass, and nothing else. A parser of addresses would tell by throwing, which a
  // sync of many domains would feel.
  if (host.startsWith('[') || /^[0-9.]+$/.test(host)) return messages.address(host);
  const ending = host.slice(host.lastIndexOf('.') + 1);
  if (ending === host) return messages.single(host);
  if (host.includes('_')) return messages.underscore(host);
  // A request for it would be looked up without its `www.`.
  if (host.startsWith('www.')) return messages.twiceWww;
  const parent = mainDomains.find((name) => name !== 'localhost' && host.endsWith(`.${name}`));
  if (parent !== undefined) return messages.belowMain(host, parent);
  return reservedEndings.has(ending) ? messages.reserved(host, ending) : null;
}
