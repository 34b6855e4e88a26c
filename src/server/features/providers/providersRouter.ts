import { z } from 'zod';
import {
  providerByDomainInput,
  providerGetInput,
  providerListInput,
  publicProvider,
} from '#shared/providers.ts';
import { notFound } from '../../errors.ts';
import { parseHost } from '../../tenant/parseHost.ts';
import { publicProcedure, router } from '../../trpc/init.ts';
import { findActiveProviderByDomain, getActiveProvider, listProviders } from './providersQueries.ts';

export const providersRouter = router({
  /** Inactive clinics are for staff: anyone else gets an empty list, so that the maps that ask for both still work. */
  list: publicProcedure
    .input(providerListInput)
    .output(z.array(publicProvider))
    .query(({ ctx, input }) => (input.status === 'active' ? listProviders(ctx.services.db, input) : [])),

  get: publicProcedure
    .input(providerGetInput)
    .output(publicProvider)
    .query(({ ctx: { services }, input }) =>
      services.reads.ask(() => getActiveProvider(services.db, input.id)),
    ),

  /** By the host a browser shows, in upper or lower case, with port or `www.`. The main site's hosts belong to no clinic. */
  byDomain: publicProcedure
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
