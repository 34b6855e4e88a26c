import { sql } from 'drizzle-orm';
import { runMessages } from '#server/features/sync/messages.ts';
import type { Queryable } from '../../db/connect.ts';
import { RunRefused } from './runRefused.ts';

/** A clinic that keeps its domain may hold up another, and that one a third. Longer chains are nobody's doing but a hostile feed's. */
const roundsMax = 50;

const wantsDomain = sql`c.has_row and c.taken_by is null and c.status = 't' and c.domain is not null`;

/**
 * Marks changes (`sync_changes`) whose domain stays another's: an active clinic's that no change takes it from, or, of several changes, the one's
 * with the lowest number. A marked clinic stays as it is, domain included, which may hold up others: hence the rounds. Clinics that change nothing
 * have their domains already. Throws RunRefused when the rounds don't end.
 */
export async function markDomainConflicts(db: Queryable): Promise<void> {
  for (let round = 0; round < roundsMax; round += 1) {
    const kept = await db.execute(sql`
      update sync_changes c set taken_by = p.name, taken_by_number = p.wordpress_id
      from providers p
      where ${wantsDomain} and p.status = 't' and p.domain = c.domain and p.id is distinct from c.id
        and not exists (select from sync_changes o where o.id = p.id and o.taken_by is null
          and (o.change = 'deactivated' or o.domain is distinct from p.domain))`);
    const shared = await db.execute(sql`
      with wanted as (select c.domain, min(c.wordpress_id) as first from sync_changes c where ${wantsDomain} group by 1 having count(*) > 1)
      update sync_changes c set taken_by = winner.name, taken_by_number = winner.wordpress_id
      from wanted join sync_changes winner on winner.wordpress_id = wanted.first
      where ${wantsDomain} and c.domain = wanted.domain and c.wordpress_id <> wanted.first`);
    if (kept.count + shared.count === 0) return;
  }
  throw new RunRefused(runMessages.endlessConflicts);
}
