import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const root = fileURLToPath(new URL('..', import.meta.url));
const reportDir = path.join(root, 'test-results', 'coverage');
const summaryFile = path.join(reportDir, 'coverage-summary.json');
const resultFile = path.join(root, 'test-results', 'coverage.json');

/** Directories below `src` that a row may name: `src/server/features/leads` is the deepest. */
const depthMax = 3;

const counts = z.object({ total: z.number(), covered: z.number() });
const fileCounts = z.object({ lines: counts, branches: counts });
/** By absolute path, and `total` for all files. */
const summarySchema = z.record(z.string(), fileCounts);
type FileCounts = z.output<typeof fileCounts>;

interface Row {
  directory: string;
  linesPercent: number;
  branchesPercent: number;
  files: number;
}

/**
 * Options that replace Vitest's own reports by the counts per file, of all files in `src` whether a test loads them or
 * not.
 */
const options = [
  '--coverage.enabled',
  '--coverage.provider=v8',
  '--coverage.include=src/**/*.{ts,tsx}',
  '--coverage.exclude=**/*.{test,d}.{ts,tsx}',
  '--coverage.reporter=json-summary',
  `--coverage.reportsDirectory=${reportDir}`,
  '--coverage.reportOnFailure',
  // Tests start servers and commands.
  '--coverage.autoAttachSubprocess',
];

function getDirectory(file: string): string {
  const [source, ...below] = path.relative(root, path.dirname(file)).split(path.sep);
  return [source, ...below.slice(0, depthMax)].join('/');
}

/** Nothing to cover counts as covered, as in other tools. */
function toPercent(files: readonly FileCounts[], measure: keyof FileCounts): number {
  const total = files.reduce((sum, file) => sum + file[measure].total, 0);
  const covered = files.reduce((sum, file) => sum + file[measure].covered, 0);
  return total === 0 ? 100 : Math.round((covered / total) * 1_000) / 10;
}

function toRow(directory: string, files: readonly FileCounts[]): Row {
  return {
    directory,
    linesPercent: toPercent(files, 'lines'),
    branchesPercent: toPercent(files, 'branches'),
    files: files.length,
  };
}

async function readRows(): Promise<{ directories: Row[]; total: Row }> {
  const text = await readFile(summaryFile, 'utf8');
  const { total: _, ...byFile } = summarySchema.parse(JSON.parse(text));
  const byDirectory = Map.groupBy(Object.entries(byFile), ([file]) => getDirectory(file));
  const directories = [...byDirectory].map(([directory, entries]) =>
    toRow(
      directory,
      entries.map(([, file]) => file),
    ),
  );
  return {
    directories: directories.toSorted((a, b) => a.directory.localeCompare(b.directory)),
    total: toRow('total', Object.values(byFile)),
  };
}

function printTable(rows: readonly Row[]): void {
  const width = Math.max(...rows.map(({ directory }) => directory.length));
  const line = (directory: string, ...cells: string[]): string =>
    [directory.padEnd(width), ...cells.map((cell) => cell.padStart(12))].join('');
  console.log(`\n${line('directory', 'lines %', 'branches %', 'files')}`);
  for (const { directory, linesPercent, branchesPercent, files } of rows)
    console.log(line(directory, linesPercent.toFixed(1), branchesPercent.toFixed(1), String(files)));
}

/**
 * `npm run coverage`: runs the tests with V8 coverage of `src` and prints lines and branches by directory. Arguments
 * are passed to Vitest: `-- src/shared` runs some tests. Code that runs only in a browser or from `dist` counts as not
 * covered. Exits as the tests do.
 */
async function main(): Promise<void> {
  const tests = fileURLToPath(new URL('test.ts', import.meta.url));
  await rm(reportDir, { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, [tests, ...options, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
  // Without a report Vitest never ran, and has said why.
  if (!existsSync(summaryFile)) return;
  const { directories, total } = await readRows();
  printTable([...directories, total]);
  await mkdir(path.dirname(resultFile), { recursive: true });
  await writeFile(resultFile, `${JSON.stringify({ directories, total }, null, 2)}\n`);
}

await main();
