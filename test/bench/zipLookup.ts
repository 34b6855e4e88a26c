import type { ZipTable } from '#server/features/matching/zipTable.ts';
import type { Figure } from './figure.ts';

const rounds = 2_000_000;

/** A ZIP look-up, in nanoseconds, against the same look-up in a plain Map of the same table. */
export function zipLookup(table: ZipTable): Figure {
  const zips = [...table.entries()].map(([key]) => key).filter((key) => key.length === 5);
  const plain = new Map(
    [...table.entries()].map(([key, latitude, longitude]) => [key, { latitude, longitude }]),
  );
  const nanoseconds = (look: (zip: string) => unknown): number => {
    let found = 0;
    const startedAt = performance.now();
    for (let index = 0; index < rounds; index++)
      if (look(zips[(index * 7919) % zips.length] ?? '') !== null) found += 1;
    if (found !== rounds) throw new Error('a ZIP of the table was not found');
    return ((performance.now() - startedAt) * 1e6) / rounds;
  };
  nanoseconds((zip) => table.lookup(zip));
  const baseline = nanoseconds((zip) => plain.get(zip) ?? null);
  return {
    name: 'ZIP look-up',
    measured: nanoseconds((zip) => table.lookup(zip)),
    baseline,
    unit: 'ns',
    against: 'Map.get of the same table',
    bar: { of: 'measured', sign: '<=', value: 1000 },
  };
}
