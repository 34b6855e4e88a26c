import { z } from 'zod';
import {
  providerByDomainInput,
  providerGetInput,
  providerListInput,
  publicProvider,
} from '#shared/providers/providers.ts';
import {
  adminProvider,
  adminProviderListInput,
  adminProviderListOutput,
  adminProviderUpdateInput,
} from '#shared/admin/adminProviders.ts';
import { domainCheck, domainCheckInput } from '#shared/providers/domainCheck.ts';
import { publicProcedure, router, staffOrToken } from '#server/procedures.ts';
import { AppError, notFound } from '../../errors.ts';
import { parseHost } from '../../tenant/parseHost.ts';
import { findActiveProviderByDomain, getActiveProvider, listProviders } from './providersQueries.ts';
import { getCheckedProvider, listAdminProviders, updateProvider } from './adminProvidersQueries.ts';

const listByGet = 'Get the list of providers by GET and outside a batch, or from /api/providers.';

export const providersRouter = router({
  /**
   * Inactive providers are for staff; anyone else gets an empty list, so that maps that request both still work. Both
   * transports answer a GET for the active ones from memory (activeList.ts). Requests that would read all of them are
   * refused.
   */
  list: publicProcedure
    .meta({
      rest: {
        method: 'GET',
        path: '/api/providers',
        caching: 'revalidate',
        summary: 'Active or inactive clinics',
      },
    })
    .input(providerListInput)
    .output(z.array(publicProvider))
    .query(({ ctx, input }) => {
      if (input.status !== 'active') return [];
      if (ctx.caller.transport === 'trpc') throw new AppError('BAD_REQUEST', listByGet);
      return listProviders(ctx.services.db, input);
    }),

  get: publicProcedure
    .meta({
      rest: {
        method: 'GET',
        path: '/api/providers/{id}',
        caching: 'revalidate',
        summary: 'One active clinic',
      },
    })
    .input(providerGetInput)
    .output(publicProvider)
    .query(({ ctx: { services }, input }) =>
      services.reads.ask(() => getActiveProvider(services.db, input.id)),
    ),

  /** By the host in any case, with port or `www.`. The main site's hosts belong to no provider. */
  byDomain: publicProcedure
    .meta({
      rest: {
        method: 'GET',
        path: '/api/providers/domain/{hostname}',
        caching: 'revalidate',
        summary: 'The active clinic whose site answers on a host name',
      },
    })
    .input(providerByDomainInput)
    .output(publicProvider)
    .query(async ({ ctx: { services }, input }) => {
      const match = parseHost(input.hostname, services.config.mainDomains);
      const found =
        match.kind === 'custom'
          ? await services.reads.ask(() => findActiveProviderByDomain(services.db, match.host))
          : null;
      if (found === null) throw notFound('Provider');
      return found;
    }),
});

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
   * Changes nothing but is no query: it makes this server send requests, which no other site's page may trigger with a
   * cookie, no cache may answer and no browser may repeat.
   */
  checkDomain: staffOrToken('viewer', 'providers:read')
    .meta({ unhurried: true })
    .input(domainCheckInput)
    .output(domainCheck)
    .mutation(async ({ ctx: { services }, input }) =>
      services.domainChecks.check(await getCheckedProvider(services.db, input.id)),
    ),
});
