import { hash } from 'node:crypto';
import type { PageData } from '#shared/pages/boot.ts';
import { type PageKind, type ProviderRef, type Redirect, routePage } from '#shared/pages/pages.ts';
import type { DirectoryListing } from '#shared/pages/directory.ts';
import type { ProviderListing } from '#shared/providers/providerList.ts';
import type { Directory } from '../features/providers/directory.ts';
import type { CachedUntilChange } from '../cache/caches.ts';
import type { Awaitable, Site, TenantDirectory } from '../tenant/site.ts';
import type { ProviderRecord } from '../tenant/providerRecord.ts';

/** A page before its provider's record is read. */
export type ChosenPage = PageData<ProviderRecord>;
export type PageChoice = { page: ChosenPage; status: 200 | 404 } | Redirect;

/** Identifies what a page shows, without the host. */
export function screenKey(page: ChosenPage): string {
  if (page.kind === 'microsite') return `microsite/${page.provider.id}`;
  if (page.kind === 'location') return `location/${page.provider.id}`;
  if (page.kind === 'success') return page.noProvider ? 'success/none' : `success/${page.providerId ?? ''}`;
  if (page.kind === 'policy') return page.policy;
  if (page.kind === 'recruitment')
    return `recruitment/${page.applied}/${page.fromVisitor}/${page.isOfferOver}`;
  if (page.kind === 'study') return `study/${page.reported}/${page.fromClinics}`;
  if (page.kind === 'map') return `map/${page.listed?.key ?? ''}`;
  if (page.kind === 'directory') return `directory/${listingKey(page.listing)}`;
  // A page with data of its own needs a key of its own. The sign-in page has no member.
  const kind: KindWithoutData | 'admin' = page.kind;
  return kind;
}

const listingKeys = new WeakMap<DirectoryListing, string>();

/** Computed once for each listing, which stays in memory while it is current. */
function listingKey(listing: DirectoryListing): string {
  const key = listingKeys.get(listing) ?? hash('sha1', JSON.stringify(listing), 'base64url');
  listingKeys.set(listing, key);
  return key;
}

/** Pages that are the same for everyone, except for a posted form. */
type KindWithoutData = {
  [Kind in PageKind]: Exclude<keyof Extract<ChosenPage, { kind: Kind }>, 'kind' | 'form'> extends never
    ? Kind
    : never;
}[PageKind];

interface Sources {
  tenants: Pick<TenantDirectory, 'findById'>;
  firstProviders: CachedUntilChange<ProviderListing>;
  directory: Pick<Directory, 'find'>;
}

interface SiteRequest {
  path: string;
  /** Without the question mark. */
  query: string;
  site: Site;
  /** The recruitment page's offer had a deadline, and it has passed. */
  isOfferOver: boolean;
}

const providerNotFound: PageChoice = { page: { kind: 'providerNotFound' }, status: 404 };

/** The page of a request with the data it needs: its route, completed from the database. */
export function choosePage(
  { path, query, site, isOfferOver }: SiteRequest,
  { tenants, firstProviders, directory }: Sources,
): Awaitable<PageChoice> {
  const route = routePage({ path, query, site: site.kind });
  if ('redirect' in route) return route;
  const find = (ref: ProviderRef): Awaitable<ProviderRecord | null> =>
    ref === 'tenant' ? site.tenant : tenants.findById(ref);
  if (route.kind === 'microsite') {
    const provider = find(route.provider);
    return provider instanceof Promise ? provider.then(microsite) : microsite(provider);
  }
  if (route.kind === 'location')
    return site.tenant === null
      ? providerNotFound
      : { page: { kind: route.kind, provider: site.tenant }, status: 200 };
  if (route.kind === 'success') return success(route, route.provider === null ? null : find(route.provider));
  if (route.kind === 'map') return mapWithListing(firstProviders);
  if (route.kind === 'directory') {
    const listing = directory.find(route.place);
    return listing instanceof Promise ? listing.then(directoryPage) : directoryPage(listing);
  }
  if (route.kind === 'recruitment') return { page: { ...route, form: null, isOfferOver }, status: 200 };
  const isMissing = route.kind === 'notFound' || route.kind === 'providerNotFound';
  return { page: route, status: isMissing ? 404 : 200 };
}

function microsite(provider: ProviderRecord | null): PageChoice {
  return provider === null
    ? providerNotFound
    : { page: { kind: 'microsite', provider, form: null }, status: 200 };
}

function directoryPage(listing: DirectoryListing | null): PageChoice {
  return listing === null
    ? { page: { kind: 'notFound' }, status: 404 }
    : { page: { kind: 'directory', listing }, status: 200 };
}

/** The id of a missing provider is dropped: anyone can make up ids, and all of them share one cached page. */
async function success(
  { noProvider, isBare }: { noProvider: boolean; isBare: boolean },
  found: Awaitable<ProviderRecord | null>,
): Promise<PageChoice> {
  const provider = await found;
  const providerId = provider === null || isBare ? null : provider.id;
  return { page: { kind: 'success', noProvider, providerId, provider }, status: 200 };
}

/** Leaves out a listing that fails to load: it is for browsers without scripts, and scripts report failures. */
function mapWithListing(firstProviders: CachedUntilChange<ProviderListing>): Awaitable<PageChoice> {
  const listed = firstProviders.get();
  return listed instanceof Promise ? listed.then(mapPage, () => mapPage(null)) : mapPage(listed);
}

function mapPage(listed: ProviderListing | null): PageChoice {
  return { page: { kind: 'map', listed }, status: 200 };
}
