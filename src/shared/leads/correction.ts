import { z } from 'zod';
import type { LeadMessages } from './leadFields.ts';
import { leadCreateSchema } from './leads.ts';
import { zipInText } from './zip.ts';

/** What staff may correct of a lead. */
export const correctableFields = ['zip_code', 'phone', 'email'] as const;
export type CorrectableField = (typeof correctableFields)[number];

const correctionMessages = {
  one: 'Send one of zip_code, phone and email.',
  zip: 'Enter a ZIP code of five digits',
} as const;

/** A correction with a brand's messages: one field at a time. shared/submissions/leadInput.ts has this brand's. */
export function leadCorrectionSchema(messages: LeadMessages) {
  const { zip_code: zip, phone, email } = leadCreateSchema(messages).shape;
  return z
    .object({
      id: z.number().int().positive(),
      zip_code: zip
        .transform((typed) => zipInText(typed) ?? '')
        .refine((five) => five !== '', correctionMessages.zip)
        .optional()
        .meta({ description: 'The new ZIP code, of five digits', example: '80202' }),
      phone: phone.optional(),
      email: email.optional(),
      confirmed: z.boolean().default(false).meta({
        description:
          'True: although the new ZIP code moves the lead to another provider than its consent names',
      }),
    })
    .refine((input) => correctableFields.filter((field) => input[field] !== undefined).length === 1, {
      error: correctionMessages.one,
    });
}
export type LeadCorrection = z.output<ReturnType<typeof leadCorrectionSchema>>;
