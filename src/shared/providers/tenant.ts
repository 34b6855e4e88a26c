import { parseUrl, textTag } from '../formats/text.ts';

/** What the views below have, by kind. A `?` means that it may be null. */
interface ViewKinds {
  text: string;
  'text?': string | null;
  number: number;
  'number?': number | null;
  flag: boolean;
  /** Of any number. */
  texts: readonly string[];
}

/** A provider as components print it. Every printed string is ready here, so a component never computes with one. */
const printedFields = {
  id: 'number',
  name: 'text',
  practiceName: 'text?',
  /** practiceName, else name. */
  label: 'text',
  /** First letter of the name, upper case, for the avatar. */
  initial: 'text',
  logoUrl: 'text?',
  imageUrl: 'text?',
  phone: 'text?',
  /** `tel:` link. */
  phoneHref: 'text?',
  /** http(s) link, with a scheme added if the record has none; null if the record contains anything else. */
  websiteHref: 'text?',
  address: 'text?',
  zipCode: 'text',
  /** Degrees, as text because they are printed; null unless both are known. */
  latitude: 'text?',
  longitude: 'text?',
  domain: 'text?',
  /** Where directions lead, percent-encoded: the address, which is more exact, or the coordinates. Null without both. */
  destination: 'text?',
} as const satisfies ViewFields;

const offers = { acceptsFreeConsultation: 'flag', acceptsFinancing: 'flag' } as const satisfies ViewFields;

/** What only the provider's own pages show: its home. */
const homeFields = {
  /** Who treats the patients, with credentials. */
  clinician: 'text?',
  npi: 'text?',
  /** A year. */
  certifiedSince: 'text?',
  /** Paragraphs, one a line. */
  about: 'text?',
  /** Parts of the address: all or none. Without an address, city and state are the ZIP code's. */
  street: 'text?',
  city: 'text?',
  state: 'text?',
  /** As stored (openingHours.ts), and the zone in which they apply. */
  hours: 'text?',
  timeZone: 'text?',
  /** In English, such as `English, Spanish`. */
  languages: 'text?',
  pictures: 'texts',
  bookingUrl: 'text?',
  /** Path of the map cut around it. */
  plate: 'text?',
} as const satisfies ViewFields;

/** What browsers get of the provider that a page is rendered for. */
const sentFields = {
  ...printedFields,
  ...homeFields,
  /** Path of the image for shared links. */
  shareImage: 'text',
  /** Version of its site's icons and manifest. */
  iconTag: 'text',
  /** Degrees 0–359; null for the brand's own colors. */
  themeHue: 'number?',
  ...offers,
  /** Whether the provider has ad accounts. Their ids stay on the server until a visitor agrees. */
  measuresAds: 'flag',
} as const satisfies ViewFields;

/** What the server derives from these again. Browsers don't get it, or derive it themselves. */
const derivedFields = {
  /** Times of the days from Monday to Sunday; none without hours. */
  dayTimes: 'texts',
  /** Hours for search engines. */
  openingHours: 'texts',
  /** Whether it is open at the time of rendering, and until when. */
  openNow: 'text?',
} as const satisfies ViewFields;

/** All fields of a page's provider. Packed records, templates and their slots derive from it. */
export const viewFields = { ...sentFields, ...derivedFields } as const;

type ViewFields = Readonly<Record<string, keyof ViewKinds>>;
type View<Fields extends ViewFields> = { -readonly [Name in keyof Fields]: ViewKinds[Fields[Name]] };

export type ProviderView = View<typeof printedFields & typeof offers>;

/** What a page may know of its provider. The server fills in each one's (server/render/templates/template.ts). */
export type TenantView = View<typeof viewFields>;

export type SentView = View<typeof sentFields>;
const sentNames = listNames(sentFields);

function listNames<Fields extends ViewFields>(fields: Fields): (keyof Fields & string)[] {
  const isName = (name: string): name is keyof Fields & string => Object.hasOwn(fields, name);
  return Object.keys(fields).filter(isName);
}

/** The names of the view's fields of these kinds. */
export function listViewFields<Kind extends keyof ViewKinds>(...kinds: readonly Kind[]) {
  type Name = {
    [N in keyof typeof viewFields]: (typeof viewFields)[N] extends Kind ? N : never;
  }[keyof typeof viewFields];
  const isOne = (name: keyof typeof viewFields): name is Name =>
    kinds.some((kind) => kind === viewFields[name]);
  return listNames(viewFields).filter(isOne);
}

/** A view's values in the order of the list, without field names, which 100,000 records and every page would repeat. */
export type PackedView = readonly SentView[keyof SentView][];

export function packView(view: TenantView): PackedView {
  return sentNames.map((name) => view[name]);
}

export function unpackView(packed: PackedView): TenantView {
  const sent = Object.fromEntries(sentNames.map((name, at) => [name, packed[at]])) as SentView;
  return completeView(sent);
}

/** Without what the server derives (tenant/providerRecord.ts). A browser's part that prints it derives it itself. */
export function completeView(sent: SentView): TenantView {
  return { ...sent, dayTimes: [], openingHours: [], openNow: null };
}

/** Whether two views have equal values. */
export function isSameView(one: TenantView, other: TenantView | null): boolean {
  return one === other || (one.id === other?.id && JSON.stringify(one) === JSON.stringify(other));
}

/** An http(s) link (`https://` is added if there is no scheme); null for `javascript:` and the like. */
export function webHref(value: string | null): string | null {
  if (value === null || value.trim() === '') return null;
  const text = value.trim();
  const url = parseUrl(/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text) ? text : `https://${text}`);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname.includes('.')
    ? url.href
    : null;
}

/** A provider's pictures: its logo, its portrait and up to six of its clinic. */
export type PictureKind = 'logo' | 'image' | `picture-${number}`;
export function isPictureKind(kind: string): kind is PictureKind {
  return /^(?:logo|image|picture-[1-6])$/.test(kind);
}

/**
 * The source of a provider's picture in a page: inline images and own paths unchanged, a picture on another host
 * through our own origin (server/http/media.ts), so that no visitor's browser sends a request to a third party. The tag
 * changes with the address. Null for anything else.
 */
export function imageSource(kind: PictureKind, id: number, value: string | null): string | null {
  if (value === null) return null;
  if (/^(\/(?!\/)|data:image\/)/i.test(value)) return value;
  return /^https?:\/\//i.test(value) ? `/media/${kind}/${id}?v=${textTag(value)}` : null;
}
