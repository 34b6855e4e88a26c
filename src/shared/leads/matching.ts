import { z } from 'zod';
import { cleanText } from './leadFields.ts';
import { leadLimits } from './leadFieldTable.ts';
import { requestedProviderId } from './leads.ts';

/** What a form knows before any contact details: the ZIP and the requested provider. */
export const matchPreviewInput = z.object({
  zip: z
    .string({ error: 'zip must be a string' })
    .transform((value) => cleanText(value.slice(0, leadLimits.zipLengthMax)))
    .refine((value) => value !== '', { error: 'zip must not be empty' }),
  providerId: requestedProviderId,
});

/** The provider that this ZIP's lead would get, else the nearest beyond reach, which gets none. Null if unknown. */
export const matchPreview = z
  .object({
    id: z.number().int(),
    name: z.string(),
    /** City and state; without an address, the ZIP code's. Null if unknown. */
    city: z.string().nullable(),
    /** First letter of the name, for the avatar. */
    initial: z.string(),
    imageUrl: z.string().nullable(),
    /** Whole miles. Null if the ZIP or the provider cannot be placed. */
    distanceMiles: z.number().int().nonnegative().nullable(),
    isWithinReach: z.boolean(),
    /** Its local time: '2:14 PM Mountain'. Null if its zone isn't known and its ZIP is in several. */
    clock: z.string().nullable(),
    /** Whether it is open, and its next change there: '9:00 AM', 'Monday, 9:00 AM'. Null if its hours are unknown. */
    opening: z.object({ isOpen: z.boolean(), until: z.string().nullable() }).nullable(),
  })
  .nullable();
export type MatchPreview = z.output<typeof matchPreview>;

/** What is known of when a provider calls. */
export type CallerTimes = Pick<NonNullable<MatchPreview>, 'clock' | 'opening'>;

/** A ZIP code as typed; ZIP+4 is taken too. */
export const zipPlaceInput = z.object({ zip: z.string().max(20) });

/** The center of a ZIP code, or of its three-digit area where the ZIP itself is not in the table. */
export const zipPlace = z.object({
  zip: z.string(),
  latitude: z.number(),
  longitude: z.number(),
});
export type FoundZip = z.output<typeof zipPlace>;
