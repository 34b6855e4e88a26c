import { decodeHTMLStrict } from 'entities';
import { skipMessages } from './messages.ts';
import { cleanName } from '#shared/leads/leadFields.ts';
import { parseUrl } from '#shared/formats/text.ts';
import { type SyncedColumn, syncedFields } from '#shared/providers/providerFieldLists.ts';
import { type FieldMap, isRecord, type RawRecord } from '#server/config/fieldMap.ts';
import type { ZipTable } from '../matching/zipTable.ts';
import { withoutMarkup } from './withoutMarkup.ts';

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

/** Thrown for a value that can't be used, with the reason. */
export class SkipError extends Error {
  override readonly name = 'SkipError';
}

/** Markup and entities may make a text longer than its content. Beyond this length, nothing is read. */
const rawLengthMax = (column: SyncedColumn): number => Math.max(1_000, 2 * getLengthMax(column));
const getLengthMax = (column: SyncedColumn): number => syncedFields[column].lengthMax ?? 0;
const quotedLengthMax = 40;

/** A value as it may be quoted in a message. */
export function quoted(value: unknown): string {
  const text =
    typeof value === 'string' || typeof value === 'number'
      ? cleanName(String(value).slice(0, 200))
      : typeof value;
  return text.length > quotedLengthMax ? `${text.slice(0, quotedLengthMax)}…` : text;
}

/** A whole number without the `.0` that pandas writes in a column with empty cells: `80202.0`. Other text as it is. */
export function wholeNumber(text: string): string {
  return text.replace(/^(\s*\+?\d+)\.0+(?=\s*$)/, '$1');
}

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

export function rawText(column: SyncedColumn, value: unknown): string | null {
  if (value === null) return null;
  if (typeof value === 'number') {
    // JSON's reader has rounded it.
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER)
      throw new SkipError(skipMessages.lostDigits(syncedFields[column].label));
    return String(value);
  }
  if (typeof value !== 'string') throw new SkipError(skipMessages.notText(syncedFields[column].label));
  if (value.length > rawLengthMax(column))
    throw new SkipError(skipMessages.tooLong(syncedFields[column].label, getLengthMax(column)));
  return value;
}

/** What a reader puts in place of bytes of another encoding. */
export const replaced = '\ufffd';

function fitting(column: SyncedColumn, text: string): string | null {
  if (text.includes(replaced)) throw new SkipError(skipMessages.encoding(syncedFields[column].label));
  if (text.length > getLengthMax(column))
    throw new SkipError(skipMessages.tooLong(syncedFields[column].label, getLengthMax(column)));
  return text === '' ? null : text;
}

/** ASCII words separated by single spaces, without markup or entities. Most texts are, and need no work. */
const simple = /^[!-%'-;=-~]+(?: [!-%'-;=-~]+)*$/;

/** Visible text on one line, without tags or entities. Throws SkipError for markup left or characters lost earlier. */
export function plainText(column: SyncedColumn, value: unknown): string | null {
  let text = rawText(column, value);
  if (text === null) return null;
  if (simple.test(text)) return fitting(column, text);
  if (text.includes('<')) text = withoutMarkup(text);
  if (text.includes('&')) text = decodeHTMLStrict(text);
  if (/<[a-z/!?]/i.test(text)) throw new SkipError(skipMessages.markup(syncedFields[column].label));
  return fitting(column, cleanName(text).replace(/\s+/g, ' '));
}

/** An http(s) URL in the browser's spelling. `base` completes one without a host. Throws SkipError for other text. */
export function webAddress(column: SyncedColumn, value: unknown, base: string | null): string | null {
  const raw = rawText(column, value);
  const text = raw === null ? '' : cleanName(decodeHTMLStrict(raw));
  if (text === '') return null;
  if (text.includes(replaced)) throw new SkipError(skipMessages.encoding(syncedFields[column].label));
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text);
  const isPath = /^\/(?!\/)/.test(text);
  const url =
    isPath && base !== null
      ? parseUrl(text, base)
      : parseUrl(hasScheme ? text : `https://${text.replace(/^\/\//, '')}`);
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  // `https://contact us` and the like: nobody can reach such a host. A number alone would be read as an IP address.
  const isNumber = /^\d+(?:\.\d+)?$/.test(text);
  if (!isWeb || isNumber || (isPath && base === null) || !/[.:]|^localhost$/.test(url.hostname))
    throw new SkipError(skipMessages.url(syncedFields[column].label));
  return fitting(column, url.href);
}

const yes = new Set(['true', '1', 't', 'yes', 'y', 'on']);
const no = new Set(['false', '0', 'f', 'no', 'n', 'off']);

/** Yes or no, in the ways forms and spreadsheets write it. Empty is no. */
export function yesOrNo(column: SyncedColumn, value: unknown): boolean {
  if (value === null) return false;
  if (typeof value === 'boolean') return value;
  const word = wholeNumber(String(typeof value === 'string' || typeof value === 'number' ? value : ''))
    .trim()
    .toLowerCase();
  if (yes.has(word)) return true;
  if (no.has(word)) return false;
  throw new SkipError(skipMessages.yesOrNo(syncedFields[column].label));
}
