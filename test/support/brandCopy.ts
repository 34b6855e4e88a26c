import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { replaceBrand } from '#test/brands/secondBrand.ts';

const run = promisify(execFile);

/** The files that a build and a server need, without tests and other commands. */
const parts = [
  'src',
  'scripts/build.ts',
  'migrations',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vite.config.ts',
  'Procfile',
];

export interface BrandCopy extends AsyncDisposable {
  folder: string;
  /** Runs one of the copy's commands with Node. Throws its output if it fails. */
  run: (...command: string[]) => Promise<void>;
}

/** The repository of a licensee: a copy in which only `src/shared/brand` is the second brand. */
export async function copyWithSecondBrand(): Promise<BrandCopy> {
  const folder = await mkdtemp(path.join(tmpdir(), 'second-brand-'));
  const isWanted = (file: string): boolean => !/\.test\.tsx?$/.test(file);
  for (const part of parts) await cp(part, path.join(folder, part), { recursive: true, filter: isWanted });
  await symlink(await realpath('node_modules'), path.join(folder, 'node_modules'));
  await replaceBrand(path.join(folder, 'src/shared/brand'));
  return {
    folder,
    async run(...command) {
      await run(process.execPath, command, { cwd: folder });
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

export interface BuiltFile {
  /** Below `dist`. */
  name: string;
  content: string;
}

/** The text files of a build with their names, without compressed copies. */
export async function builtText(folder: string): Promise<BuiltFile[]> {
  const dist = path.join(folder, 'dist');
  const entries = await readdir(dist, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && /\.(?:js|css|svg|json|html|txt)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
  return Promise.all(
    files.map(async (file) => ({
      name: path.relative(dist, file),
      content: await readFile(file, 'utf8'),
    })),
  );
}
