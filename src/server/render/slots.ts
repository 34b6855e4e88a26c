import type { Boot, PageData } from '#shared/boot.ts';
import type { TenantView } from '#shared/tenant.ts';
import { escapeHtml, escapeJson } from './escape.ts';

/**
 * What differs between two pages of the same kind and shape. A template holds a marker in place of each; a request fills them in.
 * `tenant` is the host's clinic, `clinic` the one the page is about; on a clinic's own microsite they are the same object.
 */
export interface SlotValues {
  tenant: TenantView | null;
  clinic: TenantView | null;
  providerId: number | null;
  formToken: string;
}

const stringFields = [
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
  'domain',
] as const;
type StringField = (typeof stringFields)[number];

/** React preloads an image once per address, so pages also differ by which addresses are equal. */
const imageFields: readonly StringField[] = ['logoUrl', 'imageUrl'];

type Subject = 'tenant' | 'clinic';
const open = '\uE000';
const close = '\uE001';

/** Numbers can't carry a marker, so each is stood for by one that occurs nowhere else. */
const numberMarks = {
  tenant: { id: 8_800_000_000_000_017, themeHue: 8_800_000_000_000_029 },
  clinic: { id: 8_800_000_000_000_033, themeHue: 8_800_000_000_000_047 },
  providerId: 8_800_000_000_000_051,
} as const;

export type SlotMode = 'html' | 'json';

/** One place to fill: which value, and escaped for what. */
export interface Slot {
  /** Equal for equal slots. */
  key: string;
  /** The form's token is no part of what a page says: each process issues its own. */
  isToken: boolean;
  mode: SlotMode;
  read: (values: SlotValues) => string;
}

/** The clinic a page is about, if any. */
export function pageClinic(page: PageData): TenantView | null {
  return 'clinic' in page ? page.clinic : null;
}

/** The slot values of a page. */
export function slotValuesOf({ tenant, page, formToken }: Boot): SlotValues {
  return {
    tenant,
    clinic: pageClinic(page),
    providerId: 'providerId' in page ? page.providerId : null,
    formToken,
  };
}

/** How an image's address begins; kept in the template, as pages differ by it (React preloads no inline image, links make a path absolute). */
function imagePrefix(address: string): string {
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
    (view.themeHue === null ? 0 : 4) +
    (view.acceptsFreeConsultation ? 2 : 0) +
    (view.acceptsFinancing ? 1 : 0);
  return `${bits}.${flags}(${imagePrefix(view.logoUrl ?? '')})(${imagePrefix(view.imageUrl ?? '')})`;
}

/** For each image of a page, which earlier one has the same address. */
function imageRepeats(tenant: TenantView | null, clinic: TenantView | null): string {
  const addresses = [tenant?.logoUrl, tenant?.imageUrl, clinic?.logoUrl, clinic?.imageUrl];
  return addresses.map((address) => addresses.indexOf(address)).join('');
}

/** A page may read the clinic of its host twice, before and after a change: one clinic, two records. */
function relationOf(tenant: TenantView | null, clinic: TenantView | null): 'same' | 'older' | 'other' {
  if (tenant === null || clinic === null || tenant.id !== clinic.id) return 'other';
  return tenant === clinic || JSON.stringify(tenant) === JSON.stringify(clinic) ? 'same' : 'older';
}

/**
 * All that decides how a page is drawn besides the slots' values: two pages of the same kind, date and shape differ in slots only. Holds
 * because a component prints a clinic's strings as they are (shared/tenant.ts) and asks no more of them than whether they are there.
 */
export function shapeOf(values: SlotValues): string {
  const { tenant, clinic, providerId } = values;
  const relation = relationOf(tenant, clinic);
  const subject = relation === 'same' ? '=' : `${relation === 'older' ? '#' : ''}${viewShape(clinic)}`;
  // On a clinic's own page there are two images to compare, not four.
  const repeats =
    relation === 'same' ? Number(tenant?.logoUrl === tenant?.imageUrl) : imageRepeats(tenant, clinic);
  return `${viewShape(tenant)}|${subject}|${providerId === null ? 'n' : 'p'}|${repeats}`;
}

function marker(subject: string, field: string): string {
  return `${open}${subject}.${field}${close}`;
}

/** A clinic with a marker in place of every value. */
function markView(view: TenantView | null, subject: Subject, images: ImageMarks): TenantView | null {
  if (view === null) return null;
  const mark = <V extends string | null>(field: StringField, value: V): V | string => {
    if (value === null || value === '') return value;
    return imageFields.includes(field) ? (images.get(value) ?? value) : marker(subject, field);
  };
  return {
    id: numberMarks[subject].id,
    name: mark('name', view.name),
    practiceName: mark('practiceName', view.practiceName),
    label: mark('label', view.label),
    initial: mark('initial', view.initial),
    logoUrl: mark('logoUrl', view.logoUrl),
    imageUrl: mark('imageUrl', view.imageUrl),
    phone: mark('phone', view.phone),
    phoneHref: mark('phoneHref', view.phoneHref),
    websiteHref: mark('websiteHref', view.websiteHref),
    address: mark('address', view.address),
    zipCode: mark('zipCode', view.zipCode),
    domain: mark('domain', view.domain),
    themeHue: view.themeHue === null ? null : numberMarks[subject].themeHue,
    acceptsFreeConsultation: view.acceptsFreeConsultation,
    acceptsFinancing: view.acceptsFinancing,
  };
}

/** Marked image addresses by what they stand for. */
type ImageMarks = Map<string, string>;

/** Marks each image's address but for its beginning. One that occurs again carries the same marker there, as React tells it is the same. */
function markImages(tenant: TenantView | null, clinic: TenantView | null): ImageMarks {
  const marks: ImageMarks = new Map();
  for (const [subject, view] of [
    ['tenant', tenant],
    ['clinic', clinic],
  ] as const) {
    for (const field of imageFields) {
      const address = view?.[field] ?? '';
      if (!marks.has(address)) marks.set(address, `${imagePrefix(address)}${marker(subject, `${field}~`)}`);
    }
  }
  return marks;
}

/** The same page with markers in place of everything that is filled in per request. */
export function markBoot(boot: Boot): Boot {
  const images = markImages(boot.tenant, pageClinic(boot.page));
  const tenant = markView(boot.tenant, 'tenant', images);
  const formToken = boot.formToken === '' ? '' : marker('page', 'formToken');
  return { ...boot, tenant, formToken, page: markPage(boot.page, markClinic(boot, tenant, images)) };
}

function markClinic(boot: Boot, markedTenant: TenantView | null, images: ImageMarks): TenantView | null {
  const clinic = pageClinic(boot.page);
  const relation = relationOf(boot.tenant, clinic);
  if (relation === 'same') return markedTenant;
  const marked = markView(clinic, 'clinic', images);
  return marked !== null && relation === 'older' ? { ...marked, id: numberMarks.tenant.id } : marked;
}

function markPage(page: PageData, clinic: TenantView | null): PageData {
  if (page.kind === 'microsite') return clinic === null ? page : { ...page, clinic };
  if (page.kind !== 'success') return page;
  return { ...page, clinic, providerId: page.providerId === null ? null : numberMarks.providerId };
}

/** Tells markers in JSON text from those in HTML, as the two are escaped differently. */
export function markJson(json: string): string {
  return json.replaceAll(open, `${open}json:`);
}

const numberSlots = new Map<string, (values: SlotValues) => string>([
  [String(numberMarks.tenant.id), ({ tenant }) => String(tenant?.id)],
  [String(numberMarks.tenant.themeHue), ({ tenant }) => String(tenant?.themeHue)],
  [String(numberMarks.clinic.id), ({ clinic }) => String(clinic?.id)],
  [String(numberMarks.clinic.themeHue), ({ clinic }) => String(clinic?.themeHue)],
  [String(numberMarks.providerId), ({ providerId }) => String(providerId)],
]);

/** Splits a marked page: texts and slots alternate, beginning and ending with a text. Throws when a component took a marker apart. */
export function splitAtSlots(html: string): { texts: string[]; slots: Slot[] } {
  const pattern = new RegExp(`(${open}[^${open}${close}]*${close}|${[...numberSlots.keys()].join('|')})`);
  const pieces = html.split(pattern);
  const texts = pieces.filter((_, index) => index % 2 === 0);
  const slots = pieces.filter((_, index) => index % 2 === 1).map(parseSlot);
  if (texts.some((text) => text.includes(open) || text.includes(close)))
    throw new Error('A marker was taken apart while drawing');
  return { texts, slots };
}

function parseSlot(mark: string): Slot {
  const readNumber = numberSlots.get(mark);
  if (readNumber !== undefined) return { key: mark, isToken: false, mode: 'html', read: readNumber };
  const [, json, subject, name = '', tail] =
    new RegExp(`^${open}(json:)?(tenant|clinic|page)\\.(\\w+)(~?)${close}$`).exec(mark) ?? [];
  const slot = { key: mark, isToken: false, mode: json === undefined ? 'html' : 'json' } as const;
  if (subject === 'page') return { ...slot, isToken: true, read: ({ formToken }) => formToken };
  const field = stringFields.find((candidate) => candidate === name);
  if (field === undefined || !(subject === 'tenant' || subject === 'clinic'))
    throw new Error(`Unknown marker ${JSON.stringify(mark)}`);
  const read = (values: SlotValues): string => values[subject]?.[field] ?? '';
  return tail === '~' ? { ...slot, read: (values) => withoutPrefix(read(values)) } : { ...slot, read };
}

function withoutPrefix(address: string): string {
  return address.slice(imagePrefix(address).length);
}

/** A slot's value as it stands in the page. */
export function fillSlot(slot: Slot, values: SlotValues): string {
  const value = slot.read(values);
  if (slot.mode === 'html') return escapeHtml(value);
  // Most values need no escape; the quick test spares them the serialiser.
  return /^[ !#-;=?-[\]-~\u00a0-\u2027\u202a-\ud7ff]*$/.test(value)
    ? value
    : escapeJson(JSON.stringify(value).slice(1, -1));
}
