import { type SyncedColumn, syncedColumns } from '../db/syncedColumns.ts';

/** A record as a source gives it. */
export type RawRecord = Readonly<Record<string, unknown>>;

/** Where a column's value stands in a record: `acf.practice_name`. */
type Path = readonly string[];

export const mappedFields = ['wordpress_id', ...syncedColumns] as const;
export type MappedField = 'wordpress_id' | SyncedColumn;

/** The places each field is looked for in, first to last. */
export type FieldMap = Readonly<Record<MappedField, readonly Path[]>>;
/** Configured places, which stand for WordPress's own ones. */
export type FieldOverrides = Partial<Record<MappedField, string>>;

/** Where WordPress itself keeps what is no field of the clinic's. */
const ownPlaces: Partial<Record<MappedField, { first?: readonly string[]; last?: readonly string[] }>> = {
  name: { first: ['title'] },
  url: { last: ['link'] },
  image_url: { last: ['featured_media'] },
};

/** Names of the specification that differ from their columns'; files and scripts may use either. */
const otherNames: Partial<Record<MappedField, string>> = {
  practice_name: 'practiceName',
  zip_code: 'zipCode',
};

function pathsOf(field: MappedField, override: string | undefined): Path[] {
  const { first = [], last = [] } = ownPlaces[field] ?? {};
  const flat = [field, otherNames[field]].filter((name) => name !== undefined);
  const places =
    field === 'wordpress_id'
      ? [field, 'id']
      : override === undefined
        ? [...first, `acf.${field}`, `meta.${field}`, ...flat, ...last]
        : [override, ...flat];
  return places.map((place) => place.split('.'));
}

/**
 * The map for a configuration. A field that is configured is read there and nowhere else in a WordPress record; the names that files and
 * scripts use (`practice_name`, `practiceName`) always count.
 */
export function createFieldMap(overrides: FieldOverrides): FieldMap {
  const entries = mappedFields.map((field) => [field, pathsOf(field, overrides[field])] as const);
  return Object.fromEntries(entries) as Record<MappedField, Path[]>;
}

export function isRecord(value: unknown): value is RawRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function at(record: RawRecord, path: Path): unknown {
  let value: unknown = record;
  for (const name of path) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** WordPress says `false` or `""` for what is empty, meta that isn't single is a list, and a title an object. */
function unwrapped(value: unknown): unknown {
  const single: unknown = Array.isArray(value) ? value[0] : value;
  if (!isRecord(single)) return single;
  if ('raw' in single) return single['raw'];
  return 'rendered' in single ? single['rendered'] : single;
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === false ||
    (typeof value === 'string' && value.trim() === '')
  );
}

/** The first value of a field that isn't empty; null where all are. */
export function readField(map: FieldMap, record: RawRecord, field: MappedField): unknown {
  for (const path of map[field]) {
    const value = unwrapped(at(record, path));
    if (!isEmpty(value)) return value;
  }
  return null;
}

/** What a record says of its number. A record that has the field but nothing in it has no number: its `id` is then another's. */
export function readId(record: RawRecord): unknown {
  return Object.hasOwn(record, 'wordpress_id') ? record['wordpress_id'] : record['id'];
}

/** The first names of all places, for WordPress's `_fields`. */
export function topNames(map: FieldMap): string[] {
  return [...new Set(Object.values(map).flatMap((paths) => paths.map(([first = '']) => first)))];
}
