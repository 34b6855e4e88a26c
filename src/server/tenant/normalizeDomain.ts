import { domainMessages as words } from '#server/tenant/domainMessages.ts';
import { parseHost } from './parseHost.ts';

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
  if (typed === '') return { refused: words.empty };
  const match = parseHost(typed, mainDomains);
  if (match.kind === 'invalid') return { refused: words.malformed };
  if (match.kind === 'main') return { refused: words.main(match.host) };
  const refused = faultOf(match.host, mainDomains);
  return refused === null ? { domain: match.host } : { refused };
}

/** What is wrong with a well-formed host that isn't a main domain; null if nothing. */
function faultOf(host: string, mainDomains: readonly string[]): string | null {
  // Of digits and dots alone parseHost lets IPv4 addresses pass, and nothing else. A parser of addresses would tell by throwing, which a
  // sync of many domains would feel.
  if (host.startsWith('[') || /^[0-9.]+$/.test(host)) return words.address(host);
  const ending = host.slice(host.lastIndexOf('.') + 1);
  if (ending === host) return words.single(host);
  if (host.includes('_')) return words.underscore(host);
  // A request for it would be looked up without its `www.`.
  if (host.startsWith('www.')) return words.twiceWww;
  const parent = mainDomains.find((name) => name !== 'localhost' && host.endsWith(`.${name}`));
  if (parent !== undefined) return words.belowMain(host, parent);
  return reservedEndings.has(ending) ? words.reserved(host, ending) : null;
}
