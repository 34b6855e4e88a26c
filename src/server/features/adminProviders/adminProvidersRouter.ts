import {
  adminProvider,
  adminProviderListInput,
  adminProviderListOutput,
  adminProviderUpdateInput,
} from '#shared/adminProviders.ts';
import { router, staffOrToken } from '../../trpc/init.ts';
import { plainAddress } from '../leads/consentHash.ts';
import { listAdminProviders, updateProvider } from './adminProvidersQueries.ts';

export const adminProvidersRouter = router({
  list: staffOrToken('viewer', 'providers:read')
    .input(adminProviderListInput)
    .output(adminProviderListOutput)
    .query(({ ctx, input }) => listAdminProviders(ctx.services, input)),

  update: staffOrToken('manager', 'providers:write')
    .input(adminProviderUpdateInput)
    .output(adminProvider)
    .mutation(({ ctx: { services, caller, actor }, input }) =>
      updateProvider({ services, actor, ip: plainAddress(caller.ip) }, input),
    ),
});
