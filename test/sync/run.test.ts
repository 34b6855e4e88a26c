import { describe, expect, test, vi } from 'vitest';
import { providers, syncRunRows, syncRuns } from '#server/db/schema/index.ts';
import { getRunDetail, listRuns } from '#server/features/sync/runRecords.ts';
import { runScheduledSync } from '#server/features/sync/wordpressRun.ts';
import type { SyncRun, SyncRunOutcome } from '#shared/admin/sync.ts';
import { insertProvider } from '#test/support/factories.ts';
import { setUpSync, type SyncSetup } from '#test/support/syncSetup.ts';
import { feedRecord, type FeedRecord, sendAs } from '#test/support/wordpressFeed.ts';

const many = (count: number) => Array.from({ length: count }, (_, index) => feedRecord(index + 1));

/** The counts of a run that went through. */
function countsOf(outcome: SyncRunOutcome): Partial<SyncRun> {
  if (!outcome.success) throw new Error(outcome.error);
  const { read, created, updated, unchanged, deactivated, skipped } = outcome.run;
  return { read, created, updated, unchanged, deactivated, skipped };
}

/** Row versions that the table of clinics has seen, by its own statistics, which a session that ends has added to them. */
async function writtenRows({ database: { sql } }: SyncSetup): Promise<number> {
  const sessions = async () =>
    (
      await sql`select 1 from pg_stat_activity where datname = current_database() and application_name like 'sync of %'`
    ).length;
  await vi.waitUntil(async () => (await sessions()) === 0);
  const [row] = await sql<{ n: string }[]>`
    select n_tup_ins + n_tup_upd + n_tup_del as n from pg_stat_user_tables where relname = 'providers'`;
  return Number(row?.n);
}

function change(setup: SyncSetup, id: number, fields: Partial<FeedRecord>): void {
  setup.feed.records = setup.feed.records.map((record) =>
    record.id === id ? { ...record, ...fields } : record,
  );
}

test('a first run creates, a second one writes no row, by the table’s own statistics', async () => {
  await using setup = await setUpSync(many(250));
  const first = await setup.run();
  expect(countsOf(first)).toEqual({
    read: 250,
    created: 250,
    updated: 0,
    unchanged: 0,
    deactivated: 0,
    skipped: 0,
  });
  expect(await setup.providers()).toHaveLength(250);
  expect((await setup.providers())[6]).toMatchObject({
    wordpressId: 7,
    name: 'Clinic 7',
    practiceName: 'Practice 7',
    status: 't',
    latitude: 39.7491,
    domain: 'clinic-7.example.com',
    url: 'https://cms.example/provider/clinic-7/',
    locationSource: 'coordinates',
  });
  const before = await writtenRows(setup);
  const second = await setup.run({ kind: 'full' });
  expect(countsOf(second)).toMatchObject({
    read: 250,
    created: 0,
    updated: 0,
    unchanged: 250,
    deactivated: 0,
  });
  expect(await writtenRows(setup)).toBe(before);
});

test('only what changed is written, and told with the names of its fields', async () => {
  await using setup = await setUpSync(many(30));
  await setup.run();
  change(
    setup,
    3,
    feedRecord(3, {
      title: { rendered: 'New &amp; better' },
      acf: { phone: '303-555-0199', zip_code: '80203' },
    }),
  );
  const before = await writtenRows(setup);
  const outcome = await setup.run({ kind: 'full' });
  expect(countsOf(outcome)).toMatchObject({ updated: 1, unchanged: 29 });
  expect(outcome).toMatchObject({
    rows: [
      { change: 'updated', wordpressId: 3, name: 'New & better', detail: 'name, ZIP code, phone number' },
    ],
  });
  expect(await writtenRows(setup)).toBe(before + 1);
});

test('what staff own of a clinic is never touched', async () => {
  await using setup = await setUpSync(many(1));
  await setup.run();
  const own = { mpxapi: 'sealed', paused: true, matchRadiusMiles: 25, themeHue: 200 };
  await setup.database.db.update(providers).set(own);
  change(setup, 1, feedRecord(1, { title: { rendered: 'Renamed' } }));
  expect(countsOf(await setup.run({ kind: 'full' }))).toMatchObject({ updated: 1 });
  expect(await setup.providers()).toMatchObject([{ ...own, name: 'Renamed' }]);
});

test('a clinic that is gone from a complete crawl turns inactive, keeps its number, and comes back', async () => {
  await using setup = await setUpSync(many(10));
  await setup.run();
  const local = await insertProvider(setup.database.db, { wordpressId: null });
  const ids = (await setup.providers()).map(({ id }) => id);
  setup.feed.records = many(9);
  const outcome = await setup.run({ kind: 'full' });
  expect(countsOf(outcome)).toMatchObject({ deactivated: 1, unchanged: 9 });
  expect(outcome).toMatchObject({ rows: [{ change: 'deactivated', wordpressId: 10, name: 'Clinic 10' }] });
  const statuses = async () =>
    (await setup.providers()).map(({ wordpressId, status }) => [wordpressId, status]);
  expect((await statuses()).slice(8)).toEqual([
    [9, 't'],
    [10, 'f'],
    [null, 't'],
  ]);
  setup.feed.records = many(10);
  expect(countsOf(await setup.run({ kind: 'full' }))).toMatchObject({ updated: 1 });
  expect((await setup.providers()).map(({ id }) => id)).toEqual(ids);
  expect((await setup.providers()).at(-1)).toMatchObject({ id: local.id, status: 't' });
});

test('a clinic that slipped through between two pages is asked for by its number, and stays', async () => {
  await using setup = await setUpSync(many(250));
  await setup.run();
  // While page 1 is read, a clinic on it is trashed: those behind it move up, and one is on no page.
  setup.feed.instead = ({ path, query }) => {
    if (path === 'provider' && query.get('page') === '2')
      setup.feed.records = setup.feed.records.filter(({ id }) => id !== 5);
    return false;
  };
  const outcome = await setup.run({ kind: 'full' });
  expect(countsOf(outcome)).toMatchObject({ deactivated: 0 });
  const asked = setup.feed.asked.filter(({ query }) => query.has('include') && query.get('orderby') === null);
  expect(asked.map(({ query }) => query.get('include'))).toContain('101');
  setup.feed.instead = () => false;
  expect(countsOf(await setup.run({ kind: 'full' }))).toMatchObject({ deactivated: 1, unchanged: 249 });
});

describe('what would lose too many clinics is refused and changes nothing', () => {
  test('an empty answer', async () => {
    await using setup = await setUpSync(many(5));
    await setup.run();
    setup.feed.records = [];
    const before = await writtenRows(setup);
    expect(await setup.run({ kind: 'full' })).toMatchObject({
      success: false,
      error: 'There was not a single clinic. Nothing was changed.',
      run: { outcome: 'refused', read: 0, deactivated: 0 },
    });
    expect(await writtenRows(setup)).toBe(before);
    expect(await setup.run({ kind: 'full', dryRun: true })).toMatchObject({
      success: true,
      run: {
        outcome: 'done',
        dryRun: true,
        deactivated: 5,
        message: expect.stringContaining('not a single clinic'),
      },
    });
    expect(countsOf(await setup.run({ kind: 'full', force: true }))).toMatchObject({ deactivated: 5 });
  });

  test('more than a fifth of them, but not a fifth', async () => {
    await using setup = await setUpSync(many(10));
    await setup.run();
    setup.feed.records = many(7);
    const refused = await setup.run({ kind: 'full' });
    expect(refused).toMatchObject({
      success: false,
      error: 'It would turn 3 of 10 clinics inactive, which is more than 20 %. Nothing was changed.',
      run: { outcome: 'refused' },
    });
    expect((await setup.providers()).every(({ status }) => status === 't')).toBe(true);
    const dry = await setup.run({ kind: 'full', dryRun: true });
    expect(countsOf(dry)).toMatchObject({ deactivated: 3 });
    expect(dry).toMatchObject({ run: { message: expect.stringContaining('3 of 10') } });
    setup.feed.records = many(8);
    expect(countsOf(await setup.run({ kind: 'full' }))).toMatchObject({ deactivated: 2 });
    setup.feed.records = many(4);
    const forced = await setup.run({ kind: 'full', force: true });
    expect(forced).toMatchObject({ run: { forced: true, deactivated: 4 } });
  });

  test('as many in a hundred as are configured', async () => {
    await using setup = await setUpSync(many(10), { SYNC_DEACTIVATION_LIMIT: '50' });
    await setup.run();
    setup.feed.records = many(5);
    expect(countsOf(await setup.run({ kind: 'full' }))).toMatchObject({ deactivated: 5 });
  });

  test('a field of domains that the feed no longer has', async () => {
    await using setup = await setUpSync(many(10));
    await setup.run();
    const without = (count: number) => {
      setup.feed.records = many(10).map((record) =>
        record.id <= count ? feedRecord(record.id, { acf: { domain: '' } }) : record,
      );
    };
    const having = async () => (await setup.providers()).filter(({ domain }) => domain !== null).length;
    without(3);
    const error =
      'It would take the domain from 3 of 10 clinics that have one, which is more than 20 %. Nothing was changed.';
    expect(await setup.run({ kind: 'full' })).toMatchObject({ success: false, error });
    expect(await setup.run({ kind: 'full', dryRun: true })).toMatchObject({
      success: true,
      run: { updated: 3, message: error },
    });
    expect(await having()).toBe(10);
    without(2);
    expect(await setup.run({ kind: 'full' })).toMatchObject({ success: true, run: { updated: 2 } });
    without(10);
    expect(await setup.run({ kind: 'full', force: true })).toMatchObject({ success: true });
    expect(await having()).toBe(0);
  });

  test('by their states in WordPress, in an incremental run', async () => {
    await using setup = await setUpSync(many(4), {
      WORDPRESS_USER: 'sync',
      WORDPRESS_APP_PASSWORD: 'abcd efgh',
    });
    await setup.run();
    setup.feed.records = many(4).map((record) => ({ ...record, status: 'draft' }));
    expect(await setup.run()).toMatchObject({
      success: false,
      run: { kind: 'incremental', outcome: 'refused' },
    });
    change(setup, 1, { status: 'publish' });
    expect(await setup.run({ force: true })).toMatchObject({ success: true, run: { deactivated: 3 } });
  });
});

test('a dry run tells the difference and changes nothing', async () => {
  await using setup = await setUpSync(many(10));
  await setup.run();
  setup.feed.records = [
    ...many(9).slice(1),
    feedRecord(1, { title: { rendered: 'Renamed' } }),
    feedRecord(11),
    feedRecord(12, { acf: { email: '' } }),
  ];
  const before = await writtenRows(setup);
  const outcome = await setup.run({ kind: 'full', dryRun: true });
  expect(countsOf(outcome)).toEqual({
    read: 11,
    created: 1,
    updated: 1,
    unchanged: 8,
    deactivated: 1,
    skipped: 1,
  });
  expect(outcome).toMatchObject({
    rows: [
      { change: 'skipped', wordpressId: 12, name: 'Clinic 12', detail: 'Its e-mail address is missing.' },
      { change: 'deactivated', wordpressId: 10 },
      { change: 'created', wordpressId: 11, name: 'Clinic 11' },
      { change: 'updated', wordpressId: 1, detail: 'name' },
    ],
  });
  expect(await writtenRows(setup)).toBe(before);
  expect(countsOf(await setup.run({ kind: 'full' }))).toEqual(countsOf(outcome));
});

test('a bad clinic stays as it was, and is not taken for gone', async () => {
  await using setup = await setUpSync(many(5));
  await setup.run();
  const before = await setup.providers();
  change(setup, 2, feedRecord(2, { title: { rendered: 'Renamed' }, acf: { zip_code: 'SW1A 1AA' } }));
  expect(countsOf(await setup.run({ kind: 'full' }))).toMatchObject({
    skipped: 1,
    unchanged: 4,
    deactivated: 0,
  });
  expect(await setup.providers()).toEqual(before);
});

test('a number that comes twice counts once, and one without a number keeps all others from being taken for gone', async () => {
  await using setup = await setUpSync(many(10));
  await setup.run();
  setup.feed.records = [
    ...many(9),
    feedRecord(3, { title: { rendered: 'Another' } }),
    { ...feedRecord(99), id: 0 },
  ];
  const outcome = await setup.run({ kind: 'full' });
  expect(countsOf(outcome)).toMatchObject({ skipped: 2, deactivated: 0, updated: 0, unchanged: 9 });
  expect(outcome).toMatchObject({
    run: { message: 'Some had no WordPress number, so no clinic was taken for gone.' },
    rows: [
      {
        wordpressId: 3,
        name: 'Another',
        detail: 'Its WordPress number came before in the same data; the first one counts.',
      },
      { wordpressId: null, detail: 'Its WordPress number is not a whole number above 0.' },
    ],
  });
});

test('a feed that is cut off changes nothing, whatever came before', async () => {
  await using setup = await setUpSync(many(250));
  setup.feed.instead = ({ path, query }, response) =>
    path === 'provider' && query.get('page') === '3' && sendAs(response, 403, {});
  expect(await setup.run()).toMatchObject({
    success: false,
    error: 'Page 3 was refused (HTTP 403).',
    run: { outcome: 'failed', read: 200, created: 0, message: 'Page 3 was refused (HTTP 403).' },
  });
  expect(await setup.providers()).toEqual([]);
});

test('fewer clinics than WordPress told of are said to be so', async () => {
  await using setup = await setUpSync(many(3));
  setup.feed.instead = ({ path, query }, response) =>
    path === 'provider' &&
    query.get('page') === '1' &&
    sendAs(response, 200, setup.feed.records, { 'x-wp-total': '40', 'x-wp-totalpages': '1' });
  expect(await setup.run()).toMatchObject({
    success: true,
    run: { message: 'WordPress told of 40 clinics and gave 3.' },
  });
});

describe('domains', () => {
  const at = (id: number, domain: string | false, own: object = {}) =>
    feedRecord(id, { acf: { domain }, ...own });
  const domains = async (setup: SyncSetup) =>
    (await setup.providers()).map(({ wordpressId, domain }) => [wordpressId, domain]);

  test('two in the same data: the lower number keeps it, the other is skipped with its name', async () => {
    await using setup = await setUpSync([at(2, 'x.example'), at(1, 'www.X.example'), at(3, 'y.example')]);
    const outcome = await setup.run();
    expect(countsOf(outcome)).toMatchObject({ created: 2, skipped: 1 });
    expect(outcome).toMatchObject({
      rows: [
        {
          change: 'skipped',
          wordpressId: 2,
          detail: 'Its domain x.example belongs to “Clinic 1” (WordPress 1).',
        },
        {},
        {},
      ],
    });
    expect(countsOf(await setup.run({ kind: 'full' }))).toMatchObject({
      unchanged: 2,
      skipped: 1,
      created: 0,
    });
  });

  test('one that has it keeps it, also against a lower number', async () => {
    await using setup = await setUpSync([at(5, 'x.example')]);
    await setup.run();
    setup.feed.records = [at(1, 'x.example'), at(5, 'x.example')];
    expect(await setup.run({ kind: 'full' })).toMatchObject({
      rows: [{ wordpressId: 1, detail: 'Its domain x.example belongs to “Clinic 5” (WordPress 5).' }],
    });
  });

  test('an active clinic that is kept here alone has its domain, an inactive one has not', async () => {
    await using setup = await setUpSync([at(1, 'here.example'), at(2, 'gone.example')]);
    await insertProvider(setup.database.db, { name: 'Local', domain: 'here.example' });
    await insertProvider(setup.database.db, { name: 'Closed', domain: 'gone.example', status: 'f' });
    const outcome = await setup.run();
    expect(countsOf(outcome)).toMatchObject({ created: 1, skipped: 1 });
    expect(outcome).toMatchObject({
      rows: [{ wordpressId: 1, detail: 'Its domain here.example belongs to “Local”.' }, {}],
    });
  });

  test('are swapped, handed round and handed down in one run', async () => {
    await using setup = await setUpSync([1, 2, 3, 4, 5, 6, 7, 8, 9].map((id) => at(id, `d${id}.example`)));
    await setup.run();
    setup.feed.records = [
      at(1, 'd2.example'),
      at(2, 'd1.example'),
      at(3, 'd4.example'),
      at(4, 'd5.example'),
      at(5, 'd3.example'),
      at(6, false),
      at(7, 'd6.example'),
      at(8, 'd9.example'),
    ];
    expect(countsOf(await setup.run({ kind: 'full' }))).toMatchObject({
      updated: 8,
      deactivated: 1,
      skipped: 0,
    });
    expect(await domains(setup)).toEqual([
      [1, 'd2.example'],
      [2, 'd1.example'],
      [3, 'd4.example'],
      [4, 'd5.example'],
      [5, 'd3.example'],
      [6, null],
      [7, 'd6.example'],
      [8, 'd9.example'],
      [9, 'd9.example'],
    ]);
  });

  test('who can’t have a domain keeps the old one, and holds up who wants that', async () => {
    await using setup = await setUpSync([at(1, 'a.example'), at(2, 'b.example')]);
    await setup.run();
    await insertProvider(setup.database.db, { name: 'Local', domain: 'c.example' });
    setup.feed.records = [at(1, 'b.example'), at(2, 'c.example')];
    const outcome = await setup.run({ kind: 'full' });
    expect(outcome).toMatchObject({
      success: true,
      rows: [
        { wordpressId: 1, detail: 'Its domain b.example belongs to “Clinic 2” (WordPress 2).' },
        { wordpressId: 2, detail: 'Its domain c.example belongs to “Local”.' },
      ],
    });
    expect((await domains(setup)).slice(0, 2)).toEqual([
      [1, 'a.example'],
      [2, 'b.example'],
    ]);
  });
});

describe('incremental runs', () => {
  test('read what changed since the last one, a little again, and know nothing of absence', async () => {
    await using setup = await setUpSync(many(250));
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

  test('begin at a whole run that went through, not at one that was tried', async () => {
    await using setup = await setUpSync(many(3));
    await setup.run({ dryRun: true });
    expect(await setup.run({ kind: 'incremental' })).toMatchObject({ run: { kind: 'full', created: 3 } });
    expect(await setup.run({ kind: 'incremental' })).toMatchObject({ run: { kind: 'incremental' } });
  });

  test('a clock that is ahead hides nothing', async () => {
    await using setup = await setUpSync([feedRecord(1, { modified_gmt: '2099-01-01T00:00:00' })]);
    await setup.run();
    await setup.run();
    const after = new Date(setup.feed.asked.at(-1)?.query.get('modified_after') ?? '2099-01-01');
    expect(after.getTime()).toBeLessThan(Date.now());
  });

  test('what changes while a crawl goes on is read by the next one', async () => {
    await using setup = await setUpSync(many(250));
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

  test('with an account, what was trashed or unpublished turns inactive, and what never was here stays away', async () => {
    await using setup = await setUpSync(many(10), {
      WORDPRESS_USER: 'sync',
      WORDPRESS_APP_PASSWORD: 'abcd efgh',
    });
    await setup.run();
    change(setup, 1, { status: 'trash' });
    change(setup, 2, { status: 'draft', title: { rendered: '' } });
    setup.feed.records = [...setup.feed.records, feedRecord(11, { status: 'draft' })];
    expect(countsOf(await setup.run())).toMatchObject({ deactivated: 2, created: 0, unchanged: 9 });
    expect((await setup.providers())[1]).toMatchObject({ name: 'Clinic 2', status: 'f' });
  });
});

test('the history tells of every run, with at most a thousand of its rows and whole counts', async () => {
  await using setup = await setUpSync(many(1_200));
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

test('runs of more than ninety days ago are forgotten, but for what incremental ones begin at', async () => {
  await using setup = await setUpSync(many(2));
  const { db, sql } = setup.database;
  await setup.run();
  await setup.run({ dryRun: true, kind: 'full' });
  await sql`update sync_runs set started_at = now() - interval '91 days'`;
  expect(await setup.run()).toMatchObject({ run: { kind: 'incremental' } });
  expect(await db.$count(syncRuns)).toBe(2);
  expect(await db.$count(syncRunRows)).toBe(2);
});

test('without a WordPress site there is nothing to sync from', async () => {
  await using setup = await setUpSync([], { WORDPRESS_URL: '' });
  expect(await setup.run()).toEqual({ success: false, error: 'Provider sync is not configured.', run: null });
  await runScheduledSync(setup.services, 'full');
  expect(await setup.database.db.$count(syncRuns)).toBe(0);
});

test('a scheduled run is named so, and ends while it reads when its process stops', async () => {
  await using setup = await setUpSync(many(250));
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
    { outcome: 'failed', message: 'Its process was stopped while it read. Nothing was changed.' },
  ]);
});

test('a fault of ours is thrown, and written down without its words', async () => {
  await using setup = await setUpSync(many(1));
  await setup.database.sql`alter table providers rename column logo_url to logo`;
  await expect(setup.run()).rejects.toThrow('Failed query');
  const [run] = await listRuns(setup.database.db, 1);
  expect(run).toMatchObject({
    outcome: 'failed',
    message: 'It failed on our side; the log says why. Nothing was changed.',
  });
});
