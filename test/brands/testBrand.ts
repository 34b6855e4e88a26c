import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readdir, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { fastTests } from '#scripts/fastTests.ts';
import { replaceBrand } from './secondBrand.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const skipped = new Set([
  '.git',
  'node_modules',
  'dist',
  'data',
  'coverage',
  'test-results',
  'bench-results',
]);
const browserTest = 'test/browser/tenantSite.test.ts';

/** A copy of the repository with the second brand in place of the first. The first brand's tests stay. */
async function copyWithSecondBrand(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'test-brand-'));
  for (const name of await readdir(root))
    if (!skipped.has(name)) await cp(path.join(root, name), path.join(folder, name), { recursive: true });
  await symlink(await realpath(path.join(root, 'node_modules')), path.join(folder, 'node_modules'));
  await replaceBrand(path.join(folder, 'src/shared/brand'));
  return folder;
}

/**
 * `npm run test:brand`: types, unit tests and one browser test with another brand in `src/shared/brand`. A test that
 * repeats the brand's words fails here. Runs the given test files instead of the default ones.
 */
async function main(): Promise<void> {
  const given = process.argv.slice(2);
  const unitTests = fastTests().filter((file) => file.startsWith('src/'));
  const files = given.length > 0 ? given : [...unitTests, browserTest];
  const folder = await copyWithSecondBrand();
  const run = (...command: string[]): boolean =>
    spawnSync(process.execPath, command, { cwd: folder, stdio: 'inherit' }).status === 0;
  try {
    const hasTypes = run('node_modules/typescript/bin/tsc', '--noEmit');
    process.exitCode = run('scripts/test.ts', ...files) && hasTypes ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
