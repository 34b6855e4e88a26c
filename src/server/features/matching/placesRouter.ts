import { zipPlace, zipPlaceInput } from '#shared/leads/places.ts';
import { zipFive } from '#shared/leads/zip.ts';
import { publicProcedure, router } from '#server/procedures.ts';

export const placesRouter = router({
  /** Where a ZIP code lies; null for one that can't be placed. A mutation that changes nothing: a query would put the ZIP into an address. */
  locateZip: publicProcedure
    .meta({ reads: true })
    .input(zipPlaceInput)
    .output(zipPlace.nullable())
    .mutation(({ ctx, input }) => {
      const zip = zipFive(input.zip);
      const place = zip === null ? null : ctx.services.zipTable.lookup(zip);
      return zip === null || place === null
        ? null
        : { zip, latitude: place.latitude, longitude: place.longitude };
    }),
});
