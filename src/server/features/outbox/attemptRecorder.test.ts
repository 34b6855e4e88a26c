import { expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { type DeliverySetup, leaseOne, setUpDeliveries } from '#test/support/outboxSetup.ts';
import { takes } from '#test/support/receiver.ts';
import { waitUntil } from '#test/support/waitFor.ts';
import { attemptDelivery, type AttemptOutcome, startAttempts } from './attemptDelivery.ts';
import { createAttemptRecorder, type RecordedAttempt } from './recordAttempt.ts';

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

/** Makes the attempts of six deliveries, which end at the same moment: the first is recorded, then the other five. */
async function attemptSix(
  at: DeliverySetup,
  change: (attempt: RecordedAttempt, index: number) => RecordedAttempt,
) {
  const queued = [];
  for (let made = 0; made < 6; made += 1) queued.push(await at.queue());
  const ids = queued.map(({ id }) => id);
  const recorder = createAttemptRecorder(at.services.db);
  const recordings: (() => void)[] = [];
  const outcomes = ids.map(async (id, index) => {
    const outcome = await attempt(at, id, (made) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      recordings.push(() => resolve(recorder(change(made, index))));
      return promise;
    });
    return outcome;
  });
  // A failure is for the test that reads it.
  for (const outcome of outcomes) outcome.catch(() => undefined);
  await waitUntil(async () => recordings.length === ids.length);
  for (const record of recordings) record();
  return { ids, outcomes: await Promise.allSettled(outcomes) };
}

test('attempts that end while a transaction runs are recorded together by the next one', async () => {
  await using at = await setUpDeliveries(takes);
  const { ids, outcomes } = await attemptSix(at, (made) => made);
  expect(outcomes.map(({ status }) => status)).toEqual(Array.from(ids, () => 'fulfilled'));
  for (const id of ids) expect(await at.row(id)).toMatchObject({ state: 'delivered', leasedUntil: null });
  const [row] = await at.database.sql<{ rows: number; transactions: number }[]>`
    select count(*)::int as rows, count(distinct xmin::text)::int as transactions from delivery_attempts`;
  expect(row).toEqual({ rows: 6, transactions: 2 });
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

test('an attempt whose lead is locked holds up the others for half a second at most', async () => {
  await using at = await setUpDeliveries(takes);
  const queued = [await at.queue(), await at.queue(), await at.queue()];
  const recorder = createAttemptRecorder(at.services.db);
  const outcomes: Promise<AttemptOutcome>[] = [];
  await at.services.db.transaction(async (tx) => {
    await tx.execute(sql`select from leads where id = ${queued[0]?.lead.id ?? 0}::bigint for update`);
    for (const { id } of queued) outcomes.push(attempt(at, id, recorder));
    await Promise.all(outcomes.slice(1));
    expect(await at.row(queued[0]?.id ?? '')).toMatchObject({ state: 'queued' });
  });
  await outcomes[0];
  for (const { id } of queued) expect(await at.row(id)).toMatchObject({ state: 'delivered' });
});
