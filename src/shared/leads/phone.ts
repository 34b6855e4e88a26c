/** Digits of a phone number as typed, without the plus sign, spaces and punctuation. */
export function phoneDigits(typed: string): string {
  return typed.replace(/\D/g, '');
}

/** The longest text that is stored exactly as typed. */
const typedLengthMax = 100;
/** Fifteen digits with 16 runs of this length around them are shorter than `typedLengthMax`. */
const runLengthMax = 5;

/** A number as it is stored: as typed, except that a very long text has its runs of other characters cut. */
export function storedPhone(typed: string): string {
  if (typed.length <= typedLengthMax) return typed;
  return typed.replace(/\D+/g, (run) => run.slice(0, runLengthMax)).toWellFormed();
}

/** A number in E.164 for people to read: North American ones as `(303) 555-0142`, others as they are. */
export function phoneShown(e164: string): string {
  const [, area, exchange, line] = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(e164) ?? [];
  return line === undefined ? e164 : `(${area}) ${exchange}-${line}`;
}

/**
 * E.164 form of a number of 10 to 15 digits: ten digits are taken as North American, eleven that begin with 1 as well,
 * others as they are. Returns null outside those lengths (ITU-T E.164 allows fifteen digits).
 */
export function phoneE164(typed: string): string | null {
  const digits = phoneDigits(typed);
  if (digits.length < 10 || digits.length > 15) return null;
  return digits.length === 10 && !typed.trim().startsWith('+') ? `+1${digits}` : `+${digits}`;
}
