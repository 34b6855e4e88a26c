import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { parseUrl } from '#shared/formats/text.ts';
import { minuteMs } from '#shared/formats/time.ts';
import { sourceMessages as words } from '../messages.ts';
import { type CsvColumns, csvRecords } from './csvRecords.ts';
import { jsonElements } from './jsonElements.ts';
import { type RawPage, recordsMax, type Source, SourceError, UnreadableRow } from '../source.ts';
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

/** A file that was uploaded. */
export interface UploadedFile {
  name: string;
  bytes: Uint8Array;
}

const chunkBytes = 64 * 1024;

/** In pieces, so that reading one doesn't keep the process busy for long. */
function* chunks(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

/**
 * Providers of a file or a URL: a JSON array, one JSON object per line, or CSV with a header, read while it arrives. A
 * file that can't be read to its end is refused as a whole, because part of a file looks like all of it.
 */
export function createFileSource(
  place: string | UploadedFile,
  format: FileFormat,
  { ignoreUnknown, replace }: CsvOptions = { ignoreUnknown: false, replace: false },
): Source {
  const upload = typeof place === 'string' ? null : place;
  const path = typeof place === 'string' ? place : place.name;
  const isAddress = upload === null && /^https?:\/\//i.test(path);
  const name = basename(parseUrl(path)?.pathname ?? path) || 'The address';
  let columns: CsvColumns | null = null;
  let line: number | null = null;

  async function open(): Promise<Readable> {
    if (upload !== null) return Readable.from(chunks(upload.bytes));
    return isAddress ? fetched(path, name) : createReadStream(path);
  }

  function records(bytes: AsyncIterable<Uint8Array>): AsyncGenerator {
    if (format === 'json') return jsonElements(bytes);
    if (format === 'ndjson') return lineRecords(bytes);
    const onHeader = (found: CsvColumns): void => {
      columns = found;
    };
    const onRow = (at: number): void => {
      line = at;
    };
    return csvRecords(textLines(bytes), { ignoreUnknown, replace, onHeader, onRow });
  }

  async function* pages(): AsyncGenerator<RawPage> {
    let found: unknown[] = [];
    let lines: (number | null)[] = [];
    let count = 0;
    const toPage = (): RawPage => ({ records: found, media: noMedia, ...(upload !== null && { lines }) });
    let bytes: Readable | null = null;
    try {
      bytes = await open();
      for await (const record of records(toUtf8(bytes))) {
        found.push(record);
        lines.push(record instanceof UnreadableRow ? null : line);
        count += 1;
        if (count > recordsMax) throw new SourceError(words.tooMany(recordsMax));
        if (found.length < pageSize) continue;
        yield toPage();
        [found, lines] = [[], []];
      }
    } catch (error) {
      throw toSourceError(error, name, bytes);
    } finally {
      bytes?.destroy();
    }
    if (found.length > 0) yield toPage();
  }

  return {
    ...{ kind: 'file', base: null, pages, find: null },
    ...{ expectedTotal: () => null, modifiedAt: () => null },
    keptColumns: () => (replace && columns !== null ? [] : columns?.absent),
    notes: () => (columns === null || columns.leftOut.length === 0 ? [] : [words.leftOut(columns.leftOut)]),
  };
}
