/** A place on the earth's surface, in degrees (WGS 84). */
export interface GeoPoint {
  latitude: number;
  longitude: number;
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
