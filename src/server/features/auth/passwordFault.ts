import { brand } from '#shared/brand/brand.ts';

/** About a billion guesses: at the rate that signInLimits.ts lets through, a guesser needs centuries. */
const bitsMin = 30;
/** What a guesser has to know besides the text, in bits. */
const bits = {
  context: 4,
  run: 6,
  year: 7,
  repeat: 2,
  digit: Math.log2(10),
  letter: Math.log2(26),
  other: 5,
};
/** A longer password isn't judged by more: it passes by its first characters or not at all. */
const judgedMax = 128;
const pieceMax = 40;
/** Shorter ones match by chance. */
const wordMin = 4;
const contextMin = 3;
/** A shorter part of the brand's name is an ordinary word. */
const brandPartMin = 5;
const runMin = 3;

/** Rows of keyboards, and characters in their order. */
const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop[]',
  'asdfghjkl;',
  'zxcvbnm,./',
  '!@#$%^&*()',
];
const runs = [...rows, ...rows.map((row) => row.split('').toReversed().join(''))];

/** What people write in place of letters. */
const writtenAs: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

const product = ['dashboard', 'clinic', 'provider', 'leads', 'admin', 'owner', 'manager', 'viewer', 'staff'];

export interface PasswordOwner {
  name: string;
  email: string;
}

type Ranks = ReadonlyMap<string, number>;

let ranks: Promise<Ranks> | null = null;

/** The place of each common password, from 1. Loaded when the first password is set: few processes ever do. */
function commonRanks(): Promise<Ranks> {
  ranks ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Map(dictionary['passwords-common'].map((word, at) => [word, at + 1])),
  );
  return ranks;
}

function splitWords(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u);
}

/** What a guesser tries first at this product and this account. */
function contextWords(owner: PasswordOwner | null): Set<string> {
  const own = owner === null ? [] : [fold(owner.name), fold(owner.email)];
  const brandName = fold(brand.plainName);
  const brandParts = splitWords(brandName).filter((word) => word.length >= brandPartMin);
  // "P-Long" is also "plong".
  const joined = [brandName, ...own].map((name) => splitWords(name).join(''));
  const all = [
    ...product,
    brandName,
    ...brandParts,
    ...own,
    ...joined,
    ...own.flatMap((name) => splitWords(name)),
  ];
  return new Set(all.filter((word) => word.length >= contextMin));
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function bitsOfCharacter(character: string): number {
  if (/\d/.test(character)) return bits.digit;
  return /[a-z]/.test(character) ? bits.letter : bits.other;
}

/** The words that a guesser has. */
interface Known {
  context: ReadonlySet<string>;
  common: Ranks;
}

/** What a piece costs a guesser as a whole; Infinity if it is nothing known. */
function bitsOfPiece(
  text: string,
  { start, end }: { start: number; end: number },
  { context, common }: Known,
): number {
  const piece = text.slice(start, end);
  if (context.has(piece)) return bits.context;
  if (piece.length < runMin) return Infinity;
  // Earlier in the password, also when the two overlap: "abababab".
  if (text.indexOf(piece) < start) return bits.repeat;
  if (runs.some((run) => run.includes(piece)) || piece === (piece[0] ?? '').repeat(piece.length))
    return bits.run;
  if (/^(?:19|20)\d\d$/.test(piece)) return bits.year;
  const rank = piece.length < wordMin ? undefined : common.get(piece);
  return rank === undefined ? Infinity : Math.log2(rank + 1);
}

/** The bits of the cheapest way to put a text together from known pieces and single characters. */
function countBits(text: string, known: Known): number {
  const costs = [0];
  for (let end = 1; end <= text.length; end += 1) {
    let cost = (costs[end - 1] ?? 0) + bitsOfCharacter(text[end - 1] ?? '');
    for (let start = Math.max(0, end - pieceMax); start <= end - contextMin; start += 1)
      cost = Math.min(cost, (costs[start] ?? 0) + bitsOfPiece(text, { start, end }, known));
    costs.push(cost);
  }
  return costs.at(-1) ?? 0;
}

/**
 * Why a new password is easy to guess, as a sentence, or null: it is made of common passwords, names of the brand,
 * product or account, keyboard rows and repeats, and too little else. `owner`: null for the shared password.
 */
export async function passwordFault(password: string, owner: PasswordOwner | null): Promise<string | null> {
  const text = fold(password).slice(0, judgedMax);
  const spelled = text.replaceAll(/[013457@$!]/g, (character) => writtenAs[character] ?? character);
  const known = { context: contextWords(owner), common: await commonRanks() };
  const least = Math.min(countBits(text, known), countBits(spelled, known) + 1);
  return least >= bitsMin
    ? null
    : 'This password is easy to guess. Use several unrelated words, or let a password manager choose one.';
}
