import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Figure } from '#test/bench/figure.ts';
import { compareFigures, readReport } from '#test/bench/report.ts';

const figure = (name: string, measured: number, baseline: number | null): Figure => ({
  ...{ name, measured, baseline, unit: 'ms', against: 'nothing' },
  bar: { of: 'measured', sign: '<=', value: 1 },
});

test('figures of both reports are compared by value and by ratio', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-report-'));
  const file = join(folder, 'earlier.json');
  const earlier = [
    { name: 'a page', measured: 2, ratio: 0.5, unit: 'ms' },
    { name: 'a lead', measured: 0, ratio: null },
    { name: 'gone', measured: 1, ratio: null },
  ];
  await writeFile(file, JSON.stringify({ machine: {}, figures: earlier }));
  const rows = compareFigures(
    [figure('a page', 3, 4), figure('a lead', 0, null), figure('new', 1, 1)],
    await readReport(file),
  );
  expect(rows).toEqual([
    {
      ...{ figure: 'a page', before: '2.00 ms', now: '3.00 ms', change: '+50 %' },
      ...{ 'ratio before': '0.50', 'ratio now': '0.75', 'change of ratio': '+50 %' },
    },
    {
      ...{ figure: 'a lead', before: '0.00 ms', now: '0.00 ms', change: '0 %' },
      ...{ 'ratio before': '–', 'ratio now': '–', 'change of ratio': '–' },
    },
  ]);
});

test('a file that is missing or is no report is refused with a sentence', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-report-'));
  await expect(readReport(join(folder, 'missing.json'))).rejects.toThrow('There is no report');
  await writeFile(join(folder, 'odd.json'), '{');
  await expect(readReport(join(folder, 'odd.json'))).rejects.toThrow('is not a report');
});
