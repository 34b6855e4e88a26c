import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { GeoPoint } from './distance.ts';
import { sql } from 'drizzle-orm';
import type { Database, Queryable } from '#server/db/connect.ts';
import { zipCentroids, zipEdition } from '#server/db/schema/index.ts';
import { zipInText } from '#shared/leads/zip.ts';

/** The place of a ZIP code: its own center or, if the table lacks it, the center of its three-digit prefix. */
export interface ZipPlace {
  latitude: number;
  longitude: number;
  placement: 'zip' | 'prefix';
}

export interface ZipTable {
  /** The place of a five-digit ZIP code; null for any other text and for a ZIP with an unknown prefix. */
  lookup: (zip5: string) => ZipPlace | null;
  /** The center of a three-digit prefix; null for any other text and for an unknown prefix. */
  findCenter: (prefix: string) => GeoPoint | null;
  /** Every ZIP and every three-digit prefix, for the database's copy (`zip_centroids`). Degrees, four decimals. */
  entries: () => Iterable<[key: string, latitude: number, longitude: number]>;
  /** The file's hash, which identifies its edition. */
  sha256: string;
  /** Number of ZIP codes, without prefixes. */
  count: number;
}

/** The file's unit: ten-thousandths of a degree, 11 meters at most. */
const unitsPerDegree = 10_000;

/** Outside the range of coordinates, so it marks a ZIP that the table lacks. */
const absent = 0x7fff_ffff;

/** Latitudes and longitudes in the file's unit, indexed by the key's number. */
interface Columns {
  latitude: Int32Array;
  longitude: Int32Array;
}

const columns = (length: number): Columns => ({
  latitude: new Int32Array(length).fill(absent),
  longitude: new Int32Array(length).fill(absent),
});

const hash = '#'.charCodeAt(0);
const minus = '-'.charCodeAt(0);
const newline = '\n'.charCodeAt(0);
const space = ' '.charCodeAt(0);
const zero = '0'.charCodeAt(0);

interface ParseResult {
  zips: Columns;
  prefixes: Columns;
  count: number;
}

/**
 * Parses the format of scripts/buildZipTable.ts byte by byte: every start waits, and splitting creates 125,000 strings.
 */
function parse(bytes: Uint8Array): ParseResult {
  const zips = columns(100_000);
  const prefixes = columns(1000);
  let at = 0;
  let count = 0;
  /** Reads the integer at the current position and skips the byte after it. */
  const number = (): number => {
    const sign = bytes[at] === minus ? -1 : 1;
    if (sign === -1) at += 1;
    let value = 0;
    for (let byte = bytes[at]; byte !== undefined && byte >= zero && byte < zero + 10; byte = bytes[at]) {
      value = value * 10 + byte - zero;
      at += 1;
    }
    at += 1;
    return sign * value;
  };
  while (bytes[at] === hash) at = bytes.indexOf(newline, at) + 1;
  while (at < bytes.length) {
    const prefix = number();
    const latitude = number();
    const longitude = number();
    prefixes.latitude[prefix] = latitude;
    prefixes.longitude[prefix] = longitude;
    while (bytes[at - 1] === space) {
      const zip = prefix * 100 + number();
      zips.latitude[zip] = latitude + number();
      zips.longitude[zip] = longitude + number();
      count += 1;
    }
  }
  return { zips, prefixes, count };
}

/** The number with so many digits; -1 for any other text. */
function toDigits(text: string, length: number): number {
  if (text.length !== length) return -1;
  let value = 0;
  for (let index = 0; index < length; index += 1) {
    const digit = text.charCodeAt(index) - zero;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

function placeIn(
  { latitude, longitude }: Columns,
  key: number,
  placement: ZipPlace['placement'],
): ZipPlace | null {
  const [y, x] = [latitude[key] ?? absent, longitude[key] ?? absent];
  return y === absent ? null : { latitude: y / unitsPerDegree, longitude: x / unitsPerDegree, placement };
}

function* listEntries(table: Columns, keyLength: number): Generator<[string, number, number]> {
  for (const [key, latitude] of table.latitude.entries()) {
    if (latitude === absent) continue;
    yield [
      String(key).padStart(keyLength, '0'),
      latitude / unitsPerDegree,
      (table.longitude[key] ?? 0) / unitsPerDegree,
    ];
  }
}

export function parseZipTable(bytes: Uint8Array): ZipTable {
  const { zips, prefixes, count } = parse(bytes);
  return {
    lookup: (zip5) => {
      const zip = toDigits(zip5, 5);
      if (zip === -1) return null;
      return placeIn(zips, zip, 'zip') ?? placeIn(prefixes, Math.floor(zip / 100), 'prefix');
    },
    findCenter: (prefix) => {
      const place = placeIn(prefixes, toDigits(prefix, 3), 'prefix');
      return place === null ? null : { latitude: place.latitude, longitude: place.longitude };
    },
    *entries() {
      yield* listEntries(zips, 5);
      yield* listEntries(prefixes, 3);
    },
    sha256: createHash('sha256').update(bytes).digest('hex'),
    count,
  };
}

let sharedTable: ZipTable | undefined;

/** The table beside this module, read once per process (850 kB of memory). Throws if the file is missing. */
export function loadZipTable(): ZipTable {
  sharedTable ??= parseZipTable(readFileSync(new URL('zipTable.txt', import.meta.url)));
  return sharedTable;
}

interface LoadOptions {
  zipTable: Pick<ZipTable, 'entries' | 'sha256'>;
  /** Runs in the transaction that replaced the centroids. */
  onChange: (tx: Queryable) => Promise<void>;
}

/** Replaces the ZIP table if its edition differs. Of any number of processes, one does it and the others wait. */
export async function loadZipCentroids(db: Database, { zipTable, onChange }: LoadOptions): Promise<void> {
  if (await isLoaded(db, zipTable.sha256)) return;
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${zipEdition} in exclusive mode`);
    if (await isLoaded(tx, zipTable.sha256)) return;
    const entries = [...zipTable.entries()];
    const list = (at: 0 | 1 | 2) => sql`string_to_array(${entries.map((entry) => entry[at]).join()}, ',')`;
    await tx.delete(zipCentroids);
    await tx.execute(sql`
      insert into zip_centroids (zip, latitude, longitude)
      select * from unnest(${list(0)}, ${list(1)}::float8[], ${list(2)}::float8[])`);
    await tx.delete(zipEdition);
    await tx.insert(zipEdition).values({ sha256: zipTable.sha256 });
    await onChange(tx);
  });
}

async function isLoaded(db: Queryable, sha256: string): Promise<boolean> {
  const [loaded] = await db.select().from(zipEdition);
  return loaded?.sha256 === sha256;
}

/** The location of a lead's ZIP: its own center, else its prefix's, else null. */
export function placeOfZip(zipTable: ZipTable, zipCode: string): ZipPlace | null {
  const zip5 = zipInText(zipCode);
  return zip5 === null ? null : zipTable.lookup(zip5);
}

/** The origin of distances as a phrase for staff: '80202', 'the 802 area'. */
export function placeLabel(zipCode: string, { placement }: ZipPlace): string {
  const zip5 = zipInText(zipCode) ?? zipCode;
  return placement === 'zip' ? zip5 : `the ${zip5.slice(0, 3)} area`;
}
