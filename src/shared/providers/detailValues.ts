import { parseUrl } from '../formats/text.ts';
import { cleanName } from '../leads/leadFields.ts';
import { dayMinutes, type Interval } from './dayTimes.ts';
import { weekdays } from './openingHours.ts';

/** The values of a provider's details, as people, spreadsheets and WordPress write them, in the form that is stored. */

const intervalsMax = 2;
/** A time of one digit is a morning's: 1:00 may mean the afternoon. */
const earliestShort = 6 * 60;

/** An NPI: ten digits, with the check digit of Luhn's formula over the prefix 80840. Undefined if it is none. */
export function parseNpi(text: string): string | undefined {
  const digits = text.trim();
  if (!/^[12]\d{9}$/.test(digits)) return undefined;
  const sum = `80840${digits}`
    .split('')
    .toReversed()
    .reduce((total, digit, at) => {
      const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0 ? digits : undefined;
}

/** A year or a date, as `2015` or `2015-06-30`, of 1900 or later and not in the future. Undefined for anything else. */
export function parseYearOrDate(text: string, now = new Date()): string | undefined {
  const today = now.toISOString().slice(0, 10);
  const typed = text.trim();
  if (/^\d{4}$/.test(typed)) return typed >= '1900' && typed <= today.slice(0, 4) ? typed : undefined;
  const [, month = '', day = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(typed) ?? [];
  const date =
    year === ''
      ? typed.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3').replace(/[T ]00:00(?::00)?(?:\.0+)?Z?$/, '')
      : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = new Date(`${date}T00:00:00Z`);
  const isDate =
    /^\d{4}-\d{2}-\d{2}$/.test(date) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(date);
  return isDate && date >= '1900' && date <= today ? date : undefined;
}

/** The IANA name of a time zone, such as `America/Denver`. Undefined for offsets and names that nobody knows. */
export function parseTimeZone(text: string): string | undefined {
  const name = text.trim().replaceAll(' ', '_');
  if (!/^(?!Etc\/)[A-Za-z]+(?:\/[A-Za-z_-]+)+$/i.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

const languagesMax = 20;
const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
/** Languages of more than two letters that clinics speak. */
const longCodes = ['ase', 'cmn', 'fil', 'haw', 'hmn', 'yue'];
let codesByName: ReadonlyMap<string, string> | null = null;

function codeOfName(name: string): string | undefined {
  const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
  codesByName ??= new Map(
    [...letters.flatMap((first) => letters.map((second) => `${first}${second}`)), ...longCodes].flatMap(
      (code) => {
        const known = languageNames.of(code)?.toLowerCase();
        return known === undefined ? [] : [[known, Intl.getCanonicalLocales(code)[0] ?? code] as const];
      },
    ),
  );
  return codesByName.get(name.toLowerCase());
}

function parseLanguage(text: string): string | undefined {
  const byName = codeOfName(text);
  if (byName !== undefined || !/^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$/i.test(text)) return byName;
  try {
    const [tag] = Intl.getCanonicalLocales(text.replaceAll('_', '-'));
    return tag !== undefined && languageNames.of(tag) !== undefined ? tag : undefined;
  } catch {
    return undefined;
  }
}

/** BCP 47 tags of languages that are given as tags or English names. Undefined if one is unknown. */
export function parseLanguages(texts: readonly string[]): string[] | undefined {
  const given = texts.flatMap((text) => text.split(/[,;|\n/]|\band\b/)).map((text) => text.trim());
  const tags = new Set<string>();
  for (const text of given) {
    if (text === '') continue;
    const tag = parseLanguage(text);
    if (tag === undefined) return undefined;
    tags.add(tag);
  }
  return tags.size > languagesMax ? undefined : [...tags];
}

/** Minutes since midnight of `09:00`, `9:00 am` or `5 pm`. Undefined if it isn't certain which half of the day is meant. */
function toMinutes(text: string): number | undefined {
  const [, hour = '', minute = '00', half = ''] =
    /^(\d{1,2})(?::(\d{2})(?::00)?)?\s*(?:([ap])\.?\s*m\.?)?$/i.exec(text.trim()) ?? [];
  const minutes = Number(minute);
  if (hour === '' || minutes > 59) return undefined;
  if (half !== '') {
    const isAfternoon = half.toLowerCase() === 'p';
    const hours = Number(hour);
    return hours < 1 || hours > 12 ? undefined : ((hours % 12) + (isAfternoon ? 12 : 0)) * 60 + minutes;
  }
  const total = Number(hour) * 60 + minutes;
  const isCertain = text.includes(':') && (hour.length === 2 || total >= earliestShort);
  return isCertain && total <= dayMinutes ? total : undefined;
}

function parseInterval(text: string): Interval | undefined {
  const parts = text.split(/[-\u2010-\u2015\u2212]|\bto\b/);
  const [opens, closes] = parts.map(toMinutes);
  // What crosses midnight belongs to two days.
  return parts.length === 2 && opens !== undefined && closes !== undefined && opens < closes
    ? [opens, closes]
    : undefined;
}

/** `closed` or intervals. Undefined if it is neither. */
function parseIntervals(text: string): Interval[] | undefined {
  if (/^(?:closed|off|-|)$/i.test(text.trim())) return [];
  const intervals = text.split(/,|&|\band\b/i).map(parseInterval);
  return intervals.every((interval) => interval !== undefined) ? intervals : undefined;
}

const weekdayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** The weekday that `Mo`, `Tues.` or `Fridays` names; -1 for any other word, such as `Weekdays`. */
function findWeekday(text: string): number {
  const word = text
    .trim()
    .toLowerCase()
    .replace(/s?\.?$/, '');
  return word.length < 2 ? -1 : weekdayNames.findIndex((name) => name.startsWith(word));
}

/** The weekdays of `Mon-Fri` or `Mon, Wed`; undefined if it names none. */
function parseDays(text: string): number[] | undefined {
  const days = text.split(/,|&/).flatMap((part) => {
    const [first = -1, last = first] = part.split(/[-\u2010-\u2015]/).map(findWeekday);
    if (first < 0 || last < 0) return [-1];
    return Array.from({ length: ((last - first + 7) % 7) + 1 }, (_, at) => (first + at) % 7);
  });
  return days.includes(-1) ? undefined : days;
}

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Up to two intervals in order that don't overlap. */
function isDay(intervals: readonly Interval[]): boolean {
  return (
    intervals.length <= intervalsMax &&
    intervals.every(([opens], at) => at === 0 || opens >= (intervals[at - 1]?.[1] ?? 0))
  );
}

/**
 * Opening hours in their stored form: `Mon 09:00-12:00, 13:00-17:00; Tue closed; …`, each weekday once. A day that the
 * text doesn't name is closed. Undefined if it says anything else, also hours that overlap or cross midnight.
 */
export function parseHours(text: string): string | undefined {
  const days: Interval[][] = weekdays.map(() => []);
  for (const line of text.split(/[;|\n]/)) {
    // With single spaces, the patterns take time that grows with the length only.
    const words = line.replace(/\s+/g, ' ').trim();
    if (words === '') continue;
    const at = words.search(/\d|\b(?:closed|off)$/i);
    if (at < 0) return undefined;
    const named = parseDays(words.slice(0, at).replace(/ ?: ?$/, ''));
    const intervals = parseIntervals(words.slice(at));
    if (named === undefined || intervals === undefined) return undefined;
    for (const day of named) days[day]?.push(...intervals);
  }
  const sorted = days.map((intervals) => intervals.toSorted(([one], [other]) => one - other));
  if (!sorted.every(isDay)) return undefined;
  return weekdays
    .map((day, at) => {
      const times = (sorted[at] ?? []).map(([opens, closes]) => `${clock(opens)}-${clock(closes)}`);
      return `${day} ${times.length === 0 ? 'closed' : times.join(', ')}`;
    })
    .join('; ');
}

/** An https URL in the browser's spelling. Undefined for anything else. */
export function parseHttps(text: string): string | undefined {
  const url = parseUrl(text.trim());
  const isHttps = url?.protocol === 'https:' && url.username === '' && url.password === '';
  return isHttps && url.hostname.includes('.') && url.href.length <= urlLengthMax ? url.href : undefined;
}

const urlLengthMax = 2048;
export const picturesMax = 6;

/** A picture's https URL, or a path of this site. Undefined for anything else. */
export function parsePicture(text: string): string | undefined {
  const path = text.trim();
  return /^\/(?![/\\])[^\s\\]*$/.test(path) && path.length <= urlLengthMax ? path : parseHttps(text);
}

/** Addresses in a text: separated by line breaks, spaces, semicolons or vertical bars, or a comma and a space. */
export function splitAddresses(text: string): string[] {
  return text.split(/[\s;|]+|,(?=\s|$)/).filter((part) => part !== '');
}

/** Up to six different pictures. Undefined if one is none, or there are more. */
export function parsePictures(texts: readonly string[]): string[] | undefined {
  const given = texts.flatMap(splitAddresses).map(parsePicture);
  if (!given.every((picture) => picture !== undefined)) return undefined;
  const pictures = [...new Set(given)];
  return pictures.length > picturesMax ? undefined : pictures;
}

const aboutLengthMax = 2000;
/** A file's row may not span more (sync/files/csvRows.ts). */
const linesMax = 40;

/** A text of paragraphs, one a line, without blank lines and without what nobody sees. Undefined if it is too long. */
export function parseParagraphs(text: string): string | undefined {
  const lines = text
    .slice(0, 4 * aboutLengthMax)
    .split(/\r\n?|[\n\u2028\u2029]/)
    .map((line) => cleanName(line).replace(/\s+/g, ' '))
    .filter((line) => line !== '');
  const rest = lines.slice(linesMax - 1).join(' ');
  const paragraphs = [...lines.slice(0, linesMax - 1), ...(rest === '' ? [] : [rest])].join('\n');
  return text.length > 4 * aboutLengthMax || paragraphs.length > aboutLengthMax ? undefined : paragraphs;
}

/** One line of text, without what nobody sees. Undefined if it is longer than `lengthMax`. */
export function parseLine(text: string, lengthMax: number): string | undefined {
  const line = text.length > 4 * lengthMax ? text : cleanName(text).replace(/\s+/g, ' ');
  return line.length > lengthMax ? undefined : line;
}
