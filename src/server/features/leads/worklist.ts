import { sql } from 'drizzle-orm';
import { z } from 'zod';
import {
  type LeadFilter,
  type WorklistCounts,
  worklistCountMax,
  worklistFilters,
} from '#shared/admin/adminLeads.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { readWithTimeout } from '#server/db/readWithTimeout.ts';
import { leads } from '#server/db/schema/index.ts';
import { leadConditions } from './leadConditions.ts';

const countedRow = z.object({ count: z.number() });

/** From an index that holds only such leads, and no further than anybody cares. */
async function countGroup(tx: Queryable, filter: LeadFilter): Promise<number> {
  const rows = await tx.execute(sql`
    select count(*)::int as count from (select 1 from ${leads} where ${leadConditions(filter)} limit ${worklistCountMax + 1}) as counted`);
  return countedRow.parse(rows[0]).count;
}

/**
 * How many leads staff have to do something about, by what: all of one moment, each up to `worklistCountMax` and one.
 * Throws SERVICE_UNAVAILABLE when it would take more than ten seconds.
 */
export function countWorklist(db: Database): Promise<WorklistCounts> {
  return readWithTimeout(
    db,
    async (tx) => ({
      unmatched: await countGroup(tx, worklistFilters.unmatched),
      failed: await countGroup(tx, worklistFilters.failed),
      overLimit: await countGroup(tx, worklistFilters.overLimit),
      quarantined: await countGroup(tx, worklistFilters.quarantined),
      returned: await countGroup(tx, worklistFilters.returned),
      phone: await countGroup(tx, worklistFilters.phone),
    }),
    { tooLong: 'Counting what needs work takes too long. Try again in a moment.' },
  );
}
