import { and, eq, getTableColumns, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Database, Queryable } from '../../db/connect.ts';
import { preparedOnce } from '../../db/preparedOnce.ts';
import { deliveries, type DeliveryRow, deliveryTries } from '../../db/schema/index.ts';
import { tryLimitSeconds } from '../../jobs/queues.ts';

/** A try that isn't written down by then never will be: its process is gone. */
const claimMs = (tryLimitSeconds + 10) * 1000;
/** Clocks of two machines differ: a job may wake a worker whose own says that it is a moment too soon. */
const earlyMs = 3_000;

/** One try's own: nobody else makes one until it is settled or its time is over. */
export type Claimed = DeliveryRow & { claimedUntil: Date };

type ClaimSet = Partial<Record<'state' | 'nextTryAt' | 'roundBegan', SQL>>;

const until = sql`${sql.placeholder('until')}::timestamptz`;
const isAsked = eq(deliveries.id, sql.placeholder('id'));
const isUnclaimed = or(isNull(deliveries.claimedUntil), lte(deliveries.claimedUntil, sql.placeholder('now')));

function claimQuery(db: Queryable, condition: SQL | undefined, set: ClaimSet = {}) {
  const before = db
    .select({ id: deliveries.id, was: sql<string | null>`${deliveries.claimedUntil}`.as('was') })
    .from(deliveries)
    .where(and(isAsked, condition, isUnclaimed))
    .for('update', { skipLocked: true })
    .as('before');
  return db
    .update(deliveries)
    .set({ claimedUntil: until, tries: sql`${deliveries.tries} + 1`, ...set })
    .from(before)
    .where(eq(deliveries.id, before.id))
    .returning({ ...getTableColumns(deliveries), was: before.was });
}

const dueQuery = preparedOnce((db) =>
  claimQuery(
    db,
    and(eq(deliveries.state, 'queued'), lte(deliveries.nextTryAt, sql.placeholder('due'))),
  ).prepare('claim_due'),
);

const isOver = sql`${deliveries.state} <> 'queued'`;
const staffQuery = preparedOnce((db) =>
  claimQuery(db, ne(deliveries.state, 'cancelled'), {
    state: sql`'queued'`,
    // Whoever makes the try may die: then a worker does, once the claim is over.
    nextTryAt: sql`case when ${isOver} then ${until} else ${deliveries.nextTryAt} end`,
    roundBegan: sql`case when ${isOver} then ${deliveries.tries} else ${deliveries.roundBegan} end`,
  }).prepare('claim_for_staff'),
);

type Query = ReturnType<typeof dueQuery>;

async function claim(db: Database, query: Query, id: string, now: Date): Promise<Claimed | null> {
  const claimedUntil = new Date(now.getTime() + claimMs);
  const [row] = await query.execute({
    id,
    now: now.toISOString(),
    due: new Date(now.getTime() + earlyMs).toISOString(),
    until: claimedUntil.toISOString(),
  });
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
  return claim(db, dueQuery(db), id, now);
}

/**
 * Takes a delivery for a try that staff ask for, due or not; one that was over begins its schedule anew. Null when somebody else has it, or when it
 * was called off.
 */
export function claimForStaff(db: Database, id: string, now: Date): Promise<Claimed | null> {
  return claim(db, staffQuery(db), id, now);
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
