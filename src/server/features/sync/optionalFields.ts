import { googleAdsIdPattern } from '#shared/providers/adIds.ts';
import { cleanText } from '#shared/leads/leadFields.ts';
import {
  type IncomingProvider,
  type SyncedColumn,
  syncedColumns,
  syncedFields,
} from '#shared/providers/providerFieldLists.ts';
import { type ProviderFieldKind } from '#shared/providers/providerFieldTable.ts';
import { type FieldMap, isRecord, type RawRecord, readField } from '#server/config/fieldMap.ts';
import { normalizeDomain } from '#server/tenant/normalizeDomain.ts';
import type { ZipTable } from '../matching/zipTable.ts';
import { plainText, positiveNumber, SkipError, webAddress, wholeNumber, yesOrNo } from './fieldValues.ts';
import { skipMessages, warningMessages } from './messages.ts';
import { readPhone } from './providerPhone.ts';

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
export interface RecordNotes {
  /** Values that were left out, and a status that nobody knows. */
  warnings: string[];
  /** Columns whose present value stays: the record has none that can be used. */
  kept: SyncedColumn[];
  /** Whether its custom status field is false or 0, which may mean "never set": the whole run decides. */
  isOff: boolean;
  /** Whether its custom status field is 1 or true. */
  isFieldUsed: boolean;
}

/** One record while it is read. */
export interface Reading {
  record: RawRecord;
  context: NormalizeContext;
  notes: RecordNotes;
}

/** An image's URL or WordPress id, plain or inside ACF's or WordPress' object. */
export function pictureGiven(value: unknown): unknown {
  return isRecord(value)
    ? (value['url'] ?? value['source_url'] ?? value['ID'] ?? value['id'] ?? null)
    : value;
}

/** An image's URL, always checked. An image that no longer exists is null. */
function readPicture(column: SyncedColumn, value: unknown, { base, media }: NormalizeContext): string | null {
  const given = pictureGiven(value);
  const number = positiveNumber(given);
  if (number !== null) return webAddress(column, media.get(number) ?? null, base);
  return given === 0 || given === false ? null : webAddress(column, given, base);
}

function readDomain(value: unknown, mainDomains: readonly string[]): string | null {
  const text = plainText('domain', value);
  if (text === null) return null;
  const normalized = normalizeDomain(text, mainDomains);
  if ('refused' in normalized) throw new SkipError(normalized.refused);
  return normalized.domain;
}

function readAdId(
  column: SyncedColumn,
  value: unknown,
  { pattern, reason }: { pattern: RegExp; reason: string },
): string | null {
  const given = plainText(column, value);
  const text = given === null ? null : wholeNumber(given);
  if (text !== null && !pattern.test(text)) throw new SkipError(reason);
  return text;
}

function readPhoneField(value: unknown, { warnings }: RecordNotes): string | null {
  const text = plainText('phone', value);
  if (text === null) return null;
  const { phone, warning } = readPhone(text);
  if (warning !== null) warnings.push(warning);
  return phone;
}

/** Longer than any text that is stored. */
const refusedLengthMax = 2_100;

/**
 * A text that can't be used, as it may have been stored before such texts were refused. The present value stays unless
 * it is the same. Of the domains, one that many share stays where an earlier version stored it.
 */
function refusedText(column: SyncedColumn, value: unknown, mainDomains: readonly string[]): string | null {
  if (typeof value !== 'string') return null;
  const text = cleanText(value.slice(0, refusedLengthMax)).replace(/\s+/g, ' ');
  return column === 'domain' && 'isShared' in normalizeDomain(text, mainDomains) ? null : text;
}

type Reader = (value: unknown, column: SyncedColumn, reading: Reading) => string | boolean | null;

const readText: Reader = (value, column) => plainText(column, value);

/** By kind: a field's value as it is stored. Each throws SkipError for a value that can't be used. */
const readers: Record<ProviderFieldKind, Reader> = {
  routing: readText,
  text: readText,
  phone: (value, _, { notes }) => readPhoneField(value, notes),
  url: (value, column) => webAddress(column, value, null),
  pageUrl: (value, column, { context }) => webAddress(column, value, context.base),
  domain: (value, _, { context }) => readDomain(value, context.mainDomains),
  googleAdsId: (value, column) =>
    readAdId(column, value, { pattern: googleAdsIdPattern, reason: skipMessages.googleAdsId }),
  bingAdsId: (value, column) =>
    readAdId(column, value, { pattern: /^\d{4,20}$/, reason: skipMessages.bingAdsId }),
  picture: (value, column, { context }) => readPicture(column, value, context),
  flag: (value, column) => yesOrNo(column, value),
};

function readOptional(column: SyncedColumn, reading: Reading) {
  const { record, context, notes } = reading;
  const value = readField(context.fields, record, column);
  try {
    return readers[syncedFields[column].kind](value, column, reading);
  } catch (error) {
    if (!(error instanceof SkipError)) throw error;
    notes.warnings.push(warningMessages.dropped(error.message));
    notes.kept.push(column);
    return syncedFields[column].kind === 'flag' ? false : refusedText(column, value, context.mainDomains);
  }
}

/** Columns that route leads are read by rules of their own (normalizeProvider.ts). */
type RoutingColumn = 'name' | 'zip_code' | 'status' | 'latitude' | 'longitude' | 'email';
type OptionalRow = Omit<IncomingProvider, RoutingColumn | 'wordpress_id'>;
const optionalColumns = syncedColumns.filter((column) => syncedFields[column].kind !== 'routing');

/** The columns that route no lead. A value that can't be used is left out with a warning: the present one stays. */
export function readOptionalFields(reading: Reading): OptionalRow {
  return Object.fromEntries(
    optionalColumns.map((column) => [column, readOptional(column, reading)]),
  ) as OptionalRow;
}
