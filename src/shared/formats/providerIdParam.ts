/** Quotes and blanks, also the invisible ones of a copied link. */
const emptyParam = /^[\s\p{Cf}"'`\p{Pi}\p{Pf}]*$/u;
/** An id as messages and ad macros mangle it: quoted, bracketed, with leading zeros or a sentence's punctuation. */
const idParam = /^[\s\p{Cf}"'`<=\p{Pi}\p{Pf}\p{Ps}]*0*([1-9]\d{0,14})[\s\p{Cf}\p{P}\p{S}]*$/u;
const paramLengthMax = 100;

/** Whether a `providerId` in a query string asks for anything. An empty one counts as absent. */
export function hasProviderId(text: string | null): text is string {
  return text !== null && !emptyParam.test(text);
}

/** The provider's id without stray punctuation, blanks and leading zeros: at most 15 digits (exact), else null. */
export function parseProviderId(text: string | null): number | null {
  if (text === null || text.length > paramLengthMax) return null;
  const digits = idParam.exec(text.normalize('NFKC'))?.[1];
  return digits === undefined ? null : Number(digits);
}
