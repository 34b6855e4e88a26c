import { readFileSync } from 'node:fs';

/** Town and state of a ZIP code, as people write them. */
export interface ZipTown {
  city: string;
  state: string;
}

interface TownZips extends ZipTown {
  /** The last two digits of its ZIP codes with a prefix, one after another. */
  zips: string;
}

/** By prefix: the text until a provider needs one of its towns. */
let towns: Map<string, string | TownZips[]> | undefined;

/** From the file beside this module (scripts/buildZipTable.ts). */
function readTowns(): Map<string, string> {
  const text = readFileSync(new URL('zipTowns.txt', import.meta.url), 'utf8');
  return new Map(text.split('\n').map((line) => [line.slice(0, 3), line.slice(4)]));
}

function listTowns(prefix: string): TownZips[] {
  towns ??= readTowns();
  const listed = towns.get(prefix) ?? [];
  if (typeof listed !== 'string') return listed;
  const parsed = listed.split(';').map((entry): TownZips => {
    const [, city = '', state = '', zips = ''] = /^(.*),(.*):(.*)$/.exec(entry) ?? [];
    return { city, state, zips };
  });
  towns.set(prefix, parsed);
  return parsed;
}

/** The town that a ZIP code belongs to; null for one that the table lacks. */
export function findZipTown(zipCode: string): ZipTown | null {
  if (!/^\d{5}/.test(zipCode)) return null;
  const last = zipCode.slice(3, 5);
  for (const { city, state, zips } of listTowns(zipCode.slice(0, 3)))
    for (let at = 0; at < zips.length; at += 2) if (zips.startsWith(last, at)) return { city, state };
  return null;
}
