import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { PassThrough } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** A row of COPY's text format. */
export type CopyRow = (string | null)[];

const escaped: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
const letters = new Map(Object.entries(escaped).map(([letter, character]) => [character, letter]));

/** Writes a line as COPY TO does, without its end. */
export function formatCopyLine(row: CopyRow): string {
  return row
    .map((field) =>
      field === null
        ? '\\N'
        : field.replace(/[\\\b\f\n\r\t\v]/g, (character) => `\\${letters.get(character) ?? character}`),
    )
    .join('\t');
}

/** Reads a line as COPY TO writes it. */
export function parseCopyLine(line: string): CopyRow {
  return line
    .split('\t')
    .map((field) =>
      field === '\\N'
        ? null
        : field.includes('\\')
          ? field.replace(/\\(.)/gs, (_, letter: string) => escaped[letter] ?? letter)
          : field,
    );
}

/** A literal of a `text[]`. */
export function arrayLiteral(values: readonly (string | null)[]): string {
  const items = values.map((value) =>
    value === null ? 'NULL' : `"${/["\\]/.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`,
  );
  return `{${items.join(',')}}`;
}

const batchRows = 1_000;
const batchCharacters = 4_000_000;

/** Reads a compressed file of COPY's text format in batches, with little memory. */
export async function* readBatches(path: string): AsyncGenerator<CopyRow[]> {
  const text = new PassThrough({ encoding: 'utf8' });
  // Its failure destroys `text`, whose reader gets the error.
  const reading = pipeline(createReadStream(path), createGunzip(), text).catch(() => undefined);
  let rest = '';
  let rows: CopyRow[] = [];
  let characters = 0;
  for await (const chunk of text) {
    const lines = `${rest}${String(chunk)}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      rows.push(parseCopyLine(line));
      characters += line.length;
      if (rows.length < batchRows && characters < batchCharacters) continue;
      yield rows;
      rows = [];
      characters = 0;
    }
  }
  await reading;
  if (rows.length > 0) yield rows;
}
