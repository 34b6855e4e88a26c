import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';
import { CsvRecords } from './csvBytes.ts';

const text = fc.string({
  unit: fc.constantFrom(
    ...[
      'a',
      '"',
      ',',
      ';',
      '\r',
      '\n',
      '\t',
      '=',
      '+',
      '-',
      '@',
      '＝',
      '＋',
      '－',
      '＠',
      "'",
      'é',
      '€',
      '．',
      '😀',
      ' ',
    ],
  ),
});
const cells = fc.array(fc.option(fc.oneof(text, fc.constant('"'.repeat(40_000))), { freq: 5 }), {
  minLength: 1,
  maxLength: 6,
});

test('L6: records are those of csvLine, byte for byte, however many and however long', () => {
  fc.assert(
    fc.property(fc.array(fc.array(cells, { maxLength: 5 }), { maxLength: 3 }), (takes) => {
      const records = new CsvRecords();
      for (const rows of takes) {
        for (const row of rows) records.add(row.map((cell) => (cell === null ? null : Buffer.from(cell))));
        expect(records.take().toString()).toBe(rows.map((row) => csvLine(row)).join(''));
      }
    }),
  );
});
