import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { parseUrl } from '#shared/formats/parseUrl.ts';
import { minuteMs } from '#shared/formats/time.ts';
import { sourceMessages as words } from '#server/features/sync/messages.ts';
import { jsonElements } from './jsonElements.ts';
import { type RawPage, recordsMax, type Source, SourceError } from './source.ts';

export type FileFormat = 'json' | 'ndjson' | 'csv';

const pageSize = 500;
const mebibyte = 1024 * 1024;
const recordBytesMax = 32 * mebibyte;
const newline = 0x0a;
/** The time limit for fetching the whole file. */
const fetchTimeoutMs = 15 * minuteMs;
/** System error codes of a file that cannot be opened or is a folder. */
const openingCodes = new Set<unknown>(['ENOENT', 'EACCES', 'EPERM', 'EISDIR', 'ENOTDIR', 'EMFILE']);
const noMedia: ReadonlyMap<number, string> = new Map();

/** The format by the file's extension, without the query. */
export function formatOf(name: string): FileFormat | null {
  const [, ending = ''] = /\.(\w+)$/.exec(parseUrl(name)?.pathname ?? name) ?? [];
  const formats: Record<string, FileFormat> = { json: 'json', ndjson: 'ndjson', jsonl: 'ndjson', csv: 'csv' };
  return formats[ending.toLowerCase()] ?? null;
}

/** Lines with their numbers, from 1. Not by node:readline, which neither limits a line nor forwards errors. */
async function* byteLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<[number: number, text: string]> {
  let pending: Uint8Array[] = [];
  let [size, number] = [0, 1];
  const taken = (): [number, string] => {
    const text = Buffer.concat(pending).toString('utf8');
    pending = [];
    size = 0;
    number += 1;
    return [number - 1, text];
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      pending.push(chunk.subarray(start, end));
      start = end + 1;
      yield taken();
    }
    pending.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > recordBytesMax)
      throw new SourceError(words.tooLarge(`Line ${number}`, recordBytesMax / mebibyte));
  }
  yield taken();
}

async function* lineRecords(chunks: AsyncIterable<Uint8Array>): AsyncGenerator {
  for await (const [number, line] of byteLines(chunks)) {
    const text = line.replace(/^\uFEFF/, '').trim();
    if (text === '') continue;
    try {
      yield JSON.parse(text);
    } catch (error) {
      throw new SourceError(words.badLine(number), { cause: error });
    }
  }
}

async function* csvRecords(bytes: Readable): AsyncGenerator {
  const options = {
    bom: true,
    columns: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: recordBytesMax,
  };
  const parser = parse(options);
  // `pipe` forwards no error: without this, an unreadable file would never end.
  bytes.on('error', (error) => parser.destroy(error));
  try {
    for await (const record of bytes.pipe(parser)) yield record;
  } catch (error) {
    throw error instanceof CsvError ? new SourceError(words.badCsv(error.message), { cause: error }) : error;
  } finally {
    bytes.destroy();
  }
}

const readers: Record<FileFormat, (bytes: Readable) => AsyncGenerator> = {
  json: jsonElements,
  ndjson: lineRecords,
  csv: csvRecords,
};

async function fetched(url: string, name: string): Promise<Readable> {
  const response = await fetch(url, { signal: AbortSignal.timeout(fetchTimeoutMs) });
  if (!response.ok || response.body === null) throw new SourceError(words.status(name, response.status));
  return Readable.from(response.body);
}

/**
 * Errors of the system and the network contain paths and URLs. Staff read the file's name and whether any of it was
 * read.
 */
function sourceErrorOf(error: unknown, name: string, bytes: Readable | null): SourceError {
  if (error instanceof SourceError) return error;
  const isOpen =
    bytes !== null && !(error instanceof Error && 'code' in error && openingCodes.has(error.code));
  return new SourceError(isOpen ? words.cutRead(name) : words.noFile(name), { cause: error });
}

/**
 * Providers of a file or a URL: a JSON array, one JSON object per line, or CSV with a header, read while it arrives. A
 * file with an error is refused as a whole, because part of a file looks like all of it.
 */
export function createFileSource(place: string, format: FileFormat): Source {
  const isAddress = /^https?:\/\//i.test(place);
  const name = basename(parseUrl(place)?.pathname ?? place) || 'The address';

  async function* pages(): AsyncGenerator<RawPage> {
    let records: unknown[] = [];
    let count = 0;
    let bytes: Readable | null = null;
    try {
      bytes = isAddress ? await fetched(place, name) : createReadStream(place);
      for await (const record of readers[format](bytes)) {
        records.push(record);
        count += 1;
        if (count > recordsMax) throw new SourceError(words.tooMany(recordsMax));
        if (records.length < pageSize) continue;
        yield { records, media: noMedia };
        records = [];
      }
    } catch (error) {
      throw sourceErrorOf(error, name, bytes);
    }
    if (records.length > 0) yield { records, media: noMedia };
  }

  return { kind: 'file', base: null, pages, find: null, expectedTotal: () => null, modifiedAt: () => null };
}
