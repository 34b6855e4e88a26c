import { zipFive } from '#shared/leads/zip.ts';

/** One thing that must be found: a part of the text, the beginning of a word of it, or the number. */
export type SearchTerm =
  { kind: 'part'; text: string } | { kind: 'beginning'; text: string } | { kind: 'number'; id: number };

/** Trigram indexes find nothing in less than three characters; less is looked for at the beginning of words alone. */
const partLengthMin = 3;

/** Whitespace, and control characters, which a database can't hold. */
const between = /[\s\p{Cc}]+/u;

function termOf(word: string): SearchTerm {
  const [, number] = /^#(\d{1,15})$/.exec(word) ?? [];
  if (number !== undefined) return { kind: 'number', id: Number(number) };
  // `(303)555-0142` is kept as digits alone, and of a ZIP+4 the five.
  const isNumber = /^[\d()+./-]*\d[\d()+./-]*$/.test(word);
  const text = isNumber ? (zipPlusFour(word) ?? word.replace(/\D/g, '')) : word;
  return { kind: text.length < partLengthMin ? 'beginning' : 'part', text };
}

function zipPlusFour(word: string): string | null {
  return /^\d{5}-\d{4}$/.test(word) ? zipFive(word) : null;
}

/** What a search asks for, word by word, each once. Empty for an empty search. */
export function searchTerms(search: string): SearchTerm[] {
  const words = new Set(search.toWellFormed().split(between));
  words.delete('');
  return [...words].map(termOf);
}
