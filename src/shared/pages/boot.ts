import type { ProviderListing } from '../providers/providerListing.ts';
import type { PublicConfig } from './site.ts';
import type { StaffMember } from '../admin/staff.ts';
import { isSameView, type PackedView, packView, type TenantView, unpackView } from '../providers/tenant.ts';

/** What a plain-HTML form post that failed brings back, so that nothing typed is lost. */
export interface FormState {
  values: Record<string, string>;
  /** Messages by field name. */
  errors: Record<string, string>;
  /** The sentence above the form. */
  message: string;
}

export type PolicyKey = 'privacy' | 'terms' | 'refunds';

/** Which screen is drawn and its data. Decided on the server from path, host and the few query parameters that matter. */
export type PageData<Provider = TenantView> =
  | { kind: 'landing'; form: FormState | null }
  | { kind: 'variant'; form: FormState | null }
  | { kind: 'quiz'; form: FormState | null }
  | { kind: 'find'; form: FormState | null }
  | { kind: 'microsite'; provider: Provider; form: FormState | null }
  | { kind: 'recruitment'; form: FormState | null; applied: boolean; isOfferOver: boolean }
  | { kind: 'map'; listed: ProviderListing | null }
  | { kind: 'success'; noProvider: boolean; providerId: number | null; provider: Provider | null }
  | { kind: 'policy'; policy: PolicyKey }
  /** `member`: who is signed in, as the server found when it drew the page; null shows the gate. */
  | { kind: 'admin'; member: StaffMember | null }
  | { kind: 'providerNotFound' }
  | { kind: 'notFound' };

/** Everything the browser needs to hydrate the page it was sent; embedded as escaped JSON. */
export interface Boot {
  site: PublicConfig;
  /** The clinic whose own host this is; null on the main site and on unknown hosts. */
  tenant: TenantView | null;
  page: PageData;
  /** Render token carried by the plain form; a script-driven form fetches its own. */
  formToken: string;
  /** Year and dates are the server's, so that hydration agrees. ISO date (YYYY-MM-DD). */
  today: string;
}

/** The clinic a page is about, if any. */
export function pageProvider<Provider>(page: PageData<Provider>): Provider | null {
  return 'provider' in page ? page.provider : null;
}

/** Boot data as a page carries it, clinics packed: `clinic` where the host's clinic is the page's own, which then stands in it once. */
export interface PackedBoot extends Omit<Boot, 'tenant' | 'page'> {
  tenant: PackedView | 'provider' | null;
  page: PageData<PackedView>;
}

/** The same page with each clinic in another form. */
function mapProvider<From, To>(page: PageData<From>, map: (provider: From) => To): PageData<To> {
  if (page.kind === 'microsite') return { ...page, provider: map(page.provider) };
  if (page.kind === 'success')
    return { ...page, provider: page.provider === null ? null : map(page.provider) };
  return page;
}

export function packBoot({ tenant, page, ...rest }: Boot): PackedBoot {
  const isOwn = tenant !== null && isSameView(tenant, pageProvider(page));
  return {
    ...rest,
    tenant: isOwn ? 'provider' : tenant && packView(tenant),
    // What the list holds is written by the server alone.
    page: page.kind === 'map' ? { ...page, listed: null } : mapProvider(page, packView),
  };
}

export function unpackBoot({ tenant: packed, page: packedPage, ...rest }: PackedBoot): Boot {
  const page = mapProvider(packedPage, unpackView);
  return { ...rest, tenant: packed === 'provider' ? pageProvider(page) : packed && unpackView(packed), page };
}
