import { plainText } from '../formats/text.ts';

/** Digits of a phone number as typed, without the plus sign, spaces and punctuation. */
export function phoneDigits(typed: string): string {
  return plainText(typed).replace(/\D/g, '');
}

/** The longest text that is stored exactly as typed. */
const typedLengthMax = 100;
/** Fifteen digits with 16 runs of this length around them are shorter than `typedLengthMax`. */
const runLengthMax = 5;
/** Several numbers with a remark. */
const storedLengthMax = 300;

/** A number as stored: as typed. A very long text has runs of other characters cut, then its end. */
export function storedPhone(typed: string): string {
  if (typed.length <= typedLengthMax) return typed;
  return typed
    .replace(/\P{Nd}+/gu, (run) => run.slice(0, runLengthMax))
    .slice(0, storedLengthMax)
    .toWellFormed();
}

/** A number in E.164 for people to read: North American ones as `(303) 555-0142`, others as they are. */
export function phoneShown(e164: string): string {
  const [, area, exchange, line] = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(e164) ?? [];
  return line === undefined ? e164 : `(${area}) ${exchange}-${line}`;
}

const plainAmerican = /^(?:1[\s.-]*)?\(?([2-9]\d{2})\)?[\s.-]*([2-9]\d{2})[\s.-]*(\d{4})$/;

/** A plain American number as `(303) 555-0142`. Any other text as it is: foreign, with an extension, or of several. */
export function groupedPhone(typed: string): string {
  const [, area, exchange, line] = plainAmerican.exec(typed.trim()) ?? [];
  return line === undefined ? typed : `(${area}) ${exchange}-${line}`;
}

/** A phone number in a text. */
export interface PhoneInText {
  /** E.164; if no such number can exist, a plus sign and its digits. */
  e164: string;
  /** Digits; null: none was typed. */
  extension: string | null;
  /** Whether such a number can exist, and its country is certain. */
  isSure: boolean;
  /** Its place in `phoneText`, with the extension. */
  start: number;
  end: number;
}

/** A number's E.164 form, country code (null: unknown) and whether it's in use. Null: no such number can exist. */
export type FindInPlans = (
  e164: string,
) => { e164: string; countryCode: string | null; isValid: boolean } | null;

/** Browsers have no numbering plans: they would be the largest part of a page. */
const withoutPlans: FindInPlans = (e164) => ({ e164, countryCode: null, isValid: true });

/** A text as numbers are searched in it. */
export function phoneText(typed: string): string {
  return plainText(typed).replace(/\p{Cf}/gu, '');
}

interface Group {
  digits: string;
  /** The text between it and the group before. */
  gap: string;
  start: number;
  end: number;
}

/** Digits with only separators between them. */
interface Segment {
  groups: Group[];
  hasPlus: boolean;
}

const separators = /^[\s().\-_~/]*$/;

function listSegments(text: string): Segment[] {
  const segments: Segment[] = [];
  let end = 0;
  for (const { 0: digits, index: start } of text.matchAll(/\d+/g)) {
    const gap = text.slice(end, start);
    const last = segments.at(-1);
    end = start + digits.length;
    const group = { digits, gap, start, end };
    if (last !== undefined && separators.test(gap) && !/\s\/\s/.test(gap)) last.groups.push(group);
    else segments.push({ groups: [group], hasPlus: /\+[\s(]*$/.test(gap) });
  }
  return segments;
}

const joined = (groups: readonly Group[]): string => groups.map(({ digits }) => digits).join('');
const isLong = ({ length }: string): boolean => length >= 10 && length <= 15;

/** How people group a North American number, with or without the leading 1. */
const usualGroups = /^(?:(?:1-)?(?:3-3-4|3-7|6-4|10)|4-3-4|4-7|7-4|11)$/;

const isUsual = (groups: readonly Group[]): boolean =>
  usualGroups.test(groups.map(({ digits }) => digits.length).join('-'));

/** The digits after the prefix for calls abroad, without the zero of `+44 (0)20`; null: there is no such prefix. */
function abroad(groups: readonly Group[], hasPlus: boolean): string | null {
  const digits = joined(groups.filter(({ digits: zero }, index) => index === 0 || zero !== '0'));
  const [prefix] = /^(?:00|011)/.exec(digits) ?? [];
  if (prefix !== undefined) return digits.slice(prefix.length);
  return hasPlus ? digits : null;
}

/** A number at the start of groups, and how many of them it has. */
interface Reading extends Pick<PhoneInText, 'e164' | 'isSure'> {
  count: number;
}

/** Whether the last two groups are hours, such as `9-5`, after a number without hyphens. */
function endsInHours(groups: readonly Group[]): boolean {
  const [from, to] = groups.slice(-2);
  if (groups.length < 3 || from === undefined || to === undefined) return false;
  const areHours = [from, to].every(({ digits }) => Number(digits) <= 24);
  const isRange = /^\s*-\s*$/.test(to.gap) && /^\s+$/.test(from.gap);
  return areHours && isRange && !groups.slice(1, -2).some(({ gap }) => gap.includes('-'));
}

/** The North American number that ends with a group: as people group them, else the first with the right digits. */
function americanAt(groups: readonly Group[], hasPlus: boolean): (Reading & { isUsual: boolean }) | null {
  const readings = groups.flatMap((_, index) => {
    const own = groups.slice(0, index + 1);
    const far = abroad(own, hasPlus);
    const [, number] =
      (far === null ? /^1?([2-9]\d{9})$/ : /^11?([2-9]\d{9})$/).exec(far ?? joined(own)) ?? [];
    if (number === undefined) return [];
    const usual = far !== null || isUsual(own);
    return [{ e164: `+1${number}`, isSure: true, count: own.length, isUsual: usual }];
  });
  return readings.find((reading) => reading.isUsual) ?? readings[0] ?? null;
}

/** The longest possible number with a country code. If none is possible, the longest digits. */
function foreignAt(groups: readonly Group[], hasPlus: boolean, findInPlans: FindInPlans): Reading | null {
  const counts = groups.map((_, index) => groups.length - index);
  if (endsInHours(groups)) counts.unshift(groups.length - 2);
  const readings = counts.flatMap((count): Reading[] => {
    const far = abroad(groups.slice(0, count), hasPlus);
    return far !== null && isLong(far) ? [{ e164: `+${far}`, isSure: false, count }] : [];
  });
  for (const reading of readings) {
    const found = findInPlans(reading.e164);
    if (found !== null) return { ...reading, e164: found.e164, isSure: true };
  }
  // A plus sign before a number without country code.
  const american = hasPlus ? americanAt(groups, false) : null;
  return american?.isUsual === true ? american : (readings.at(0) ?? null);
}

/** Digits that aren't read otherwise: with a country code if a plan has it, else only kept. */
function keptDigits(digits: string, findInPlans: FindInPlans): Omit<Reading, 'count'> | null {
  if (!isLong(digits)) return null;
  if (/^1?[2-9]\d{9}$/.test(digits)) return { e164: `+1${digits.slice(-10)}`, isSure: true };
  const e164 = digits.length === 10 ? `+1${digits}` : `+${digits}`;
  const found = digits.length === 10 ? null : findInPlans(e164);
  return { e164: found?.isValid === true ? found.e164 : e164, isSure: false };
}

/** All groups as a number whose first group, or its beginning, is a country code without a plus sign. */
function bareForeign(groups: readonly Group[], findInPlans: FindInPlans): Reading | null {
  const digits = joined(groups);
  // Ten digits have no country code.
  const found = isLong(digits) && digits.length > 10 ? findInPlans(`+${digits}`) : null;
  if (found?.isValid !== true) return null;
  const isCode = groups.length === 1 || (found.countryCode ?? groups[0]?.digits) === groups[0]?.digits;
  return isCode ? { e164: found.e164, isSure: false, count: groups.length } : null;
}

/** No number has more groups: fifteen digits, the prefix for calls abroad, and the zero that is left out then. */
const groupsMax = 20;

/** All numbers of a segment, with the index of their first group. */
function readSegment({ groups, hasPlus }: Segment, findInPlans: FindInPlans): (Reading & { at: number })[] {
  const readings: (Reading & { at: number })[] = [];
  const whole = joined(groups);
  for (let at = 0; at < groups.length;) {
    const rest = groups.slice(at, at + groupsMax);
    const isFirst = at === 0;
    const american = americanAt(rest, hasPlus && isFirst);
    const isForeign = isFirst && abroad(rest, hasPlus) !== null;
    const bare =
      isFirst && !isForeign && american?.count !== groups.length ? bareForeign(groups, findInPlans) : null;
    let reading: Reading | null = null;
    if (american !== null && (american.isUsual || bare === null)) reading = american;
    else reading = isForeign ? foreignAt(rest, hasPlus, findInPlans) : bare;
    if (reading !== null) readings.push({ ...reading, at });
    at += reading?.count ?? 1;
  }
  const kept = readings.length === 0 ? keptDigits(whole, findInPlans) : null;
  return kept === null ? readings : [{ ...kept, count: groups.length, at: 0 }];
}

const extensionPattern = /^[\s,;.(:-]*(?:ext(?:ensio)?n?|int|x|×|#|,,)[\s.:=#]*(\d{1,7})(?!-?\d)/i;

function withExtension(
  text: string,
  number: Pick<PhoneInText, 'start' | 'end'>,
): Pick<PhoneInText, 'end' | 'extension'> {
  const [typed = '', extension = null] = extensionPattern.exec(text.slice(number.end)) ?? [];
  return { end: number.end + typed.length, extension };
}

/**
 * All phone numbers in a text, in its order: each has 10 to 15 digits. A number without a country code is North
 * American. If no number is found, but the text has 10 to 15 digits, these are the only one: a lead is never refused for
 * how its number is written.
 */
export function findPhones(typed: string, findInPlans: FindInPlans = withoutPlans): PhoneInText[] {
  const text = phoneText(typed);
  const found: PhoneInText[] = [];
  const segments = listSegments(text);
  for (const segment of segments)
    for (const { at, count, e164, isSure } of readSegment(segment, findInPlans)) {
      const own = segment.groups.slice(at, at + count);
      const [start, end] = [own[0]?.start ?? 0, own.at(-1)?.end ?? 0];
      // Digits of the extension before.
      if (start < (found.at(-1)?.end ?? 0)) continue;
      found.push({ e164, isSure, start, ...withExtension(text, { start, end }) });
    }
  const groups = segments.flatMap((segment) => segment.groups);
  const kept = found.length === 0 ? keptDigits(joined(groups), findInPlans) : null;
  const [first, last] = [groups[0], groups.at(-1)];
  if (kept === null || first === undefined || last === undefined) return found;
  return [{ ...kept, extension: null, start: first.start, end: last.end }];
}

/** The first number in a text as a link (RFC 3966), with its extension. The text itself if it has none. */
export function phoneHref(typed: string): string {
  const [phone] = findPhones(typed);
  if (phone === undefined) return `tel:${typed}`;
  return `tel:${phone.e164}${phone.extension === null ? '' : `;ext=${phone.extension}`}`;
}

/** E.164 form of the first number in a text. Null if it has none. */
export function phoneE164(typed: string): string | null {
  return findPhones(typed)[0]?.e164 ?? null;
}
