import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type Figure, passes, toRatio } from './figure.ts';

const folder = 'bench-results';

/** A report that was written earlier. Other fields are ignored. */
const earlierReport = z.object({
  figures: z.array(z.object({ name: z.string(), measured: z.number(), ratio: z.number().nullable() })),
});
export type EarlierReport = z.infer<typeof earlierReport>;

/** Reads a report. Throws a sentence if the file is missing or is none. */
export async function readReport(file: string): Promise<EarlierReport> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`There is no report ${file}. Reports are in ${folder}.`);
  });
  const parsed = earlierReport.safeParse(parseJson(text));
  if (!parsed.success) throw new Error(`${file} is not a report of npm run bench.`);
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function rounded(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}

/** '+12 %'. */
function getChange(before: number, now: number): string {
  if (before === 0) return now === 0 ? '0 %' : '–';
  const percent = Math.round((now / before - 1) * 100);
  return `${percent > 0 ? '+' : ''}${percent} %`;
}

/**
 * What moved since an earlier report, one row per figure of both. The ratio to the baseline of the same run is
 * comparable between machines; the measured value is not.
 */
export function compareFigures(figures: readonly Figure[], earlier: EarlierReport) {
  return figures.flatMap((figure) => {
    const before = earlier.figures.find(({ name }) => name === figure.name);
    if (before === undefined) return [];
    const ratio = toRatio(figure);
    return [
      {
        figure: figure.name,
        before: `${rounded(before.measured)} ${figure.unit}`,
        now: `${rounded(figure.measured)} ${figure.unit}`,
        change: getChange(before.measured, figure.measured),
        'ratio before': before.ratio?.toFixed(2) ?? '–',
        'ratio now': ratio?.toFixed(2) ?? '–',
        'change of ratio': before.ratio === null || ratio === null ? '–' : getChange(before.ratio, ratio),
      },
    ];
  });
}

/** Prints the figures and what moved since an earlier report, and writes them to a file of their own. */
export async function report(figures: readonly Figure[], earlier: EarlierReport | null): Promise<void> {
  console.table(
    figures.map((figure) => ({
      figure: figure.name,
      measured: `${rounded(figure.measured)} ${figure.unit}`,
      baseline: figure.baseline === null ? '–' : `${rounded(figure.baseline)} ${figure.unit}`,
      ratio: toRatio(figure)?.toFixed(2) ?? '–',
      bar: `${figure.bar.of} ${figure.bar.sign} ${figure.bar.value}`,
      met: passes(figure) ? 'yes' : 'NO',
      against: figure.against,
    })),
  );
  if (earlier !== null) console.table(compareFigures(figures, earlier));
  await mkdir(folder, { recursive: true });
  const file = join(folder, `bench-${new Date().toISOString().replaceAll(':', '-')}.json`);
  const content = {
    machine: { cores: cpus().length, memoryGiB: Math.round(totalmem() / 2 ** 30), node: process.version },
    figures: figures.map((figure) => ({ ...figure, ratio: toRatio(figure), met: passes(figure) })),
  };
  await writeFile(file, JSON.stringify(content, null, 2));
  console.log(`Written to ${file}`);
}
