import { describe, expect, test } from 'vitest';
import { syncRunRows, syncRuns } from '#server/db/schema/index.ts';
import { getRunDetail, listRuns, purgeSyncRuns } from '#server/features/sync/runRecords.ts';
import { dayMs } from '#shared/formats/time.ts';
import { runScheduledSync } from '#server/features/sync/wordpressRun.ts';
import { setUpSync } from '#test/support/syncSetup.ts';
import { feedRecord, sendAs, feedRecords } from '#scripts/demo/wordpressFeed.ts';
import { change, toCounts } from '#test/support/syncRuns.ts';
import { meets } from '#test/support/meets.ts';

describe('incremental runs', () => {
  test('read changes since the last one with an overlap, and deactivate nothing', async () => {
    meets('D.sync.12');
    await using setup = await setUpSync(feedRecords(250));
    expect(await setup.run()).toMatchObject({ run: { kind: 'full' } });
    setup.feed.records = setup.feed.records.slice(0, 5);
    change(setup, 5, feedRecord(5, { title: { rendered: 'Renamed' }, modified_gmt: '2026-05-02T10:00:00' }));
    setup.feed.asked.length = 0;
    const outcome = await setup.run();
    expect(outcome).toMatchObject({ run: { kind: 'incremental', updated: 1, deactivated: 0 } });
    expect(setup.feed.asked[0]?.query.get('modified_after')).toBe('2026-05-01T09:55:00.000Z');
    setup.feed.asked.length = 0;
    await setup.run();
    expect(setup.feed.asked[0]?.query.get('modified_after')).toBe('2026-05-02T09:55:00.000Z');
    setup.feed.records = [];
    expect(await setup.run()).toMatchObject({ success: true, run: { read: 0, kind: 'incremental' } });
    expect(await setup.run()).toMatchObject({ run: { kind: 'incremental' } });
    expect(setup.feed.asked.at(-1)?.query.get('modified_after')).toBe('2026-05-02T09:55:00.000Z');
  });

  test('begin at the last successful full run', async () => {
    await using setup = await setUpSync(feedRecords(3));
    await setup.run({ dryRun: true });
    expect(await setup.run({ kind: 'incremental' })).toMatchObject({ run: { kind: 'full', created: 3 } });
    expect(await setup.run({ kind: 'incremental' })).toMatchObject({ run: { kind: 'incremental' } });
  });

  test('miss nothing if the clock is ahead', async () => {
    await using setup = await setUpSync([feedRecord(1, { modified_gmt: '2099-01-01T00:00:00' })]);
    await setup.run();
    await setup.run();
    const after = new Date(setup.feed.asked.at(-1)?.query.get('modified_after') ?? '2099-01-01');
    expect(after.getTime()).toBeLessThan(Date.now());
  });

  test('read what changed during the previous run', async () => {
    await using setup = await setUpSync(feedRecords(250));
    const began = Date.now();
    let minutes = 0;
    setup.services.now = () => new Date(began + minutes * 60_000);
    setup.feed.instead = ({ query }) => {
      if (query.get('page') !== '3') return false;
      minutes = 60;
      const changed = new Date(began + 50 * 60_000).toISOString().slice(0, 19);
      change(setup, 250, feedRecord(250, { modified_gmt: changed }));
      return false;
    };
    await setup.run();
    await setup.run();
    const after = setup.feed.asked.at(-1)?.query.get('modified_after') ?? '2099-01-01';
    expect(new Date(after).getTime()).toBeLessThan(began);
  });

  test('with an account, deactivate unpublished providers and add no unknown ones', async () => {
    await using setup = await setUpSync(feedRecords(10), {
      WORDPRESS_USER: 'sync',
      WORDPRESS_APP_PASSWORD: 'abcd efgh',
    });
    await setup.run();
    change(setup, 1, { status: 'trash' });
    change(setup, 2, { status: 'draft', title: { rendered: '' } });
    setup.feed.records = [...setup.feed.records, feedRecord(11, { status: 'draft' })];
    expect(toCounts(await setup.run())).toMatchObject({ deactivated: 2, created: 0, unchanged: 9 });
    expect((await setup.providers())[1]).toMatchObject({ name: 'Clinic 2', status: 'f' });
  });
});

test('the history has every run with complete counts and at most a thousand rows', async () => {
  meets('D.sync.21');
  await using setup = await setUpSync(feedRecords(1_200));
  await setup.run({ startedBy: 'Ada' });
  setup.feed.instead = (_, response) => sendAs(response, 403, {});
  await setup.run({ kind: 'full' });
  const { db } = setup.database;
  const [failed, done] = await listRuns(db, 20);
  expect(failed).toMatchObject({
    outcome: 'failed',
    message: 'Page 1 was refused (HTTP 403).',
    startedBy: 'Test',
  });
  expect(done).toMatchObject({
    outcome: 'done',
    startedBy: 'Ada',
    source: 'wordpress',
    created: 1_200,
    message: null,
  });
  const { run, rows } = await getRunDetail(db, done?.id ?? 0);
  expect(run).toEqual(done);
  expect(rows).toHaveLength(1_000);
  expect(rows[0]).toEqual({ change: 'created', wordpressId: 1, name: 'Clinic 1', detail: null });
  await expect(getRunDetail(db, 999_999)).rejects.toThrow('Sync run not found');
});

test('a purge of old runs leaves the one that incremental runs continue', async () => {
  await using setup = await setUpSync(feedRecords(2));
  const { db, sql } = setup.database;
  await setup.run();
  await setup.run({ dryRun: true, kind: 'full' });
  await sql`update sync_runs set started_at = now() - interval '91 days'`;
  expect(await purgeSyncRuns(db, new Date(Date.now() - 90 * dayMs))).toBe(1);
  expect(await setup.run()).toMatchObject({ run: { kind: 'incremental' } });
  expect(await db.$count(syncRuns)).toBe(2);
  expect(await db.$count(syncRunRows)).toBe(2);
});

test('a scheduled run is labeled and ends when its process stops', async () => {
  await using setup = await setUpSync(feedRecords(250));
  const stopping = new AbortController();
  setup.feed.instead = ({ query }) => {
    if (query.get('page') === '2') stopping.abort();
    return false;
  };
  await runScheduledSync(setup.services, 'full', stopping.signal);
  setup.feed.instead = () => false;
  await runScheduledSync(setup.services, 'incremental');
  expect(await listRuns(setup.database.db, 2)).toMatchObject([
    { outcome: 'done', startedBy: 'Schedule', kind: 'full', created: 250 },
    { outcome: 'failed', message: 'The process stopped while it was reading. Nothing was changed.' },
  ]);
});

test('an internal error is thrown and recorded without its text', async () => {
  await using setup = await setUpSync(feedRecords(1));
  await setup.database.sql`alter table providers rename column logo_url to logo`;
  await expect(setup.run()).rejects.toThrow('Failed query');
  const [run] = await listRuns(setup.database.db, 1);
  expect(run).toMatchObject({
    outcome: 'failed',
    message: 'An internal error occurred. See the log. Nothing was changed.',
  });
});
