import type { MapCluster, ProviderPoint } from '#shared/providers/mapView.ts';
import type { GeoBox } from '#shared/leads/geo.ts';

/** Circles are at least so many pixels apart, about the width of a large one. */
export const clusterSizePx = 56;

/** Providers of one cell of a grid over longitude and latitude. */
export interface MapCell extends GeoBox {
  count: number;
  /** The mean of their coordinates. */
  latitude: number;
  longitude: number;
  /** One of the providers: the only one if the count is 1. */
  id: number;
}

/** The width and height of a cell in degrees: 64 px, and more in latitude. Cells of a zoom are four of the next. */
export const cellDegrees = (zoom: number): number => 90 / 2 ** zoom;

/** A response has at most so many cells in a row, whatever the view. */
const cellsMax = 48;

/** The zoom at which a box has few enough cells: the asked one, unless the box is larger than a screen. */
export function gridZoom({ west, east, south, north }: GeoBox, zoom: number): number {
  const degrees = Math.max(east - west, north - south);
  return degrees === 0 ? zoom : Math.min(zoom, Math.floor(Math.log2((90 * cellsMax) / degrees)));
}

function union(one: MapCell, other: MapCell): MapCell {
  const count = one.count + other.count;
  const mean = (a: number, b: number): number => (a * one.count + b * other.count) / count;
  return {
    count,
    latitude: mean(one.latitude, other.latitude),
    longitude: mean(one.longitude, other.longitude),
    id: Math.min(one.id, other.id),
    west: Math.min(one.west, other.west),
    south: Math.min(one.south, other.south),
    east: Math.max(one.east, other.east),
    north: Math.max(one.north, other.north),
  };
}

/** The cells of a zoom from those of a higher one. */
export function coarser(cells: readonly MapCell[], zoom: number): MapCell[] {
  const size = cellDegrees(zoom);
  const cellsInRow = 2 ** 30;
  const merged = new Map<number, MapCell>();
  for (const cell of cells) {
    const key =
      Math.floor((cell.latitude + 90) / size) * cellsInRow + Math.floor((cell.longitude + 180) / size);
    const known = merged.get(key);
    merged.set(key, known === undefined ? cell : union(known, cell));
  }
  return [...merged.values()];
}

export function cellsIn(cells: readonly MapCell[], { west, south, east, north }: GeoBox): MapCell[] {
  return cells.filter(
    ({ longitude, latitude }) =>
      longitude >= west && longitude <= east && latitude >= south && latitude <= north,
  );
}

/** Joins cells whose circles would overlap: providers on both sides of an edge. The largest stay where they are. */
export function joinOverlapping(cells: readonly MapCell[], zoom: number): MapCell[] {
  const degreesPerPx = 360 / (256 * 2 ** zoom);
  const joined: MapCell[] = [];
  for (const cell of cells.toSorted((a, b) => b.count - a.count || a.id - b.id)) {
    const reach = degreesPerPx * clusterSizePx;
    const at = joined.findIndex(({ longitude, latitude }) => {
      const dx = longitude - cell.longitude;
      // Degrees of latitude are longer on the map, the more so toward the poles.
      const dy = (latitude - cell.latitude) / Math.cos((latitude * Math.PI) / 180);
      return dx * dx + dy * dy < reach * reach;
    });
    const near = joined[at];
    if (near === undefined) joined.push(cell);
    else joined[at] = { ...union(near, cell), latitude: near.latitude, longitude: near.longitude };
  }
  return joined;
}

/** Pins for cells with one provider, circles for the others. */
export function toShown(cells: readonly MapCell[]): { clusters: MapCluster[]; pins: ProviderPoint[] } {
  const clusters: MapCluster[] = [];
  const pins: ProviderPoint[] = [];
  for (const { id, count, latitude, longitude, west, south, east, north } of cells) {
    if (count === 1) pins.push({ id, latitude, longitude });
    else clusters.push({ count, latitude, longitude, west, south, east, north });
  }
  return { clusters, pins };
}
