import type { GeoBox } from './providerList.ts';

/** The width of a map tile in degrees: 256 px. */
const tileDegrees = (zoom: number): number => 360 / 2 ** zoom;

/**
 * The view enlarged to the edges of its map tiles. Small moves ask for the same, so responses can be cached, and no
 * request contains the exact middle of a map that shows where its visitor is.
 */
export function roundView({ west, south, east, north }: GeoBox, zoom: number): GeoBox {
  const tile = tileDegrees(zoom);
  const down = (degrees: number): number => Math.floor(degrees / tile) * tile;
  const up = (degrees: number): number => Math.ceil(degrees / tile) * tile;
  return {
    west: Math.max(-180, down(west)),
    south: Math.max(-90, down(south)),
    east: Math.min(180, up(east)),
    north: Math.min(90, up(north)),
  };
}
