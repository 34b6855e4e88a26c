import { type MappedField, mappedFields } from '#server/config/fieldMap.ts';
import { type SyncedColumn, syncedColumns, syncedFields } from '#shared/providers/providerFieldLists.ts';
import { type ProviderField, providerFields } from '#shared/providers/providerFieldTable.ts';
import { sourceMessages as words } from '../messages.ts';
import { SourceError, UnreadableRow } from '../source.ts';
import { type CastingContext, CsvError, parse } from 'csv-parse/sync';
import { removeGuards } from '#shared/formats/text.ts';
import type { TextLine } from './fileText.ts';
import { positiveNumber } from '../fieldValues.ts';

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
function countKnownNames(names: readonly string[]): number {
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

/** The meaning of each column. `id` is the WordPress id, except in our export or beside a column with that id. */
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
function readHeader(cells: readonly string[], ignoreUnknown: boolean): CsvColumns {
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

/** Lines that one row may span. Beyond, a quotation mark isn't closed and would take the rest of the file. */
const rowLinesMax = 100;
const separators = [',', ';', '\t'] as const;
type Separator = (typeof separators)[number];

/** A row's cells. `isBroken`: up to a quotation mark that isn't closed or doubled. */
interface CsvRow {
  line: number;
  cells: string[];
  isBroken: boolean;
}

/** Excel writes `="02139"` for a text that looks like a number. */
const textFormula = /^="((?:[^"]|"")*)"$/;

/** A cell as a person sees it: without what keeps a spreadsheet from reading a number or a formula. */
function cellText(text: string): string {
  const [, quoted] = textFormula.exec(text.trim()) ?? [];
  return quoted === undefined ? removeGuards(text) : quoted.replaceAll('""', '"');
}

type Split = Pick<CsvRow, 'cells'> & { state: 'done' | 'open' | 'broken' };

/** The cells of a row, or those before a wrong quotation mark. Marks inside an unquoted cell are text. */
function splitRow(text: string, separator: Separator): Split {
  const cells: string[] = [];
  const cast = (cell: string, { quoting }: CastingContext): string => {
    cells.push(cellText(quoting ? cell : cell.trim()));
    return cell;
  };
  try {
    parse(text, { delimiter: separator, trim: true, relax_quotes: true, cast });
    return { cells, state: 'done' };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { cells, state: error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'open' : 'broken' };
  }
}

/** Splits lines at single carriage returns, too, which old spreadsheets write. */
async function* allLines(lines: AsyncIterable<TextLine>): AsyncGenerator<TextLine> {
  let added = 0;
  for await (const { number, text } of lines) {
    const parts = text.split(/\r(?!$)/);
    for (const [index, part] of parts.entries()) yield { number: number + added + index, text: part };
    added += parts.length - 1;
  }
}

/** The separator that splits a header into the most known names, or the one that a spreadsheet's `sep=;` names. */
function detectSeparator(line: string, countKnown: (cells: string[]) => number): Separator {
  const counts = separators.map((separator) => {
    const { cells } = splitRow(line, separator);
    return { separator, known: countKnown(cells), count: cells.length };
  });
  const [best] = counts.toSorted((one, other) => other.known - one.known || other.count - one.count);
  return best?.separator ?? ',';
}

const declaration = /^\s*"?sep=([,;\t])"?\s*$/i;

/** What the header says of a file's rows. */
interface Reading {
  /** How many of these names are known. */
  countKnown: (cells: string[]) => number;
  /** Whether cells are surely a row of their own. */
  isRow: (cells: string[]) => boolean;
}

/** The rows of a CSV file that aren't empty, the header first. A wrong quotation mark costs its line only. */
async function* csvRows(
  lines: AsyncIterable<TextLine>,
  { countKnown, isRow }: Reading,
): AsyncGenerator<CsvRow> {
  let separator: Separator | null = null;
  const waiting: TextLine[] = [];
  for await (const line of allLines(lines)) {
    if (separator === null) {
      if (line.text.trim() === '') continue;
      const [, declared] = declaration.exec(line.text) ?? [];
      separator = separators.find((known) => known === declared) ?? detectSeparator(line.text, countKnown);
      if (declared !== undefined) continue;
    }
    waiting.push(line);
    yield* takeRows(waiting, { separator, isRow, isEnd: false });
  }
  if (separator !== null) yield* takeRows(waiting, { separator, isRow, isEnd: true });
}

interface Taking extends Pick<Reading, 'isRow'> {
  separator: Separator;
  isEnd: boolean;
}

/** Removes and returns the rows that the waiting lines complete; at the end of the file, all. */
function* takeRows(waiting: TextLine[], { separator, isRow, isEnd }: Taking): Generator<CsvRow> {
  // A mark that isn't closed, and one that ends a cell of a later row, make one row of both.
  const isOwnRow = ({ text }: TextLine): boolean => {
    const { cells, state } = splitRow(text, separator);
    return state === 'done' && isRow(cells);
  };
  // All waiting lines but the last are known to end inside a quoted cell.
  let count = Math.max(1, waiting.length);
  for (let [first] = waiting; first !== undefined; [first] = waiting) {
    const text = waiting.slice(0, count).map((line) => line.text);
    const { cells, state } = splitRow(text.join('\n'), separator);
    if (state === 'open' && count < Math.min(waiting.length, rowLinesMax)) count += 1;
    else if (state === 'open' && count < rowLinesMax && !isEnd) return;
    else {
      const isBroken = state !== 'done' || waiting.slice(1, count).some(isOwnRow);
      waiting.splice(0, isBroken ? 1 : count);
      count = 1;
      if (isBroken || cells.some((cell) => cell !== '')) yield { line: first.number, cells, isBroken };
    }
  }
}

/** The id of a row that can't be read, if what stands before it are numbers: then no cell before it is cut. */
function readableId({ fields }: CsvColumns, cells: readonly string[]): number | null {
  const before = cells.slice(0, fields.indexOf('wordpress_id') + 1);
  return before.every((cell) => positiveNumber(cell) !== null) ? positiveNumber(before.at(-1)) : null;
}

/** Whether there is one cell for each column. Spreadsheets fill rows with empty cells. */
function fits({ fields }: CsvColumns, cells: readonly string[]): boolean {
  return cells.length >= fields.length && cells.slice(fields.length).every((cell) => cell === '');
}

function toRecord(columns: CsvColumns, { line, cells, isBroken }: CsvRow, replace: boolean): object {
  const { fields } = columns;
  if (isBroken || !fits(columns, cells)) {
    const reason = isBroken ? words.quote(line) : words.cellCount(line, cells.length, fields.length);
    return new UnreadableRow(reason, readableId(columns, cells));
  }
  const given = fields.flatMap((field, at) => (field === null ? [] : [[field, cells[at] ?? '']]));
  const emptied = replace ? columns.absent.map((column) => [column, '']) : [];
  return Object.fromEntries([...emptied, ...given]);
}

/**
 * A CSV file's records with the fields' own names. A bad row costs only itself. Throws SourceError for a bad header.
 */
export async function* csvRecords(
  lines: AsyncIterable<TextLine>,
  {
    ignoreUnknown,
    replace,
    onHeader,
    onRow,
  }: {
    ignoreUnknown: boolean;
    replace: boolean;
    onHeader: (columns: CsvColumns) => void;
    /** Called with the line of each record before it is returned. */
    onRow: (line: number) => void;
  },
): AsyncGenerator<object> {
  let columns: CsvColumns | null = null;
  const isRow = (cells: string[]): boolean =>
    columns !== null &&
    fits(columns, cells) &&
    positiveNumber(cells[columns.fields.indexOf('wordpress_id')]) !== null;
  for await (const row of csvRows(lines, { countKnown: countKnownNames, isRow })) {
    if (columns !== null) {
      onRow(row.line);
      yield toRecord(columns, row, replace);
    } else {
      if (row.isBroken) throw new SourceError(words.quote(row.line));
      columns = readHeader(row.cells, ignoreUnknown);
      onHeader(columns);
    }
  }
  if (columns === null) throw new SourceError(words.noHeader);
}
