import { parseHost } from './parseHost.ts';
import type { TenantDirectory } from './site.ts';

/**
 * May a certificate be asked for this name? Only for an active clinic's host (with or without `www.`), so that strangers who point names
 * here can't use up the certificate authority's limits. From memory: no query, whatever the name.
 */
export function servesDomain(
  { tenants, mainDomains }: { tenants: Pick<TenantDirectory, 'hasHost'>; mainDomains: readonly string[] },
  domain: string,
): boolean {
  const match = parseHost(domain, mainDomains);
  return match.kind === 'custom' && tenants.hasHost(match.host);
}
