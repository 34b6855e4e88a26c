import { z } from 'zod';

const leadId = z.number().int().positive();

/** Why a person is erased: a choice, as a sentence might name them in a log that nothing is ever taken out of. */
export const erasureReasons = ['asked', 'asked-for', 'authority', 'not-needed', 'mistake'] as const;
export type ErasureReason = (typeof erasureReasons)[number];

export const personInput = z.object({ leadId });

/** All leads that share e-mail address or phone with the one asked for, it among them, deleted and quarantined ones too, by number. */
export const personOutput = z.object({
  leads: z.array(z.object({ id: leadId, created_at: z.iso.datetime(), deleted: z.boolean() })),
  /** How many more there were, purged since: their evidence is left. */
  purgedLeads: z.number().int(),
});
export type PersonOutput = z.infer<typeof personOutput>;

/** `confirmation` is the lead's number once more, typed by a person. */
export const eraseInput = z
  .object({
    leadId,
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
