import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  arrayLiteral,
  type CopyRow,
  formatCopyLine,
  parseCopyLine,
  readBatches,
} from '#scripts/backup/copyText.ts';
import { testDb } from '#test/support/testDb.ts';

const tricky = ['', '\\N', 'a\tb', '\n', '\r\n', '\\', '"', '{1,2}', 'NULL', '\u2028', '🏥', null];
const field = fc.option(fc.oneof(fc.constantFrom(...tricky), fc.string({ unit: 'binary' })));

test('a row survives COPY’s text format, on one line', () => {
  fc.assert(
    fc.property(fc.array(field, { minLength: 1 }), (row) => {
      const line = formatCopyLine(row);
      expect(line).not.toContain('\n');
      expect(parseCopyLine(line)).toEqual(row);
    }),
  );
});

test('Postgres reads a literal of an array as the same texts', async () => {
  await using database = await testDb({ max: 1 });
  const [row] = await database.sql<{ line: string }[]>`
    select string_agg(coalesce(value, 'null'), '|') as line from unnest(${arrayLiteral(tricky)}::text::text[]) as value`;
  expect(row?.line).toBe(tricky.map((value) => value ?? 'null').join('|'));
});

test('a file is read in batches with all rows', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'copy-text-'));
  try {
    const rows = Array.from({ length: 2_500 }, (_, at) => [String(at), `🏥 é ${'x'.repeat(at % 90)}`]);
    const file = join(folder, 'rows.gz');
    await writeFile(file, gzipSync(rows.map((row) => `${formatCopyLine(row)}\n`).join('')));
    const batches: CopyRow[][] = [];
    for await (const batch of readBatches(file)) batches.push(batch);
    expect(batches.map((batch) => batch.length)).toEqual([1_000, 1_000, 500]);
    expect(batches.flat()).toEqual(rows);
  } finally {
    await rm(folder, { recursive: true });
  }
});
