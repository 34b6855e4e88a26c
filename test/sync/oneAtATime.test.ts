import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { syncRuns } from '#server/db/schema/index.ts';
import { toAppError } from '#server/errors.ts';
import { pushProviders } from '#server/features/sync/pushProviders.ts';
import { listRuns } from '#server/features/sync/runRecords.ts';
import { runScheduledSync } from '#server/features/sync/wordpressRun.ts';
import { commandEnvironment } from '#test/support/command.ts';
import { meets } from '#test/support/meets.ts';
import { setUpSync, type SyncSetup } from '#test/support/syncSetup.ts';
import { feedRecord, feedRecords } from '#scripts/demo/wordpressFeed.ts';
import { waitUntil } from '#test/support/waitFor.ts';

/** The command in a process of its own, on the setup's feed and database. */
function startCommand({ feed, database }: SyncSetup): ChildProcess {
  return spawn(process.execPath, [resolve('scripts/syncProviders.ts'), '--full'], {
    env: { ...commandEnvironment, DATABASE_URL: database.url, WORDPRESS_URL: feed.url },
    stdio: 'ignore',
  });
}

async function killed(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** Holds a page back until it is let go, and reports when it is requested. */
function holdPage(setup: SyncSetup, held: string): { asked: Promise<void>; letGo: () => void } {
  const asked = Promise.withResolvers<void>();
  const going = Promise.withResolvers<void>();
  setup.feed.instead = ({ query }, response) => {
    if (query.get('page') !== held) return false;
    asked.resolve();
    void going.promise.then(() => response.destroy());
    return true;
  };
  const letGo = (): void => {
    setup.feed.instead = () => false;
    going.resolve();
  };
  return { asked: asked.promise, letGo };
}

test('a second run in any process reports the first and changes nothing', async () => {
  meets('D.sync.10');
  await using setup = await setUpSync(feedRecords(250));
  const { asked, letGo } = holdPage(setup, '2');
  const first = setup.run({ startedBy: 'Ada' });
  await asked;
  expect(await setup.run({ startedBy: 'Bob' })).toEqual({
    success: false,
    error: expect.stringMatching(/^A sync is already running \(started \d+ s ago by Ada\)\.$/),
    run: null,
  });
  const exited = once(startCommand(setup), 'exit');
  expect((await exited)[0]).toBe(1);
  letGo();
  expect(await first).toMatchObject({ success: true, run: { created: 250, startedBy: 'Ada' } });
  expect(await setup.database.db.$count(syncRuns)).toBe(1);
  expect(await setup.run()).toMatchObject({ success: true });
});

test('a nightly run waits for another run’s end unless its process stops', async () => {
  await using setup = await setUpSync(feedRecords(250));
  const { asked, letGo } = holdPage(setup, '2');
  const first = setup.run({ startedBy: 'Ada' });
  await asked;
  let waits = 0;
  const onWait = (): void => {
    waits += 1;
  };
  const scheduled = (kind: 'full' | 'incremental', signal?: AbortSignal) =>
    runScheduledSync(setup.services, kind, signal, { everyMs: 50, attemptsMax: 1_000, onWait });
  await scheduled('incremental');
  expect(waits).toBe(0);
  const stopping = new AbortController();
  const stopped = scheduled('full', stopping.signal);
  await waitUntil(() => waits > 1);
  stopping.abort();
  await stopped;
  await runScheduledSync(setup.services, 'full', undefined, { everyMs: 10, attemptsMax: 3 });
  const before = waits;
  const nightly = scheduled('full');
  await waitUntil(() => waits > before);
  letGo();
  expect(await first).toMatchObject({ success: true });
  await nightly;
  expect(await listRuns(setup.database.db, 20)).toMatchObject([
    { kind: 'full', outcome: 'done', startedBy: 'Schedule', unchanged: 250 },
    { outcome: 'done', startedBy: 'Ada' },
  ]);
});

test('a provider that a script sends during a full run stays active', async () => {
  await using setup = await setUpSync(feedRecords(250));
  await setup.run();
  const { asked, letGo } = holdPage(setup, '2');
  const running = setup.run({ kind: 'full' });
  await asked;
  await pushProviders(setup.services, [feedRecord(999)], { startedBy: 'A script' });
  letGo();
  expect(await running).toMatchObject({ success: true, run: { unchanged: 250, deactivated: 0 } });
  expect((await setup.providers()).at(-1)).toMatchObject({ wordpressId: 999, status: 't' });
  expect(await setup.run({ kind: 'full' })).toMatchObject({ run: { deactivated: 1 } });
});

test('pushes that wait for a run use one connection and get Retry-After', async () => {
  await using setup = await setUpSync();
  const { sql } = setup.database;
  const waiting = async () =>
    (
      await sql`select 1 from pg_locks where locktype = 'advisory' and objid = 7501002 and not granted
      and database = (select oid from pg_database where datname = current_database())`
    ).length;
  const push = (id: number, waitMs: number) =>
    pushProviders(setup.services, [feedRecord(id)], { startedBy: 'A script', waitMs });
  await sql.begin(async (holder) => {
    await holder`select pg_advisory_xact_lock(7501002)`;
    const ends = Promise.allSettled([1, 2, 3, 4, 5].map((id) => push(id, 3_000)));
    await waitUntil(async () => (await waiting()) > 0);
    expect(await waiting()).toBe(1);
    for (const end of await ends) {
      if (end.status === 'fulfilled') throw new Error('it was taken');
      expect(toAppError(end.reason)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 });
    }
  });
  expect(await push(6, 30_000)).toMatchObject([{ result: 'created' }]);
  expect((await setup.providers()).map(({ wordpressId }) => wordpressId)).toEqual([6]);
});

test('a process killed while it reads changes nothing, and the next run reports it', async () => {
  await using setup = await setUpSync(feedRecords(20));
  await setup.run();
  const before = await setup.providers();
  setup.feed.records = feedRecords(250).map((record) => ({
    ...record,
    title: { rendered: `Renamed ${record.id}` },
  }));
  const { asked, letGo } = holdPage(setup, '3');
  const command = startCommand(setup);
  await asked;
  await killed(command);
  letGo();
  expect(await setup.providers()).toEqual(before);
  expect((await listRuns(setup.database.db, 1))[0]).toMatchObject({ outcome: 'running', finishedAt: null });
  await expect
    .poll(async () => (await setup.run({ kind: 'full' })).run)
    .toMatchObject({ outcome: 'done', created: 230, updated: 20 });
  const runs = await listRuns(setup.database.db, 20);
  expect(runs.map(({ outcome }) => outcome)).toEqual(['done', 'interrupted', 'done']);
  expect(runs[1]?.message).toBe('The run was interrupted. Nothing was changed.');
});

test('a process killed while it writes changes nothing', async () => {
  await using setup = await setUpSync(feedRecords(20));
  await setup.run();
  const before = await setup.providers();
  setup.feed.records = feedRecords(40).map((record) => ({
    ...record,
    title: { rendered: `Renamed ${record.id}` },
  }));
  const { sql } = setup.database;
  await sql.begin(async (holder) => {
    // The command's update waits for this row, in the middle of its transaction.
    await holder`select 1 from providers where wordpress_id = 13 for update`;
    const command = startCommand(setup);
    const waits = async () => {
      const waiting =
        await sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
        and application_name like 'sync of %' and query like '%update providers%'`;
      return waiting.length;
    };
    await waitUntil(async () => (await waits()) === 1);
    await killed(command);
  });
  expect(await setup.providers()).toEqual(before);
  await expect
    .poll(async () => (await setup.run({ kind: 'full' })).run)
    .toMatchObject({ outcome: 'done', created: 20, updated: 20 });
});
