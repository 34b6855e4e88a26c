import { zipFive } from '#shared/leads/zip.ts';

/** A required match: a part of the text, the beginning of one of its words, or the id. */
export type SearchTerm =
  { kind: 'part'; text: string } | { kind: 'beginning'; text: string } | { kind: 'number'; id: number };

/** Trigram indexes need three characters. Shorter words match only the beginning of words. */
const partLengthMin = 3;

/** Whitespace and commas, and control characters, which the database can't store. */
const between = /[\s\p{Cc},;]+/u;
/** As `fold_search` in the database leaves them out: keyboards write one apostrophe, phones another. */
const apostrophes = /['`´’‘ʼʹʻ＇]/gu;

function toTerm(word: string): SearchTerm {
  const [, number] = /^#(\d{1,15})$/.exec(word) ?? [];
  if (number !== undefined) return { kind: 'number', id: Number(number) };
  // Phones are stored as digits, and a ZIP+4 as its five digits.
  const isNumber = /^[\d()+./-]*\d[\d()+./-]*$/.test(word);
  const text = isNumber ? (zipPlusFour(word) ?? word.replace(/\D/g, '')) : word;
  return { kind: countLength(text) < partLengthMin ? 'beginning' : 'part', text };
}

/** Without accents, which the database leaves out. */
function countLength(text: string): number {
  return text.normalize('NFKD').replace(/\p{M}+/gu, '').length;
}

function zipPlusFour(word: string): string | null {
  return /^\d{5}-\d{4}$/.test(word) ? zipFive(word) : null;
}

/** The terms of a search, each word once. Empty for an empty search. */
export function searchTerms(search: string): SearchTerm[] {
  const words = new Set(search.toWellFormed().replace(apostrophes, '').split(between));
  words.delete('');
  return [...words].map(toTerm);
}
