import { z } from 'zod';
import { areasMax, type Demand, type InsightsRange } from '#shared/admin/insights.ts';
import type { Queryable } from '../../db/connect.ts';
import { readRows } from '#server/db/readRows.ts';
import type { Services } from '#server/services.ts';
import { chordMetresToMiles, type GeoPoint } from '../matching/distance.ts';
import { addUp, cameThatDay, rangeDays, readFigures } from './rangeDays.ts';

const areaCount = z.object({ zip3: z.string().nullable(), leads: z.number() });

/** An area with known coordinates. */
interface ZipPlace {
  zip3: string;
  point: GeoPoint;
}

/**
 * Where leads without a provider live, most leads first (then by number), `listedMax` areas at most, each with the
 * nearest active provider, also paused. The totals include all areas. Throws SERVICE_UNAVAILABLE after ten seconds.
 */
export function demand(
  { db, zipTable }: Pick<Services, 'db' | 'zipTable'>,
  range: InsightsRange,
  listedMax = areasMax,
): Promise<Demand> {
  return readFigures(db, async (tx) => {
    const counts = await countAreas(tx, range);
    const areas = counts.flatMap(({ zip3, leads }) => (zip3 === null ? [] : [{ zip3, leads }]));
    const shown = areas
      .slice(0, listedMax)
      .map((area) => ({ ...area, point: zipTable.findCenter(area.zip3) }));
    const nearest = await nearestProviders(
      tx,
      shown.flatMap(({ zip3, point }) => (point === null ? [] : [{ zip3, point }])),
    );
    return {
      total: addUp(counts, 'leads'),
      areaCount: areas.length,
      areas: shown.map((area) => ({ ...area, nearestProvider: nearest.get(area.zip3) ?? null })),
      unplaced: counts.find(({ zip3 }) => zip3 === null)?.leads ?? 0,
    };
  });
}

/** Leads by the first three digits of their ZIP; null without a ZIP. Read from `leads_unmatched_idx` only. */
function countAreas(tx: Queryable, range: InsightsRange): Promise<z.infer<typeof areaCount>[]> {
  return readRows(tx, areaCount)`
    select left(zip5, 3) as zip3, count(*)::int as leads from ${rangeDays(range)} join leads on ${cameThatDay} and leads.provider_id is null
    group by 1 order by 2 desc, 1`;
}

const nearestRow = z.object({ zip3: z.string(), name: z.string(), chordMetres: z.number() });

/** The nearest active provider of each area, of equally near ones the lowest id (`providers_active_location_idx`). */
async function nearestProviders(
  tx: Queryable,
  areas: readonly ZipPlace[],
): Promise<Map<string, { name: string; miles: number }>> {
  const points = areas.map(({ zip3, point }) => ({ zip3, ...point }));
  const rows = await readRows(tx, nearestRow)`
    select areas.zip3, nearest.name, nearest.metres as "chordMetres"
    from json_to_recordset(${JSON.stringify(points)}::json) as areas (zip3 text, latitude float8, longitude float8)
    cross join lateral (
      select name, location <-> ll_to_earth(areas.latitude, areas.longitude) as metres from providers
      where status = 't' and location is not null order by metres, id limit 1
    ) as nearest`;
  return new Map(
    rows.map(({ zip3, name, chordMetres }) => [zip3, { name, miles: chordMetresToMiles(chordMetres) }]),
  );
}
