import { type SQL, sql } from 'drizzle-orm';
import { runWords } from '#shared/syncWords.ts';
import type { Queryable } from '../../db/connect.ts';
import { RunRefused } from './runRefused.ts';

/** A clinic that keeps its domain may hold up another, and that one a third. Longer chains are nobody's doing but a hostile feed's. */
const roundsMax = 50;

const wantsDomain = sql`i.state = 'row' and i.taken_by is null and i.status = 't' and i.domain is not null`;

/**
 * Whether a clinic that isn't staged is to be taken for gone: after a complete crawl, those last written before it began. Null: no clinic is.
 */
export function isAbsent(absentBefore: string | null): SQL {
  return sql`coalesce(p.updated_at < ${absentBefore}::timestamptz, false)`;
}

/**
 * Marks staged clinics whose domain stays another's: an active clinic's that this run doesn't take it from, or, of several staged ones, the
 * one's with the lowest number. A marked clinic stays as it is, domain included, which may hold up others: hence the rounds. Throws RunRefused
 * when they don't end.
 */
export async function markDomainConflicts(db: Queryable, absentBefore: string | null): Promise<void> {
  for (let round = 0; round < roundsMax; round += 1) {
    const kept = await db.execute(sql`
      update sync_incoming i set taken_by = p.name, taken_by_number = p.wordpress_id
      from providers p
      where ${wantsDomain} and p.status = 't' and p.domain = i.domain and p.wordpress_id is distinct from i.wordpress_id
        and not exists (select from sync_incoming o where o.wordpress_id = p.wordpress_id and (o.state = 'gone'
          or (o.state = 'row' and o.taken_by is null and (o.status = 'f' or o.domain is distinct from p.domain))))
        and not (${isAbsent(absentBefore)} and p.wordpress_id is not null
          and not exists (select from sync_incoming o where o.wordpress_id = p.wordpress_id))`);
    const shared = await db.execute(sql`
      update sync_incoming i set taken_by = first.name, taken_by_number = first.wordpress_id
      from (select distinct on (i.domain) i.domain, i.wordpress_id, i.name from sync_incoming i
        where ${wantsDomain} order by i.domain, i.wordpress_id) as first
      where ${wantsDomain} and i.domain = first.domain and i.wordpress_id <> first.wordpress_id`);
    if (kept.count + shared.count === 0) return;
  }
  throw new RunRefused(runWords.endlessConflicts);
}
