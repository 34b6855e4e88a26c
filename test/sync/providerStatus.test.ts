import { describe, expect, test } from 'vitest';
import { pushProviders } from '#server/features/sync/pushProviders.ts';
import {
  collectAlerts,
  change,
  toCounts,
  flatRecord as flat,
  toRows,
  listStatuses,
} from '#test/support/syncRuns.ts';
import { setUpSync } from '#test/support/syncSetup.ts';
import { feedRecord, feedRecords } from '#scripts/demo/wordpressFeed.ts';

const account = { WORDPRESS_USER: 'sync', WORDPRESS_APP_PASSWORD: 'abcd efgh' };

describe('an inactive provider at its source is deactivated, even if its row is invalid', () => {
  const faulty = { email: '', zip_code: 'x', website: 'N/A', latitude: 'y', longitude: 'z', name: '' };

  test('by a file', async () => {
    await using setup = await setUpSync();
    await setup.runFrom(toRows([flat(1), flat(2), flat(3)]), { kind: 'rows' });
    const records = [
      flat(1, { ...faulty, status: 'f' }),
      flat(2, { email: '', status: ' Closed ' }),
      flat(3),
    ];
    const outcome = await setup.runFrom(toRows(records), { kind: 'rows', force: true });
    expect(toCounts(outcome)).toMatchObject({ deactivated: 2, skipped: 0, unchanged: 1 });
    expect(outcome).toMatchObject({
      run: { warned: 2 },
      rows: [
        {
          change: 'warned',
          wordpressId: 1,
          detail: '“x” isn’t a five-digit US ZIP code. It is deactivated all the same.',
        },
        {
          change: 'warned',
          wordpressId: 2,
          detail: 'Its email address is missing. It is deactivated all the same.',
        },
        { change: 'deactivated', wordpressId: 1 },
        { change: 'deactivated', wordpressId: 2 },
      ],
    });
    expect(await listStatuses(setup)).toBe('fft');
  });

  test('by a script, with a warning instead of a skip', async () => {
    await using setup = await setUpSync();
    const push = (records: readonly object[]) =>
      pushProviders(setup.services, records, { startedBy: 'Test' });
    await push([flat(1), flat(2)]);
    const [one] = await setup.providers();
    expect(await push([{ wordpress_id: 1, status: 'off' }, flat(2, { phone: '303-555-0142' })])).toEqual([
      {
        wordpress_id: 1,
        result: 'updated',
        id: one?.id,
        reason: null,
        warnings: ['Its ZIP code is missing. It is deactivated all the same.'],
      },
      { wordpress_id: 2, result: 'updated', id: expect.any(Number), reason: null },
    ]);
    expect(await listStatuses(setup)).toBe('ft');
  });

  test('by a choice in WordPress', async () => {
    await using setup = await setUpSync(feedRecords(6));
    await setup.run();
    change(
      setup,
      2,
      feedRecord(2, { acf: { status: { value: 'inactive', label: 'Inactive' }, zip_code: '' } }),
    );
    expect(toCounts(await setup.run({ kind: 'full' }))).toMatchObject({ deactivated: 1, skipped: 0 });
    expect(await listStatuses(setup)).toBe('tftttt');
  });

  test('by a later row of the same data', async () => {
    await using setup = await setUpSync();
    await setup.runFrom(toRows([flat(1), flat(2)]), { kind: 'rows' });
    await setup.runFrom(toRows([flat(1), flat(2), flat(1, { status: 'no' })]), { kind: 'rows', force: true });
    expect(await listStatuses(setup)).toBe('ft');
  });
});

describe('a status field of WordPress that is false or 0', () => {
  const withStatus = (values: readonly unknown[]) =>
    values.map((status, index) =>
      feedRecord(index + 1, { acf: { status, ...(index === 1 && { zip_code: '' }) } }),
    );

  test('is no status where no row says 1 or true', async () => {
    await using setup = await setUpSync(withStatus([false, false, 0, { value: 0, label: '' }, [false], 0]));
    setup.feed.records = setup.feed.records.filter(({ id }) => id !== 2);
    await setup.run();
    expect(await listStatuses(setup)).toBe('ttttt');
  });

  test('means inactive where a row says 1 or true, also for a row that can’t be used', async () => {
    await using setup = await setUpSync(feedRecords(6));
    await setup.run();
    setup.feed.records = withStatus([true, false, 0, 1, '1', true]);
    const outcome = await setup.run({ kind: 'full', force: true });
    expect(toCounts(outcome)).toMatchObject({ deactivated: 2, skipped: 0 });
    expect(await listStatuses(setup)).toBe('tffttt');
    expect(await collectAlerts(setup)).toEqual([]);
  });

  test('means in a later run of changes what it meant in the last full one', async () => {
    await using setup = await setUpSync(withStatus([true, true, true, true, true, true]).slice(2), account);
    await setup.run();
    change(setup, 3, feedRecord(3, { acf: { status: 0 }, modified_gmt: '2026-06-02T10:00:00' }));
    setup.feed.records = setup.feed.records.filter(({ id }) => id === 3);
    expect(toCounts(await setup.run({ force: true }))).toMatchObject({ read: 1, deactivated: 1 });
    expect(await listStatuses(setup)).toBe('fttt');
    // Its phone is corrected: it stays inactive.
    change(
      setup,
      3,
      feedRecord(3, { acf: { status: false, phone: '303-555-0199' }, modified_gmt: '2026-06-03T10:00:00' }),
    );
    await setup.run();
    expect(await listStatuses(setup)).toBe('fttt');
  });

  test('skips a row that can’t be used where it is no status', async () => {
    await using setup = await setUpSync(feedRecords(3));
    await setup.run();
    setup.feed.records = withStatus([false, 0, false]);
    expect(toCounts(await setup.run({ kind: 'full' }))).toMatchObject({ skipped: 1, deactivated: 0 });
    expect(await collectAlerts(setup)).toEqual([
      ['provider-skipped', expect.any(String), expect.stringContaining('Clinic 2 is active with old data')],
    ]);
  });
});

test('a status that nobody knows changes no status, and is named until it is known', async () => {
  await using setup = await setUpSync();
  await setup.runFrom(toRows([flat(1), flat(2, { status: 'f' })]), { kind: 'rows' });
  const asleep = [1, 2, 3].map((id) => flat(id, { status: 'Asleep', name: `Renamed ${id}` }));
  const outcome = await setup.runFrom(toRows(asleep), { kind: 'rows' });
  expect(outcome).toMatchObject({ run: { created: 1, updated: 2, skipped: 0, warned: 3 } });
  expect(await setup.providers()).toMatchObject([
    { name: 'Renamed 1', status: 't' },
    { name: 'Renamed 2', status: 'f' },
    { name: 'Renamed 3', status: 'f' },
  ]);
  const ids = (await setup.providers()).map(({ id }) => String(id));
  expect(await collectAlerts(setup)).toEqual(
    ids.map((id, index) => [
      'provider-status-unknown',
      id,
      `Renamed ${index + 1}: Its status “Asleep” isn’t recognized, so its status was not changed.`,
    ]),
  );
  await setup.runFrom(toRows([flat(1), { wordpress_id: 2, status: 'closed' }]), { kind: 'rows' });
  expect((await collectAlerts(setup)).map(([, subject]) => subject)).toEqual(ids.slice(2));
});
