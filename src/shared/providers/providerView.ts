import { findPhones, phoneText } from '../leads/phone.ts';
import type { PublicProvider } from './providerFieldLists.ts';
import { imageSource, type ProviderView, webHref } from './tenant.ts';

/** An extension after a phone number. A dialer must not add its digits to the number. */
const extension = /[\s;,]*(?:ext(?:ension)?|x|#)[\s.:=]*\d+\s*$/i;

/** A number and nothing else, as most are. */
const plainNumber = /^\+?[\d\s().-]{1,20}$/;

/** The digits that a dialer calls: those of the first number in a text, as it is written, without its extension. */
function dialedDigits(phone: string): string {
  const vanity = vanityNumber(phone);
  if (vanity !== null) return vanity;
  const [first] = plainNumber.test(phone) ? [] : findPhones(phone);
  const text = phoneText(phone);
  if (first === undefined) return text.replace(extension, '').replace(/(?!^\+)\D/g, '');
  const [opening = ''] = /[+(\s]*$/.exec(text.slice(0, first.start)) ?? [];
  const digits = `${opening}${text.slice(first.start, first.end)}`.replace(/[^\d+]/g, '');
  const end = digits.length - (first.extension?.length ?? 0);
  return digits.slice(0, first.extension !== null && digits.endsWith(first.extension) ? end : undefined);
}

function getDestination({ address, zipCode, latitude, longitude }: PublicProvider): string | null {
  const written = address?.trim() ?? '';
  if (written !== '') return encodeURIComponent(`${written} ${zipCode}`);
  return latitude === null || longitude === null ? null : `${latitude},${longitude}`;
}

/** The link that dials; null for a number without digits. */
export function toPhoneHref(phone: string | null): string | null {
  const digits = dialedDigits(phone ?? '');
  return digits === '' ? null : `tel:${digits}`;
}

/** The name by which visitors know a provider. */
export function getLabel({ name, practiceName }: Pick<PublicProvider, 'name' | 'practiceName'>): string {
  return practiceName || name;
}

/** The first letter, upper case, for an avatar. */
export function getInitial(text: string): string {
  return /\p{L}|\p{N}/u.exec(text)?.[0].toUpperCase() ?? '';
}

/** The view of a public provider: the one place that makes its printed strings. */
export function toProviderView(provider: PublicProvider): ProviderView {
  const { latitude, longitude } = provider;
  const isPlaced = latitude !== null && longitude !== null;
  const label = getLabel(provider);
  return {
    id: provider.id,
    name: provider.name,
    practiceName: provider.practiceName || null,
    label,
    initial: getInitial(provider.name),
    logoUrl: imageSource('logo', provider.id, provider.logo_url),
    imageUrl: imageSource('image', provider.id, provider.image_url),
    phone: provider.phone || null,
    phoneHref: toPhoneHref(provider.phone),
    websiteHref: webHref(provider.website),
    address: provider.address || null,
    zipCode: provider.zipCode,
    latitude: isPlaced ? String(latitude) : null,
    longitude: isPlaced ? String(longitude) : null,
    domain: provider.domain,
    destination: getDestination(provider),
    acceptsFreeConsultation: provider.accepts_free_consultation,
    acceptsFinancing: provider.accepts_financing,
  };
}

/** Keys of a phone for the letters A to Z. */
const keys = '22233344455566677778889999';
const lettersMin = 3;
/** Area code and number. Exchanges ignore what is dialed after them. */
const numberLength = 10;
/** What people write: 1-800-NEW-SMILES has one letter more than a number. */
const typedLengthMax = 14;

/**
 * The number of a North American phone number that is spelled in letters, such as 1-800-GOT-SKIN, in ten digits; null
 * for any other text. A text whose digits are a whole number has letters that aren't part of it.
 */
export function vanityNumber(text: string): string | null {
  const compact = text.toUpperCase().replace(/[\s().-]/g, '');
  const [, area, rest] = /^(?:\+?1)?([2-9]\d{2})([A-Z0-9]+)$/.exec(compact) ?? [];
  if (area === undefined || rest === undefined) return null;
  const letters = rest.replace(/\d/g, '').length;
  const length = area.length + rest.length;
  const isWhole = length - letters >= numberLength;
  if (isWhole || letters < lettersMin || length < numberLength || length > typedLengthMax) return null;
  const digits = rest.replace(/[A-Z]/g, (letter) => keys.charAt(letter.charCodeAt(0) - 65));
  return `${area}${digits}`.slice(0, numberLength);
}
