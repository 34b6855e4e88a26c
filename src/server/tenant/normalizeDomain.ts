import { loopbackHosts, parseHost } from './parseHost.ts';
import { sharedDomainKind } from './sharedDomains.ts';

/** Why a text cannot be a provider's domain, for staff. */
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
  suffix: (host: string) => `${host} is no domain of one owner: others register theirs below it.`,
  shared: (host: string) => `${host} belongs to a service that many use, not to a provider.`,
} as const;

/** `isShared`: an earlier version accepted such a domain, so a provider that has it keeps it. */
export type NormalizedDomain = { domain: string } | { refused: string; isShared?: true };

/**
 * Endings that are never public (RFC 6761 and 6762, IANA's special-use names, ICANN's `internal`). Names below
 * `localhost` are for development, `test` and `example` for trials: nobody can own one.
 */
const reservedEndings = new Set(['alt', 'arpa', 'internal', 'invalid', 'local', 'localdomain', 'onion']);

/**
 * A provider's domain as it is stored in `providers.domain` and looked up by requests: the host only, as parseHost
 * returns it. People copy an address from the browser, so scheme, port, path and `www.` are dropped. A host that can
 * never be a provider's is refused with a reason. `mainDomains` are normalized hosts from the configuration.
 */
export function normalizeDomain(text: string, mainDomains: readonly string[]): NormalizedDomain {
  const [, typed = ''] = /^(?:(?:https?:)?\/\/)?([^/?#]*)/i.exec(text.trim()) ?? [];
  if (typed === '') return { refused: messages.empty };
  // A loopback name is nobody's domain, in production as well.
  const match = parseHost(typed, { ...loopbackHosts, mainDomains });
  if (match.kind === 'invalid' && isNameWithUnderscore(typed))
    return { refused: messages.underscore(typed.toLowerCase()) };
  if (match.kind === 'invalid') return { refused: messages.malformed };
  if (match.kind === 'main') return { refused: messages.main(match.host) };
  const refused = faultOf(match.host, mainDomains);
  if (refused !== null) return { refused };
  const kind = sharedDomainKind(match.host);
  return kind === null ? { domain: match.host } : { refused: messages[kind](match.host), isShared: true };
}

/** Whether the text would be a host if it had other characters in place of its underscores. */
function isNameWithUnderscore(typed: string): boolean {
  return typed.includes('_') && parseHost(typed.replaceAll('_', 'x'), loopbackHosts).kind !== 'invalid';
}

/** Why a well-formed host that is not a main domain is refused; null if it is accepted. */
function faultOf(host: string, mainDomains: readonly string[]): string | null {
  // parseHost accepts digits and dots only as IPv4 addresses. An address parser would throw for every domain, which
  // slows down a large sync.
  if (host.startsWith('[') || /^[0-9.]+$/.test(host)) return messages.address(host);
  const ending = host.slice(host.lastIndexOf('.') + 1);
  if (ending === host) return messages.single(host);
  // A request for it would be looked up without its `www.`.
  if (host.startsWith('www.')) return messages.twiceWww;
  const parent = mainDomains.find((name) => name !== 'localhost' && host.endsWith(`.${name}`));
  if (parent !== undefined) return messages.belowMain(host, parent);
  return reservedEndings.has(ending) ? messages.reserved(host, ending) : null;
}
