import { sql } from 'drizzle-orm';
import { runMessages } from '#server/features/sync/messages.ts';
import type { Queryable } from '../../db/connect.ts';
import { RunRefused } from './runRefused.ts';

/** A source without a single clinic has lost them, or isn't the one that was meant. Throws RunRefused unless forced. */
export function refuseEmpty(force: boolean): void {
  if (!force) throw new RunRefused(runMessages.empty);
}

/** Throws RunRefused when more than `limitPercent` of the active clinics that come from outside would be lost. */
export function guardAgainstLoss(gone: number, active: number, limitPercent: number): void {
  if (gone * 100 > active * limitPercent)
    throw new RunRefused(runMessages.tooManyGone(gone, active, limitPercent));
}

/** Throws RunRefused when more than `limitPercent` of the active clinics that have a domain would have none: the feed has lost the field. */
export function guardAgainstLostDomains(losing: number, having: number, limitPercent: number): void {
  if (losing * 100 > having * limitPercent)
    throw new RunRefused(runMessages.tooManyDomains(losing, having, limitPercent));
}

/** Numbers of the active clinics that a crawl did not bring, and how many active ones come from outside in all. */
export async function findMissing(db: Queryable): Promise<{ missing: number[]; active: number }> {
  const missing = await db.execute<{ wordpress_id: string }>(sql`
    select p.wordpress_id from providers p where p.status = 't' and p.wordpress_id is not null
      and not exists (select from sync_incoming i where i.wordpress_id = p.wordpress_id) order by p.wordpress_id`);
  const [counted] = await db.execute<{ active: number }>(
    sql`select count(*)::int as active from providers where status = 't' and wordpress_id is not null`,
  );
  return { missing: missing.map(({ wordpress_id }) => Number(wordpress_id)), active: counted?.active ?? 0 };
}
