import { earthRadiusMiles, type GeoPoint } from '#shared/leads/geo.ts';

export { earthRadiusMiles, type GeoPoint, greatCircleMiles } from '#shared/leads/geo.ts';

/**
 * Radius in meters of the sphere of contrib `earthdistance` (`earth()`): the equatorial one, 0.1 % larger than the
 * mean, so its own `earth_distance` returns 0.1 % too much.
 */
const earthdistanceRadiusMetres = 6_378_168;

/** The longest possible chord. */
export const earthdistanceDiameterMetres = 2 * earthdistanceRadiusMetres;

/**
 * The point of `ll_to_earth` as the text of a `cube` (meters from the center of the earth, except for the last digit or
 * two). Computed here, since Postgres would call that function at every occurrence in a statement.
 */
export function earthCube({ latitude, longitude }: GeoPoint): string {
  const [phi, lambda] = [(latitude / 180) * Math.PI, (longitude / 180) * Math.PI];
  const axisDistance = earthdistanceRadiusMetres * Math.cos(phi);
  const x = axisDistance * Math.cos(lambda);
  const y = axisDistance * Math.sin(lambda);
  return `(${x}, ${y}, ${earthdistanceRadiusMetres * Math.sin(phi)})`;
}

/**
 * Miles along the ground for a straight line through the earth, which `cube <->` measures between two `ll_to_earth`
 * points (meters, from 0 to a diameter). The angle of the chord is the same on both spheres; only the radius differs.
 */
export function chordMetresToMiles(chordMetres: number): number {
  return 2 * earthRadiusMiles * Math.asin(Math.min(1, chordMetres / earthdistanceDiameterMetres));
}
