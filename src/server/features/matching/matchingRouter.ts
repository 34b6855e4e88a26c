import { matchPreview, matchPreviewInput, zipPlace, zipPlaceInput } from '#shared/leads/matching.ts';
import { zipInText } from '#shared/leads/zip.ts';
import { publicProcedure, router } from '#server/procedures.ts';
import { previewMatch } from './siteMatch.ts';

export const matchingRouter = router({
  /** A mutation, to keep the ZIP out of URLs. Limited per network, so that it is no faster way to list providers. */
  preview: publicProcedure
    .meta({ reads: true, cost: 2 })
    .input(matchPreviewInput)
    .output(matchPreview)
    .mutation(({ ctx: { services, caller }, input: { zip, providerId } }) =>
      services.publicReads.ask(async () => {
        await services.limits.leads.take(caller.ip, 'preview', caller.responseHeaders);
        return previewMatch(services, { site: caller.site, zipCode: zip, requestedId: providerId ?? null });
      }),
    ),
});

export const placesRouter = router({
  /** The coordinates of a ZIP; null for an unknown one. A mutation, to keep the ZIP out of URLs. */
  locateZip: publicProcedure
    .meta({ reads: true })
    .input(zipPlaceInput)
    .output(zipPlace.nullable())
    .mutation(({ ctx, input }) => {
      const zip = zipInText(input.zip);
      const place = zip === null ? null : ctx.services.zipTable.lookup(zip);
      return zip === null || place === null
        ? null
        : { zip, latitude: place.latitude, longitude: place.longitude };
    }),
});
