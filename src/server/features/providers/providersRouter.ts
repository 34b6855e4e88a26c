import { z } from 'zod';
import { mapView, mapViewInput } from '#shared/providers/mapView.ts';
import { asksForAll, isLargePage, isOfPlace, providerListInput } from '#shared/providers/providerList.ts';
import {
  providerByDomainInput,
  providerGetInput,
  publicProvider,
} from '#shared/providers/providerFieldLists.ts';
import {
  adminProvider,
  adminProviderListInput,
  adminProviderListOutput,
  adminProviderUpdateInput,
  confirmProviderInput,
  confirmProviderOutput,
  providerDetail,
  providerFigures,
  listedProvider,
  providerActiveInput,
  sendAgainInput,
  sendAgainOutput,
} from '#shared/admin/adminProviders.ts';
import { domainCheck, domainCheckInput } from '#shared/providers/domainCheck.ts';
import { publicProcedure, router, staffOrToken, staffProcedure } from '#server/procedures.ts';
import { AppError, notFound } from '#server/errors.ts';
import { parseHost } from '#server/tenant/parseHost.ts';
import { isAllowed } from '../auth/authorize.ts';
import { sendAgain } from '../unreachable/sendAgain.ts';
import {
  confirmProvider,
  getAdminProvider,
  getCheckedProvider,
  listAdminProviders,
  updateProvider,
} from './adminProvidersQueries.ts';
import { setProviderActive } from './ownProviders.ts';
import { getProviderDetail } from './providerDetail.ts';
import { readNetworkFigures } from './providerFigures.ts';
import { pageHeaders, staffList } from './listPages.ts';
import { findActiveProviderByDomain, getActiveProvider } from './providersQueries.ts';
import { listActivePage, listStaffPage, getPart } from './listQueries.ts';

/** So that ten calls in one request aren't worth ten thousand rows. */
const largePageCost = 20;

function costOfPage(input: unknown): number {
  const { data } = providerListInput.safeParse(input);
  // The whole list is refused, with a hint.
  return data !== undefined && isLargePage(data) && !asksForAll(data) ? largePageCost : 1;
}

const listedProviders = z.array(listedProvider);
/** Rows are presented column by column. Checking each of a thousand again would take longer than reading them. */
const presented = z.custom<z.output<typeof listedProviders>>((rows) => Array.isArray(rows));

const listByGet = 'Get the list of providers by GET and outside a batch, or from /api/providers.';

export const providersRouter = router({
  /**
   * For staff and scripts, inactive providers and the fields for staff. Others get no inactive providers, so that maps
   * that request both work. The whole public list comes from memory (activeList.ts); other reads of it are refused.
   */
  list: publicProcedure
    .meta({
      cost: costOfPage,
      rest: {
        output: listedProviders,
        method: 'GET',
        path: '/api/providers',
        caching: 'revalidate',
        optionalScope: staffList.scope,
        summary: 'List active providers',
        description:
          'All of them by id, those in a box (`bbox`), or the nearest first (`near`). With a token or session, `status` may be `inactive` or `all`, with email, lead counts and other fields for staff; without one, `inactive` is empty and `all` has the active ones. `bbox` and `near` have 50 rows without `limit`. Above 10,000, and with `limit`, the list comes in pages with `Link: rel="next"` and, for the whole list, `X-Total-Count`.',
      },
    })
    .input(providerListInput)
    .output(presented)
    .query(async ({ ctx, input }) => {
      const { services, caller } = ctx;
      const { db, zipTable, publicReads, tenants } = services;
      const isForStaff = input.status !== 'active' && (await isAllowed(ctx, staffList));
      if (!isForStaff && input.status === 'inactive') return [];
      if (!isForStaff && asksForAll(input)) throw new AppError('BAD_REQUEST', listByGet);
      const isLarge = isOfPlace(input) && isLargePage(input);
      if (!isForStaff) await services.providers.pageLimits.take(caller.ip, { isLarge });
      const { rows, next, total } = isForStaff
        ? await listStaffPage(db, input, zipTable)
        : await publicReads.ask(async () => ({
            ...(await listActivePage(db, getPart(input, { zipTable }))),
            total: tenants.stats().providers,
          }));
      const headers = pageHeaders(input, {
        total: isOfPlace(input) ? null : total,
        next,
      });
      for (const [name, value] of Object.entries(headers)) caller.responseHeaders.set(name, value);
      return isForStaff ? listedProviders.parse(rows) : rows;
    }),

  /** Pins and clusters for a map of a large network, which shows where it is moved to. By tRPC only. */
  inView: publicProcedure
    .input(mapViewInput)
    .output(mapView)
    .query(async ({ ctx: { services, caller }, input }) => {
      // A view from memory too: joining the clusters of a wide one takes as long as reading a page.
      await services.providers.pageLimits.take(caller.ip);
      return services.providers.mapViews.get(input);
    }),

  get: publicProcedure
    .meta({
      rest: {
        method: 'GET',
        path: '/api/providers/{id}',
        caching: 'revalidate',
        optionalScope: staffList.scope,
        summary: 'Read a provider',
        description:
          'One active provider. With a token or session also an inactive one, and the fields for staff.',
      },
    })
    .input(providerGetInput)
    .output(listedProvider)
    .query(async ({ ctx, input }) => {
      const { db, publicReads } = ctx.services;
      return (await isAllowed(ctx, staffList))
        ? getAdminProvider(db, input.id)
        : publicReads.ask(() => getActiveProvider(db, input.id));
    }),

  /** By the host in any case, with port or `www.`. The main site's hosts belong to no provider. */
  byDomain: publicProcedure
    .meta({
      rest: {
        method: 'GET',
        path: '/api/providers/domain/{hostname}',
        caching: 'revalidate',
        summary: 'Read the provider of a host name',
        description: 'The active provider whose site answers on this host name.',
      },
    })
    .input(providerByDomainInput)
    .output(publicProvider)
    .query(async ({ ctx: { services }, input }) => {
      const match = parseHost(input.hostname, services.config);
      const found =
        match.kind === 'other'
          ? await services.publicReads.ask(() => findActiveProviderByDomain(services.db, match.host))
          : null;
      if (found === null) throw notFound('Provider');
      return found;
    }),
});

export const adminProvidersRouter = router({
  list: staffOrToken(staffList.role, staffList.scope)
    .input(adminProviderListInput)
    .output(adminProviderListOutput)
    .query(({ ctx, input }) => listAdminProviders(ctx.services, input)),

  /** What a provider's page shows. */
  detail: staffProcedure('viewer')
    .input(providerGetInput)
    .output(providerDetail)
    .query(({ ctx: { services }, input }) => getProviderDetail(services, input)),

  /** What came of every provider's leads. Apart from the list, which doesn't wait for it. */
  figures: staffProcedure('viewer')
    .output(providerFigures)
    .query(({ ctx: { services } }) =>
      services.limits.insightReads((db) => readNetworkFigures(db, services.now())),
    ),

  update: staffOrToken('manager', 'providers:write')
    .input(adminProviderUpdateInput)
    .output(adminProvider)
    .mutation(({ ctx, input }) => updateProvider(ctx.staffAction, input)),

  /** Decides whether a provider of the sync that waits is the one that exists only here. */
  confirm: staffProcedure('manager')
    .input(confirmProviderInput)
    .output(confirmProviderOutput)
    .mutation(({ ctx, input }) => confirmProvider(ctx.staffAction, input)),

  /** Of a provider that exists only here: others' status comes from their source. */
  setActive: staffProcedure('manager')
    .input(providerActiveInput)
    .output(adminProvider)
    .mutation(({ ctx, input }) => setProviderActive(ctx.staffAction, input)),

  /** Ends that emails to a provider are held, and sends those that were. */
  sendAgain: staffOrToken('manager', 'deliveries:write')
    .meta({
      rest: {
        method: 'POST',
        path: '/api/unreachable-providers/{id}/send-again',
        summary: 'Send held emails again',
        description:
          'For a provider whose mailbox refused email: sends what is held for it now, ten at a time. A mailbox that refuses again is held again. After a complaint, only an owner may, in the dashboard.',
      },
    })
    .input(sendAgainInput)
    .output(sendAgainOutput)
    .mutation(({ ctx, input }) => sendAgain(ctx.staffAction, input.id)),

  /** A mutation, as it sends requests: no other site may trigger it, no cache answer it, no browser repeat it. */
  checkDomain: staffOrToken('viewer', 'providers:read')
    .meta({ noDeadline: true })
    .input(domainCheckInput)
    .output(domainCheck)
    .mutation(async ({ ctx: { services }, input }) =>
      services.providers.domainChecks.check(await getCheckedProvider(services.db, input.id)),
    ),
});
