/** A phone as a person types it, and the number that a reader of it would dial. */
export interface PhoneSpelling {
  typed: string;
  /** Of a `tel:` link. */
  dialed: string;
}

/** `A`, `B` and `C` are the three parts of a North American number. */
const american = [
  ['(A) B-C', ''],
  ['A.B.C', ''],
  ['+1 A B C', ''],
  ['1-A-B-C', ''],
  ['001 A B C', ''],
  ['011 1 A B C', ''],
  ['+1 1 A B C', ''],
  ['1 (A) B-C 1', ''],
  ['A-B-C after 10am', ''],
  ['A B C before 5', ''],
  ['call A-B-C 9-5', ''],
  ['A-B-C / 12', ''],
  ['ABC ask for room 12', ''],
  ['home A-B-C, cell 720-555-0199', ''],
  ['A/B-C or 720/555-0199', ''],
  ['Room 12: A–B–C', ''],
  ['before 9 A B C', ''],
  ['A-B-C ext. 44', ';ext=44'],
  ['A-B-Cx44', ';ext=44'],
  ['+1 A B C #44', ';ext=44'],
  ['ABC;ext=44', ';ext=44'],
  ['(A) B C ext44 after 5', ';ext=44'],
  ['A‑B‑C', ''],
  ['\u202a+1 (A) B‑C\u202c', ''],
] as const;

const americans = [
  ['303', '555', '0142'],
  ['212', '555', '0101'],
  ['720', '555', '0110'],
  ['907', '555', '0175'],
  ['617', '555', '0123'],
  ['787', '555', '0166'],
] as const;

/** `P` is the country code, `N` the national number in groups, `D` its digits. */
const foreign = [
  ['+P N', ''],
  ['+PD', ''],
  ['00P N', ''],
  ['011 P N', ''],
  ['+P-N', ''],
  ['+P (0)N', ''],
  ['P N', ''],
  ['+P N after 10am', ''],
  ['call +P N before 5', ''],
  ['+P N / 12', ''],
  ['+P N, cell 720-555-0199', ''],
  ['+P N ext. 12', ';ext=12'],
  ['+PD x12', ';ext=12'],
  ['＋P N', ''],
] as const;

const foreigns = [
  ['44', '20 7946 0958'],
  ['49', '30 1234567'],
  ['33', '1 23 45 67 89'],
  ['52', '55 1234 5678'],
] as const;

/** Digits as an Arabic, an Indian and a Japanese keyboard type them. */
function inScript(text: string, zero: string): string {
  return text.replace(/\d/g, (digit) => String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(digit)));
}

/** Two hundred spellings of ten numbers. */
export const phoneSpellings: readonly PhoneSpelling[] = [
  ...americans.flatMap(([area, exchange, line]) =>
    american.map(([pattern, extension], index): PhoneSpelling => {
      const typed = pattern.replace('A', area).replace('B', exchange).replace('C', line);
      const zero = ['٠', '०', '０'][index];
      return {
        typed: zero === undefined ? typed : inScript(typed, zero),
        dialed: `+1${area}${exchange}${line}${extension}`,
      };
    }),
  ),
  ...foreigns.flatMap(([code, national]) =>
    foreign.map(([pattern, extension]): PhoneSpelling => {
      const digits = national.replaceAll(' ', '');
      const typed = pattern.replace('P', code).replace('N', national).replace('D', digits);
      return { typed, dialed: `+${code}${digits}${extension}` };
    }),
  ),
];
