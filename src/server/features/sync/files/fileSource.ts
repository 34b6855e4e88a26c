import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { parseUrl } from '#shared/formats/text.ts';
import { minuteMs } from '#shared/formats/time.ts';
import { sourceMessages as words } from '../messages.ts';
import { type CsvColumns, csvRecords } from './csvRecords.ts';
import { jsonElements } from './jsonElements.ts';
import { type RawPage, recordsMax, type Source, SourceError } from '../source.ts';
import { textLines, toUtf8 } from './fileText.ts';

export type FileFormat = 'json' | 'ndjson' | 'csv';

const pageSize = 500;
/** The time limit for fetching the whole file. */
const fetchTimeoutMs = 15 * minuteMs;
/** System error codes of a file that cannot be opened or is a folder. */
const openingCodes = new Set<unknown>(['ENOENT', 'EACCES', 'EPERM', 'EISDIR', 'ENOTDIR', 'EMFILE']);
const noMedia: ReadonlyMap<number, string> = new Map();

/** By extension. Spreadsheets write tabs into .txt and .tsv. */
const formats: Record<string, FileFormat> = {
  ...{ json: 'json', ndjson: 'ndjson', jsonl: 'ndjson' },
  ...{ csv: 'csv', tsv: 'csv', txt: 'csv' },
};

/** The format by the file's extension, without the query. */
export function detectFormat(name: string): FileFormat | null {
  const [, ending = ''] = /\.(\w+)$/.exec(parseUrl(name)?.pathname ?? name) ?? [];
  return formats[ending.toLowerCase()] ?? null;
}

async function* lineRecords(bytes: AsyncIterable<Uint8Array>): AsyncGenerator {
  for await (const { number, text } of textLines(bytes)) {
    if (text.trim() === '') continue;
    try {
      yield JSON.parse(text);
    } catch (error) {
      throw new SourceError(words.badLine(number), { cause: error });
    }
  }
}

async function fetched(url: string, name: string): Promise<Readable> {
  const response = await fetch(url, { signal: AbortSignal.timeout(fetchTimeoutMs) });
  if (!response.ok || response.body === null) throw new SourceError(words.status(name, response.status));
  return Readable.from(response.body);
}

/** System and network errors contain paths and URLs; staff read the file's name and whether any of it was read. */
function toSourceError(error: unknown, name: string, bytes: Readable | null): SourceError {
  if (error instanceof SourceError) return error;
  const isOpen =
    bytes !== null && !(error instanceof Error && 'code' in error && openingCodes.has(error.code));
  return new SourceError(isOpen ? words.cutRead(name) : words.noFile(name), { cause: error });
}

/** How a CSV file is read. */
export interface CsvOptions {
  /** Leaves out columns with unknown names, and reports them. */
  ignoreUnknown: boolean;
  /** Empties the columns that the file doesn't have. */
  replace: boolean;
}

/**
 * Providers of a file or a URL: a JSON array, one JSON object per line, or CSV with a header, read while it arrives. A
 * file that can't be read to its end is refused as a whole, because part of a file looks like all of it.
 */
export function createFileSource(
  place: string,
  format: FileFormat,
  { ignoreUnknown, replace }: CsvOptions = { ignoreUnknown: false, replace: false },
): Source {
  const isAddress = /^https?:\/\//i.test(place);
  const name = basename(parseUrl(place)?.pathname ?? place) || 'The address';
  let columns: CsvColumns | null = null;

  function records(bytes: AsyncIterable<Uint8Array>): AsyncGenerator {
    if (format === 'json') return jsonElements(bytes);
    if (format === 'ndjson') return lineRecords(bytes);
    const onHeader = (found: CsvColumns): void => {
      columns = found;
    };
    return csvRecords(textLines(bytes), { ignoreUnknown, replace, onHeader });
  }

  async function* pages(): AsyncGenerator<RawPage> {
    let found: unknown[] = [];
    let count = 0;
    let bytes: Readable | null = null;
    try {
      bytes = isAddress ? await fetched(place, name) : createReadStream(place);
      for await (const record of records(toUtf8(bytes))) {
        found.push(record);
        count += 1;
        if (count > recordsMax) throw new SourceError(words.tooMany(recordsMax));
        if (found.length < pageSize) continue;
        yield { records: found, media: noMedia };
        found = [];
      }
    } catch (error) {
      throw toSourceError(error, name, bytes);
    } finally {
      bytes?.destroy();
    }
    if (found.length > 0) yield { records: found, media: noMedia };
  }

  return {
    ...{ kind: 'file', base: null, pages, find: null },
    ...{ expectedTotal: () => null, modifiedAt: () => null },
    keptColumns: () => (replace && columns !== null ? [] : columns?.absent),
    notes: () => (columns === null || columns.leftOut.length === 0 ? [] : [words.leftOut(columns.leftOut)]),
  };
}
