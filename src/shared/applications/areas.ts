import { z } from 'zod';
import { matchPreview } from '../leads/matching.ts';

export const areaInput = z.object({
  area_zip: z
    .string({ error: 'area_zip must be a string' })
    .max(20, { error: 'area_zip must have at most 20 characters' })
    .meta({ description: 'The ZIP code as typed', example: '80202' }),
});

/** What a prospective provider may know about a ZIP code's area. */
export const areaAnswer = z.object({
  /** The five digits; null if the text has none, or if the ZIP code is unknown. */
  zip: z.string().nullable(),
  isValid: z.boolean().meta({ description: 'Whether the text has five digits that may be a ZIP code' }),
  /** The nearest provider, at any distance. */
  nearest: matchPreview,
  people: z.number().int().nullable().meta({
    description:
      'People within 50 miles of the ZIP area’s middle who asked in 90 days, rounded to 5, renewed weekly; null for fewer than 10, or while they are being counted',
  }),
});
export type AreaAnswer = z.output<typeof areaAnswer>;
