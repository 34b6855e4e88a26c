import * as fc from 'fast-check';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { removeGuards } from '#shared/formats/text.ts';
import { testDb } from '#test/support/testDb.ts';
import { meets } from '#test/support/meets.ts';
import { byteOrderMark, type CsvColumns, csvLine, queryCsv } from './csv.ts';

test.each([
  [['a', 'b'], 'a,b\r\n'],
  [[1, true, false, null, ''], '1,true,false,,\r\n'],
  [['a,b', 'say "hi"', 'two\r\nlines'], '"a,b","say ""hi""","two\r\nlines"\r\n'],
  [['=1+1', '+1', '-1', '@x'], "'=1+1,'+1,'-1,'@x\r\n"],
  [['\tx', '\rx', '\nx'], `'\tx,"'\rx","'\nx"\r\n`],
  [['=HYPERLINK("http://x","y")'], `"'=HYPERLINK(""http://x"",""y"")"\r\n`],
  [[-1], '-1\r\n'],
  [['a=1', ' =1'], 'a=1, =1\r\n'],
])('csvLine(%j) is %j', (values, line) => {
  meets('D.admin.44 D.admin.46');
  expect(csvLine(values)).toBe(line);
});

/** An independent reader by RFC 4180. */
function readLine(line: string): string[] {
  const cells: string[] = [];
  let rest = line;
  for (;;) {
    const [whole = '', quoted, plain] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))/.exec(rest) ?? [];
    cells.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    rest = rest.slice(whole.length);
    if (rest === '\r\n') return cells;
    if (!rest.startsWith(',')) throw new Error(`not a record: ${JSON.stringify(line)}`);
    rest = rest.slice(1);
  }
}

test.each([
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠x', "'＠x"],
  ['x;=1+1', "x;'=1+1"],
  ['x\t@y', "x\t'@y"],
  ['x,-1', `"x,'-1"`],
  ['x\n＝1', `"x\n'＝1"`],
  ['\t=1', "'\t'=1"],
  ['x;"=1+1"', `"x;'""=1+1"""`],
  ['x; =1;y', 'x; =1;y'],
  ['a=1＝2', 'a=1＝2'],
])('a spreadsheet sees no formula in %j: %j', (value, cell) => {
  expect(csvLine([value])).toBe(`${cell}\r\n`);
});

const text = fc.string({
  unit: fc.constantFrom(
    ...['a', 'b', '"', ',', ';', '\r', '\n', '\t', '=', '+', '-', '@', '＝', '＠', "'", 'é', '€', '😀', ' '],
  ),
});

test('no formula follows a separator at which a spreadsheet may split', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (values) => {
      for (const value of values)
        for (const piece of csvLine(['', value, '']).split(/[;\t\r\n]/))
          expect(piece).not.toMatch(/^"*[=+\-@＝＋－＠]/u);
    }),
    { numRuns: 500 },
  );
});

test('a reader gets every cell without its guards, and no cell starts like a formula', () => {
  meets('D.admin.45');
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (values) => {
      const cells = readLine(csvLine(values));
      for (const [index, value] of values.entries()) {
        const cell = cells[index] ?? '';
        expect(removeGuards(cell)).toBe(value);
        expect(cell).not.toMatch(/^[=+\-@＝＠\t\r\n]/u);
      }
      expect(cells.length).toBe(values.length);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['+13035550142', '+13035550142'],
  ['+1 (303) 555-0142', '+1 (303) 555-0142'],
  ['+44 20.7123-4567', '+44 20.7123-4567'],
  ['-303-555-0142', "'-303-555-0142"],
  ['+1+1', "'+1+1"],
  ['+(-)', "'+(-)"],
  ['+1 303 555 0142 ext. 4', "'+1 303 555 0142 ext. 4"],
  ['+1,2', `"'+1,2"`],
  ["+1-cmd|'/c calc'!A1", "'+1-cmd|'/c calc'!A1"],
  ['=13035550142', "'=13035550142"],
])('the phone %j is %j in a file', (phone, cell) => {
  expect(csvLine(['', phone], ['text', 'phone'])).toBe(`,${cell}\r\n`);
});

test('a plus and digits in any column but a phone are guarded', () => {
  meets('D.admin.46');
  expect(csvLine(['+1-1', '+1-1'], ['text', 'phone'])).toBe("'+1-1,+1-1\r\n");
});

test.each([
  ["'=1", "''=1"],
  ["''+1", "'''+1"],
  ["'tis", "'tis"],
  ["x;'-1", "x;''-1"],
])('text that looks guarded, %j, is kept by another apostrophe', (value, cell) => {
  expect(csvLine([value])).toBe(`${cell}\r\n`);
  expect(removeGuards(cell)).toBe(value);
});

test('times are in ISO 8601, and null is an empty cell in any kind of column', async () => {
  await using database = await testDb();
  const columns: CsvColumns = {
    name: ['text', sql`name`],
    count: ['value', sql`count`],
    at: ['instant', sql`at`],
  };
  const from = sql`from (values ('a, b', 1, '2026-11-21 16:27:18.5+00'::timestamptz), (null, null, null)) as rows (name, count, at)`;
  let file = '';
  for await (const part of queryCsv(database.db, { columns, from })) file += part;
  expect(file).toBe(`${byteOrderMark}name,count,at\r\n"a, b",1,2026-11-21T16:27:18.500Z\r\n,,\r\n`);
});
