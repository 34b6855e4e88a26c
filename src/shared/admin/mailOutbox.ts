import { z } from 'zod';

export const outboxPageSize = 50;

/** A file's name in the outbox: when, and of which delivery. */
export const outboxName = z.string().regex(/^\d{8}T\d{9}Z-[0-9a-f-]{36}$/, 'not a message of the outbox');

export const outboxLine = z.object({
  name: outboxName,
  at: z.iso.datetime(),
  to: z.string(),
  subject: z.string(),
});
export type OutboxLine = z.infer<typeof outboxLine>;

export const outboxMessage = outboxLine.extend({ html: z.string(), text: z.string() });
export type OutboxMessage = z.infer<typeof outboxMessage>;

/** Messages older than the one of this name. */
export const outboxListInput = z.object({ before: outboxName.optional() });
/** Newest first. `next` is the `before` of the page after it, null on the last. */
export const outboxListOutput = z.object({
  /** False where e-mail goes out by SMTP: there is no outbox. */
  inUse: z.boolean(),
  messages: z.array(outboxLine),
  next: outboxName.nullable(),
});
export const outboxGetInput = z.object({ name: outboxName });
