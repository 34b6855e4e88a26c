import { z } from 'zod';

export const outboxPageSize = 50;

/** File name in the mail outbox: time and delivery id. */
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

/** Messages older than this file. */
export const outboxListInput = z.object({ before: outboxName.optional() });
/** Newest first. `next` is the `before` of the next page, null on the last. */
export const outboxListOutput = z.object({
  /** False if email is sent by SMTP: then there is no mail outbox. */
  inUse: z.boolean(),
  messages: z.array(outboxLine),
  next: outboxName.nullable(),
});
export const outboxGetInput = z.object({ name: outboxName });
