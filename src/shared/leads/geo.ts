/** A place on the earth's surface, in degrees (WGS 84). */
export interface GeoPoint {
  latitude: number;
  longitude: number;
}

/** Degrees. West of `east`, unless the box contains the date line. */
export interface GeoBox {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** Radius of the sphere every distance here is measured on: the IUGG mean earth radius, 6,371.0088 km. */
export const earthRadiusMiles = 3958.7613;

const radiansPerDegree = Math.PI / 180;

/**
 * Great-circle distance in statute miles on the mean sphere, by the haversine formula. It works at any distance, over
 * the date line and at the poles. The true (ellipsoidal) distance differs by about 0.5 %.
 */
export function greatCircleMiles(from: GeoPoint, to: GeoPoint): number {
  const latitudeHalf = Math.sin(((to.latitude - from.latitude) * radiansPerDegree) / 2);
  const longitudeHalf = Math.sin(((to.longitude - from.longitude) * radiansPerDegree) / 2);
  const haversine =
    latitudeHalf ** 2 +
    Math.cos(from.latitude * radiansPerDegree) *
      Math.cos(to.latitude * radiansPerDegree) *
      longitudeHalf ** 2;
  return 2 * earthRadiusMiles * Math.asin(Math.min(1, Math.sqrt(haversine)));
}

/** The width of a map tile in degrees: 256 px. */
const tileDegrees = (zoom: number): number => 360 / 2 ** zoom;

/** The view enlarged to whole map tiles: responses can be cached, and none says exactly where the visitor is. */
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
