import { spawnSync } from 'node:child_process';

/** The gate. `--skip-tests` leaves out what `npm test` has already shown, import boundaries and line limit included. */
const steps: [name: string, command: string, args: string[]][] = [
  ['format', 'prettier', ['--check', '--log-level', 'warn', '.']],
  ['lint', 'oxlint', ['--type-aware', '--deny-warnings']],
  // Statements in migrations that lock a table for long.
  ['migrations', 'squawk', ['migrations/*.sql']],
  ['types', 'tsc', ['--noEmit']],
  // Unused files, exports and dependencies.
  ['unused', 'knip', ['--no-progress']],
  // Known vulnerabilities of packages.
  ['audit', process.execPath, ['scripts/audit.ts']],
  ['build', process.execPath, ['scripts/build.ts']],
  ['tests', process.execPath, ['scripts/test.ts']],
];

function main(): void {
  const skipTests = process.argv.includes('--skip-tests');
  const failed: string[] = [];
  for (const [name, command, args] of steps) {
    if (name === 'tests' && skipTests) continue;
    console.log(`\n── ${name}`);
    if (spawnSync(command, args, { stdio: 'inherit' }).status !== 0) failed.push(name);
  }
  console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.join(', ')}.`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

main();
