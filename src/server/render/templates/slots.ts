import { asciiJson, escapeHtml } from '#shared/formats/text.ts';
import { type Boot, pageProvider, type PageData } from '#shared/pages/boot.ts';
import type { TenantView } from '#shared/providers/tenant.ts';
import { recordJson } from '#server/tenant/providerRecord.ts';
import { byteText, type ByteText } from './stitchedGzip.ts';
import {
  imageFields,
  imagePrefix,
  listFields,
  type NumberField,
  numberFields,
  findRelation,
  type SlotValues,
  stringFields,
  timedField,
} from './pageShape.ts';

type Subject = 'tenant' | 'provider';
const open = '\uE000';
const close = '\uE001';
/** The markers as JSON escapes them. */
const escapedOpen = '\\ue000';
const escapedClose = '\\ue001';

/** A number cannot contain a marker, so each is replaced by a number that occurs nowhere else. */
const numbersFrom = 8_800_000_000_000_017;
const subjects: readonly Subject[] = ['tenant', 'provider'];
const providerIdMark = numbersFrom;

function numberMark(subject: Subject, field: NumberField): number {
  return numbersFrom + 1 + numberFields.indexOf(field) * subjects.length + subjects.indexOf(subject);
}

/** How a value is escaped: for HTML, for a JSON string, or not at all, as a whole record in JSON is escaped already. */
type SlotMode = 'html' | 'json' | 'record';

/** One place to fill: the value and its escaping. */
export interface Slot {
  /** Equal for equal slots. */
  key: string;
  mode: SlotMode;
  /** Whether this slot identifies the version of a page. A provider's other values are also in its record. */
  identifiesVersion: boolean;
  read: (values: SlotValues) => string;
}

function marker(subject: string, field: string): string {
  return `${open}${subject}.${field}${close}`;
}

/** A provider's view with a marker for every value. */
function markView(view: TenantView | null, subject: Subject, images: ImageMarks): TenantView | null {
  if (view === null) return null;
  const marked = { ...view };
  for (const field of stringFields) {
    const value = view[field];
    if (value === null || value === '') continue;
    marked[field] = imageFields.includes(field) ? (images.get(value) ?? value) : marker(subject, field);
  }
  for (const field of listFields)
    marked[field] = view[field].map((_, at) => marker(subject, `${field}.${at}`));
  for (const field of numberFields) if (view[field] !== null) marked[field] = numberMark(subject, field);
  return marked;
}

/** Marked image URLs by the original ones. */
type ImageMarks = Map<string, string>;

/**
 * Marks each image's URL except its beginning. An equal URL gets the same marker, because React recognizes equal URLs.
 */
function markImages(tenant: TenantView | null, provider: TenantView | null): ImageMarks {
  const marks: ImageMarks = new Map();
  for (const [subject, view] of [
    ['tenant', tenant],
    ['provider', provider],
  ] as const) {
    for (const field of imageFields) {
      const address = view?.[field] ?? '';
      if (!marks.has(address)) marks.set(address, `${imagePrefix(address)}${marker(subject, `${field}~`)}`);
    }
  }
  return marks;
}

/** The same page with markers for everything that a request fills in. */
export function markBoot(boot: Boot): Boot {
  const images = markImages(boot.tenant, pageProvider(boot.page));
  const tenant = markView(boot.tenant, 'tenant', images);
  const formToken = boot.formToken === '' ? '' : marker('page', 'formToken');
  return { ...boot, tenant, formToken, page: markPage(boot.page, markProvider(boot, tenant, images)) };
}

function markProvider(boot: Boot, markedTenant: TenantView | null, images: ImageMarks): TenantView | null {
  const provider = pageProvider(boot.page);
  const relation = findRelation(boot.tenant, provider);
  if (relation === 'same') return markedTenant;
  const marked = markView(provider, 'provider', images);
  return marked !== null && relation === 'older' ? { ...marked, id: numberMark('tenant', 'id') } : marked;
}

function markPage(page: PageData, provider: TenantView | null): PageData {
  if (page.kind === 'microsite' || page.kind === 'location')
    return provider === null ? page : { ...page, provider };
  if (page.kind !== 'success') return page;
  return { ...page, provider, providerId: page.providerId === null ? null : providerIdMark };
}

/** Marks a page's JSON. A provider's record is one slot; others get their own markers, as JSON escapes differently. */
export function markJson(json: string, { tenant, page }: Boot): string {
  const records = [
    ['tenant', tenant],
    ['provider', pageProvider(page)],
  ] as const;
  let marked = json;
  for (const [subject, view] of records) {
    if (view !== null) marked = marked.replaceAll(recordJson(view), marker('json:record', subject));
  }
  return marked.replaceAll(escapedOpen, `${open}json:`).replaceAll(escapedClose, close);
}

const numberSlots = new Map<string, (values: SlotValues) => string>([
  ...subjects.flatMap((subject) =>
    numberFields.map(
      (field) =>
        [
          String(numberMark(subject, field)),
          (values: SlotValues) => String(values[subject]?.[field]),
        ] as const,
    ),
  ),
  [String(providerIdMark), ({ providerId }) => String(providerId)],
]);

/** Splits a marked page into alternating texts and slots, with a text at both ends. Throws if a marker was split. */
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
  if (readNumber !== undefined) return { key: mark, mode: 'html', identifiesVersion: true, read: readNumber };
  const [, json, subject, name = '', at, tail] =
    new RegExp(`^${open}(json:)?(tenant|provider|page|record)\\.(\\w+)(?:\\.(\\d+))?(~?)${close}$`).exec(
      mark,
    ) ?? [];
  const slot = {
    key: mark,
    mode: json === undefined ? 'html' : 'json',
    identifiesVersion: subject === 'record' || name === timedField,
  } as const;
  if (subject === 'page') return { ...slot, read: ({ formToken }) => formToken };
  if (subject === 'record') {
    const read = ({ tenantJson, providerJson }: SlotValues): string =>
      name === 'tenant' ? tenantJson : providerJson;
    return { ...slot, mode: 'record', read };
  }
  if (subject !== 'tenant' && subject !== 'provider')
    throw new Error(`Unknown marker ${JSON.stringify(mark)}`);
  const list = listFields.find((candidate) => candidate === name);
  if (list !== undefined) return { ...slot, read: (values) => values[subject]?.[list][Number(at)] ?? '' };
  const field = stringFields.find((candidate) => candidate === name);
  if (field === undefined) throw new Error(`Unknown marker ${JSON.stringify(mark)}`);
  const read = (values: SlotValues): string => values[subject]?.[field] ?? '';
  return tail === '~' ? { ...slot, read: (values) => withoutPrefix(read(values)) } : { ...slot, read };
}

function withoutPrefix(address: string): string {
  return address.slice(imagePrefix(address).length);
}

/** Printable ASCII without `" & ' < > \`, like most values: the same in HTML, in JSON and in bytes. */
const plain = /^[ !#-%(-;=?-[\]-~]*$/;

/** A slot's value as the page contains it. */
export function fillSlot(slot: Slot, values: SlotValues): ByteText {
  const value = slot.read(values);
  if (slot.mode === 'record') return value;
  return plain.test(value) ? value : byteText(escaped(slot.mode, value));
}

function escaped(mode: SlotMode, value: string): string {
  return mode === 'html' ? escapeHtml(value) : asciiJson(value).slice(1, -1);
}
