import { visibleText } from '#shared/formats/text.ts';
import { leadLimits } from '#shared/leads/leadFieldTable.ts';

const greetingWordsMax = 2;
const greetingLettersMax = 20;
/** Letters, with single hyphens and apostrophes between them. */
const greetingWord = /^\p{L}+(?:[-'’]\p{L}+)*$/u;
/** More of them join words into a sentence. */
const joints = [/-/g, /['’]/g];
const jointsMax = 1;
/** Letters that look like punctuation. The four are parts of names. */
const punctuationLike = /[[\p{Lm}\u01c0-\u01c3\ua78f]--[ʻʼ々ー]]/v;

/** Whether the letters are those of a name: seen, in their plain form, and none that looks like something else. */
function isPlain(word: string): boolean {
  return visibleText(word) === word && word.normalize('NFKC') === word && !punctuationLike.test(word);
}

/**
 * A first name for a greeting: one or two words of at most 20 plain letters, with one hyphen and one apostrophe at
 * most. Otherwise null: the form's author also chooses the recipient, and must not choose our text.
 */
export function greetingName(firstName: string): string | null {
  const words = firstName.normalize('NFC').trim().split(/\s+/);
  const isName = words.every((word) => {
    const letters = word.match(/\p{L}/gu) ?? [];
    return greetingWord.test(word) && isPlain(word) && letters.length <= greetingLettersMax;
  });
  const name = words.join(' ');
  const isChain = joints.some((joint) => (name.match(joint) ?? []).length > jointsMax);
  return isName && !isChain && words.length <= greetingWordsMax ? name : null;
}

/** First and last name. The plain form of a letter may be a sentence. */
const fullNameLengthMax = 2 * leadLimits.nameLengthMax + 1;

/** A typed name without invisible characters, and with spaces for those that mail programs turn into links. */
export function withoutLinks(typed: string): string {
  const name = visibleText(typed.normalize('NFKC'))
    .replaceAll(/[./:@\\。｡․]+(?=\S)/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return name.length > fullNameLengthMax
    ? `${name.slice(0, fullNameLengthMax - 1).trimEnd()}…`.toWellFormed()
    : name;
}

const plainWordsLengthMax = 100;

/** Up to 100 letters, digits, commas, hyphens, apostrophes and final periods: never a link, an address or markup. */
export function plainWords(typed: string): string {
  return visibleText(typed.normalize('NFKC'))
    .replaceAll(/[^\p{L}\p{M}\p{N},.'’ -]+/gu, ' ')
    .replaceAll(/\.+(?=[\p{L}\p{M}])/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, plainWordsLengthMax)
    .toWellFormed()
    .trimEnd();
}
