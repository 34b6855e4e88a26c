import { parseHost } from '#server/tenant/parseHost.ts';
import type { Caller } from '#server/caller.ts';

/**
 * Whether another site's page made a browser send this submission, by the two headers that a page can't forge:
 *
 * - `Sec-Fetch-Site: same-origin` → own, whatever Origin says: proxies rewrite hosts, and privacy settings send `Origin: null`.
 * - `Sec-Fetch-Site: cross-site` → foreign.
 * - otherwise `Origin` decides, by host. Schemes and ports don't count, as a proxy may end TLS or drop the port. All main domains are one site.
 * - `Origin: null` → foreign for a plain form (a sandboxed frame sends it). For JSON it means nothing: no page can send JSON to another
 *   origin without a preflight, which this server never answers.
 *
 * Scripts send neither header and are never foreign.
 */
export function isForeign(
  { origin, fetchSite, site, transport }: Pick<Caller, 'origin' | 'fetchSite' | 'site' | 'transport'>,
  mainDomains: readonly string[],
): boolean {
  if (fetchSite === 'same-origin') return false;
  if (fetchSite === 'cross-site') return true;
  if (origin === null) return false;
  if (origin === 'null') return transport === 'form';
  const from = parseHost(URL.parse(origin)?.hostname, mainDomains);
  if (from.kind === 'invalid') return true;
  return from.host !== site.host && !(from.kind === 'main' && site.kind === 'main');
}
