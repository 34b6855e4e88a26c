import type { PageData } from '#shared/pages/boot.ts';
import { paths } from '#shared/pages/paths.ts';
import type { ProviderListing } from '#shared/providers/providerListing.ts';
import type { CachedUntilChange } from '../features/providers/cacheUntilChange.ts';
import type { Awaitable, Site, TenantDirectory } from '../tenant/site.ts';
import type { ProviderRecord } from '../tenant/providerRecord.ts';

/** A page as it is chosen: its clinic's record is not read yet. */
export type ChosenPage = PageData<ProviderRecord>;
export type PageChoice = { page: ChosenPage; status: 200 | 404 } | { redirect: string };

interface Sources {
  tenants: Pick<TenantDirectory, 'findById'>;
  firstListing: CachedUntilChange<ProviderListing>;
}

type Providers = Sources['tenants'];

interface PageRequest {
  path: string;
  /** Without the question mark. */
  query: string;
  site: Site;
  /** The recruitment page's offer had a deadline, and it has passed. */
  isOfferOver: boolean;
}

/** A clinic's id as written in a query string: at most fifteen digits, which a number holds exactly; null for anything else. */
export function parseProviderId(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

const fixedPages = new Map<string, ChosenPage>([
  [paths.variant, { kind: 'variant', form: null }],
  [paths.quiz, { kind: 'quiz', form: null }],
  [paths.find, { kind: 'find', form: null }],
  [paths.privacy, { kind: 'policy', policy: 'privacy' }],
  [paths.terms, { kind: 'policy', policy: 'terms' }],
  [paths.refunds, { kind: 'policy', policy: 'refunds' }],
]);
const landing: PageChoice = { page: { kind: 'landing', form: null }, status: 200 };
/** Who is signed in is found when it is drawn. */
const admin: PageChoice = { page: { kind: 'admin', member: null }, status: 200 };
const notFound: PageChoice = { page: { kind: 'notFound' }, status: 404 };
const providerNotFound: PageChoice = { page: { kind: 'providerNotFound' }, status: 404 };
const known = new Set<string>(Object.values(paths));

/**
 * Which screen a path shows on a site. Only `providerId` and `noProvider` count among query parameters; a clinic's own host wins over
 * `providerId`. A trailing slash leads to the path without it, but only where that path exists: `//elsewhere.example/` must not become a
 * redirect there.
 */
export function choosePage(request: PageRequest, { tenants, firstListing }: Sources): Awaitable<PageChoice> {
  const { path, query } = request;
  if (path === paths.home || path === paths.microsite) return chooseHome(request, tenants);
  if (path === paths.success) return chooseSuccess(request, tenants);
  if (path === paths.recruitment) return recruitment(request);
  if (path === paths.admin || path === paths.gate) return request.site.kind === 'main' ? admin : notFound;
  if (path === paths.map) return chooseMap(firstListing);
  const page = fixedPages.get(path);
  if (page !== undefined) return { page, status: 200 };
  const trimmed = path.endsWith('/') ? path.slice(0, -1) : path;
  if (trimmed !== path && known.has(trimmed))
    return { redirect: query === '' ? trimmed : `${trimmed}?${query}` };
  return notFound;
}

function chooseHome({ path, query, site }: PageRequest, tenants: Providers): Awaitable<PageChoice> {
  if (site.kind === 'tenant') return microsite(site.tenant);
  const parameter =
    site.kind === 'main' && query !== '' ? new URLSearchParams(query).get('providerId') : null;
  if (parameter === null) return path === paths.home ? landing : providerNotFound;
  const id = parseProviderId(parameter);
  const provider = id === null ? null : tenants.findById(id);
  return provider instanceof Promise ? provider.then(microsite) : microsite(provider);
}

function microsite(provider: ProviderRecord | null): PageChoice {
  return provider === null
    ? providerNotFound
    : { page: { kind: 'microsite', provider, form: null }, status: 200 };
}

/** Its list for who has no scripts is left out when it can't be had: with them the page asks for all clinics itself, and says what fails. */
function chooseMap(firstListing: CachedUntilChange<ProviderListing>): Awaitable<PageChoice> {
  const listed = firstListing.get();
  return listed instanceof Promise ? listed.then(mapPage, () => mapPage(null)) : mapPage(listed);
}

function mapPage(listed: ProviderListing | null): PageChoice {
  return { page: { kind: 'map', listed }, status: 200 };
}

/** `?applied=true`: where the application's plain form leads once it is stored. */
function recruitment({ query, isOfferOver }: PageRequest): PageChoice {
  const applied = new URLSearchParams(query).get('applied') === 'true';
  return { page: { kind: 'recruitment', form: null, applied, isOfferOver }, status: 200 };
}

async function chooseSuccess({ query, site }: PageRequest, tenants: Providers): Promise<PageChoice> {
  if (site.kind === 'tenant') {
    const provider = site.tenant;
    return { page: { kind: 'success', noProvider: false, providerId: provider.id, provider }, status: 200 };
  }
  const parameters = new URLSearchParams(query);
  if (parameters.get('noProvider') === 'true') {
    return { page: { kind: 'success', noProvider: true, providerId: null, provider: null }, status: 200 };
  }
  const providerId = parseProviderId(parameters.get('providerId'));
  const provider = providerId === null ? null : await tenants.findById(providerId);
  // An id of no clinic is dropped: anyone can make up any number of them, and they all share one cached page.
  const page: ChosenPage = {
    kind: 'success',
    noProvider: false,
    providerId: provider === null ? null : providerId,
    provider,
  };
  return { page, status: 200 };
}
