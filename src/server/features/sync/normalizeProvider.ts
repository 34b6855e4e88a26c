import { googleAdsIdPattern } from '#shared/providers/adIds.ts';
import { deliverableEmail } from '#shared/leads/emailAddress.ts';
import { cleanText, leadFieldFaults } from '#shared/leads/leadFields.ts';
import { fieldMessages, skipMessages, warningMessages } from '#server/features/sync/messages.ts';
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
  readMapPoint,
} from '#server/config/fieldMap.ts';
import { plainText, quoted, SkipError, webAddress, wholeNumber, yesOrNo } from './fieldValues.ts';
import { UnreadableRow } from './source.ts';
import { readPhone } from './providerPhone.ts';
import { readStatus } from './providerStatus.ts';
import type { IncomingProvider, SyncedColumn } from '#server/db/syncedColumns.ts';

export interface NormalizeContext {
  fields: FieldMap;
  mainDomains: readonly string[];
  zipTable: Pick<ZipTable, 'lookup'>;
  /** The site of image URLs without a host; null: none. */
  base: string | null;
  /** Image URLs by their WordPress ids. */
  media: ReadonlyMap<number, string>;
  /** Columns that the source doesn't have: a provider keeps their values. */
  absent: readonly SyncedColumn[];
}

/** What a record says beside its values. */
interface RecordNotes {
  /** Values that were left out, and a status that nobody knows. */
  warnings: string[];
  /** Columns whose present value stays: the record has none that can be used. */
  kept: SyncedColumn[];
  /** Whether its custom status field is false or 0, which may mean "never set": the whole run decides. */
  isOff: boolean;
  /** Whether its custom status field is 1 or true. */
  isFieldUsed: boolean;
}

/** `gone`: the source no longer shows it, or marks it inactive and has no valid row. */
export type Normalized = RecordNotes &
  (
    | { kind: 'row'; row: IncomingProvider }
    | { kind: 'gone'; wordpressId: number; name: string | null }
    | { kind: 'skipped'; wordpressId: number | null; name: string | null; reason: string }
  );

/** A positive integer, also as text, such as `12` or `12.0`; null for anything else. */
export function positiveNumber(value: unknown): number | null {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && /^\s*\d{1,16}(?:\.0+)?\s*$/.test(value)
        ? Number(value)
        : 0;
  return Number.isSafeInteger(number) && number > 0 ? number : null;
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

/** A refused domain. One that many share stays where an earlier version stored it. */
function refusedDomain(value: unknown, mainDomains: readonly string[]): string | null {
  const text = refusedText(value);
  const normalized = text === null ? null : normalizeDomain(text, mainDomains);
  return normalized !== null && 'isShared' in normalized ? null : text;
}

function matching(text: string | null, pattern: RegExp, reason: string): string | null {
  if (text !== null && !pattern.test(text)) throw new SkipError(reason);
  return text;
}

function emailOf(value: unknown): string {
  const email = deliverableEmail(required('email', plainText('email', value)).replace(/^mailto:/i, ''));
  if (leadFieldFaults.email(email) !== null) throw new SkipError(skipMessages.email);
  return email;
}

/** What a spreadsheet or a JSON number leaves of a ZIP code, or ZIP+4, that begins with one or two zeros. */
const lostZero = /^(?:\d{3,4}(?:-\d{4})?|\d{7,8})$/;

/** A ZIP code. A JSON number has no leading zeros: they count if the ZIP code with them exists. */
function zipOf(value: unknown, zipTable: NormalizeContext['zipTable']): string {
  const typed = wholeNumber(required('zip_code', value === null ? null : quoted(value)));
  const zip = zipFive(typed);
  if (zip !== null) return zip;
  if (!lostZero.test(typed)) throw new SkipError(skipMessages.zip(typed));
  const padded = zipFive(typed.padStart(typed.length > 4 ? 9 : 5, '0'));
  const isZip = padded !== null && zipTable.lookup(padded)?.placement === 'zip';
  if (typeof value === 'number' && isZip) return padded;
  throw new SkipError(skipMessages.zipLostZero(typed));
}

/** WordPress' prefixes of titles, in English. */
const titlePrefix = /^(?:(?:Private|Protected):\s*)+/i;

function nameOf(record: RawRecord, { fields }: NormalizeContext): string {
  const name = required('name', plainText('name', readField(fields, record, 'name')));
  return Object.hasOwn(record, 'title') ? name.replace(titlePrefix, '') || name : name;
}

/** Whether visitors need a password for the post: its fields may be hidden too. */
function isProtected(record: RawRecord): boolean {
  const { password } = record;
  const flags = [record['content'], record['excerpt']];
  return (
    (typeof password === 'string' && password !== '') ||
    flags.some((part) => isRecord(part) && part['protected'] === true)
  );
}

/** Longer than any text that is stored. */
const refusedLengthMax = 2_100;

/** One record while it is read. */
interface Reading {
  record: RawRecord;
  context: NormalizeContext;
  notes: RecordNotes;
}

function phoneOf(value: unknown, { warnings }: RecordNotes): string | null {
  const text = plainText('phone', value);
  if (text === null) return null;
  const { phone, warning } = readPhone(text);
  if (warning !== null) warnings.push(warning);
  return phone;
}

/**
 * A text that can't be used, as it may have been stored before such texts were refused. The present value stays unless
 * it is the same.
 */
function refusedText(value: unknown): string | null {
  return typeof value === 'string' ? cleanText(value.slice(0, refusedLengthMax)).replace(/\s+/g, ' ') : null;
}

/** The columns that route no lead. A value that can't be used is left out with a warning: the present one stays. */
function optionalColumns({ record, context, notes }: Reading) {
  function read<Value>(
    column: SyncedColumn,
    parse: (value: unknown) => Value,
    refused: (value: unknown) => Value,
  ): Value {
    const value = readField(context.fields, record, column);
    try {
      return parse(value);
    } catch (error) {
      if (!(error instanceof SkipError)) throw error;
      notes.warnings.push(warningMessages.dropped(error.message));
      notes.kept.push(column);
      return refused(value);
    }
  }
  const readText = (column: SyncedColumn, parse: (value: unknown) => string | null) =>
    read(column, parse, refusedText);
  const text = (column: 'practice_name' | 'address') => readText(column, (value) => plainText(column, value));
  const address = (column: 'website' | 'url', base: string | null) =>
    readText(column, (value) => webAddress(column, value, base));
  const image = (column: 'image_url' | 'logo_url') =>
    readText(column, (value) => picture(column, value, context));
  const flag = (column: 'accepts_free_consultation' | 'accepts_financing') =>
    read(
      column,
      (value) => yesOrNo(column, value),
      () => false,
    );
  const id = (column: 'google_ads_id' | 'bing_ads_id', pattern: RegExp, reason: string) =>
    readText(column, (value) => {
      const given = plainText(column, value);
      return matching(given === null ? null : wholeNumber(given), pattern, reason);
    });
  return {
    practice_name: text('practice_name'),
    address: text('address'),
    phone: readText('phone', (value) => phoneOf(value, notes)),
    website: address('website', null),
    url: address('url', context.base),
    domain: read(
      'domain',
      (value) => domainOf(value, context.mainDomains),
      (value) => refusedDomain(value, context.mainDomains),
    ),
    google_ads_id: id('google_ads_id', googleAdsIdPattern, skipMessages.googleAdsId),
    bing_ads_id: id('bing_ads_id', /^\d{4,20}$/, skipMessages.bingAdsId),
    image_url: image('image_url'),
    logo_url: image('logo_url'),
    accepts_free_consultation: flag('accepts_free_consultation'),
    accepts_financing: flag('accepts_financing'),
  };
}

/** A required column that the source doesn't have. A new provider lacks it then. */
const notGiven = '';

/** The row of a record. Throws SkipError if what routes leads can't be used. */
function providerOf(wordpress_id: number, status: 't' | 'f', reading: Reading): IncomingProvider {
  const { record, context } = reading;
  const read = (field: MappedField): unknown => readField(context.fields, record, field);
  const given = (column: 'name' | 'email' | 'zip_code', value: () => string): string =>
    context.absent.includes(column) && read(column) === null ? notGiven : value();
  const zip = given('zip_code', () => zipOf(read('zip_code'), context.zipTable));
  const own = { latitude: read('latitude'), longitude: read('longitude') };
  const onMap = readMapPoint(context.fields, record);
  const places = onMap === null ? [own] : [own, onMap];
  // Coordinates are checked against the ZIP code.
  if (zip === notGiven && places.some(({ latitude }) => latitude !== null)) required('zip_code', null);
  const place = zip === notGiven ? null : readPlace(places, zip, context.zipTable);
  return {
    wordpress_id,
    name: given('name', () => nameOf(record, context)),
    zip_code: zip,
    status,
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    email: given('email', () => emailOf(read('email'))),
    ...optionalColumns(reading),
  };
}

/** The name of a skipped record, if it has one. */
function nameIn(record: RawRecord, fields: FieldMap): string | null {
  const name = readField(fields, record, 'name');
  return typeof name === 'string' ? quoted(name) : null;
}

/**
 * A row that satisfies every rule of the table, from one record of a source, or the reason why the record is skipped.
 * "Not active" needs only the id. What routes leads must be valid; any other value that can't be used is left out with
 * a warning, and its column keeps what it has. Otherwise complete: what a record lacks is empty. Pure; never throws for
 * any record.
 */
export function normalizeProvider(record: unknown, context: NormalizeContext): Normalized {
  const notes: RecordNotes = { warnings: [], kept: [], isOff: false, isFieldUsed: false };
  if (record instanceof UnreadableRow)
    return { kind: 'skipped', wordpressId: record.wordpressId, name: null, reason: record.reason, ...notes };
  if (!isRecord(record))
    return { kind: 'skipped', wordpressId: null, name: null, reason: skipMessages.noObject, ...notes };
  const given = readId(record);
  const wordpressId = positiveNumber(given);
  const name = nameIn(record, context.fields);
  const isGiven = given !== undefined && given !== null && given !== '';
  if (wordpressId === null)
    return {
      kind: 'skipped',
      wordpressId,
      name,
      reason: isGiven ? skipMessages.badId : skipMessages.noId,
      ...notes,
    };
  const { state, word, isFieldUsed } = readStatus(context.fields, record);
  notes.isFieldUsed = isFieldUsed;
  notes.isOff = state === 'off';
  if (state === 'hidden') return { kind: 'gone', wordpressId, name, ...notes };
  if (state === 'unknown') {
    notes.warnings.push(warningMessages.status(word));
    notes.kept.push('status');
  }
  // Whether it is known to be active: a new provider isn't, if nobody knows its status.
  const status = state === 'inactive' || state === 'unknown' ? 'f' : 't';
  try {
    if (isProtected(record)) throw new SkipError(skipMessages.protected);
    return { kind: 'row', row: providerOf(wordpressId, status, { record, context, notes }), ...notes };
  } catch (error) {
    if (!(error instanceof SkipError)) throw error;
    if (state !== 'inactive') return { kind: 'skipped', wordpressId, name, reason: error.message, ...notes };
    return {
      kind: 'gone',
      wordpressId,
      name,
      ...notes,
      warnings: [warningMessages.goneAnyway(error.message)],
    };
  }
}
