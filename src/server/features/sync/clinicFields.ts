import { decodeHTMLStrict } from 'entities';
import {
  parseHours,
  parseLanguages,
  parseParagraphs,
  parsePicture,
  picturesMax,
  splitAddresses,
} from '#shared/providers/detailValues.ts';
import { type SyncedColumn, syncedFields } from '#shared/providers/providerFieldLists.ts';
import { isRecord, type RawRecord } from '#server/config/fieldMap.ts';
import {
  pictureGiven,
  plainText,
  positiveNumber,
  rawText,
  type Reading,
  replaced,
  SkipError,
  wholeNumber,
} from './fieldValues.ts';
import { skipMessages, warningMessages } from './messages.ts';
import { withoutMarkup } from './withoutMarkup.ts';

function refuse(column: SyncedColumn): never {
  const { label, expected = '' } = syncedFields[column];
  throw new SkipError(skipMessages.unexpected(label, expected));
}

/** A text that the field's own rule reads. */
export function readDetail(column: SyncedColumn, value: unknown): string | null {
  const text = plainText(column, value);
  return text === null ? null : (syncedFields[column].parse?.(wholeNumber(text)) ?? refuse(column));
}

/** Elements after which a new paragraph begins. */
const paragraphEnd = /<br\b[^>]*>|<\/(?:p|div|li|h[1-6]|blockquote)\s*>/gi;

/** A text of paragraphs, from markup or plain. */
export function readParagraphs(column: SyncedColumn, value: unknown): string | null {
  const { label, lengthMax = 0 } = syncedFields[column];
  const raw = rawText(column, value);
  if (raw === null) return null;
  const text = decodeHTMLStrict(withoutMarkup(raw.replace(paragraphEnd, '\n')));
  if (/<[a-z/!?]/i.test(text)) throw new SkipError(skipMessages.markup(label));
  const paragraphs = parseParagraphs(text);
  if (paragraphs === undefined) throw new SkipError(skipMessages.tooLong(label, lengthMax));
  if (paragraphs.includes(replaced)) throw new SkipError(skipMessages.encoding(label));
  return paragraphs === '' ? null : paragraphs;
}

const entriesMax = 50;

function listEntries(value: unknown): readonly unknown[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
  return entries.slice(0, entriesMax);
}

/** Text as the languages or hours of one entry say it. */
function entryText(entry: unknown): string {
  if (isRecord(entry))
    return entryText(entry['value'] ?? entry['label'] ?? entry['name'] ?? Object.values(entry)[0]);
  return typeof entry === 'string' ? decodeHTMLStrict(entry.slice(0, 500)) : '';
}

/** Languages by their tags or English names, as a text or a list. */
export function readLanguages(column: SyncedColumn, value: unknown): string[] | null {
  const tags = parseLanguages(listEntries(value).map(entryText)) ?? refuse(column);
  return tags.length === 0 ? null : tags;
}

const closedNames = ['closed', 'is_closed', 'isClosed'];
const opensNames = ['opens', 'open', 'from', 'start', 'open_time', 'opening_time'];
const closesNames = ['closes', 'close', 'to', 'until', 'end', 'close_time', 'closing_time'];
const dayNames = ['day', 'weekday', 'days', 'day_of_week', 'dayOfWeek'];

function firstText(record: RawRecord, names: readonly string[]): string {
  const found = names.map((name) => record[name]).find((value) => value !== undefined && value !== null);
  return Array.isArray(found) ? found.map(entryText).join(', ') : entryText(found);
}

/** A day's times as text: from a text, from opening and closing times, or from a list of either. */
function dayText(value: unknown): string {
  if (Array.isArray(value)) return listEntries(value).map(dayText).join(', ') || 'closed';
  if (!isRecord(value)) return entryText(value) || 'closed';
  const isClosed = closedNames.some(
    (name) => value[name] === true || value[name] === 1 || value[name] === '1',
  );
  const [opens, closes] = [firstText(value, opensNames), firstText(value, closesNames)];
  return isClosed || (opens === '' && closes === '') ? 'closed' : `${opens}-${closes}`;
}

const hoursLengthMax = 2_000;

/** Hours as one text: from a text, from an object with the days, or from rows that name theirs. */
function hoursText(value: unknown): string {
  // Cut before the pattern looks for the end of each element.
  if (typeof value === 'string')
    return decodeHTMLStrict(value.slice(0, 2 * hoursLengthMax).replace(paragraphEnd, '\n'));
  if (Array.isArray(value))
    return listEntries(value)
      .map((row) => (isRecord(row) ? `${firstText(row, dayNames)} ${dayText(row)}` : entryText(row)))
      .join('; ');
  return isRecord(value)
    ? Object.entries(value)
        .map(([day, times]) => `${day} ${dayText(times)}`)
        .join('; ')
    : '';
}

export function readHours(column: SyncedColumn, value: unknown): string | null {
  const text = hoursText(value);
  if (text.length > hoursLengthMax) refuse(column);
  return parseHours(text) ?? refuse(column);
}

/** What an entry of a gallery gives. A row of a repeater has the image in a field of its own. */
function entryPicture(entry: unknown): unknown {
  const direct = pictureGiven(entry);
  return direct === null && isRecord(entry) ? pictureGiven(Object.values(entry)[0]) : direct;
}

/** One picture's address; null for one that no longer exists. */
function readPicture(
  column: SyncedColumn,
  entry: unknown,
  { base, media }: Reading['context'],
): string | null {
  const given = entryPicture(entry);
  const number = positiveNumber(given);
  const address = number === null ? given : media.get(number);
  if (address === undefined || address === null || address === false || address === 0) return null;
  if (typeof address !== 'string') return refuse(column);
  const text = decodeHTMLStrict(address);
  const isPath = /^\/(?!\/)/.test(text);
  const absolute = isPath && base !== null && URL.canParse(text, base) ? new URL(text, base).href : text;
  return parsePicture(absolute) ?? refuse(column);
}

/** The ids of pictures without an address. */
export function pictureIds(value: unknown): number[] {
  return listEntries(value).flatMap((entry) => positiveNumber(entryPicture(entry)) ?? []);
}

/** Far more than six addresses. */
const addressesLengthMax = 20_000;

/** A gallery's pictures, the first six. */
export function readPictures(
  column: SyncedColumn,
  value: unknown,
  { context, notes }: Reading,
): string[] | null {
  const given =
    typeof value === 'string' && positiveNumber(value) === null
      ? splitAddresses(value.slice(0, addressesLengthMax))
      : listEntries(value);
  const found = given
    .map((entry) => readPicture(column, entry, context))
    .filter((picture) => picture !== null);
  const pictures = [...new Set(found)];
  if (pictures.length > picturesMax) notes.warnings.push(warningMessages.firstPictures(picturesMax));
  return pictures.length === 0 ? null : pictures.slice(0, picturesMax);
}
