import { type MappedField, mappedFields } from '#server/config/fieldMap.ts';
import { type SyncedColumn, syncedColumns, syncedFields } from '#shared/providers/providerFieldLists.ts';
import { type ProviderField, providerFields } from '#shared/providers/providerFieldTable.ts';
import { sourceMessages as words } from '../messages.ts';
import { SourceError } from '../source.ts';

/** Columns of this product's own exports and lists that an import doesn't set. */
const exportOnly = [
  ...['lead count', 'leads', 'paused', 'match radius miles', 'theme hue', 'has mpxapi', 'is approximate'],
  ...['created at', 'updated at'],
];

/** A plugin's export, known by one of its columns: names that mean something else there, and what it has beside. */
interface Dialect {
  isIts: (keys: readonly string[]) => boolean;
  fields: Readonly<Record<string, MappedField>>;
  unused: readonly string[];
}

const dialects: readonly Dialect[] = [
  // WP Store Locator: the post's id is wpsl_id, and its url is the store's website.
  {
    isIts: (keys) => keys.some((key) => key.startsWith('wpsl')),
    fields: { id: 'wordpress_id', url: 'website' },
    unused: [
      ...['permalink', 'description', 'excerpt', 'author', 'date', 'category', 'tags', 'address 2', 'city'],
      ...['state', 'country', 'country iso', 'fax', 'hours'],
    ],
  },
  // WP Go Maps (WPGMZA): its id is a marker's.
  {
    isIts: (keys) => keys.includes('mapid'),
    fields: {},
    unused: [
      ...['id', 'map id', 'description', 'icon', 'anim', 'infoopen', 'category', 'approved', 'retina'],
      ...['type', 'did', 'sticky', 'other data', 'latlng', 'layergroup'],
    ],
  },
  // WP Maps.
  {
    isIts: (keys) => keys.includes('openhours'),
    fields: {},
    unused: [
      ...['description', 'marker', 'city', 'state', 'country', 'fax', 'open hours'],
      ...['fb url', 'twitter url', 'instagram url', 'youtube url'],
    ],
  },
];

/** A name without what people write differently: case, spaces, hyphens, underscores, a byte order mark. */
function toKey(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

function getField(field: MappedField): ProviderField {
  return field === 'wordpress_id' ? providerFields.wordpress_id : syncedFields[field];
}

const fieldByKey = new Map<string, MappedField>(
  mappedFields.flatMap((field) => {
    const { label, synonyms = [] } = getField(field);
    return [field, label, ...synonyms].map((name) => [toKey(name), field] as const);
  }),
);
const exportOnlyKeys = new Set(exportOnly.map(toKey));

/** How many of these names are a field's. */
export function countKnownNames(names: readonly string[]): number {
  return names.filter((name) => fieldByKey.has(toKey(name)) || toKey(name) === 'id').length;
}

/** A file's columns: the field of each, null for one that isn't imported. */
export interface CsvColumns {
  fields: readonly (MappedField | null)[];
  /** Fields that the file doesn't have. */
  absent: readonly SyncedColumn[];
  /** Names of columns that hold something and aren't imported. */
  leftOut: readonly string[];
}

type Meaning = MappedField | 'unused' | 'exportOnly' | null;

/**
 * The meaning of each column of a header. `id` is the WordPress id only where nothing else can be meant: not in this
 * product's export, nor beside a column with the WordPress id.
 */
function listMeanings(names: readonly string[]): Meaning[] {
  const keys = names.map(toKey);
  const dialect = dialects.find(({ isIts }) => isIts(keys));
  const own = keys.map((key) => (dialect === undefined ? key : key.replace(/^wpsl(?=.)/, '')));
  const unused = new Set(dialect?.unused.map(toKey));
  const meanings = own.map((key): Meaning => {
    if (key === 'id' && dialect === undefined)
      return keys.includes('leadcount') ? 'exportOnly' : 'wordpress_id';
    if (unused.has(key)) return 'unused';
    return dialect?.fields[key] ?? fieldByKey.get(key) ?? (exportOnlyKeys.has(key) ? 'exportOnly' : null);
  });
  const hasOtherId = meanings.some((meaning, at) => meaning === 'wordpress_id' && keys[at] !== 'id');
  return meanings.map((meaning, at) => (hasOtherId && keys[at] === 'id' ? 'exportOnly' : meaning));
}

/** The columns of a header. Throws SourceError for unknown names, unless they are ignored, and for doubled fields. */
export function readHeader(cells: readonly string[], ignoreUnknown: boolean): CsvColumns {
  const names = cells.slice(0, cells.findLastIndex((name) => name !== '') + 1);
  const meanings = listMeanings(names);
  const isField = (meaning: Meaning): meaning is MappedField =>
    meaning !== null && meaning !== 'unused' && meaning !== 'exportOnly';
  const namesWith = (wanted: Meaning) =>
    names.flatMap((name, at) => (meanings[at] === wanted ? [name === '' ? `column ${at + 1}` : name] : []));
  const unknown = namesWith(null);
  if (unknown.length > 0 && !ignoreUnknown) {
    const message = words.unknownColumns(unknown, mappedFields);
    throw new SourceError(names.length === 1 ? `${words.oneColumn} ${message}` : message);
  }
  for (const field of mappedFields) {
    const same = namesWith(field);
    if (same.length > 1) throw new SourceError(words.sameField(same, getField(field).label));
  }
  if (!meanings.includes('wordpress_id')) throw new SourceError(words.noIdColumn);
  return {
    fields: meanings.map((meaning) => (isField(meaning) ? meaning : null)),
    absent: syncedColumns.filter((column) => !meanings.includes(column)),
    leftOut: [...unknown, ...namesWith('unused')],
  };
}
