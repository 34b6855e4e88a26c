import { paths } from './paths.ts';

/** First pages of visits that are no path of the main site. */
export const firstPages = {
  /** Any page of a provider's own site. */
  providerSites: 'provider-sites',
  /** A path that the main site doesn't have. */
  other: 'other',
  /** The browser didn't say: no scripts, Global Privacy Control, or an API client. */
  unknown: 'unknown',
} as const;

const listed: ReadonlySet<string> = new Set(Object.values(paths));

/** The page under which a visit is counted. All pages of the directory are one. */
export function toFirstPage({
  isProviderSite,
  path,
}: {
  isProviderSite: boolean;
  path: string | null | undefined;
}): string {
  if (isProviderSite) return firstPages.providerSites;
  if (path === null || path === undefined || path === '') return firstPages.unknown;
  if (path.startsWith(`${paths.providers}/`)) return paths.providers;
  return listed.has(path) ? path : firstPages.other;
}
