import { earthRadiusMiles, type GeoPoint } from '#shared/leads/geo.ts';

export { earthRadiusMiles, type GeoPoint, greatCircleMiles } from '#shared/leads/geo.ts';

/** Meters. The equatorial radius of contrib `earthdistance`, 0.1 % above the mean: so is its `earth_distance`. */
const earthdistanceRadiusMetres = 6_378_168;

/** The longest possible chord. */
export const earthdistanceDiameterMetres = 2 * earthdistanceRadiusMetres;

/** `ll_to_earth` as `cube` text (meters from the earth's center). Postgres would compute it at every occurrence. */
export function earthCube({ latitude, longitude }: GeoPoint): string {
  const [phi, lambda] = [(latitude / 180) * Math.PI, (longitude / 180) * Math.PI];
  const axisDistance = earthdistanceRadiusMetres * Math.cos(phi);
  const x = axisDistance * Math.cos(lambda);
  const y = axisDistance * Math.sin(lambda);
  return `(${x}, ${y}, ${earthdistanceRadiusMetres * Math.sin(phi)})`;
}

/**
 * Ground miles for a chord in meters between two `ll_to_earth` points: both spheres share the angle, not the radius.
 */
export function chordMetresToMiles(chordMetres: number): number {
  return 2 * earthRadiusMiles * Math.asin(Math.min(1, chordMetres / earthdistanceDiameterMetres));
}
