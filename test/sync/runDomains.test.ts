import { describe, expect, test } from 'vitest';
import { insertProvider } from '#test/support/factories.ts';
import { setUpSync, type SyncSetup } from '#test/support/syncSetup.ts';
import { feedRecord } from '#test/support/wordpressFeed.ts';
import { countsOf } from '#test/support/syncRuns.ts';

describe('domains', () => {
  const at = (id: number, domain: string | false, own: object = {}) =>
    feedRecord(id, { acf: { domain }, ...own });
  const domains = async (setup: SyncSetup) =>
    (await setup.providers()).map(({ wordpressId, domain }) => [wordpressId, domain]);

  test('shared in the data go to the lower id, and the other is skipped by name', async () => {
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

  test('stay with the provider that has them, also against a lower id', async () => {
    await using setup = await setUpSync([at(5, 'x.example')]);
    await setup.run();
    setup.feed.records = [at(1, 'x.example'), at(5, 'x.example')];
    expect(await setup.run({ kind: 'full' })).toMatchObject({
      rows: [{ wordpressId: 1, detail: 'Its domain x.example belongs to “Clinic 5” (WordPress 5).' }],
    });
  });

  test('of local providers are kept if active, not if inactive', async () => {
    await using setup = await setUpSync([at(1, 'here.example'), at(2, 'gone.example')]);
    await insertProvider(setup.database.db, { name: 'Local', domain: 'here.example' });
    await insertProvider(setup.database.db, { name: 'Closed', domain: 'gone.example', status: 'f' });
    const outcome = await setup.run();
    expect(countsOf(outcome)).toMatchObject({ created: 1, skipped: 1 });
    expect(outcome).toMatchObject({
      rows: [{ wordpressId: 1, detail: 'Its domain here.example belongs to “Local”.' }, {}],
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

  test('stay with a provider that can’t change, which blocks the next one', async () => {
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
