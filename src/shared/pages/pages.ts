import type { applicationFormKey } from '../applications/applications.ts';
import type { PageFormKey } from '../leads/leads.ts';
import type { PageData } from './boot.ts';
import { paths } from './paths.ts';

export type PageKind = PageData['kind'];

export interface PageRequest {
  path: string;
  /** The query string. */
  query: string;
  site: 'main' | 'tenant' | 'unknown';
}

/** A provider that a page is about, before it is looked up: the host's own, or one by id. */
export type ProviderRef = 'tenant' | number;

/**
 * The page that an address shows. Most routes are complete pages; the server and the browser add the data of the others, which only they
 * know.
 */
export type Route =
  | Exclude<PageData, { kind: 'microsite' | 'success' | 'map' | 'recruitment' }>
  | { kind: 'microsite'; provider: ProviderRef }
  | { kind: 'success'; noProvider: boolean; provider: ProviderRef | null }
  | { kind: 'map' }
  | { kind: 'recruitment'; applied: boolean };

interface PageEntry {
  paths: readonly string[];
  /** `main`: other hosts answer with 404. */
  sites: 'all' | 'main';
  /** The form in the page, which carries a token. */
  form: PageFormKey | typeof applicationFormKey | null;
  /** What search engines index: the home page, the page's own path, the provider's home page, or nothing. */
  canonical: 'home' | 'own' | 'provider' | null;
  /** Whether the page may load street tiles. */
  hasMap: boolean;
  route: (request: PageRequest) => Route;
}

const notFound: Route = { kind: 'notFound' };
const providerNotFound: Route = { kind: 'providerNotFound' };

/** Every page. A new page needs an entry here, its data in PageData (boot.ts) and its component in client/app/pages.ts. */
export const pages: Record<PageKind, PageEntry> = {
  landing: {
    paths: [paths.home],
    sites: 'all',
    form: 'landing',
    canonical: 'home',
    hasMap: false,
    route: routeHome,
  },
  variant: {
    paths: [paths.variant],
    sites: 'all',
    form: 'landing',
    canonical: 'home',
    hasMap: false,
    route: () => ({ kind: 'variant', form: null }),
  },
  quiz: {
    paths: [paths.quiz],
    sites: 'all',
    form: 'quiz',
    canonical: 'home',
    hasMap: false,
    route: () => ({ kind: 'quiz', form: null }),
  },
  find: {
    paths: [paths.find],
    sites: 'all',
    form: 'find',
    canonical: 'own',
    hasMap: false,
    route: () => ({ kind: 'find', form: null }),
  },
  microsite: {
    paths: [paths.microsite],
    sites: 'all',
    form: 'microsite',
    canonical: 'provider',
    hasMap: false,
    route: routeHome,
  },
  recruitment: {
    paths: [paths.recruitment],
    sites: 'all',
    form: 'application',
    canonical: 'own',
    hasMap: true,
    route: ({ query }) => ({
      kind: 'recruitment',
      applied: new URLSearchParams(query).get('applied') === 'true',
    }),
  },
  map: {
    paths: [paths.map],
    sites: 'all',
    form: null,
    canonical: 'own',
    hasMap: true,
    route: () => ({ kind: 'map' }),
  },
  success: {
    paths: [paths.success],
    sites: 'all',
    form: null,
    canonical: null,
    hasMap: false,
    route: routeSuccess,
  },
  policy: {
    paths: [paths.privacy, paths.terms, paths.refunds],
    sites: 'all',
    form: null,
    canonical: 'own',
    hasMap: false,
    route: ({ path }) => ({
      kind: 'policy',
      policy: path === paths.privacy ? 'privacy' : path === paths.terms ? 'terms' : 'refunds',
    }),
  },
  admin: {
    paths: [paths.admin, paths.gate],
    sites: 'main',
    form: null,
    canonical: null,
    hasMap: true,
    // The server adds the signed-in member when it renders the page.
    route: () => ({ kind: 'admin', member: null }),
  },
  providerNotFound: {
    paths: [],
    sites: 'all',
    form: null,
    canonical: null,
    hasMap: false,
    route: () => providerNotFound,
  },
  notFound: {
    paths: [],
    sites: 'all',
    form: null,
    canonical: null,
    hasMap: false,
    route: () => notFound,
  },
};

const pageAt = new Map(Object.values(pages).flatMap((page) => page.paths.map((path) => [path, page])));

/**
 * The page of an address on a site, for the server and the browser alike. Only `providerId`, `noProvider` and `applied` count among query
 * parameters. A tenant's host wins over `providerId`. A trailing slash redirects to the path without it, but only if that path exists:
 * `//elsewhere.example/` must not become a redirect there.
 */
export function routePage(request: PageRequest): Route | { redirect: string } {
  const { path, query, site } = request;
  const page = pageAt.get(path);
  if (page !== undefined) return page.sites === 'main' && site !== 'main' ? notFound : page.route(request);
  const trimmed = path.endsWith('/') ? path.slice(0, -1) : path;
  if (trimmed !== path && pageAt.has(trimmed))
    return { redirect: query === '' ? trimmed : `${trimmed}?${query}` };
  return notFound;
}

/** A provider's id in a query string: at most fifteen digits, which a number stores exactly; null for anything else. */
export function parseProviderId(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

function routeHome({ path, query, site }: PageRequest): Route {
  if (site === 'tenant') return { kind: 'microsite', provider: 'tenant' };
  const text = site === 'main' && query !== '' ? new URLSearchParams(query).get('providerId') : null;
  if (text === null) return path === paths.home ? { kind: 'landing', form: null } : providerNotFound;
  const provider = parseProviderId(text);
  return provider === null ? providerNotFound : { kind: 'microsite', provider };
}

function routeSuccess({ query, site }: PageRequest): Route {
  if (site === 'tenant') return { kind: 'success', noProvider: false, provider: 'tenant' };
  const parameters = new URLSearchParams(query);
  const noProvider = parameters.get('noProvider') === 'true';
  return {
    kind: 'success',
    noProvider,
    provider: noProvider ? null : parseProviderId(parameters.get('providerId')),
  };
}
