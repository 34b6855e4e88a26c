import { earthRadiusMiles, type GeoPoint } from '#shared/leads/geo.ts';

export { earthRadiusMiles, type GeoPoint, greatCircleMiles } from '#shared/leads/geo.ts';

/**
 * Radius in metres of the sphere on which contrib `earthdistance` places its points (`earth()`): the equatorial one, 0.1 % larger than
 * the mean, so its own `earth_distance` would answer 0.1 % too much.
 */
const earthdistanceRadiusMetres = 6_378_168;

/** The longest chord there is. */
export const earthdistanceDiameterMetres = 2 * earthdistanceRadiusMetres;

/**
 * Where `ll_to_earth` puts a point, as the text of a `cube` (metres from the earth's centre, to the last digit or two). Worked out here, since
 * Postgres would call that function anew wherever a statement names it.
 */
export function earthCube({ latitude, longitude }: GeoPoint): string {
  const [phi, lambda] = [(latitude / 180) * Math.PI, (longitude / 180) * Math.PI];
  const axisDistance = earthdistanceRadiusMetres * Math.cos(phi);
  const x = axisDistance * Math.cos(lambda);
  const y = axisDistance * Math.sin(lambda);
  return `(${x}, ${y}, ${earthdistanceRadiusMetres * Math.sin(phi)})`;
}

/**
 * Miles over the ground for a straight line through the earth, which is what `cube <->` measures between two `ll_to_earth` points
 * (metres, 0 to a diameter). The angle the chord spans is the same on both spheres; only the radius changes.
 */
export function chordMetresToMiles(chordMetres: number): number {
  return 2 * earthRadiusMiles * Math.asin(Math.min(1, chordMetres / earthdistanceDiameterMetres));
}
