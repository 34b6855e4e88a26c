import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { type ProviderDetail, refusedListedMax } from '#shared/admin/adminProviders.ts';
import type { providerGetInput } from '#shared/providers/providerFieldLists.ts';
import type { Config } from '#server/config/config.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { readWithTimeout } from '#server/db/readWithTimeout.ts';
import { deliveries, leads, providerApplications, providers } from '#server/db/schema/index.ts';
import { getAdminProvider } from './adminProvidersQueries.ts';
import { figuresTooLong, listMonths, readOwnFigures } from './providerFigures.ts';

interface DetailServices {
  db: Database;
  config: Pick<Config, 'matchRadiusMiles' | 'wordpressUrl'>;
  now: () => Date;
}

/** A provider, active or not, with all that its page shows. Throws NOT_FOUND 'Provider not found'. */
export function getProviderDetail(
  { db, config, now }: DetailServices,
  { id }: z.output<typeof providerGetInput>,
): Promise<ProviderDetail> {
  const { matchRadiusMiles: defaultRadiusMiles, wordpressUrl } = config;
  const at = now();
  const isThis = eq(providers.id, id);
  const isOfThis = eq(providerApplications.providerId, id);
  return readWithTimeout(
    db,
    async (tx) => {
      const provider = await getAdminProvider(tx, id);
      const [confirmed] = await tx.select({ at: providers.emailConfirmedAt }).from(providers).where(isThis);
      // From the newest: there are few, and its application came before the provider.
      const [application] = await tx
        .select({ id: providerApplications.id })
        .from(providerApplications)
        .where(isOfThis)
        .orderBy(desc(providerApplications.createdAt), desc(providerApplications.id))
        .limit(1);
      return {
        provider,
        emailConfirmedAt: confirmed?.at?.toISOString() ?? null,
        applicationId: application?.id ?? null,
        refused: await listRefused(tx, id),
        months: await listMonths(tx, id, at),
        figures: await readOwnFigures(tx, id, at),
        defaultRadiusMiles,
        wordpressUrl,
      };
    },
    { tooLong: figuresTooLong },
  );
}

/** The leads that a provider didn't get, the newest first, each with the reason of its newest email. */
async function listRefused(db: Queryable, providerId: number): Promise<ProviderDetail['refused']> {
  const isRefused = and(
    eq(leads.providerId, providerId),
    eq(leads.clinicNotReached, true),
    isNull(leads.deletedAt),
  );
  const newest = db
    .select({ reason: deliveries.reason, at: deliveries.createdAt })
    .from(deliveries)
    .where(and(eq(deliveries.leadId, leads.id), eq(deliveries.channel, 'provider-email')))
    .orderBy(desc(deliveries.createdAt), desc(deliveries.id))
    .limit(1)
    .as('newest');
  const [total, rows] = await Promise.all([
    db.$count(leads, isRefused),
    db
      .select({ leadId: leads.id, reason: newest.reason, at: newest.at })
      .from(leads)
      .innerJoinLateral(newest, sql`true`)
      .where(isRefused)
      .orderBy(desc(leads.createdAt), desc(leads.id))
      .limit(refusedListedMax),
  ]);
  return { total, latest: rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() })) };
}
