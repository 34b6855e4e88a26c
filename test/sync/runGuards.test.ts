import { describe, expect, test } from 'vitest';
import { setUpSync } from '#test/support/syncSetup.ts';
import { feedRecord, sendAs, feedRecords } from '#scripts/demo/wordpressFeed.ts';
import { change, toCounts, writtenRows } from '#test/support/syncRuns.ts';
import { meets } from '#test/support/meets.ts';

test('a provider missed between two pages is requested by its id and stays', async () => {
  await using setup = await setUpSync(feedRecords(250));
  await setup.run();
  // While page 1 is read, a clinic on it is trashed: those behind it move up, and one is on no page.
  setup.feed.instead = ({ path, query }) => {
    if (path === 'provider' && query.get('page') === '2')
      setup.feed.records = setup.feed.records.filter(({ id }) => id !== 5);
    return false;
  };
  const outcome = await setup.run({ kind: 'full' });
  expect(toCounts(outcome)).toMatchObject({ deactivated: 0 });
  const asked = setup.feed.asked.filter(({ query }) => query.has('include') && query.get('orderby') === null);
  expect(asked.map(({ query }) => query.get('include'))).toContain('101');
  setup.feed.instead = () => false;
  expect(toCounts(await setup.run({ kind: 'full' }))).toMatchObject({ deactivated: 1, unchanged: 249 });
});

describe('a run that would lose too many providers changes nothing', () => {
  test('with an empty response', async () => {
    meets('D.sync.13');
    await using setup = await setUpSync(feedRecords(5));
    await setup.run();
    setup.feed.records = [];
    const before = await writtenRows(setup);
    expect(await setup.run({ kind: 'full' })).toMatchObject({
      success: false,
      error: 'No providers were returned. Nothing was changed.',
      run: { outcome: 'refused', read: 0, deactivated: 0 },
    });
    expect(await writtenRows(setup)).toBe(before);
    expect(await setup.run({ kind: 'full', dryRun: true })).toMatchObject({
      success: true,
      run: {
        outcome: 'done',
        dryRun: true,
        deactivated: 5,
        message: expect.stringContaining('No providers were returned'),
      },
    });
    expect(toCounts(await setup.run({ kind: 'full', force: true }))).toMatchObject({ deactivated: 5 });
  });

  test('with more than a fifth missing, but not with a fifth', async () => {
    meets('D.sync.14');
    await using setup = await setUpSync(feedRecords(10));
    await setup.run();
    setup.feed.records = feedRecords(7);
    const refused = await setup.run({ kind: 'full' });
    expect(refused).toMatchObject({
      success: false,
      error: 'It would deactivate 3 of 10 providers, more than 20%. Nothing was changed.',
      run: { outcome: 'refused' },
    });
    expect((await setup.providers()).every(({ status }) => status === 't')).toBe(true);
    const dry = await setup.run({ kind: 'full', dryRun: true });
    expect(toCounts(dry)).toMatchObject({ deactivated: 3 });
    expect(dry).toMatchObject({ run: { message: expect.stringContaining('3 of 10') } });
    setup.feed.records = feedRecords(8);
    expect(toCounts(await setup.run({ kind: 'full' }))).toMatchObject({ deactivated: 2 });
    setup.feed.records = feedRecords(4);
    const forced = await setup.run({ kind: 'full', force: true });
    expect(forced).toMatchObject({ run: { forced: true, deactivated: 4 } });
  });

  test('with more missing than the configured percentage', async () => {
    meets('D.sync.15');
    await using setup = await setUpSync(feedRecords(10), { SYNC_DEACTIVATION_LIMIT: '50' });
    await setup.run();
    setup.feed.records = feedRecords(5);
    expect(toCounts(await setup.run({ kind: 'full' }))).toMatchObject({ deactivated: 5 });
  });

  test('with a feed that lacks the domain field', async () => {
    await using setup = await setUpSync(feedRecords(10));
    await setup.run();
    const without = (count: number) => {
      setup.feed.records = feedRecords(10).map((record) =>
        record.id <= count ? feedRecord(record.id, { acf: { domain: '' } }) : record,
      );
    };
    const having = async () => (await setup.providers()).filter(({ domain }) => domain !== null).length;
    without(3);
    const error =
      'It would remove the domain of 3 of the 10 providers that have one, more than 20%. Nothing was changed.';
    expect(await setup.run({ kind: 'full' })).toMatchObject({ success: false, error });
    expect(await setup.run({ kind: 'full', dryRun: true })).toMatchObject({
      success: true,
      run: { updated: 3, message: `${error} It would empty 3 values: domain 3.` },
    });
    expect(await having()).toBe(10);
    without(2);
    expect(await setup.run({ kind: 'full' })).toMatchObject({ success: true, run: { updated: 2 } });
    without(10);
    expect(await setup.run({ kind: 'full', force: true })).toMatchObject({ success: true });
    expect(await having()).toBe(0);
  });

  test('with states in WordPress, in an incremental run', async () => {
    await using setup = await setUpSync(feedRecords(4), {
      WORDPRESS_USER: 'sync',
      WORDPRESS_APP_PASSWORD: 'abcd efgh',
    });
    await setup.run();
    setup.feed.records = feedRecords(4).map((record) => ({ ...record, status: 'draft' }));
    expect(await setup.run()).toMatchObject({
      success: false,
      run: { kind: 'incremental', outcome: 'refused' },
    });
    change(setup, 1, { status: 'publish' });
    expect(await setup.run({ force: true })).toMatchObject({ success: true, run: { deactivated: 3 } });
  });
});

test('an invalid provider keeps its data and stays active', async () => {
  await using setup = await setUpSync(feedRecords(5));
  await setup.run();
  const before = await setup.providers();
  change(setup, 2, feedRecord(2, { title: { rendered: 'Renamed' }, acf: { zip_code: 'SW1A 1AA' } }));
  expect(toCounts(await setup.run({ kind: 'full' }))).toMatchObject({
    skipped: 1,
    unchanged: 4,
    deactivated: 0,
  });
  expect(await setup.providers()).toEqual(before);
});

test('a repeated id counts once, and a missing id prevents deactivations', async () => {
  await using setup = await setUpSync(feedRecords(10));
  await setup.run();
  setup.feed.records = [
    ...feedRecords(9),
    feedRecord(3, { title: { rendered: 'Another' } }),
    { ...feedRecord(99), id: 0 },
  ];
  const outcome = await setup.run({ kind: 'full' });
  expect(toCounts(outcome)).toMatchObject({ skipped: 2, deactivated: 0, updated: 0, unchanged: 9 });
  expect(outcome).toMatchObject({
    run: { message: 'Some had no WordPress ID, so no provider was deactivated.' },
    rows: [
      {
        wordpressId: 3,
        name: 'Another',
        detail: 'Its WordPress ID appears earlier in the same data. The first one is used.',
      },
      { wordpressId: null, detail: 'Its WordPress ID must be a whole number above 0.' },
    ],
  });
});

test('a truncated feed changes nothing', async () => {
  meets('D.sync.12');
  await using setup = await setUpSync(feedRecords(250));
  const truncated: typeof setup.feed.instead = ({ path, query }, response) =>
    path === 'provider' && query.get('page') === '3' && sendAs(response, 403, {});
  setup.feed.instead = truncated;
  expect(await setup.run()).toMatchObject({
    success: false,
    error: 'Page 3 was refused (HTTP 403).',
    run: { outcome: 'failed', read: 200, created: 0, message: 'Page 3 was refused (HTTP 403).' },
  });
  expect(await setup.providers()).toEqual([]);

  setup.feed.instead = () => false;
  await setup.run({ kind: 'full' });
  setup.feed.instead = truncated;
  expect(await setup.run({ kind: 'full' })).toMatchObject({
    success: false,
    run: { outcome: 'failed', deactivated: 0 },
  });
  expect((await setup.providers()).map(({ status }) => status)).toEqual(
    Array.from({ length: 250 }, () => 't'),
  );
});

test('fewer providers than WordPress announced are reported', async () => {
  await using setup = await setUpSync(feedRecords(3));
  setup.feed.instead = ({ path, query }, response) =>
    path === 'provider' &&
    query.get('page') === '1' &&
    sendAs(response, 200, setup.feed.records, { 'x-wp-total': '40', 'x-wp-totalpages': '1' });
  expect(await setup.run()).toMatchObject({
    success: true,
    run: { message: 'WordPress announced 40 providers and returned 3.' },
  });
});
