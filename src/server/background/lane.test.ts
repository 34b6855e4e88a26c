import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { createLog } from '../log.ts';
import { type RunningBoss, startBoss } from './boss.ts';
import { type Lane, startLane } from './lane.ts';

const log = createLog('silent');

interface Setup extends AsyncDisposable {
  database: TestDb;
  boss: RunningBoss['boss'];
  /** Enqueues jobs numbered from 1. */
  send: (count: number) => Promise<void>;
  left: () => Promise<number>;
}

async function setUp(): Promise<Setup> {
  const database = await testDb();
  const { boss, stop } = await startBoss({ sql: database.sql, log, works: false });
  return {
    database,
    boss,
    async send(count) {
      const jobs = Array.from({ length: count }, (_, index) => ({ data: { n: index + 1 } }));
      await boss.insert('crm', jobs);
    },
    left: async () => {
      const [row] = await database.sql<{ n: string }[]>`select count(*) as n from pgboss.job`;
      return Number(row?.n);
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await database[Symbol.asyncDispose]();
    },
  };
}

type Handle = (data: { n: number }, signal: AbortSignal) => Promise<void>;

function laneOf({ boss }: Setup, handle: Handle, concurrency = 4): Lane {
  return startLane({ boss, queue: 'crm', concurrency, handle, log });
}

test('every job is done once by one of several lanes, and leaves nothing behind', async () => {
  await using at = await setUp();
  const done: number[] = [];
  let inHand: (() => void)[] = [];
  const handle: Handle = ({ n }) =>
    new Promise((resolve) => {
      inHand.push(() => {
        done.push(n);
        resolve();
      });
    });
  await at.send(300);
  const lanes = [laneOf(at, handle, 16), laneOf(at, handle, 16)];
  await vi.waitUntil(() => inHand.length === 32);
  await vi.waitUntil(
    async () => {
      // Neither as they were taken nor all at once.
      const ending = inHand.filter((_, index) => index % 3 !== 1).toReversed();
      inHand = inHand.filter((_, index) => index % 3 === 1);
      for (const end of ending) end();
      return (await at.left()) === 0;
    },
    { interval: 1, timeout: 15_000 },
  );
  await Promise.all(lanes.map((lane) => lane.stop(1_000)));
  expect(done.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
});

test('no more are in hand than there are hands, and one that hangs holds up no other', async () => {
  await using at = await setUp();
  const hanging = Promise.withResolvers<void>();
  let inHand = 0;
  let most = 0;
  const done: number[] = [];
  const lane = laneOf(at, async ({ n }) => {
    inHand += 1;
    most = Math.max(most, inHand);
    // The others end once all hands are full, but for the last ones.
    await (n === 1 ? hanging.promise : vi.waitUntil(() => most === 4));
    inHand -= 1;
    done.push(n);
  });
  await at.send(40);
  lane.wake();
  await vi.waitUntil(() => done.length === 39);
  expect(most).toBe(4);
  hanging.resolve();
  await lane.stop(1_000);
  expect(done.at(-1)).toBe(1);
});

test('a job that throws is tried again', async () => {
  await using at = await setUp();
  let attempts = 0;
  const lane = laneOf(at, () => {
    attempts += 1;
    return attempts === 1 ? Promise.reject(new Error('not now')) : Promise.resolve();
  });
  await at.send(1);
  await vi.waitUntil(async () => {
    await at.database.sql`update pgboss.job set start_after = now() where state = 'retry'`;
    return attempts === 2;
  });
  await lane.stop(1_000);
  expect(await at.left()).toBe(0);
});

test('waking finds a new job at once', async () => {
  await using at = await setUp();
  const looks = vi.spyOn(at.boss, 'fetch');
  let done = 0;
  const lane = laneOf(at, () => {
    done += 1;
    return Promise.resolve();
  });
  let sent = 0;
  let isByItself = true;
  // Until the lane, at rest since its last look, hasn't looked by itself while the job was being sent.
  while (isByItself) {
    await vi.waitUntil(() => looks.mock.settledResults.at(-1)?.type === 'fulfilled');
    const before = looks.mock.calls.length;
    await at.send(1);
    sent += 1;
    isByItself = looks.mock.calls.length > before;
    lane.wake();
    await nextTurn();
    expect(looks.mock.calls.length).toBeGreaterThan(before);
    await vi.waitUntil(() => done === sent);
  }
  await lane.stop(1_000);
});

test('stopping finishes what is in hand, tells what takes too long, and takes no more', async () => {
  await using at = await setUp();
  const told: number[] = [];
  const first = Promise.withResolvers<void>();
  let begun = 0;
  const lane = laneOf(at, ({ n }, signal) => {
    begun += 1;
    return new Promise((resolve, reject) => {
      if (n === 1) void first.promise.then(resolve);
      signal.addEventListener('abort', () => {
        if (n === 2) told.push(n);
        reject(new Error('told to stop'));
      });
    });
  });
  await at.send(2);
  lane.wake();
  await vi.waitUntil(() => begun === 2);
  const stopped = lane.stop(200);
  await at.send(1);
  first.resolve();
  await stopped;
  expect(told).toEqual([2]);
  const rows = await at.database.sql`select data, state from pgboss.job order by state desc`;
  expect([...rows]).toEqual([
    { data: { n: 2 }, state: 'retry' },
    { data: { n: 1 }, state: 'created' },
  ]);
});
