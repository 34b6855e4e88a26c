import { earthRadiusMiles, type GeoPoint, greatCircleMiles } from '#shared/leads/geo.ts';

interface Placed {
  point: GeoPoint;
}

/** A little less than one, so that rounding never ends a search early. */
const milesPerDegree = 0.9999 * earthRadiusMiles * (Math.PI / 180);

/** From south to north, as `findNearest` needs it. */
export function sortNorthward<Town extends Placed>(towns: readonly Town[]): Town[] {
  return towns.toSorted((a, b) => a.point.latitude - b.point.latitude);
}

/**
 * The nearest others of a town, nearest first. Goes south and north from it until no latitude is near enough: some
 * hundred of 30,000 towns, in half a millisecond.
 */
export function findNearest<Town extends Placed>(
  northward: readonly Town[],
  town: Town,
  max: number,
): { town: Town; miles: number }[] {
  const at = northward.indexOf(town);
  const nearest: { town: Town; miles: number }[] = [];
  const reach = (): number => nearest[max - 1]?.miles ?? Infinity;
  for (const step of at === -1 ? [] : [-1, 1])
    for (let index = at + step; ; index += step) {
      const other = northward[index];
      if (other === undefined) break;
      const degrees = Math.abs(other.point.latitude - town.point.latitude);
      if (degrees * milesPerDegree > reach()) break;
      const miles = greatCircleMiles(town.point, other.point);
      if (miles >= reach()) continue;
      nearest.push({ town: other, miles });
      nearest.sort((a, b) => a.miles - b.miles).splice(max);
    }
  return nearest;
}
