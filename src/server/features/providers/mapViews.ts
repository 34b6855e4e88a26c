import { type ProviderPoint, type MapView, type MapViewInput } from '#shared/providers/mapView.ts';
import { roundView, type GeoBox } from '#shared/leads/geo.ts';
import { wholeListMax } from '#shared/providers/providerList.ts';
import type { Sql } from '#server/db/connect.ts';
import {
  cellDegrees,
  type MapCell,
  cellsIn,
  coarser,
  gridZoom,
  joinOverlapping,
  toShown,
} from './mapGrid.ts';
import { LRUCache } from 'lru-cache';
import type { DatabaseGate } from '#server/db/withTimeout.ts';
import type { TenantDirectory } from '#server/tenant/site.ts';
import { cacheUntilChange } from '#server/cache/caches.ts';

/** The active providers of each cell of a zoom. One statement over providers_active_point_idx. */
async function listCells(sql: Sql, zoom: number, box?: GeoBox): Promise<MapCell[]> {
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
async function listPoints(sql: Sql, box: GeoBox, limit: number): Promise<ProviderPoint[]> {
  const { west, south, east, north } = box;
  return sql<ProviderPoint[]>`
    select id::float8 as id, latitude::float8 as latitude, longitude::float8 as longitude from providers
    where status = 't' and latitude between ${south} and ${north} and longitude between ${west} and ${east}
    limit ${limit}`;
}

/** Up to this zoom, clusters come from a grid in memory (cells of 50 by 40 miles). Closer, pins come from the index. */
const gridZoomMax = 7;
/** As many pins as a browser gets of a network that it has whole. Only a closer view of more has clusters. */
const pinsMax = wholeListMax;
/** Pins and clusters of all close views in memory, some 50 MB. */
const viewSizeMax = 250_000;

type Shown = Omit<MapView, 'total'>;

export interface MapViews {
  /**
   * What a map shows of the active providers that have coordinates. A wide view may be some seconds behind a change
   * while others are made; a close one follows at once. Throws SERVICE_UNAVAILABLE without a database.
   */
  get: (input: MapViewInput) => Promise<MapView>;
  /** Reads the grid of a large network early: a first visitor would wait a few seconds for a million providers. */
  warm: () => Promise<void>;
}

interface Options {
  sql: Sql;
  reads: DatabaseGate;
  tenants: Pick<TenantDirectory, 'revision' | 'stats'>;
}

/** The cells by zoom, from 0 to `gridZoomMax`. */
function toLevels(cells: readonly MapCell[]): MapCell[][] {
  const levels = [[...cells]];
  for (let zoom = gridZoomMax - 1; zoom >= 0; zoom -= 1) levels.unshift(coarser(levels[0] ?? [], zoom));
  return levels;
}

export function createMapViews({ sql, reads, tenants }: Options): MapViews {
  const { revision } = tenants;
  const grid = cacheUntilChange({
    load: async () => toLevels(await listCells(sql, gridZoomMax)),
    revision,
    servesStale: true,
  });
  const views = new LRUCache<string, { revision: number; shown: Shown }>({
    maxSize: viewSizeMax,
    sizeCalculation: ({ shown }) => 1 + shown.pins.length + shown.clusters.length,
  });

  async function wideView(box: GeoBox, zoom: number): Promise<Shown> {
    const levels = await grid.get();
    return toShown(joinOverlapping(cellsIn(levels[zoom] ?? [], box), zoom));
  }

  async function closeView(box: GeoBox, zoom: number): Promise<Shown> {
    const pins = await listPoints(sql, box, pinsMax + 1);
    if (pins.length <= pinsMax) return { clusters: [], pins };
    return toShown(joinOverlapping(await listCells(sql, zoom, box), zoom));
  }

  return {
    async warm() {
      if (tenants.stats().providers > wholeListMax) await grid.get();
    },
    async get({ zoom: asked, ...view }) {
      const box = roundView(view, asked);
      const zoom = gridZoom(box, asked);
      const total = tenants.stats().providers;
      if (zoom <= gridZoomMax) return { total, ...(await wideView(box, zoom)) };
      const key = JSON.stringify([zoom, box]);
      const at = revision();
      const known = views.get(key);
      if (known !== undefined && known.revision === at) return { total, ...known.shown };
      const shown = await reads.ask(() => closeView(box, zoom));
      if (at !== null) views.set(key, { revision: at, shown });
      return { total, ...shown };
    },
  };
}
