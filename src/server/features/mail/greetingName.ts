const greetingWordsMax = 2;
const greetingLettersMax = 20;
/** Letters, with single hyphens and apostrophes between them. */
const greetingWord = /^\p{L}+(?:[-'’]\p{L}+)*$/u;

/**
 * A first name as a message may greet by it: one or two words of at most 20 letters each. Null for anything else: whoever fills the form chooses the
 * recipient too, and must not choose what we write to them.
 */
export function greetingName(firstName: string): string | null {
  const words = firstName.normalize('NFC').trim().split(/\s+/);
  const isName = words.every((word) => {
    const letters = word.match(/\p{L}/gu) ?? [];
    return greetingWord.test(word) && letters.length <= greetingLettersMax;
  });
  return isName && words.length <= greetingWordsMax ? words.join(' ') : null;
}

/**
 * Typed text for the contact details in a provider's message. Characters that make mail programs turn text into a link become spaces: a name may
 * be anything, and the message comes from us.
 */
export function withoutLinks(typed: string): string {
  return typed
    .normalize('NFKC')
    .replaceAll(/[./:@\\。｡․]+(?=\S)/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
