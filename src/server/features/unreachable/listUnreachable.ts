import { and, eq, isNotNull, or, type SQL, sql, type SQLWrapper } from 'drizzle-orm';
import type { AdminProvider } from '#shared/admin/adminProviders.ts';
import type { Queryable } from '#server/db/connect.ts';
import { type AddressMark, providers, unreachableProviders } from '#server/db/schema/index.ts';
import { waitingOfEach } from '../outbox/unreachableHolds.ts';

/** A provider that gets no email, or whose earlier ones were not sent. */
export interface UnreachableProvider {
  id: number;
  name: string;
  /** Null: the mark has ended, and leads that waited too long were not sent. */
  mark: AddressMark | null;
  /** Leads whose emails wait. */
  waiting: number;
  /** Since when the oldest has waited. */
  waitingSince: Date | null;
}

/** The providers with a marked address or waiting emails that match, by id. */
export async function listUnreachableProviders(
  db: Queryable,
  condition?: SQL,
): Promise<UnreachableProvider[]> {
  const waiting = waitingOfEach(db);
  const rows = await db
    .select({
      id: providers.id,
      name: sql<string>`coalesce(nullif(${providers.practiceName}, ''), ${providers.name})`,
      mark: unreachableProviders,
      waiting: waiting.leads,
      waitingSince: waiting.since,
    })
    .from(providers)
    .leftJoin(unreachableProviders, eq(unreachableProviders.address, markedAddress(providers.email)))
    .leftJoin(waiting, eq(waiting.providerId, providers.id))
    .where(and(or(isNotNull(unreachableProviders.address), isNotNull(waiting.providerId)), condition))
    .orderBy(providers.id);
  return rows.map((row) => ({ ...row, waiting: row.waiting ?? 0 }));
}

/** What staff see of these providers, by their ids. */
export async function listUnreachable(
  db: Queryable,
  condition?: SQL,
): Promise<Map<number, AdminProvider['unreachable']>> {
  const rows = await listUnreachableProviders(db, condition);
  return new Map(
    rows.map(({ id, mark, waiting, waitingSince }) => [
      id,
      {
        cause: mark?.cause ?? null,
        reason: mark?.reason ?? null,
        since: mark?.since.toISOString() ?? null,
        waiting,
        waitingSince: waitingSince?.toISOString() ?? null,
        acceptedAt: mark?.acceptedAt?.toISOString() ?? null,
      },
    ]),
  );
}

/**
 * The form in which addresses of providers are marked and compared. Computed by Postgres only, so that a mark applies
 * to whichever providers have the address now, however it got into their records.
 */
export function markedAddress(email: SQLWrapper | string): SQL<string> {
  const typed = typeof email === 'string' ? sql`${email}::text` : email;
  return sql<string>`lower(btrim(${typed}))`;
}
