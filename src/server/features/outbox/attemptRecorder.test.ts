import { expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { type DeliverySetup, leaseOne, setUpDeliveries } from '#test/support/outboxSetup.ts';
import { takes } from '#test/support/receiver.ts';
import { waitUntil } from '#test/support/waitFor.ts';
import { attemptDelivery, type AttemptOutcome, startAttempts } from './attemptDelivery.ts';
import { createAttemptRecorder } from './attemptRecorder.ts';
import type { RecordedAttempt } from './recordAttempt.ts';

const stopping = new AbortController().signal;

/** Makes the attempt of a delivery, recorded by `record`. */
async function attempt(
  { services }: DeliverySetup,
  id: string,
  record: (attempt: RecordedAttempt) => Promise<void>,
): Promise<AttemptOutcome> {
  const lease = await leaseOne(services, id);
  if (lease === null) throw new Error('the delivery is not due');
  const attempts: Promise<AttemptOutcome>[] = [];
  await startAttempts(services, [lease], (_, subject) => {
    attempts.push(attemptDelivery(services, { lease, subject }, { stopping, record }));
  });
  const [outcome] = attempts;
  if (outcome === undefined) throw new Error('the delivery has no subject');
  return outcome;
}

/** How many connections wait for a lock. */
async function waitingForLocks({ database }: DeliverySetup): Promise<number> {
  const [row] = await database.sql<{ n: number }[]>`
    select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return row?.n ?? 0;
}

/**
 * Makes the attempts of six deliveries. The transactions that record the first two wait for a lock until all attempts
 * have ended, so the other four are recorded after them.
 */
async function attemptSix(
  at: DeliverySetup,
  change: (attempt: RecordedAttempt, index: number) => RecordedAttempt,
) {
  const queued = [];
  for (let made = 0; made < 6; made += 1) queued.push(await at.queue());
  const ids = queued.map(({ id }) => id);
  const leadIds = queued.map(({ lead }) => lead.id);
  const recorder = createAttemptRecorder(at.services.db);
  let ended = 0;
  const outcomes: Promise<AttemptOutcome>[] = [];
  await at.services.db.transaction(async (tx) => {
    await tx.execute(
      sql`select from leads where id = any (${sql.param(leadIds.slice(0, 2))}::bigint[]) for update`,
    );
    for (const [index, id] of ids.entries()) {
      const outcome = attempt(at, id, (made) => {
        ended += 1;
        return recorder(change(made, index));
      });
      // A failure is for the test that reads it.
      outcome.catch(() => undefined);
      outcomes.push(outcome);
      await waitUntil(
        async () => ended === index + 1 && (await waitingForLocks(at)) === Math.min(index + 1, 2),
      );
    }
  });
  return { ids, outcomes: await Promise.allSettled(outcomes) };
}

test('attempts that end while transactions run are recorded together by the next one', async () => {
  await using at = await setUpDeliveries(takes);
  const { ids, outcomes } = await attemptSix(at, (made) => made);
  expect(outcomes.map(({ status }) => status)).toEqual(Array.from(ids, () => 'fulfilled'));
  for (const id of ids) expect(await at.row(id)).toMatchObject({ state: 'delivered', leasedUntil: null });
  const [row] = await at.database.sql<{ rows: number; transactions: number }[]>`
    select count(*)::int as rows, count(distinct xmin::text)::int as transactions from delivery_attempts`;
  expect(row).toEqual({ rows: 6, transactions: 3 });
});

test('an attempt that cannot be recorded keeps none of the others from it', async () => {
  await using at = await setUpDeliveries(takes);
  const afterAttempt = () => Promise.reject(new Error('no effect today'));
  const { ids, outcomes } = await attemptSix(at, (made, index) =>
    index === 3 ? { ...made, afterAttempt } : made,
  );
  expect(outcomes.map(({ status }) => status)).toEqual(
    ids.map((_, index) => (index === 3 ? 'rejected' : 'fulfilled')),
  );
  const states = await Promise.all(ids.map((id) => at.row(id)));
  expect(states.map(({ state }) => state)).toEqual(
    ids.map((_, index) => (index === 3 ? 'queued' : 'delivered')),
  );
  expect(states[3]?.leasedUntil).not.toBeNull();
});
