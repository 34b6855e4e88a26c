import { z } from 'zod';
import { cleanText, leadLimits } from './leadFields.ts';
import { requestedProviderId } from './leads.ts';

/** What a form knows before any contact details: the ZIP and the requested provider. */
export const matchPreviewInput = z.object({
  zip: z
    .string({ error: 'zip must be a string' })
    .transform((value) => cleanText(value.slice(0, leadLimits.zipLengthMax)))
    .refine((value) => value !== '', { error: 'zip must not be empty' }),
  providerId: requestedProviderId,
});
export type MatchPreviewInput = z.input<typeof matchPreviewInput>;

/** The provider that a lead with this ZIP would get: name and distance, no contact details. Null if there is none. */
export const matchPreview = z
  .object({
    name: z.string(),
    /** Whole miles. Null if the ZIP or the provider cannot be placed. */
    distanceMiles: z.number().int().nonnegative().nullable(),
  })
  .nullable();
export type MatchPreview = z.output<typeof matchPreview>;
