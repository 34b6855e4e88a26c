import { z } from 'zod';
import { redact } from '../outbox/redact.ts';

const text = z.string().catch('');
/** A person's details in a message; a thin one has none. */
const sentMessage = z.object({
  data: z.object({ first_name: text, last_name: text, email: text, phone: text }),
});

/** What is kept of an answer: its first kilobyte without contact details, neither those that were sent nor what looks like any. Null: nothing. */
export function keptAnswer(answer: Buffer, sentBody: string): string | null {
  const { data } = sentMessage.parse(JSON.parse(sentBody));
  const { first_name: firstName, last_name: lastName, email, phone } = data;
  return redact(answer.toString('utf8'), { firstName, lastName, email, phone }) || null;
}
