import type { AreaAnswer } from '../applications/areas.ts';
import type { DirectoryListing } from './directory.ts';
import type { ProviderListing } from '../providers/providerList.ts';
import type { PublicConfig } from './site.ts';
import type { SignInStep, SignInWay } from '../admin/secondFactor.ts';
import type { StaffMember } from '../admin/staff.ts';
import type { HiddenClaim } from '../claims/claim.ts';
import { isSameView, type PackedView, packView, type TenantView, unpackView } from '../providers/tenant.ts';

/** What a failed plain form post returns, so that typed values are not lost. */
export interface FormState {
  values: Record<string, string>;
  /** Messages by field name. */
  errors: Record<string, string>;
  /** The message above the form. */
  message: string;
  /** What a prospective provider asked of an area, if that was posted. */
  area?: AreaAnswer;
}

export type PolicyKey = 'privacy' | 'terms' | 'refunds';

/** The page and its data. The server chooses it from path, host and a few query parameters. */
export type PageData<Provider = TenantView> =
  | { kind: 'landing'; form: FormState | null }
  | { kind: 'variant'; form: FormState | null }
  | { kind: 'quiz'; form: FormState | null }
  | { kind: 'find'; form: FormState | null }
  | { kind: 'microsite'; provider: Provider; form: FormState | null }
  /** Where a tenant is: its own page in place of the network's map. */
  | { kind: 'location'; provider: Provider }
  /** `fromVisitor`: the reader has the address from a visitor without a provider nearby. */
  | {
      kind: 'recruitment';
      form: FormState | null;
      applied: boolean;
      fromVisitor: boolean;
      isOfferOver: boolean;
    }
  | { kind: 'map'; listed: ProviderListing | null }
  | { kind: 'directory'; listing: DirectoryListing }
  /** `providerId` is null if the address names no provider that exists, also on a provider's host. */
  | { kind: 'success'; noProvider: boolean; providerId: number | null; provider: Provider | null }
  /**
   * What the claims rest on, and the form to report a problem. `fromClinics`: the reader comes from the recruitment
   * page.
   */
  | { kind: 'study'; form: FormState | null; reported: boolean; fromClinics: boolean }
  | { kind: 'policy'; policy: PolicyKey }
  /**
   * `member` is the signed-in member at the time of rendering. Null shows the gate; `step` is what is left of a sign-in
   * in progress, `ways` are ways to sign in besides an account's password.
   */
  | { kind: 'admin'; member: StaffMember | null; step: SignInStep | null; ways: readonly SignInWay[] }
  | { kind: 'providerNotFound' }
  | { kind: 'notFound' };

/** Everything that the browser needs to hydrate its page, embedded as escaped JSON. */
export interface Boot {
  site: PublicConfig;
  /** The claims that no page shows. */
  hiddenClaims: readonly HiddenClaim[];
  /** The provider of this host. Null on the main site and on unknown hosts. */
  tenant: TenantView | null;
  page: PageData;
  /** Token of the plain form. A form with scripts fetches its own. */
  formToken: string;
  /** ISO date (YYYY-MM-DD) of the server, so that hydration renders the same. */
  today: string;
}

/** The provider that a page is about, if any. */
export function pageProvider<Provider>(page: PageData<Provider>): Provider | null {
  return 'provider' in page ? page.provider : null;
}

/** Boot data in a page, with providers packed. With `provider`, the host's provider is the page's own, listed once. */
export interface PackedBoot extends Omit<Boot, 'hiddenClaims' | 'tenant' | 'page'> {
  /** Places of the hidden claims in the registry. */
  hidden: number[];
  tenant: PackedView | 'provider' | null;
  page: PageData<PackedView>;
}

/** The same page with its provider converted. */
function mapProvider<From, To>(page: PageData<From>, map: (provider: From) => To): PageData<To> {
  if (page.kind === 'microsite' || page.kind === 'location') return { ...page, provider: map(page.provider) };
  if (page.kind === 'success')
    return { ...page, provider: page.provider === null ? null : map(page.provider) };
  return page;
}

export function packBoot({ hiddenClaims, tenant, page, ...rest }: Boot): PackedBoot {
  const isOwn = tenant !== null && isSameView(tenant, pageProvider(page));
  return {
    ...rest,
    hidden: hiddenClaims.map(({ place }) => place),
    tenant: isOwn ? 'provider' : tenant && packView(tenant),
    // Only the server renders the list.
    page:
      page.kind === 'map' && page.listed !== null
        ? { ...page, listed: { ...page.listed, entries: [] } }
        : mapProvider(page, packView),
  };
}

export function unpackBoot(
  { hidden: _hidden, tenant: packed, page: packedPage, ...rest }: PackedBoot,
  hiddenClaims: readonly HiddenClaim[] = [],
): Boot {
  const page = mapProvider(packedPage, unpackView);
  return {
    ...rest,
    hiddenClaims,
    tenant: packed === 'provider' ? pageProvider(page) : packed && unpackView(packed),
    page,
  };
}
