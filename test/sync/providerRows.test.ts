import { describe, expect, test } from 'vitest';
import { listAlerts } from '#server/features/alerts/alerts.ts';
import { getRunDetail } from '#server/features/sync/runRecords.ts';
import { UnreadableRow } from '#server/features/sync/source.ts';
import { type SyncedColumn, syncedColumns } from '#shared/providers/providerFieldLists.ts';
import { insertProvider } from '#test/support/factories.ts';
import { collectAlerts, change, flatRecord as flat, toRows } from '#test/support/syncRuns.ts';
import { setUpSync } from '#test/support/syncSetup.ts';
import { feedRecord, feedRecords } from '#scripts/demo/wordpressFeed.ts';

describe('an active provider whose row is skipped', () => {
  test('is named with the reason until its row is read', async () => {
    await using setup = await setUpSync();
    await setup.runFrom(toRows([flat(1), flat(2), flat(3, { status: 'f' })]), { kind: 'rows' });
    const [one, two] = await setup.providers();
    const bad = [
      flat(1, { email: '' }),
      flat(2, { zip_code: '2139' }),
      flat(3, { email: '' }),
      flat(4, { email: '' }),
    ];
    await setup.runFrom(toRows(bad), { kind: 'rows', dryRun: true });
    expect(await collectAlerts(setup)).toEqual([]);
    await setup.runFrom(toRows(bad), { kind: 'rows' });
    const skipped = 'is active with old data: its row was skipped by the provider sync.';
    expect(await collectAlerts(setup)).toEqual([
      ['provider-skipped', String(one?.id), `Clinic 1 ${skipped} Its email address is missing.`],
      [
        'provider-skipped',
        String(two?.id),
        `Clinic 2 ${skipped} “2139” isn’t a five-digit US ZIP code. A spreadsheet may have removed its leading zero.`,
      ],
    ]);
    await setup.runFrom(toRows([flat(1)]), { kind: 'rows' });
    expect((await collectAlerts(setup)).map(([, subject]) => subject)).toEqual([String(two?.id)]);
    await setup.runFrom(toRows([{ wordpress_id: 2, status: 'inactive' }]), { kind: 'rows', force: true });
    expect(await collectAlerts(setup)).toEqual([]);
  });

  test('is no longer named when a complete source lacks it', async () => {
    await using setup = await setUpSync(feedRecords(6));
    await setup.run();
    change(setup, 4, feedRecord(4, { acf: { email: 'none' } }));
    await setup.run({ kind: 'full' });
    expect(await collectAlerts(setup)).toHaveLength(1);
    setup.feed.records = setup.feed.records.filter(({ id }) => id !== 4);
    await setup.run({ kind: 'full' });
    expect(await collectAlerts(setup)).toEqual([]);
  });

  test('is named without what its source wrote in a wrong column', async () => {
    await using setup = await setUpSync();
    await setup.runFrom(toRows([flat(1), flat(2)]), { kind: 'rows' });
    const moved = [flat(1, { zip_code: 'kit@example.com' }), flat(2, { zip_code: '(303) 555-0142' })];
    const outcome = await setup.runFrom(toRows(moved), { kind: 'rows' });
    expect(outcome.success ? outcome.rows.map(({ detail }) => detail) : []).toEqual([
      '“kit@example.com” isn’t a five-digit US ZIP code.',
      '“(303) 555-0142” isn’t a five-digit US ZIP code.',
    ]);
    const texts = (await collectAlerts(setup)).map(([, , message]) => message);
    expect(texts).toHaveLength(2);
    expect(texts.join()).not.toMatch(/kit@|555/);
  });

  test('is one of a hundred that are named; more are counted', async () => {
    await using setup = await setUpSync();
    const all = Array.from({ length: 130 }, (_, index) => flat(index + 1));
    await setup.runFrom(toRows(all), { kind: 'rows' });
    await setup.runFrom(toRows(all.map((record) => ({ ...record, email: '' }))), { kind: 'rows' });
    const { total } = await listAlerts(setup.database.db);
    expect(total).toBe(101);
    await setup.runFrom(toRows(all), { kind: 'rows' });
    expect(await collectAlerts(setup)).toEqual([]);
  });
});

describe('a value that can’t be used', () => {
  const good = {
    ...{
      phone: '303-555-0142',
      website: 'https://c.example.com/',
      google_ads_id: 'AW-123456789',
      domain: 'c.example',
    },
    ...{ accepts_financing: true, practice_name: 'Practice', image_url: 'https://c.example.com/a.png' },
  };
  const bad = {
    ...{
      phone: '3.03555E+09',
      website: 'N/A',
      google_ads_id: 'G-1',
      domain: '203.0.113.7',
      accepts_financing: 'perhaps',
    },
    ...{ practice_name: 'Cl\ufffd', image_url: 'data:,' },
  };
  const stored = {
    ...{ phone: good.phone, website: good.website, googleAdsId: good.google_ads_id, domain: good.domain },
    ...{ acceptsFinancing: true, practiceName: 'Practice', imageUrl: good.image_url },
  };

  test('leaves the stored one, and the rest of the row is stored', async () => {
    await using setup = await setUpSync();
    await setup.runFrom(toRows([flat(1, good)]), { kind: 'rows' });
    const renamed = { name: 'Renamed', email: 'new@example.com' };
    const outcome = await setup.runFrom(toRows([flat(1, { ...bad, ...renamed })]), { kind: 'rows' });
    expect(await setup.providers()).toMatchObject([{ ...stored, ...renamed }]);
    expect(outcome).toMatchObject({
      run: { updated: 1, warned: 1, skipped: 0 },
      rows: [
        { change: 'warned', wordpressId: 1 },
        { change: 'updated', detail: 'name, email address' },
      ],
    });
    const run = outcome.success ? outcome.run.id : 0;
    expect(await getRunDetail(setup.database.db, run)).toMatchObject({
      run: { warned: 1 },
      rows: [{ change: 'warned' }, {}],
    });
    expect(await collectAlerts(setup)).toEqual([]);
  });

  test('leaves a new provider without one', async () => {
    await using setup = await setUpSync();
    await setup.runFrom(toRows([flat(1, bad)]), { kind: 'rows' });
    expect(await setup.providers()).toMatchObject([
      {
        status: 't',
        phone: null,
        website: null,
        googleAdsId: null,
        domain: null,
        acceptsFinancing: false,
        practiceName: null,
      },
    ]);
  });

  test('is removed where an earlier version stored it, and an empty one empties', async () => {
    await using setup = await setUpSync();
    await setup.runFrom(toRows([flat(1, good), flat(2, { ...good, domain: '' })]), {
      kind: 'rows',
    });
    await setup.database
      .sql`update providers set phone = '3.03555E+09', practice_name = ${'Cl\ufffd'} where wordpress_id = 1`;
    const empty = Object.fromEntries(Object.keys(good).map((column) => [column, '']));
    await setup.runFrom(toRows([flat(1, bad), flat(2, empty)]), { kind: 'rows' });
    expect(await setup.providers()).toMatchObject([
      { phone: null, practiceName: null, website: good.website },
      { phone: null, practiceName: null, website: null, acceptsFinancing: false },
    ]);
  });
});

test('columns that a source lacks keep values, but no coordinates of another region', async () => {
  await using setup = await setUpSync();
  const place = { latitude: 39.7491, longitude: -104.9946 };
  await setup.runFrom(
    toRows([flat(1, { ...place, phone: '303-555-0142' }), flat(2, place), flat(3, { status: 'f' })]),
    { kind: 'rows' },
  );
  const kept: SyncedColumn[] = ['latitude', 'longitude', 'phone', 'status', 'accepts_financing'];
  const records = [
    flat(1, { zip_code: '80203', name: 'Renamed' }),
    flat(2, { zip_code: '10001' }),
    flat(3),
    flat(4),
  ];
  await setup.runFrom(toRows(records, kept), { kind: 'rows' });
  expect(await setup.providers()).toMatchObject([
    { name: 'Renamed', zipCode: '80203', ...place, phone: '303-555-0142', status: 't' },
    { zipCode: '10001', latitude: null, longitude: null, locationSource: 'zip' },
    { status: 'f' },
    { status: 't', phone: null },
  ]);
});

test('a source without required columns changes the others, and creates nobody', async () => {
  await using setup = await setUpSync();
  await setup.runFrom(toRows([flat(1, { address: '1 Street' }), flat(2), flat(3)]), { kind: 'rows' });
  const absent = syncedColumns.filter((column) => column !== 'phone' && column !== 'status');
  const records = [
    { wordpress_id: 1, phone: '303-555-0142' },
    { wordpress_id: 2, phone: 'soon' },
    { wordpress_id: 3, status: 'closed' },
    { wordpress_id: 4, phone: '303-555-0143' },
  ];
  const outcome = await setup.runFrom(toRows(records, absent), { kind: 'rows', force: true });
  expect(outcome).toMatchObject({
    run: { created: 0, updated: 1, unchanged: 1, deactivated: 1, skipped: 1, warned: 1 },
  });
  expect(outcome.success ? outcome.rows[0] : null).toEqual({
    change: 'skipped',
    wordpressId: 4,
    name: null,
    detail: 'Its name is missing.',
  });
  expect(await setup.providers()).toMatchObject([
    { name: 'Clinic 1', address: '1 Street', zipCode: '80202', phone: '303-555-0142', status: 't' },
    { name: 'Clinic 2', email: 'clinic-2@example.com', phone: null, status: 't' },
    { name: 'Clinic 3', status: 'f' },
  ]);
});

test('a row that its file’s reader refuses is skipped with the reason', async () => {
  await using setup = await setUpSync();
  await setup.runFrom(toRows([flat(1)]), { kind: 'rows' });
  const outcome = await setup.runFrom(toRows([new UnreadableRow('It has 3 cells.', 1)]), { kind: 'rows' });
  expect(outcome).toMatchObject({ rows: [{ change: 'skipped', wordpressId: 1, detail: 'It has 3 cells.' }] });
  expect((await collectAlerts(setup)).map(([kind]) => kind)).toEqual(['provider-skipped']);
});

describe('a provider that is only here', () => {
  test('makes the row with its email and ZIP wait for staff', async () => {
    await using setup = await setUpSync();
    const { db } = setup.database;
    const local = await insertProvider(db, {
      name: 'Local',
      email: 'Twin@example.com',
      zipCode: '80202',
      wordpressId: null,
    });
    const records = [
      flat(1, { email: 'twin@example.com' }),
      flat(2, { email: 'twin@example.com', zip_code: '80203' }),
      flat(3),
    ];
    for (let runs = 0; runs < 2; runs += 1) {
      const outcome = await setup.runFrom(toRows(records), { kind: 'full' });
      expect(outcome).toMatchObject({ run: { warned: 1, deactivated: 0, unchanged: runs * 3 } });
      expect(await setup.providers()).toMatchObject([
        { wordpressId: 1, status: 'f', waitsForId: local.id },
        { wordpressId: 2, status: 't', waitsForId: null },
        { wordpressId: 3, status: 't', waitsForId: null },
        { wordpressId: null, status: 't', name: 'Local' },
      ]);
    }
    expect(await collectAlerts(setup)).toEqual([
      ['provider-unconfirmed', expect.any(String), expect.stringContaining('Clinic 1 of the provider sync')],
    ]);
  });
});
