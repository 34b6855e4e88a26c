import { describe, expect, test } from 'vitest';
import { areasMax } from '#shared/admin/insights.ts';
import { createReplicaReads } from '#server/db/replicaReads.ts';
import { createLog } from '#server/log.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertLeads } from '#test/support/leadRows.ts';
import { testDb } from '#test/support/testDb.ts';
import { insightsCsv } from '../exports/insightsCsv.ts';
import { greatCircleMiles } from '../matching/distance.ts';
import { loadZipTable } from '../matching/zipTable.ts';
import { demand } from './demand.ts';
import { createInsightReads } from './insightReads.ts';

describe('demand', () => {
  test('an area has its center and nearest active provider, an unknown area neither', async () => {
    await using own = await testDb();
    const services = { db: own.db, zipTable: loadZipTable() };
    const range = { from: '2026-06-01', to: '2026-06-01' };
    await insertLeads(own.db, [
      { zipCode: '80202' },
      { zipCode: '80299' },
      { zipCode: '10016' },
      { zipCode: '00000' },
    ]);
    const denver = services.zipTable.findCenter('802');
    const noProvider = await demand(services, range);
    expect(noProvider).toEqual({
      total: 4,
      areaCount: 3,
      areas: [
        { zip3: '802', leads: 2, point: denver, nearestProvider: null },
        { zip3: '000', leads: 1, point: null, nearestProvider: null },
        { zip3: '100', leads: 1, point: services.zipTable.findCenter('100'), nearestProvider: null },
      ],
      unplaced: 0,
    });
    await insertProvider(own.db, { zipCode: '80202', status: 'f' });
    await insertProvider(own.db, { zipCode: '00001', latitude: null, longitude: null });
    await insertProvider(own.db, { zipCode: '60601', name: 'Far Quay' });
    await insertProvider(own.db, {
      name: 'Near Quay',
      paused: true,
      latitude: 40.5,
      longitude: -105,
      matchRadiusMiles: 1,
    });
    const { areas } = await demand(services, range);
    const miles = denver === null ? 0 : greatCircleMiles(denver, { latitude: 40.5, longitude: -105 });
    expect(areas[0]?.nearestProvider).toEqual({ name: 'Near Quay', miles: expect.closeTo(miles, 6) });
    expect(areas.map(({ zip3, nearestProvider }) => [zip3, nearestProvider?.name])).toEqual([
      ['802', 'Near Quay'],
      ['000', undefined],
      ['100', 'Far Quay'],
    ]);
  });

  test('areas beyond the limit are counted and appear in the file only', async () => {
    await using own = await testDb();
    const zipTable = loadZipTable();
    const prefixes = [...zipTable.entries()].flatMap(([key]) => (key.length === 3 ? [key] : []));
    const chosen = prefixes.slice(0, areasMax + 5);
    await insertLeads(
      own.db,
      [...chosen, ...chosen.slice(-2)].map((prefix) => ({ zipCode: `${prefix}01` })),
    );
    const insightReads = createInsightReads(
      createReplicaReads({ primary: own.db, replica: null, log: createLog('silent') }),
      1,
    );
    const services = { db: own.db, zipTable, limits: { insightReads } };
    const range = { from: '2026-06-01', to: '2026-06-01' };
    const { areas, total, areaCount } = await demand(services, range);
    expect([total, areaCount]).toEqual([areasMax + 7, areasMax + 5]);
    let file = '';
    for await (const chunk of insightsCsv(services, { figure: 'demand', ...range })) file += chunk;
    // The header, and the empty text after the last line break.
    expect(file.split('\r\n')).toHaveLength(areasMax + 5 + 2);
    expect(areas.map(({ zip3 }) => zip3)).toEqual([...chosen.slice(-2), ...chosen.slice(0, areasMax - 2)]);
  });
});
