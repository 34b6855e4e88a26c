import { type Boot, pageProvider } from '#shared/pages/boot.ts';
import { isSameView, type TenantView, listViewFields } from '#shared/providers/tenant.ts';
import { recordJson } from '#server/tenant/providerRecord.ts';

/**
 * What differs between pages of the same kind and shape, and fills a template's markers. `tenant` is the host's
 * provider, `provider` the page's. On a provider's own microsite, they are the same object.
 */
export interface SlotValues {
  tenant: TenantView | null;
  provider: TenantView | null;
  /** The JSON of both records; empty without a record. */
  tenantJson: string;
  providerJson: string;
  providerId: number | null;
  formToken: string;
}

export const stringFields = listViewFields('text', 'text?');
export const numberFields = listViewFields('number', 'number?');
export type NumberField = (typeof numberFields)[number];
export const listFields = listViewFields('texts');
/** The one value that changes without its record. */
export const timedField: StringField = 'openNow';
const flagFields = listViewFields('flag');
export type StringField = (typeof stringFields)[number];

/** React preloads an image once per URL, so pages also differ by which URLs are equal. */
export const imageFields: readonly StringField[] = ['logoUrl', 'imageUrl', 'plate'];

export function listSlotValues({ tenant, page, formToken }: Boot): SlotValues {
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

/**
 * The beginning of an image's URL, by which pages differ: React preloads no inline image, links make paths absolute.
 */
export function imagePrefix(address: string): string {
  if (address === '' || address.startsWith('/')) return address.slice(0, 1);
  return /^(?:https?:\/\/|data:)/i.exec(address)?.[0] ?? '';
}

/** What decides how a value is rendered, except the value of a text or number. */
function valueShape(value: string | number | boolean | null): string {
  if (value === null) return 'n';
  return value === '' ? 'e' : value === false ? 'f' : 'v';
}

/** A letter per field, in the order of the list. Runs for every request of a cold page, so it builds no list. */
function viewShape(view: TenantView | null): string {
  if (view === null) return '-';
  let shape = '';
  for (const field of stringFields) shape += valueShape(view[field]);
  for (const field of numberFields) shape += valueShape(view[field]);
  for (const field of listFields) shape += view[field].length;
  for (const field of flagFields) shape += valueShape(view[field]);
  return `${shape}(${imagePrefix(view.logoUrl ?? '')})(${imagePrefix(view.imageUrl ?? '')})`;
}

/** For each image of a page, the first one with the same URL. */
function imageRepeats(tenant: TenantView | null, provider: TenantView | null): string {
  const addresses = [tenant?.logoUrl, tenant?.imageUrl, provider?.logoUrl, provider?.imageUrl];
  return addresses.map((address) => addresses.indexOf(address)).join('');
}

/** A page may read its host's provider twice, before and after a change: one provider, two records. */
export function findRelation(
  tenant: TenantView | null,
  provider: TenantView | null,
): 'same' | 'older' | 'other' {
  if (tenant === null || provider === null || tenant.id !== provider.id) return 'other';
  return isSameView(tenant, provider) ? 'same' : 'older';
}

/**
 * What decides how a page is rendered, except the slots' values. This holds because a component prints a provider's
 * strings unchanged (shared/providers/tenant.ts) and only tests whether they exist.
 */
export function getShape(values: SlotValues): string {
  const { tenant, provider, providerId } = values;
  const relation = findRelation(tenant, provider);
  const subject = relation === 'same' ? '=' : `${relation === 'older' ? '#' : ''}${viewShape(provider)}`;
  // A provider's own page compares two images, not four.
  const repeats =
    relation === 'same' ? Number(tenant?.logoUrl === tenant?.imageUrl) : imageRepeats(tenant, provider);
  return `${viewShape(tenant)}|${subject}|${providerId === null ? 'n' : 'p'}|${repeats}`;
}
