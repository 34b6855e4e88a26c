import { type SyncedColumn, syncedColumns, syncedFields } from '#shared/providers/providerFieldLists.ts';

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

function listPaths(field: MappedField, override: string | undefined): Path[] {
  const { first = [], last = [] } = ownPlaces[field] ?? {};
  if (field === 'wordpress_id') return [[field], ['id']];
  // Files and scripts may use the name of the column or that of the API.
  const flat = [...new Set([field, syncedFields[field].name])];
  const places =
    override === undefined
      ? [...first, `acf.${field}`, `meta.${field}`, ...flat, ...last]
      : [override, ...flat];
  return places.map((place) => place.split('.'));
}

/**
 * The map of a configuration. A configured field is read only there in a WordPress record. The names that files and
 * scripts use (`practice_name`, `practiceName`) always count.
 */
export function createFieldMap(overrides: FieldOverrides): FieldMap {
  const entries = mappedFields.map((field) => [field, listPaths(field, overrides[field])] as const);
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

/** Where objects of ACF and WordPress have a field's value, the best first: choice, link, map, post, image. */
const textKeys = ['raw', 'rendered', 'value', 'address', 'title', 'post_title', 'display_name', 'label'];
const urlKeys = ['raw', 'rendered', 'url', 'source_url', 'link', 'permalink', 'guid', 'value'];
const valueKeys: Partial<Record<MappedField, readonly string[]>> = {
  email: ['user_email', ...textKeys],
  zip_code: ['post_code', ...textKeys],
  website: urlKeys,
  url: urlKeys,
  domain: urlKeys,
  booking_url: urlKeys,
  latitude: ['raw', 'rendered', 'value', 'lat'],
  longitude: ['raw', 'rendered', 'value', 'lng'],
  // An image's object is read by the caller: it may have an id only.
  image_url: ['raw', 'rendered'],
  logo_url: ['raw', 'rendered'],
};
/** A link field whose URL is the value: its title is what visitors click. */
const contactScheme = /^(?:tel|mailto):/i;

/** Fields with several values. */
const lists: ReadonlySet<string> = new Set(
  syncedColumns.filter((column) => syncedFields[column].schema.safeParse([]).success),
);

export function isListColumn(column: SyncedColumn): boolean {
  return lists.has(column);
}

/** Deeper objects are no field's value. */
const depthMax = 4;

/** The value inside WordPress' and ACF's ordinary lists and objects; null for an empty one. */
function unwrapped(field: MappedField, given: unknown): unknown {
  let value: unknown = given;
  // Their lists and objects are read by the caller.
  if (field === 'hours' || lists.has(field)) return value;
  for (let depth = 0; depth < depthMax; depth += 1) {
    if (Array.isArray(value)) value = value[0];
    else if (isRecord(value)) {
      const inner = valueIn(field, value);
      if (inner === value) return value;
      value = inner;
    }
  }
  return value;
}

/** The value of an object; null if it is empty; the object itself if it is none that is known. */
function valueIn(field: MappedField, object: RawRecord): unknown {
  const { url } = object;
  if ((field === 'phone' || field === 'email') && typeof url === 'string' && contactScheme.test(url))
    return url.replace(contactScheme, '').split(/[?;]/, 1)[0];
  const keys = (valueKeys[field] ?? textKeys).filter((key) => Object.hasOwn(object, key));
  const key = keys.find((name) => !isEmpty(object[name]));
  if (key !== undefined) return object[key];
  return keys.length > 0 || Object.keys(object).length === 0 ? null : object;
}

/** WordPress and ACF return `false`, `""` or 0 for a value that was never set, and an empty list or object. */
function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === false ||
    value === 0 ||
    (typeof value === 'string' && value.trim() === '') ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  );
}

/** A field's first value that is not empty; null if all are. */
export function readField(map: FieldMap, record: RawRecord, field: MappedField): unknown {
  for (const path of map[field]) {
    const value = unwrapped(field, at(record, path));
    if (!isEmpty(value)) return value;
  }
  return null;
}

/** A field's values as they are in the record, with whether each is in a custom field. */
export function readRaw(
  map: FieldMap,
  record: RawRecord,
  field: MappedField,
): { value: unknown; isCustom: boolean }[] {
  return map[field].map((path) => ({ value: at(record, path), isCustom: path.join('.') !== field }));
}

/** The coordinates of the map field that has a record's address; null without one. */
export function readMapPoint(
  map: FieldMap,
  record: RawRecord,
): { latitude: unknown; longitude: unknown } | null {
  for (const path of map.address) {
    const value = at(record, path);
    if (isRecord(value) && !isEmpty(value['lat']) && !isEmpty(value['lng']))
      return { latitude: value['lat'], longitude: value['lng'] };
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
