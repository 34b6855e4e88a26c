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

/** Why a delivery about somebody on the list is cancelled, for staff. Retries after a lift look for it. */
export const suppressedReason = 'This person must not be contacted.';

/** Through the page behind the link, RFC 8058's button, a reply of STOP, a spam report, staff, or an erasure. */
export const withdrawalWays = ['page', 'one-click', 'reply', 'complaint', 'staff', 'erasure'] as const;
export type WithdrawalWay = (typeof withdrawalWays)[number];

/** The signed parts of a message's link. */
export const unsubscribeInput = z.object({
  token: z.string().max(200).meta({ description: 'Of the link' }),
  hash: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'Of the link, since 1.0.1: for a lead that a restored database lacks' }),
});
export type WithdrawalLink = z.infer<typeof unsubscribeInput>;
export const unsubscribeOutput = z.object({ success: z.literal(true) });
/** Every lead with what was listed, or lifted. */
export const suppressOutput = z.object({ leadIds: z.array(z.number().int()) });

/** Listed apart: an email address and a phone number. */
export const identityKinds = ['email', 'phone'] as const;

/** The audit log keeps it for good, so it must not say how to reach anybody. */
export const liftReason = z
  .string()
  .trim()
  .min(3, 'Say why, in at least 3 characters')
  .max(200, 'At most 200 characters')
  .refine((text) => !/@|(?:\d[\s().-]*){10}/.test(text), 'Leave out email addresses and phone numbers');
export const suppressionLiftInput = z.object({
  id: z.number().int().positive(),
  kind: z
    .enum(identityKinds)
    .meta({ description: 'Whether the email address or the phone number is suppressed' }),
  reason: liftReason.meta({ description: 'Why, for the audit log' }),
});
export type SuppressionLiftInput = z.infer<typeof suppressionLiftInput>;

/** How an email address or a phone number came on the list. */
export const suppressionEntry = z.object({
  since: z.iso.datetime(),
  /** `Visitor`, or the name of a staff member or a token; for a token, `Staff`. */
  by: z.string(),
  reason: z.enum(suppressionReasons),
});
export type SuppressionEntry = z.infer<typeof suppressionEntry>;

export const suppressionsPageSize = 50;

export const suppressionListInput = z.object({
  page: z.number().int().min(1).max(100_000).default(1).meta({ description: 'The number of the page' }),
});

/** An entry of the list. */
const listedSuppression = suppressionEntry.extend({
  id: z.string().meta({ description: 'The keyed hash that the list has' }),
  kind: z.enum(identityKinds),
  value: z.string().nullable().meta({
    description: 'The email address or phone number, as a stored lead has it. Null: only the hash is left',
  }),
  leadId: z.number().int().nullable().meta({ description: 'The lead that it came from; null: none is left' }),
});
export type ListedSuppression = z.infer<typeof listedSuppression>;

/** Newest first. */
export const suppressionListOutput = z.object({
  suppressions: z.array(listedSuppression),
  total: z.number().int(),
});
