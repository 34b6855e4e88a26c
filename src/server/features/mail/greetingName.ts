const greetingWordsMax = 2;
const greetingLettersMax = 20;
/** Letters, with single hyphens and apostrophes between them. */
const greetingWord = /^\p{L}+(?:[-'’]\p{L}+)*$/u;

/**
 * A first name for a greeting: one or two words of at most 20 letters each. Null for anything else: the author of the
 * form also chooses the recipient, and must not choose the text of our message.
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
 * Typed text for the contact details in a message to a provider. Characters that mail programs turn into links become
 * spaces: a name can be anything, and the message comes from us.
 */
export function withoutLinks(typed: string): string {
  return typed
    .normalize('NFKC')
    .replaceAll(/[./:@\\。｡․]+(?=\S)/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
