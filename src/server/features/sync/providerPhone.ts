import { findPhones, phoneText } from '#shared/leads/phone.ts';
import { skipMessages, warningMessages } from '#server/features/sync/messages.ts';
import { vanityNumber } from '#shared/providers/vanityPhone.ts';
import { SkipError, wholeNumber } from './fieldValues.ts';

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
 * The phone number of a provider's text, which visitors see and call: as written if it is one, else its first number.
 * Throws SkipError if it has none.
 */
export function readPhone(text: string): ReadPhone {
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
