import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test.each([
  [['a', 'b'], 'a,b\r\n'],
  [[1, true, false, null, ''], '1,true,false,,\r\n'],
  [['a,b', 'say "hi"', 'two\r\nlines'], '"a,b","say ""hi""","two\r\nlines"\r\n'],
  [['=1+1', '+1', '-1', '@x'], "'=1+1,'+1,'-1,'@x\r\n"],
  [['\t=1', '\r=1', '\n=1'], `'\t=1,"'\r=1","'\n=1"\r\n`],
  [['=HYPERLINK("http://x","y")'], `"'=HYPERLINK(""http://x"",""y"")"\r\n`],
  [[-1], '-1\r\n'],
  [['a=1', ' =1'], 'a=1, =1\r\n'],
])('%j is written as %j', (values, line) => {
  expect(csvLine(values)).toBe(line);
});

/** A reader by RFC 4180, which knows nothing of how the line was made. */
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

test('whatever the cells hold, a reader gets them back, and none begins like a formula', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', '"', ',', '\r', '\n', '\t', '=', '+', '-', '@', "'", 'é', '€', '😀', ' '),
  });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (values) => {
      const cells = readLine(csvLine(values));
      expect(cells.map((cell, index) => (values[index] === cell ? cell : cell.replace(/^'/, '')))).toEqual(
        values,
      );
      for (const cell of cells) expect(cell).not.toMatch(/^[=+\-@\t\r\n]/);
    }),
    { numRuns: 500 },
  );
});
