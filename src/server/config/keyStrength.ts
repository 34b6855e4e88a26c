/** A key with fewer bits can be guessed. */
export const keyBitsMin = 128;

/** Whole words between separators. A random key practically never contains one. */
const placeholder =
  /(?<![a-z0-9])(change|secret|password|example|placeholder|replace|default|test)(?![a-z0-9])/i;

/**
 * Estimates the entropy of a key's text in bits: Shannon's entropy per character, times the number of characters that
 * are not predictable from the previous ones. A repeated, ascending or descending sequence adds nothing. A key with a
 * placeholder word has none.
 */
export function keyBits(key: string): number {
  if (placeholder.test(key)) return 0;
  const characters = key.split('');
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  let unpredictable = 0;
  characters.forEach((character, at) => {
    counts.set(character, (counts.get(character) ?? 0) + 1);
    const [first = '', second = ''] = characters.slice(Math.max(0, at - 2), at);
    const three = `${first}${second}${character}`;
    if (!seen.has(three) && !isStep(three)) unpredictable += 1;
    seen.add(three);
  });
  const perCharacter = [...counts.values()]
    .map((count) => count / characters.length)
    .reduce((bits, share) => bits - share * Math.log2(share), 0);
  return perCharacter * unpredictable;
}

/** `abc`, `321`, `aaa`. */
function isStep(three: string): boolean {
  const [first, second, third] = [0, 1, 2].map((at) => three.charCodeAt(at));
  return (
    first !== undefined &&
    second !== undefined &&
    third !== undefined &&
    second - first === third - second &&
    Math.abs(third - second) <= 1
  );
}
