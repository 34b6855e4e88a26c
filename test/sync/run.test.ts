import { expect, test } from 'vitest';
import { providers, syncRuns } from '#server/db/schema/index.ts';
import { runScheduledSync } from '#server/features/sync/wordpressRun.ts';
import { insertProvider } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import { setUpSync } from '#test/support/syncSetup.ts';
import { feedRecord, feedRecords, sendAs } from '#scripts/demo/wordpressFeed.ts';
import { change, toCounts, writtenRows } from '#test/support/syncRuns.ts';

test('a first run creates providers, and a second one writes no row', async () => {
  meets('D.sync.01 D.sync.09');
  await using setup = await setUpSync(feedRecords(250));
  const first = await setup.run();
  expect(toCounts(first)).toEqual({
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
  expect(toCounts(second)).toMatchObject({
    read: 250,
    created: 0,
    updated: 0,
    unchanged: 250,
    deactivated: 0,
  });
  expect(await writtenRows(setup)).toBe(before);
});

test('only changed providers are written, with the names of their fields', async () => {
  meets('D.sync.09 D.sync.18');
  await using setup = await setUpSync(feedRecords(30));
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
  expect(toCounts(outcome)).toMatchObject({ updated: 1, unchanged: 29 });
  expect(outcome).toMatchObject({
    rows: [
      { change: 'updated', wordpressId: 3, name: 'New & better', detail: 'name, ZIP code, phone number' },
    ],
  });
  expect(await writtenRows(setup)).toBe(before + 1);
});

test('fields that staff own are never changed', async () => {
  await using setup = await setUpSync(feedRecords(1));
  await setup.run();
  const own = { mpxapi: 'sealed', paused: true, matchRadiusMiles: 25, themeHue: 200 };
  await setup.database.db.update(providers).set(own);
  change(setup, 1, feedRecord(1, { title: { rendered: 'Renamed' } }));
  expect(toCounts(await setup.run({ kind: 'full' }))).toMatchObject({ updated: 1 });
  expect(await setup.providers()).toMatchObject([{ ...own, name: 'Renamed' }]);
});

test('a provider missing from a full run becomes inactive, and returns with its id', async () => {
  meets('P4.state.26 D.sync.06 D.sync.11');
  await using setup = await setUpSync(feedRecords(10));
  await setup.run();
  const local = await insertProvider(setup.database.db, { wordpressId: null });
  const ids = (await setup.providers()).map(({ id }) => id);
  setup.feed.records = feedRecords(9);
  const outcome = await setup.run({ kind: 'full' });
  expect(toCounts(outcome)).toMatchObject({ deactivated: 1, unchanged: 9 });
  expect(outcome).toMatchObject({ rows: [{ change: 'deactivated', wordpressId: 10, name: 'Clinic 10' }] });
  const statuses = async () =>
    (await setup.providers()).map(({ wordpressId, status }) => [wordpressId, status]);
  expect((await statuses()).slice(8)).toEqual([
    [9, 't'],
    [10, 'f'],
    [null, 't'],
  ]);
  setup.feed.records = feedRecords(10);
  expect(toCounts(await setup.run({ kind: 'full' }))).toMatchObject({ updated: 1 });
  expect((await setup.providers()).map(({ id }) => id)).toEqual(ids);
  expect((await setup.providers()).at(-1)).toMatchObject({ id: local.id, status: 't' });
});

test('with a closed list of pictures, a run keeps pictures and counts everything else', async () => {
  await using setup = await setUpSync(feedRecords(10).map((record) => ({ ...record, featured_media: 31 })));
  const image = 'https://cms.example/31.jpg';
  setup.feed.media = [{ id: 31, source_url: image }];
  await setup.run();
  setup.feed.instead = ({ path }, response) => path === 'media' && sendAs(response, 401, {});
  change(setup, 1, feedRecord(1, { featured_media: 32, title: { rendered: 'Renamed' } }));
  change(setup, 2, feedRecord(2, { featured_media: 31, acf: { status: 'inactive' } }));
  change(setup, 3, feedRecord(3));
  setup.feed.records.pop();
  setup.feed.records.push(feedRecord(11, { featured_media: 33 }));
  const outcome = await setup.run({ kind: 'full' });
  expect(toCounts(outcome)).toEqual({
    ...{ read: 10, created: 1, updated: 2, unchanged: 6, deactivated: 2, skipped: 0 },
  });
  expect(outcome.run?.message).toBe(
    'Pictures were not read: The list of pictures was refused (HTTP 401). Providers keep those that they have. ' +
      'It emptied 1 value: picture 1.',
  );
  const rows = await setup.providers();
  expect(rows.map(({ status }) => status).join('')).toBe('tftttttttft');
  expect(rows[0]).toMatchObject({ name: 'Renamed', imageUrl: image });
  expect(rows.map(({ imageUrl }) => imageUrl)).toEqual([image, image, null, ...Array(7).fill(image), null]);
});

test('a dry run reports the differences and changes nothing', async () => {
  meets('D.sync.16 D.sync.17');
  await using setup = await setUpSync(feedRecords(10));
  await setup.run();
  setup.feed.records = [
    ...feedRecords(9).slice(1),
    feedRecord(1, { title: { rendered: 'Renamed' } }),
    feedRecord(11),
    feedRecord(12, { acf: { email: '' } }),
  ];
  const before = await writtenRows(setup);
  const outcome = await setup.run({ kind: 'full', dryRun: true });
  expect(toCounts(outcome)).toEqual({
    read: 11,
    created: 1,
    updated: 1,
    unchanged: 8,
    deactivated: 1,
    skipped: 1,
  });
  expect(outcome).toMatchObject({
    rows: [
      { change: 'skipped', wordpressId: 12, name: 'Clinic 12', detail: 'Its email address is missing.' },
      { change: 'deactivated', wordpressId: 10 },
      { change: 'created', wordpressId: 11, name: 'Clinic 11' },
      { change: 'updated', wordpressId: 1, detail: 'name' },
    ],
  });
  expect(await writtenRows(setup)).toBe(before);
  expect(toCounts(await setup.run({ kind: 'full' }))).toEqual(toCounts(outcome));
});

test('a run that skipped every row says so, with the reasons, and is done', async () => {
  await using setup = await setUpSync([
    feedRecord(1, { acf: { email: '' } }),
    feedRecord(2, { acf: { email: '' } }),
    feedRecord(3, { acf: { zip_code: 'none' } }),
  ]);
  const message =
    'All 3 rows were skipped: Its email address is missing. “none” isn’t a five-digit US ZIP code.';
  expect(await setup.run({ kind: 'full' })).toMatchObject({
    success: true,
    run: { outcome: 'done', read: 3, skipped: 3, message },
  });
  setup.feed.records = feedRecords(2);
  expect(await setup.run({ kind: 'full' })).toMatchObject({ success: true, run: { message: null } });
});

test('without a WordPress site, a sync is not configured', async () => {
  await using setup = await setUpSync([], { WORDPRESS_URL: '' });
  expect(await setup.run()).toEqual({ success: false, error: 'Provider sync is not configured.', run: null });
  await runScheduledSync(setup.services, 'full');
  expect(await setup.database.db.$count(syncRuns)).toBe(0);
});
