import { z } from 'zod';

export const unsentPageSize = 50;

/** File name in the folder of unsent mail: time and id, which is a delivery's unless it is marked `plain`. */
export const messageName = z
  .string()
  .regex(/^\d{8}T\d{9}Z-(?:plain-)?[0-9a-f-]{36}$/, 'not an unsent message');

/** The status of an attempt that stored a message in the folder instead of sending it. */
export const unsentStatus = 'outbox';

/** The status of an attempt, for staff. */
export function attemptStatusText(status: string): string {
  return status === unsentStatus ? 'kept in Unsent mail' : status;
}

export const unsentLine = z.object({
  name: messageName,
  at: z.iso.datetime(),
  to: z.string(),
  subject: z.string(),
});
export type UnsentLine = z.infer<typeof unsentLine>;

export const unsentMessage = unsentLine.extend({ html: z.string(), text: z.string() });
export type UnsentMessage = z.infer<typeof unsentMessage>;

/** Messages older than this file. */
export const unsentListInput = z.object({ before: messageName.optional() });
/** Newest first. `next` is the `before` of the next page, null on the last. */
export const unsentListOutput = z.object({
  /** False if email is sent by SMTP: then there is no such folder. */
  inUse: z.boolean(),
  messages: z.array(unsentLine),
  next: messageName.nullable(),
});
export const unsentGetInput = z.object({ name: messageName });
