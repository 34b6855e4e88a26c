import { z } from 'zod';

const leadId = z.number().int().positive();

/** Why a person is erased: a choice, as a sentence might name them in a log that nothing is ever taken out of. */
export const erasureReasons = ['asked', 'asked-for', 'authority', 'not-needed', 'mistake'] as const;
export type ErasureReason = (typeof erasureReasons)[number];

export const personInput = z.object({ leadId });

/**
 * A lead that shares e-mail address or phone with the one asked for. Of a purged one the evidence of consent is left. Who is found by the phone alone may
 * be somebody else: nobody proves the number they type. Names are the same whatever their case and accents.
 */
const personLead = z.object({
  id: leadId,
  created_at: z.iso.datetime(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  standing: z.enum(['kept', 'deleted', 'purged']),
  foundBy: z.enum(['email', 'phone']),
  isSameName: z.boolean(),
});
export type PersonLead = z.infer<typeof personLead>;

/** All of them by number, the one asked for among them. */
export const personOutput = z.array(personLead);

/** Leads found by the phone alone that are this person's all the same. Who names none takes in no stranger. */
const samePhone = z.array(leadId).max(1000).default([]);

export const personFileInput = z.object({ leadId, samePhone });
export type PersonFileInput = z.infer<typeof personFileInput>;

/**
 * `confirmation` is the lead's number once more, typed by a person; `shown` are the leads they were shown, as nobody erases what they haven't seen:
 * those found by the e-mail address are enough, as those of the phone alone are named anyway.
 */
export const eraseInput = z
  .object({
    leadId,
    samePhone,
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
  /** How many messages to clinics and CRM tell of it. */
  messages: z.number().int(),
});
