import { readFileSync } from 'node:fs';

/** Town and state of a ZIP code, as people write them. */
export interface ZipTown {
  city: string;
  state: string;
}

let lines: ReadonlyMap<string, string> | undefined;

/** By prefix, from the file beside this module (scripts/buildZipTable.ts). Read when the first provider needs it. */
function readLines(): ReadonlyMap<string, string> {
  const text = readFileSync(new URL('zipTowns.txt', import.meta.url), 'utf8');
  return new Map(text.split('\n').map((line) => [line.slice(0, 3), line.slice(4)]));
}

/** The town that a ZIP code belongs to; null for one that the table lacks. */
export function findZipTown(zipCode: string): ZipTown | null {
  if (!/^\d{5}/.test(zipCode)) return null;
  lines ??= readLines();
  const last = zipCode.slice(3, 5);
  for (const entry of lines.get(zipCode.slice(0, 3))?.split(';') ?? []) {
    const [town = '', zips = ''] = entry.split(':');
    const [city, state] = town.split(',');
    if (city === undefined || state === undefined) continue;
    for (let at = 0; at < zips.length; at += 2) if (zips.startsWith(last, at)) return { city, state };
  }
  return null;
}
