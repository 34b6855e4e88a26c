import { type Boot, pageProvider } from '#shared/pages/boot.ts';
import { isSameView, type TenantView } from '#shared/providers/tenant.ts';
import { recordJson } from '#server/tenant/providerRecord.ts';

/**
 * What differs between two pages of the same kind and shape. A template holds a marker in place of each; a request fills them in.
 * `tenant` is the host's clinic, `clinic` the one the page is about; on a clinic's own microsite they are the same object.
 */
export interface SlotValues {
  tenant: TenantView | null;
  provider: TenantView | null;
  /** The two as their records hold them; empty where there is none. */
  tenantJson: string;
  providerJson: string;
  providerId: number | null;
  formToken: string;
}

export const stringFields = [
  'name',
  'practiceName',
  'label',
  'initial',
  'logoUrl',
  'imageUrl',
  'phone',
  'phoneHref',
  'websiteHref',
  'address',
  'zipCode',
  'latitude',
  'longitude',
  'domain',
  'shareImage',
] as const;
export type StringField = (typeof stringFields)[number];

/** React preloads an image once per address, so pages also differ by which addresses are equal. */
export const imageFields: readonly StringField[] = ['logoUrl', 'imageUrl'];

/** The slot values of a page. */
export function slotValuesOf({ tenant, page, formToken }: Boot): SlotValues {
  const provider = pageProvider(page);
  return {
    tenant,
    provider,
    tenantJson: tenant === null ? '' : recordJson(tenant),
    providerJson: provider === null ? '' : recordJson(provider),
    providerId: 'providerId' in page ? page.providerId : null,
    formToken,
  };
}

/** How an image's address begins; kept in the template, as pages differ by it (React preloads no inline image, links make a path absolute). */
export function imagePrefix(address: string): string {
  if (address === '' || address.startsWith('/')) return address.slice(0, 1);
  return /^(?:https?:\/\/|data:)/i.exec(address)?.[0] ?? '';
}

/** Two bits a field: null, empty or there; then the flags. Made for every request of a cold page, so without a list in between. */
function viewShape(view: TenantView | null): string {
  if (view === null) return '-';
  let bits = 0;
  for (const field of stringFields) {
    const value = view[field];
    bits = bits * 4 + (value === null ? 0 : value === '' ? 1 : 2);
  }
  const flags =
    (view.measuresAds ? 8 : 0) +
    (view.themeHue === null ? 0 : 4) +
    (view.acceptsFreeConsultation ? 2 : 0) +
    (view.acceptsFinancing ? 1 : 0);
  return `${bits}.${flags}(${imagePrefix(view.logoUrl ?? '')})(${imagePrefix(view.imageUrl ?? '')})`;
}

/** For each image of a page, which earlier one has the same address. */
function imageRepeats(tenant: TenantView | null, provider: TenantView | null): string {
  const addresses = [tenant?.logoUrl, tenant?.imageUrl, provider?.logoUrl, provider?.imageUrl];
  return addresses.map((address) => addresses.indexOf(address)).join('');
}

/** A page may read the clinic of its host twice, before and after a change: one clinic, two records. */
export function relationOf(
  tenant: TenantView | null,
  provider: TenantView | null,
): 'same' | 'older' | 'other' {
  if (tenant === null || provider === null || tenant.id !== provider.id) return 'other';
  return isSameView(tenant, provider) ? 'same' : 'older';
}

/**
 * All that decides how a page is drawn besides the slots' values: two pages of the same kind, date and shape differ in slots only. Holds
 * because a component prints a clinic's strings as they are (shared/providers/tenant.ts) and asks no more of them than whether they are there.
 */
export function shapeOf(values: SlotValues): string {
  const { tenant, provider, providerId } = values;
  const relation = relationOf(tenant, provider);
  const subject = relation === 'same' ? '=' : `${relation === 'older' ? '#' : ''}${viewShape(provider)}`;
  // On a clinic's own page there are two images to compare, not four.
  const repeats =
    relation === 'same' ? Number(tenant?.logoUrl === tenant?.imageUrl) : imageRepeats(tenant, provider);
  return `${viewShape(tenant)}|${subject}|${providerId === null ? 'n' : 'p'}|${repeats}`;
}
