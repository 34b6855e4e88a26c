import { z } from 'zod';
import { cleanText, leadLimits } from './leadFields.ts';
import { requestedProviderId } from './leads.ts';

/** What a form knows before any contact detail is typed: the ZIP, and the clinic its page was opened for. */
export const matchPreviewInput = z.object({
  zip: z
    .string({ error: 'zip must be a string' })
    .transform((value) => cleanText(value.slice(0, leadLimits.zipLengthMax)))
    .refine((value) => value !== '', { error: 'zip must not be empty' }),
  providerId: requestedProviderId,
});

/** The clinic a lead with that ZIP would go to: its name and how far it is, nothing to contact it by. Null when there is none. */
export const matchPreview = z
  .object({
    name: z.string(),
    /** Whole miles; null when the ZIP or the clinic can't be placed. */
    distanceMiles: z.number().int().nonnegative().nullable(),
  })
  .nullable();
export type MatchPreview = z.output<typeof matchPreview>;
