import {
  adminProvider,
  adminProviderListInput,
  adminProviderListOutput,
  adminProviderUpdateInput,
} from '#shared/admin/adminProviders.ts';
import { domainCheck, domainCheckInput } from '#shared/providers/domainCheck.ts';
import { router, staffOrToken } from '#server/procedures.ts';
import { getCheckedProvider, listAdminProviders, updateProvider } from './adminProvidersQueries.ts';

export const adminProvidersRouter = router({
  list: staffOrToken('viewer', 'providers:read')
    .input(adminProviderListInput)
    .output(adminProviderListOutput)
    .query(({ ctx, input }) => listAdminProviders(ctx.services, input)),

  update: staffOrToken('manager', 'providers:write')
    .input(adminProviderUpdateInput)
    .output(adminProvider)
    .mutation(({ ctx, input }) => updateProvider(ctx.staffAction, input)),

  /**
   * Changes nothing, yet is no query: it makes this server ask others, which no other site's page may set off with a cookie, no cache may
   * answer and no browser may repeat by itself.
   */
  checkDomain: staffOrToken('viewer', 'providers:read')
    .meta({ unhurried: true })
    .input(domainCheckInput)
    .output(domainCheck)
    .mutation(async ({ ctx: { services }, input }) =>
      services.domainChecks.check(await getCheckedProvider(services.db, input.id)),
    ),
});
