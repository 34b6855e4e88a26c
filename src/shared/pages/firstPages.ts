import { paths } from './paths.ts';

/** First pages of visits that are no path of the main site. */
export const firstPages = {
  /** Any page of a provider's own site, also of one on the main domain. */
  providerSites: 'provider-sites',
  /** A path that the main site doesn't have. */
  other: 'other',
  /** The browser didn't say: no scripts, Global Privacy Control, or an API client. */
  unknown: 'unknown',
} as const;

const listed: ReadonlySet<string> = new Set(Object.values(paths));

/** The page under which a visit is counted; itself for such a page. All pages of the directory are one. */
export function toFirstPage({
  isProviderSite,
  path,
}: {
  isProviderSite: boolean;
  path: string | null | undefined;
}): string {
  const [page = '', providerId] = (path ?? '').split('?providerId=');
  const isOnMain = providerId !== undefined && (page === paths.home || page === paths.microsite);
  if (isProviderSite || isOnMain || page === firstPages.providerSites) return firstPages.providerSites;
  if (page === '' || page === firstPages.unknown) return firstPages.unknown;
  if (page.startsWith(`${paths.providers}/`)) return paths.providers;
  return listed.has(page) ? page : firstPages.other;
}
