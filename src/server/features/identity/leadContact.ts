import { deliverableEmail } from '#shared/leads/emailAddress.ts';
import { phoneShown, phoneText, type PhoneInText } from '#shared/leads/phone.ts';
import type { LeadRow } from '#server/db/schema/index.ts';
import { readPhones } from './normalForms.ts';

/** How a lead is contacted, for its provider and the CRM. */
interface LeadContact {
  /** The address that mail is sent to. */
  email: string;
  /** E.164; plus sign and digits of a number that can't exist. */
  phone: string;
  /** Digits; null: none was typed. */
  extension: string | null;
  /** What was typed as a phone, without links and remarks in other words; null: it says no more than the number. */
  typed: string | null;
}

/** The only words of a typed phone that are passed on. They can't form a link or a message. */
const wordsKept = new Set(['ext', 'x', 'before', 'after', 'am', 'pm', 'home', 'work', 'cell']);
/** Those that say something by themselves. */
const remarks = /\d|before|after|am|pm|home|work|cell/;
const typedLengthMax = 40;

/** Digits, space, hyphen, comma, plus, parentheses and the words above. */
function reducedText(text: string): string {
  return text
    .toLowerCase()
    .replace(/(?<=\d\s?)([ap])\.\s?m\b\.?/g, '$1m')
    .replace(/[\p{L}\p{M}]+/gu, (word) => (wordsKept.has(word) ? word : ' '))
    .replace(/[^\d ,+()a-z-]/g, ' ')
    .replace(/\([ ,-]*\)/g, ' ')
    .replace(/ +/g, ' ')
    .replace(/(?: ?,)+/g, ',')
    .replace(/^[ ,-]+|[ ,-]+$/g, '');
}

/** Cut between two words. */
function shortText(text: string): string {
  if (text.length <= typedLengthMax) return text;
  const end = text.slice(0, typedLengthMax + 1).lastIndexOf(' ');
  return text.slice(0, end > 0 ? end : typedLengthMax).replace(/[ ,-]+$/, '');
}

function without(text: string, spans: readonly Pick<PhoneInText, 'start' | 'end'>[]): string {
  const cut = spans.toSorted((a, b) => b.start - a.start);
  return cut.reduce((left, { start, end }) => `${left.slice(0, start)} , ${left.slice(end)}`, text);
}

const numbersIn = (text: string): string[] => readPhones(text).map(({ e164 }) => e164);

/** Numbers that commas or words cut in pieces: nobody dials them by mistake, but people can read them. */
function cutNumbers(typed: string): string[] {
  const whole = numbersIn(typed);
  return numbersIn(phoneText(typed).replace(/\D+/g, ' ')).filter((e164) => !whole.includes(e164));
}

/** Numbers in E.164 that a lead's phone has beyond its first. */
export function furtherNumbers(typed: string): string[] {
  const [first, ...others] = numbersIn(typed);
  return [...new Set([...others, ...cutNumbers(typed)])].filter((e164) => e164 !== first);
}

/** A typed phone without these further numbers. The first one stays. */
export function phoneWithout(typed: string, leftOut: readonly string[]): string {
  if (leftOut.length === 0) return typed;
  const [first, ...others] = readPhones(typed);
  // It has no place of its own that could be left out.
  if (first !== undefined && cutNumbers(typed).some((e164) => leftOut.includes(e164)))
    return phoneText(typed).slice(first.start, first.end);
  const spans = others.filter(({ e164 }) => leftOut.includes(e164));
  return spans.length === 0 ? typed : without(phoneText(typed), spans).replace(/[\s,]+$/, '');
}

/** `leftOut`: numbers of suppressed people, which nobody gets. */
export function leadContact(
  { email, phone, phoneE164 }: Pick<LeadRow, 'email' | 'phone' | 'phoneE164'>,
  leftOut: readonly string[] = [],
): LeadContact {
  const typed = phoneWithout(phone, leftOut);
  const [first] = readPhones(typed);
  const contact = { email: deliverableEmail(email), phone: first?.e164 ?? phoneE164 };
  if (first === undefined) return { ...contact, extension: null, typed: null };
  const text = phoneText(typed);
  const rest = first.isSure ? without(text, [first]) : text;
  const saysMore = remarks.test(reducedText(rest));
  const shown = saysMore ? shortText(reducedText(text)) : '';
  return { ...contact, extension: first.extension, typed: shown === '' ? null : shown };
}

/** The number for people to read: `(303) 555-0142 ext. 44`. */
export function contactPhone({ phone, extension }: LeadContact): string {
  return extension === null ? phoneShown(phone) : `${phoneShown(phone)} ext. ${extension}`;
}

/** The number as a link (RFC 3966). */
export function contactHref({ phone, extension }: LeadContact): string {
  return `tel:${phone}${extension === null ? '' : `;ext=${extension}`}`;
}
