import { z } from 'zod';

/** Why somebody may not be contacted any more. */
export const suppressionReasons = [
  'unsubscribed',
  'withdrawn',
  'do-not-contact',
  'bounced',
  'erased',
] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

/** By which way a consent was withdrawn: the page behind the link, the mail program's own button (RFC 8058), a staff member, an erasure. */
export const withdrawalWays = ['page', 'one-click', 'staff', 'erasure'] as const;
export type WithdrawalWay = (typeof withdrawalWays)[number];

/** The signed piece of a message's link. */
export const unsubscribeInput = z.object({ token: z.string().max(200) });
export const unsubscribeOutput = z.object({ success: z.literal(true) });
/** All leads of the person, of whom nobody is contacted any more. */
export const suppressOutput = z.object({ leadIds: z.array(z.number().int()) });
