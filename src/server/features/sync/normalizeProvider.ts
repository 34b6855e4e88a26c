import { googleAdsIdPattern } from '#shared/providers/adIds.ts';
import { leadFieldFaults } from '#shared/leads/leadFields.ts';
import { phoneDigits } from '#shared/leads/phone.ts';
import { fieldMessages, skipMessages } from '#server/features/sync/messages.ts';
import { zipFive } from '#shared/leads/zip.ts';
import { normalizeDomain } from '#server/tenant/normalizeDomain.ts';
import type { ZipTable } from '../matching/zipTable.ts';
import { readPlace } from './coordinates.ts';
import {
  type FieldMap,
  isRecord,
  type MappedField,
  type RawRecord,
  readField,
  readId,
} from '#server/config/fieldMap.ts';
import { plainText, quoted, SkipError, webAddress, yesOrNo } from './fieldValues.ts';
import type { IncomingProvider } from '#server/db/syncedColumns.ts';

export interface NormalizeContext {
  fields: FieldMap;
  mainDomains: readonly string[];
  zipTable: Pick<ZipTable, 'lookup'>;
  /** The site of image URLs without a host; null: none. */
  base: string | null;
  /** Image URLs by their WordPress ids. */
  media: ReadonlyMap<number, string>;
}

/** `gone`: the source has it but no longer shows it. */
export type Normalized =
  | { kind: 'row'; row: IncomingProvider }
  | { kind: 'gone'; wordpressId: number; name: string | null }
  | { kind: 'skipped'; wordpressId: number | null; name: string | null; reason: string };

/** A positive integer, also as text; null for anything else. */
export function positiveNumber(value: unknown): number | null {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && /^\s*\d{1,16}\s*$/.test(value)
        ? Number(value)
        : 0;
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}

const shown = new Set(['', 't', 'true', '1', 'active', 'publish']);
const hidden = new Set(['f', 'false', '0', 'inactive']);
/** WordPress' states of posts that visitors cannot see. Such a record may be incomplete, so only its id counts. */
const unpublished = new Set(['draft', 'pending', 'private', 'future', 'trash', 'auto-draft', 'inherit']);

function statusOf(record: RawRecord, { fields }: NormalizeContext): 't' | 'f' | 'gone' {
  const own = record['status'];
  // Here, false means inactive; elsewhere, it means empty.
  if (own === false) return 'f';
  if (typeof own === 'string' && unpublished.has(own.trim().toLowerCase())) return 'gone';
  const value = readField(fields, record, 'status') ?? '';
  const word =
    typeof value === 'string' || typeof value === 'number' ? String(value).trim().toLowerCase() : '?';
  if (shown.has(word) || value === true) return 't';
  if (hidden.has(word)) return 'f';
  if (unpublished.has(word)) return 'gone';
  throw new SkipError(skipMessages.status(quoted(value)));
}

function required(column: 'name' | 'email' | 'zip_code', text: string | null): string {
  if (text === null) throw new SkipError(skipMessages.missing(fieldMessages[column]));
  return text;
}

/** An image's URL or WordPress id, plain or inside ACF's or WordPress' object. */
export function pictureGiven(value: unknown): unknown {
  return isRecord(value)
    ? (value['url'] ?? value['source_url'] ?? value['ID'] ?? value['id'] ?? null)
    : value;
}

/** An image's URL, always checked. An image that no longer exists is null. */
function picture(
  column: 'image_url' | 'logo_url',
  value: unknown,
  { base, media }: NormalizeContext,
): string | null {
  const given = pictureGiven(value);
  const number = positiveNumber(given);
  if (number !== null) return webAddress(column, media.get(number) ?? null, base);
  return given === 0 || given === false ? null : webAddress(column, given, base);
}

function domainOf(value: unknown, mainDomains: readonly string[]): string | null {
  const text = plainText('domain', value);
  if (text === null) return null;
  const normalized = normalizeDomain(text, mainDomains);
  if ('refused' in normalized) throw new SkipError(normalized.refused);
  return normalized.domain;
}

function matching(text: string | null, pattern: RegExp, reason: string): string | null {
  if (text !== null && !pattern.test(text)) throw new SkipError(reason);
  return text;
}

function phoneOf(value: unknown): string | null {
  const text = plainText('phone', value);
  const digits = text === null ? null : phoneDigits(text).length;
  if (digits !== null && (digits < 7 || digits > 20)) throw new SkipError(skipMessages.phone);
  return text;
}

function emailOf(value: unknown): string {
  const email = required('email', plainText('email', value));
  if (leadFieldFaults.email(email) !== null) throw new SkipError(skipMessages.email);
  return email;
}

/** What a spreadsheet leaves of a ZIP code that begins with one or two zeros. */
const lostZero = /^\d{3,4}(?:-\d{4})?$/;

function zipOf(value: unknown): string {
  const typed = required('zip_code', value === null ? null : quoted(value));
  const zip = zipFive(typed);
  if (zip === null)
    throw new SkipError(lostZero.test(typed) ? skipMessages.zipLostZero(typed) : skipMessages.zip(typed));
  return zip;
}

function providerOf(
  id: number,
  status: 't' | 'f',
  record: RawRecord,
  context: NormalizeContext,
): IncomingProvider {
  const read = (field: MappedField): unknown => readField(context.fields, record, field);
  const zip = zipOf(read('zip_code'));
  const place = readPlace(
    { latitude: read('latitude'), longitude: read('longitude') },
    zip,
    context.zipTable,
  );
  return {
    wordpress_id: id,
    name: required('name', plainText('name', read('name'))),
    practice_name: plainText('practice_name', read('practice_name')),
    address: plainText('address', read('address')),
    zip_code: zip,
    status,
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    phone: phoneOf(read('phone')),
    email: emailOf(read('email')),
    website: webAddress('website', read('website'), null),
    url: webAddress('url', read('url'), context.base),
    domain: domainOf(read('domain'), context.mainDomains),
    google_ads_id: matching(
      plainText('google_ads_id', read('google_ads_id')),
      googleAdsIdPattern,
      skipMessages.googleAdsId,
    ),
    bing_ads_id: matching(
      plainText('bing_ads_id', read('bing_ads_id')),
      /^\d{4,20}$/,
      skipMessages.bingAdsId,
    ),
    image_url: picture('image_url', read('image_url'), context),
    logo_url: picture('logo_url', read('logo_url'), context),
    accepts_free_consultation: yesOrNo('accepts_free_consultation', read('accepts_free_consultation')),
    accepts_financing: yesOrNo('accepts_financing', read('accepts_financing')),
  };
}

/** The name of a skipped record, if it has one. */
function nameIn(record: RawRecord, fields: FieldMap): string | null {
  const name = readField(fields, record, 'name');
  return typeof name === 'string' ? quoted(name) : null;
}

/**
 * A row that satisfies every rule of the table, from one record of a source, or the reason why the record is skipped.
 * Complete: what a record lacks is empty. Pure; never throws for any record.
 */
export function normalizeProvider(record: unknown, context: NormalizeContext): Normalized {
  if (!isRecord(record))
    return { kind: 'skipped', wordpressId: null, name: null, reason: skipMessages.noObject };
  const given = readId(record);
  const wordpressId = positiveNumber(given);
  const name = nameIn(record, context.fields);
  const isGiven = given !== undefined && given !== null && given !== '';
  if (wordpressId === null)
    return { kind: 'skipped', wordpressId, name, reason: isGiven ? skipMessages.badId : skipMessages.noId };
  try {
    const status = statusOf(record, context);
    if (status === 'gone') return { kind: 'gone', wordpressId, name };
    return { kind: 'row', row: providerOf(wordpressId, status, record, context) };
  } catch (error) {
    if (error instanceof SkipError) return { kind: 'skipped', wordpressId, name, reason: error.message };
    throw error;
  }
}
