import { matchPreview, matchPreviewInput } from '#shared/leads/matching.ts';
import { publicProcedure, router } from '#server/procedures.ts';
import { previewMatch } from './matchPreview.ts';

export const matchingRouter = router({
  /**
   * A mutation although it changes nothing: a query's input would stand in the address, and a ZIP belongs in no address. Limited per
   * network, so that it is no quicker way to the list of clinics than the list itself.
   */
  preview: publicProcedure
    .meta({ reads: true, cost: 2 })
    .input(matchPreviewInput)
    .output(matchPreview)
    .mutation(({ ctx: { services, caller }, input: { zip, providerId } }) =>
      services.reads.ask(async () => {
        await services.leadLimits.take(caller.ip, 'preview', caller.responseHeaders);
        return previewMatch(services, { site: caller.site, zipCode: zip, requestedId: providerId ?? null });
      }),
    ),
});
