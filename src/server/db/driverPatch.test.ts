import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { isPatched, requireDriverPatch } from './driverPatch.ts';

interface Copy extends AsyncDisposable {
  /** Runs the install step, or reverts it. */
  patch: (...flags: string[]) => Promise<void>;
  /** Loads the build that Node runs again. */
  load: () => Promise<object>;
}

/** A separate installation with the driver and the patches, as `npm ci` leaves it. */
async function copyOfDriver(): Promise<Copy> {
  const folder = await mkdtemp(join(tmpdir(), 'clinic-leads-driver-'));
  const driver = join(folder, 'node_modules/postgres');
  await mkdir(join(folder, 'scripts'));
  await cp('node_modules/postgres', driver, { recursive: true });
  await cp('scripts/patches', join(folder, 'scripts/patches'), { recursive: true });
  await writeFile(join(folder, 'package.json'), await readFile('package.json', 'utf8'));
  let loads = 0;
  return {
    async patch(...flags) {
      const args = [
        resolve('node_modules/patch-package/index.js'),
        '--patch-dir',
        'scripts/patches',
        '--error-on-fail',
        ...flags,
      ];
      await promisify(execFile)(process.execPath, args, { cwd: folder });
    },
    async load() {
      loads += 1;
      const loaded = join(folder, `loaded-${loads}`);
      await cp(driver, loaded, { recursive: true });
      const build = (await import(pathToFileURL(join(loaded, 'src/index.js')).href)) as { default: object };
      return build.default;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

const log = createLog('silent');

test('the installed driver is patched', () => {
  expect(isPatched(postgres)).toBe(true);
  expect(() => requireDriverPatch({ production: true }, log)).not.toThrow();
});

test('a driver with too old a patch counts as not patched', () => {
  expect(isPatched({ lostConnectionPatch: 5 })).toBe(false);
});

test('production refuses an unpatched driver, and the install step patches it', async () => {
  await using copy = await copyOfDriver();
  await copy.patch('--reverse');
  const bare = await copy.load();
  expect(isPatched(bare)).toBe(false);
  expect(() => requireDriverPatch({ production: true }, log, bare)).toThrow(
    'Run "npx patch-package --patch-dir scripts/patches"',
  );
  expect(() => requireDriverPatch({ production: false }, log, bare)).not.toThrow();
  await copy.patch();
  expect(isPatched(await copy.load())).toBe(true);
});
