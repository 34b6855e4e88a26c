import { type SyncedColumn, syncedColumns } from '../db/syncedColumns.ts';

/** A record as a source returns it. */
export type RawRecord = Readonly<Record<string, unknown>>;

/** The path of a column's value in a record: `acf.practice_name`. */
type Path = readonly string[];

export const mappedFields = ['wordpress_id', ...syncedColumns] as const;
export type MappedField = 'wordpress_id' | SyncedColumn;

/** The paths of each field, in the order in which they are tried. */
export type FieldMap = Readonly<Record<MappedField, readonly Path[]>>;
/** Configured paths, which replace WordPress' default ones. */
export type FieldOverrides = Partial<Record<MappedField, string>>;

/** Where WordPress itself stores values that are not custom fields. */
const ownPlaces: Partial<Record<MappedField, { first?: readonly string[]; last?: readonly string[] }>> = {
  name: { first: ['title'] },
  url: { last: ['link'] },
  image_url: { last: ['featured_media'] },
};

/** Names of the specification that differ from the columns'. Files and scripts may use either. */
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
 * The map of a configuration. A configured field is read only there in a WordPress record. The names that files and
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

/**
 * WordPress returns `false` or `""` for an empty value, a list for meta that is not single, and an object for a title.
 */
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

/** A field's first value that is not empty; null if all are. */
export function readField(map: FieldMap, record: RawRecord, field: MappedField): unknown {
  for (const path of map[field]) {
    const value = unwrapped(at(record, path));
    if (!isEmpty(value)) return value;
  }
  return null;
}

/** A record's id. A record whose `wordpress_id` is empty has none: its `id` belongs to something else. */
export function readId(record: RawRecord): unknown {
  return Object.hasOwn(record, 'wordpress_id') ? record['wordpress_id'] : record['id'];
}

/** The first segments of all paths, for WordPress' `_fields`. */
export function topNames(map: FieldMap): string[] {
  return [...new Set(Object.values(map).flatMap((paths) => paths.map(([first = '']) => first)))];
}
