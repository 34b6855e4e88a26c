import { findPhones, phoneText } from '#shared/leads/phone.ts';
import { skipMessages, warningMessages } from './messages.ts';
import { vanityNumber } from '#shared/providers/providerView.ts';
import {
  SkipError,
  wholeNumber,
  type NormalizeContext,
  pictureGiven,
  plainText,
  positiveNumber,
  type Reading,
  type RecordNotes,
  webAddress,
  yesOrNo,
} from './fieldValues.ts';
import { googleAdsIdPattern } from '#shared/providers/adIds.ts';
import { cleanText } from '#shared/leads/leadFields.ts';
import {
  type IncomingProvider,
  type SyncedColumn,
  syncedColumns,
  syncedFields,
} from '#shared/providers/providerFieldLists.ts';
import type { ProviderFieldKind } from '#shared/providers/providerFieldTable.ts';
import { isListColumn, readField, readRaw } from '#server/config/fieldMap.ts';
import { normalizeDomain } from '#server/tenant/normalizeDomain.ts';
import { readDetail, readHours, readLanguages, readParagraphs, readPictures } from './clinicFields.ts';

/** What an exporter writes for a long number: the digits are lost. */
const scientific = /^[+-]?\d+(?:[.,]\d+)?E[+-]?\d+$/i;
/** Before the digits of a number that it belongs to. */
const opening = /[+(\s]*$/;

interface ReadPhone {
  phone: string;
  /** Why it isn't the whole text; null if it is. */
  warning: string | null;
}

/**
 * A provider's phone number for visitors: the text if it is one, else its first number. Throws SkipError without one.
 */
function readPhone(text: string): ReadPhone {
  const written = phoneText(wholeNumber(text))
    .replace(/^'+(?=[+\d(])/, '')
    .replace(/^tel:/i, '')
    .trim();
  if (vanityNumber(written) !== null) return { phone: written, warning: null };
  const [first, second] = findPhones(written);
  if (first?.isSure !== true || scientific.test(written)) throw new SkipError(skipMessages.phone);
  const [before = ''] = opening.exec(written.slice(0, first.start)) ?? [];
  const number = written.slice(first.start - before.length, first.end);
  if (second !== undefined) return { phone: number.trim(), warning: warningMessages.firstPhone };
  const hasOther = /[\p{L}\p{N}]/u.test(written.replace(number, ''));
  return hasOther
    ? { phone: number.trim(), warning: warningMessages.phoneOnly }
    : { phone: written, warning: null };
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

type Value = string | boolean | string[] | null;
type Reader = (value: unknown, column: SyncedColumn, reading: Reading) => Value;

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
  paragraphs: (value, column) => readParagraphs(column, value),
  detail: (value, column) => readDetail(column, value),
  hours: (value, column) => readHours(column, value),
  languages: (value, column) => readLanguages(column, value),
  pictures: (value, column, reading) => readPictures(column, value, reading),
};

/** Null if the record lacks the value or it can't be used, so that the present one stays; empty if it empties it. */
function readKept(column: SyncedColumn, value: unknown, reading: Reading): Value {
  const { record, context } = reading;
  const isGiven = readRaw(context.fields, record, column).some((raw) => raw.value !== undefined);
  if (!isGiven) return null;
  const empty = isListColumn(column) ? [] : '';
  return value === null ? empty : (readers[syncedFields[column].kind](value, column, reading) ?? empty);
}

function readOptional(column: SyncedColumn, reading: Reading): Value {
  const { record, context, notes } = reading;
  const { kind, keptIfMissing = false } = syncedFields[column];
  const value = readField(context.fields, record, column);
  try {
    return keptIfMissing ? readKept(column, value, reading) : readers[kind](value, column, reading);
  } catch (error) {
    if (!(error instanceof SkipError)) throw error;
    notes.warnings.push(warningMessages.dropped(error.message));
    if (keptIfMissing) return null;
    notes.kept.push(column);
    return kind === 'flag' ? false : refusedText(column, value, context.mainDomains);
  }
}

/** One such column's value, as it is stored. Throws SkipError for a value that can't be used. */
export function readOptionalValue(column: SyncedColumn, reading: Reading): Value {
  const value = readField(reading.context.fields, reading.record, column);
  return readers[syncedFields[column].kind](value, column, reading);
}

/** Columns that route leads are read by rules of their own (normalizeProvider.ts). */
type RoutingColumn = 'name' | 'zip_code' | 'status' | 'latitude' | 'longitude' | 'email';
type OptionalRow = Omit<IncomingProvider, RoutingColumn | 'wordpress_id'>;
const optionalColumns = syncedColumns.filter((column) => syncedFields[column].kind !== 'routing');

/** The columns that route no lead. A value that can't be used is left out with a warning: the present one stays. */
export function readOptionalFields(reading: Reading): OptionalRow {
  const values = optionalColumns.map((column) => [column, readOptional(column, reading)] as const);
  const given = values.filter(
    ([column, value]) => value !== null || syncedFields[column].keptIfMissing !== true,
  );
  return Object.fromEntries(given) as OptionalRow;
}
