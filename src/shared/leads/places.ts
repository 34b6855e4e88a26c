import { z } from 'zod';

/** A ZIP code as typed; ZIP+4 is taken too. */
export const zipPlaceInput = z.object({ zip: z.string().max(20) });

/** The center of a ZIP code, or of its three-digit area where the ZIP itself is not in the table. */
export const zipPlace = z.object({
  zip: z.string(),
  latitude: z.number(),
  longitude: z.number(),
});
export type FoundZip = z.output<typeof zipPlace>;
