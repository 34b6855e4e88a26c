import { z } from 'zod';

/** A stored answer is cut to a kilobyte, so its JSON may be incomplete. */
const shownLength = 120;

const sentence = z.string().trim().min(1);
const described = z.object({ message: sentence });
/** The fields in which receivers say what is wrong, the most telling first. */
const answer = z.union([
  described.transform(({ message }) => message),
  z.object({ error: sentence }).transform(({ error }) => error),
  z.object({ error: described }).transform(({ error }) => error.message),
  z.object({ errors: z.tuple([described], z.unknown()) }).transform(({ errors: [{ message }] }) => message),
  z.object({ detail: sentence }).transform(({ detail }) => detail),
]);

/** The same fields of JSON that was cut. */
const cutField = /"(?:message|error)"\s*:\s*"((?:[^"\\]|\\.)+)/;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The value of a field in JSON that was cut, up to the cut. */
function cutValue(text: string): string | null {
  const raw = /^\s*[[{]/.test(text) ? cutField.exec(text)?.[1] : undefined;
  return raw === undefined
    ? null
    : z
        .string()
        .catch('')
        .parse(parse(`"${raw}"`))
        .trim() || null;
}

/**
 * The receiver's own sentence in a stored answer, at most 120 characters: the `message` or `error` of a JSON object, and
 * what a mail server said. Null for anything else, such as a page of HTML.
 */
export function toAnswerText(stored: string, { isMail = false } = {}): string | null {
  const found = isMail ? stored.trim() || null : (answer.safeParse(parse(stored)).data ?? cutValue(stored));
  if (found === null) return null;
  const plain = found.replace(/\s+/g, ' ');
  return plain.length <= shownLength ? plain : `${plain.slice(0, shownLength - 1).toWellFormed()}…`;
}
