import { z } from 'zod';

const leadId = z.number().int().positive();

/** Reasons for an erasure: a fixed list, as free text could put a name into the append-only log. */
export const erasureReasons = ['asked', 'asked-for', 'authority', 'not-needed', 'mistake'] as const;
export type ErasureReason = (typeof erasureReasons)[number];

export const personInput = z.object({ leadId });

/**
 * A lead with the same email address, mailbox or phone as the requested one. For a purged lead, only the consent
 * evidence is left. A lead with only the same phone may be another person's, as phone numbers aren't verified, and so
 * may one with another spelling of the mailbox, as mail servers differ, and one whose address staff corrected from this
 * one (`former`). Names are compared without case and accents.
 */
const personLead = z.object({
  id: leadId,
  created_at: z.iso.datetime(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  standing: z.enum(['kept', 'deleted', 'purged']),
  foundBy: z.enum(['email', 'phone', 'mailbox', 'former']),
  isSameName: z.boolean(),
});
export type PersonLead = z.infer<typeof personLead>;

/** All leads by id, including the requested one. */
export const personOutput = z.array(personLead);

/** Leads with only the same phone that belong to this person too. Empty by default, so that nobody else is erased. */
const samePhone = z.array(leadId).max(1000).default([]);
/** The same of leads with another spelling of the mailbox, or that had the address before staff corrected it. */
const sameMailbox = z.array(leadId).max(1000).default([]);

export const personFileInput = z.object({ leadId, samePhone, sameMailbox });
export type PersonFileInput = z.infer<typeof personFileInput>;

/**
 * `confirmation` is the lead's id, typed again. `shown` are the leads that were on the screen, as nobody should erase
 * what they haven't seen: those with the email address are enough, as the others are listed explicitly.
 */
export const eraseInput = z
  .object({
    leadId,
    samePhone,
    sameMailbox,
    shown: z.array(leadId).max(2000).optional(),
    confirmation: z.string().trim(),
    reason: z.enum(erasureReasons, { error: 'Choose a reason' }),
  })
  .refine(({ leadId: id, confirmation }) => confirmation.replace(/^#/, '') === String(id), {
    path: ['confirmation'],
    message: 'Type the number of the lead',
  });
export type EraseInput = z.infer<typeof eraseInput>;

/** The receipt. */
export const eraseOutput = z.object({
  at: z.iso.datetime(),
  leadIds: z.array(leadId),
  consentRecords: z.number().int(),
  /** Number of notices to providers and the CRM. */
  messages: z.number().int(),
});
