import { sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';

/** Records are counted up to this. */
const countedMax = 10_000;

export interface SealBacklog {
  /** Records that wait for their seal, `countedMax` at most. */
  unsealed: number;
  /** How long the oldest of them has waited; 0: none waits. */
  oldestSeconds: number;
  /** The number of the newest seal; 0 for an empty chain. */
  sequence: number;
}

/** What the sealer has to do, and the end of its chain: a few index lookups. `now` is the database's time. */
export async function readSealBacklog(db: Queryable, now: Date): Promise<SealBacklog> {
  const [row] = await db.execute<{ unsealed: number; oldest: number; sequence: string }>(sql`
    select
      (select count(*)::int from (select from consent_seal_queue limit ${countedMax}) as counted) as unsealed,
      coalesce((select extract(epoch from ${now.toISOString()}::timestamptz - accepted_at)::float8 from consent_records
        where id = (select min(record_id) from consent_seal_queue)), 0) as oldest,
      coalesce((select max(seq) from consent_seals), 0) as sequence`);
  if (row === undefined) throw new Error('the database returned no figures');
  return { unsealed: row.unsealed, oldestSeconds: Math.max(0, row.oldest), sequence: Number(row.sequence) };
}
