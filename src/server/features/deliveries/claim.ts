import { and, eq, getTableColumns, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Database, Queryable } from '../../db/connect.ts';
import { deliveries, type DeliveryRow, deliveryTries } from '../../db/schema/index.ts';
import { tryLimitSeconds } from '../../jobs/queues.ts';

/** A try that isn't written down by then never will be: its process is gone. */
const claimMs = (tryLimitSeconds + 10) * 1000;
/** Clocks of two machines differ: a job may wake a worker whose own says that it is a moment too soon. */
const earlyMs = 3_000;

/** One try's own: nobody else makes one until it is settled or its time is over. */
export type Claimed = DeliveryRow & { claimedUntil: Date };

function unclaimed(now: Date): SQL | undefined {
  return or(isNull(deliveries.claimedUntil), lte(deliveries.claimedUntil, now));
}

type ClaimSet = Partial<Record<'state' | 'nextTryAt' | 'roundBegan', SQL>>;

async function claim(
  db: Database,
  condition: SQL | undefined,
  now: Date,
  set: ClaimSet = {},
): Promise<Claimed | null> {
  const claimedUntil = new Date(now.getTime() + claimMs);
  const before = db
    .select({ id: deliveries.id, was: sql<string | null>`${deliveries.claimedUntil}`.as('was') })
    .from(deliveries)
    .where(and(condition, unclaimed(now)))
    .for('update', { skipLocked: true })
    .as('before');
  const [row] = await db
    .update(deliveries)
    .set({ claimedUntil, tries: sql`${deliveries.tries} + 1`, ...set })
    .from(before)
    .where(eq(deliveries.id, before.id))
    .returning({ ...getTableColumns(deliveries), was: before.was });
  if (row === undefined) return null;
  const { was, ...claimed } = row;
  if (was !== null) await recordInterrupted(db, claimed, new Date(was));
  return { ...claimed, claimedUntil };
}

/** A claim that nobody took back: whoever made that try died in the middle of it. */
async function recordInterrupted(db: Database, delivery: DeliveryRow, claimedUntil: Date): Promise<void> {
  await db.insert(deliveryTries).values({
    leadId: delivery.leadId,
    deliveryId: delivery.id,
    channel: delivery.channel,
    at: new Date(claimedUntil.getTime() - claimMs),
    durationMs: 0,
    outcome: 'failed',
    answer: 'The process that made this try ended in the middle of it.',
  });
}

/** Takes a delivery for one try; null when it isn't due, is over, or somebody else has it. */
export function claimDue(db: Database, id: string, now: Date): Promise<Claimed | null> {
  const due = new Date(now.getTime() + earlyMs);
  return claim(
    db,
    and(eq(deliveries.id, id), eq(deliveries.state, 'queued'), lte(deliveries.nextTryAt, due)),
    now,
  );
}

/**
 * Takes a delivery for a try that staff ask for, due or not; one that was over begins its schedule anew. Null when somebody else has it, or when it
 * was called off.
 */
export function claimForStaff(db: Database, id: string, now: Date): Promise<Claimed | null> {
  const isOver = sql`${deliveries.state} <> 'queued'`;
  return claim(db, and(eq(deliveries.id, id), ne(deliveries.state, 'cancelled')), now, {
    state: sql`'queued'`,
    // Whoever makes the try may die: then a worker does, once the claim is over.
    nextTryAt: sql`case when ${isOver} then ${new Date(now.getTime() + claimMs).toISOString()}::timestamptz else ${deliveries.nextTryAt} end`,
    roundBegan: sql`case when ${isOver} then ${deliveries.tries} else ${deliveries.roundBegan} end`,
  });
}

/** Gives back what was claimed and not tried, with what is to become of it. */
export async function letGo(
  db: Queryable,
  { id, claimedUntil }: Claimed,
  standing: Pick<DeliveryRow, 'state' | 'nextTryAt' | 'reason' | 'finishedAt'>,
): Promise<void> {
  const untried = { claimedUntil: null, tries: sql`${deliveries.tries} - 1` };
  const isOurs = and(eq(deliveries.id, id), eq(deliveries.claimedUntil, claimedUntil));
  const left = await db
    .update(deliveries)
    .set({ ...standing, ...untried })
    .where(and(isOurs, eq(deliveries.state, 'queued')))
    .returning({ id: deliveries.id });
  // Called off meanwhile, it stays so; that nothing was tried is to be seen all the same.
  if (left.length === 0) await db.update(deliveries).set(untried).where(isOurs);
}
