import { and, count, gt, inArray, isNull } from 'drizzle-orm';
import { nearestShown } from '#shared/admin/leadActions.ts';
import { dayMs } from '#shared/formats/time.ts';
import { leads } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import type { Candidate } from '../list/candidates.ts';

const openDays = 30;

/** Adds how many leads of the last thirty days without an outcome the first providers of a list have. */
export async function countOpenLeads(
  { db, now }: Pick<Services, 'db' | 'now'>,
  candidates: readonly Candidate[],
): Promise<(Candidate & { openLeads: number | null })[]> {
  const ids = candidates.slice(0, nearestShown).map(({ id }) => id);
  const since = new Date(now().getTime() - openDays * dayMs);
  const rows =
    ids.length === 0
      ? []
      : await db
          .select({ providerId: leads.providerId, open: count() })
          .from(leads)
          .where(
            and(
              ...[inArray(leads.providerId, ids), gt(leads.createdAt, since), isNull(leads.outcome)],
              ...[isNull(leads.deletedAt), isNull(leads.quarantinedAt)],
            ),
          )
          .groupBy(leads.providerId);
  const open = new Map(rows.map((row) => [row.providerId, row.open]));
  return candidates.map((candidate, index) => ({
    ...candidate,
    openLeads: index < nearestShown ? (open.get(candidate.id) ?? 0) : null,
  }));
}
