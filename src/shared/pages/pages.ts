import type { applicationFormKey } from '../applications/applications.ts';
import type { problemFormKey } from '../claims/problemFields.ts';
import type { PageFormKey } from '../leads/leadForms.ts';
import type { PageData } from './boot.ts';
import { paths, providerFormAnchor } from './paths.ts';
import { hasProviderId, parseProviderId } from '../formats/providerIdParam.ts';
import { type DirectoryPlace, directoryPath, parseDirectoryPath } from './directory.ts';

export type PageKind = PageData['kind'];

export interface PageRequest {
  path: string;
  /** The query string. */
  query: string;
  site: 'main' | 'tenant' | 'unknown';
}

/** A provider that a page is about, before it is looked up: the host's own, or one by id. */
export type ProviderRef = 'tenant' | number;

/** The page of an address. Most are complete; the server and the browser add the data of the others. */
export type Route =
  | Exclude<PageData, { kind: 'microsite' | 'location' | 'success' | 'map' | 'directory' | 'recruitment' }>
  | { kind: 'microsite'; provider: ProviderRef }
  | { kind: 'location' }
  /** `isBare`: the query says of no lead. */
  | { kind: 'success'; noProvider: boolean; provider: ProviderRef | null; isBare: boolean }
  | { kind: 'map' }
  | { kind: 'directory'; place: DirectoryPlace }
  | { kind: 'recruitment'; applied: boolean; fromVisitor: boolean };

/** Another address. `permanent` corrects the path; others depend on the host. `mainSite`: a main-domain path. */
export interface Redirect {
  redirect: string;
  kind: 'permanent' | 'ownSite' | 'mainSite';
}

interface PageEntry {
  paths: readonly string[];
  /**
   * What a tenant's host, which offers no other provider, does at these paths: redirects to its own form or to the main
   * domain, or answers with 404. `mainOnly`: so do unknown hosts.
   */
  onTenant: 'shown' | 'ownForm' | 'mainSite' | 'notFound' | 'mainOnly';
  /** The form in the page, which carries a token. */
  form?: PageFormKey | typeof applicationFormKey | typeof problemFormKey;
  /** What search engines index: the home page, the page's own path, the provider's home page, or the page's path on the
   * provider's host. Nothing unless set. */
  canonical?: 'home' | 'own' | 'provider' | 'providerOwn';
  /** Listed in the main site's sitemap. */
  inSitemap?: true;
  /** Whether the page may load street tiles. */
  hasMap?: true;
  route: (request: PageRequest) => Route;
}

const notFound: Route = { kind: 'notFound' };
const providerNotFound: Route = { kind: 'providerNotFound' };

/** Every page. docs/adding.md lists what a new page needs besides its entry here. */
export const pages: Record<PageKind, PageEntry> = {
  landing: {
    paths: [paths.home],
    onTenant: 'shown',
    inSitemap: true,
    form: 'landing',
    canonical: 'home',
    route: routeHome,
  },
  variant: {
    paths: [paths.variant],
    form: 'landing',
    canonical: 'home',
    onTenant: 'ownForm',
    route: () => ({ kind: 'variant', form: null }),
  },
  quiz: {
    paths: [paths.quiz],
    form: 'quiz',
    canonical: 'own',
    onTenant: 'ownForm',
    route: () => ({ kind: 'quiz', form: null }),
  },
  find: {
    paths: [paths.find],
    inSitemap: true,
    form: 'find',
    canonical: 'own',
    onTenant: 'ownForm',
    route: () => ({ kind: 'find', form: null }),
  },
  microsite: {
    paths: [paths.microsite],
    onTenant: 'shown',
    form: 'microsite',
    canonical: 'provider',
    route: routeHome,
  },
  recruitment: {
    paths: [paths.recruitment],
    inSitemap: true,
    form: 'application',
    canonical: 'own',
    onTenant: 'mainSite',
    hasMap: true,
    route: ({ query }) => {
      const parameters = new URLSearchParams(query);
      return {
        kind: 'recruitment',
        applied: parameters.get('applied') === 'true',
        fromVisitor: parameters.get('from') === 'visitor',
      };
    },
  },
  map: {
    paths: [paths.map],
    onTenant: 'shown',
    inSitemap: true,
    canonical: 'own',
    hasMap: true,
    route: ({ site }) => ({ kind: site === 'tenant' ? 'location' : 'map' }),
  },
  directory: {
    paths: [paths.providers],
    onTenant: 'notFound',
    canonical: 'own',
    route: ({ path, query }) => {
      const place = parseDirectoryPath(path, query);
      return place === null ? notFound : { kind: 'directory', place };
    },
  },
  location: {
    // The path of the network's map, on a tenant's host.
    paths: [],
    onTenant: 'shown',
    canonical: 'providerOwn',
    hasMap: true,
    route: () => ({ kind: 'location' }),
  },
  success: {
    paths: [paths.success],
    onTenant: 'shown',
    route: routeSuccess,
  },
  study: {
    paths: [paths.study],
    form: 'problem',
    onTenant: 'shown',
    inSitemap: true,
    canonical: 'own',
    route: ({ query }) => {
      const parameters = new URLSearchParams(query);
      return {
        kind: 'study',
        form: null,
        reported: parameters.get('reported') === 'true',
        fromClinics: parameters.get('from') === 'clinics',
      };
    },
  },
  policy: {
    paths: [paths.privacy, paths.terms, paths.refunds],
    onTenant: 'shown',
    inSitemap: true,
    canonical: 'own',
    route: ({ path }) => ({
      kind: 'policy',
      policy: path === paths.privacy ? 'privacy' : path === paths.terms ? 'terms' : 'refunds',
    }),
  },
  admin: {
    paths: [paths.admin, paths.gate],
    onTenant: 'mainOnly',
    hasMap: true,
    // The server adds the signed-in member when it renders the page.
    route: () => ({ kind: 'admin', member: null, step: null, ways: [] }),
  },
  providerNotFound: {
    paths: [],
    onTenant: 'shown',
    route: () => providerNotFound,
  },
  notFound: {
    paths: [],
    onTenant: 'shown',
    route: () => notFound,
  },
};

const pageByPath = new Map(Object.values(pages).flatMap((page) => page.paths.map((path) => [path, page])));

/**
 * The page of an address on a site, for the server and the browser alike. Only `providerId`, `noProvider`, `applied`,
 * `from` and `reported` count among query parameters. A tenant's host wins over `providerId`. A trailing slash
 * redirects to the path without it, but only if that path exists: `//elsewhere.example/` must not become a redirect
 * there.
 */
export function routePage(request: PageRequest): Route | Redirect {
  const { path, query, site } = request;
  const place = site === 'tenant' ? null : parseDirectoryPath(path, query);
  const placePath = place === null ? path : directoryPath({ ...place, page: 1 });
  if (placePath !== path) return { redirect: withQuery(placePath, query), kind: 'permanent' };
  const page = place === null ? pageByPath.get(path) : pages.directory;
  if (page !== undefined) {
    if (page.onTenant === 'mainOnly' && site !== 'main') return notFound;
    return (site === 'tenant' ? redirectOfTenant(page, request) : null) ?? page.route(request);
  }
  const trimmed = path.endsWith('/') ? path.slice(0, -1) : path;
  if (trimmed !== path && pageByPath.has(trimmed))
    return { redirect: withQuery(trimmed, query), kind: 'permanent' };
  return notFound;
}

/** The query stays, because it contains the attribution of a visitor. */
function redirectOfTenant({ onTenant }: PageEntry, { path, query }: PageRequest): Route | Redirect | null {
  if (onTenant === 'mainSite') return { redirect: withQuery(path, query), kind: 'mainSite' };
  if (onTenant === 'notFound') return notFound;
  return onTenant === 'ownForm'
    ? { redirect: `${withQuery(paths.home, query)}#${providerFormAnchor}`, kind: 'ownSite' }
    : null;
}

function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`;
}

function routeHome({ path, query, site }: PageRequest): Route {
  if (site === 'tenant') return { kind: 'microsite', provider: 'tenant' };
  const text = site === 'main' && query !== '' ? new URLSearchParams(query).get('providerId') : null;
  if (!hasProviderId(text)) return path === paths.home ? { kind: 'landing', form: null } : providerNotFound;
  const provider = parseProviderId(text);
  return provider === null ? providerNotFound : { kind: 'microsite', provider };
}

/** The confirmation opened by hand or from an old bookmark, without what follows a lead. */
export function isBareConfirmation(query: URLSearchParams): boolean {
  return !hasProviderId(query.get('providerId')) && !query.has('noProvider');
}

function routeSuccess({ query, site }: PageRequest): Route {
  const parameters = new URLSearchParams(query);
  const isBare = isBareConfirmation(parameters);
  if (site === 'tenant') return { kind: 'success', noProvider: false, provider: 'tenant', isBare };
  const noProvider = parameters.get('noProvider') === 'true';
  return {
    kind: 'success',
    noProvider,
    provider: noProvider ? null : parseProviderId(parameters.get('providerId')),
    isBare,
  };
}
