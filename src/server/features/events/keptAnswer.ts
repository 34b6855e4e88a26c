import { z } from 'zod';

const keptCharacters = 1024;
/** A person's details in a message. */
const detailNames = ['first_name', 'last_name', 'email', 'phone', 'zip_code'];
const sentMessage = z.object({ data: z.record(z.string(), z.unknown()) });
const mailAddress = /[\w.+%-]+@[\w-]+(?:\.[\w-]+)+/g;
const longNumber = /\+?\d[\d ().-]{7,}\d/g;
const cleared = '[…]';

/** What is kept of an answer: its first kilobyte without contact details, neither those that were sent nor what looks like any. */
export function keptAnswer(answer: Buffer, sentBody: string): string | null {
  const text = answer
    .toString('utf8')
    // Postgres keeps no NUL in a text.
    .replaceAll('\0', '');
  const { data } = sentMessage.parse(JSON.parse(sentBody));
  const sent = detailNames.map((name) => data[name]).filter((value) => typeof value === 'string');
  const withoutSent = sent.reduce(
    (left, value) => (value === '' ? left : left.replaceAll(value, cleared)),
    text,
  );
  const clear = withoutSent.replaceAll(mailAddress, cleared).replaceAll(longNumber, cleared);
  return clear === '' ? null : clear.slice(0, keptCharacters);
}
