import { describe, expect, test } from 'vitest';
import { insertProvider } from '#test/support/factories.ts';
import { setUpSync, type SyncSetup } from '#test/support/syncSetup.ts';
import { feedRecord } from '#scripts/demo/wordpressFeed.ts';
import { toCounts } from '#test/support/syncRuns.ts';

describe('domains', () => {
  const at = (id: number, domain: string | false, own: object = {}) =>
    feedRecord(id, { acf: { domain }, ...own });
  const domains = async (setup: SyncSetup) =>
    (await setup.providers()).map(({ wordpressId, domain }) => [wordpressId, domain]);

  test('shared in the data go to the lower id, and the other has none, with a warning', async () => {
    await using setup = await setUpSync([at(2, 'x.example'), at(1, 'www.X.example'), at(3, 'y.example')]);
    const outcome = await setup.run();
    expect(toCounts(outcome)).toMatchObject({ created: 3, skipped: 0 });
    expect(outcome).toMatchObject({
      run: { warned: 1 },
      rows: [
        {
          change: 'warned',
          wordpressId: 2,
          detail: 'Its domain x.example belongs to “Clinic 1” (WordPress 1). It was left out.',
        },
        {},
        {},
        {},
      ],
    });
    expect(await domains(setup)).toEqual([
      [1, 'x.example'],
      [2, null],
      [3, 'y.example'],
    ]);
    expect(toCounts(await setup.run({ kind: 'full' }))).toMatchObject({
      unchanged: 3,
      created: 0,
      updated: 0,
    });
  });

  test('stay with the provider that has them, also against a lower id', async () => {
    await using setup = await setUpSync([at(5, 'x.example')]);
    await setup.run();
    setup.feed.records = [at(1, 'x.example'), at(5, 'x.example')];
    expect(await setup.run({ kind: 'full' })).toMatchObject({
      rows: [
        {
          wordpressId: 1,
          detail: 'Its domain x.example belongs to “Clinic 5” (WordPress 5). It was left out.',
        },
        { change: 'created', wordpressId: 1 },
      ],
    });
  });

  test('of local providers are kept if active, not if inactive', async () => {
    await using setup = await setUpSync([at(1, 'here.example'), at(2, 'gone.example')]);
    await insertProvider(setup.database.db, { name: 'Local', domain: 'here.example' });
    await insertProvider(setup.database.db, { name: 'Closed', domain: 'gone.example', status: 'f' });
    const outcome = await setup.run();
    expect(toCounts(outcome)).toMatchObject({ created: 2, skipped: 0 });
    expect(outcome).toMatchObject({
      rows: [
        { wordpressId: 1, detail: 'Its domain here.example belongs to “Local”. It was left out.' },
        {},
        {},
      ],
    });
  });

  test('are swapped, rotated and passed on in one run', async () => {
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
    expect(toCounts(await setup.run({ kind: 'full' }))).toMatchObject({
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

  test('stay with a provider that can’t change, which blocks the next one', async () => {
    await using setup = await setUpSync([at(1, 'a.example'), at(2, 'b.example')]);
    await setup.run();
    await insertProvider(setup.database.db, { name: 'Local', domain: 'c.example' });
    setup.feed.records = [at(1, 'b.example', { title: { rendered: 'Renamed' } }), at(2, 'c.example')];
    const outcome = await setup.run({ kind: 'full' });
    expect(outcome).toMatchObject({
      success: true,
      rows: [
        {
          wordpressId: 1,
          detail: 'Its domain b.example belongs to “Clinic 2” (WordPress 2). It was left out.',
        },
        { wordpressId: 2, detail: 'Its domain c.example belongs to “Local”. It was left out.' },
        { change: 'updated', wordpressId: 1, name: 'Renamed', detail: 'name' },
      ],
    });
    expect((await domains(setup)).slice(0, 2)).toEqual([
      [1, 'a.example'],
      [2, 'b.example'],
    ]);
  });

  test('of an inactive provider go to another one before it returns without it', async () => {
    await using setup = await setUpSync([1, 2, 3, 4, 5].map((id) => at(id, `d${id}.example`)));
    await setup.run();
    setup.feed.records = [1, 2, 3, 4].map((id) => at(id, `d${id}.example`));
    await setup.run({ kind: 'full' });
    setup.feed.records = [at(1, 'd5.example'), ...setup.feed.records.slice(1)];
    await setup.run({ kind: 'full' });
    setup.feed.records = [...setup.feed.records, at(5, 'd5.example', { title: { rendered: 'Back' } })];
    expect(await setup.run({ kind: 'full' })).toMatchObject({
      success: true,
      run: { updated: 1, warned: 1 },
    });
    expect((await setup.providers()).at(-1)).toMatchObject({ name: 'Back', status: 't', domain: null });
  });
});
