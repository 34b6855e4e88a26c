import { z } from 'zod';
import { redact } from '../outbox/redact.ts';

const text = z.string().catch('');
/** A person's details in a body; a thin one has none. */
const sentBody = z.object({
  data: z.object({ first_name: text, last_name: text, email: text, phone: text }),
});

/** A longer text would be cut at its last white space. */
const readLength = 4_096;

/** The first kilobyte of a response without contact details: neither those that were sent nor what looks like any. Null if nothing is left. */
export function storedResponse(response: string, sent: string): string | null {
  const { data } = sentBody.parse(JSON.parse(sent));
  const { first_name: firstName, last_name: lastName, email, phone } = data;
  return redact(response.slice(0, readLength), { firstName, lastName, email, phone }) || null;
}
