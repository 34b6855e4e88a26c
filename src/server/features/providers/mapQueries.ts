import type { ProviderPoint } from '#shared/providers/mapView.ts';
import type { GeoBox } from '#shared/providers/providerList.ts';
import type { Sql } from '#server/db/connect.ts';
import { cellDegrees, type MapCell } from './mapGrid.ts';

/** The active providers of each cell of a zoom. One statement over providers_active_point_idx. */
export async function listCells(sql: Sql, zoom: number, box?: GeoBox): Promise<MapCell[]> {
  const size = cellDegrees(zoom);
  const { west, south, east, north } = box ?? { west: -180, south: -90, east: 180, north: 90 };
  return sql<MapCell[]>`
    select count(*)::int as count, avg(latitude) as latitude, avg(longitude) as longitude, min(id)::float8 as id,
      min(longitude) as west, min(latitude) as south, max(longitude) as east, max(latitude) as north
    from (
      select id, latitude::float8, longitude::float8 from providers
      where status = 't' and latitude between ${south} and ${north} and longitude between ${west} and ${east}
    ) placed
    group by floor((longitude + 180) / ${size}::float8), floor((latitude + 90) / ${size}::float8)`;
}

/** The active providers in a box, `limit` at most. */
export async function listPoints(sql: Sql, box: GeoBox, limit: number): Promise<ProviderPoint[]> {
  const { west, south, east, north } = box;
  return sql<ProviderPoint[]>`
    select id::float8 as id, latitude::float8 as latitude, longitude::float8 as longitude from providers
    where status = 't' and latitude between ${south} and ${north} and longitude between ${west} and ${east}
    limit ${limit}`;
}
