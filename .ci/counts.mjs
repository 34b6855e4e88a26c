// The counts of both test runs together. Fails if one failed: a suite that fails to load fails no test of its own.
import { readFileSync } from 'node:fs';

const reports = ['vitest', 'peers'].map((name) =>
  JSON.parse(readFileSync(`test-results/${name}.json`, 'utf8')),
);
const sum = (key) => reports.reduce((total, report) => total + (report[key] ?? 0), 0);
const skipped = sum('numPendingTests') + sum('numTodoTests');
const counts = `${sum('numPassedTests')} passed, ${sum('numFailedTests')} failed`;
process.stdout.write(skipped > 0 ? `${counts}, ${skipped} skipped\n` : `${counts}\n`);
if (!reports.every(({ success, numPassedTests }) => success && numPassedTests > 0)) process.exitCode = 1;
