import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const importPattern = /(?:from\s+|(?<!\.)import\s*\(\s*|import\s+)'([^']+)'/g;

/** What starts a browser or another process. */
const slowPackages = new Set(['playwright', 'node:child_process']);

/** The file behind a specifier of ours; a package's name for anything else. */
function resolve(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return path.resolve(path.dirname(from), specifier);
  const alias = /^#(server|client|shared|test|scripts)\/(.+)$/.exec(specifier);
  if (alias === null) return specifier;
  const [, folder = '', rest = ''] = alias;
  return path.join(root, ['test', 'scripts'].includes(folder) ? '' : 'src', folder, rest);
}

function listImports(file: string): string[] {
  const text = readFileSync(file, 'utf8').replaceAll(/^import type .*$/gm, '');
  return [...text.matchAll(importPattern)].map(([, specifier = '']) => resolve(file, specifier));
}

/** Whether a file reaches a package that starts processes, through whatever it imports. */
function isSlow(file: string, known: Map<string, boolean>): boolean {
  const answer = known.get(file);
  if (answer !== undefined) return answer;
  known.set(file, false); // A cycle back to here adds nothing.
  const slow = listImports(file).some(
    (target) => slowPackages.has(target) || (/\.tsx?$/.test(target) && isSlow(target, known)),
  );
  known.set(file, slow);
  return slow;
}

/**
 * Where the tests of `npm run test:fast` are: rules and frozen behavior. Journeys through the whole application take
 * longer.
 */
const folders = ['src', 'test/golden'];

/** A test that sets a limit of minutes takes long by itself. */
const longLimit = /\btimeout: \d{3}_000\b/;

/** Test files that need no browser, no process of ours and no minutes, relative to the repository. */
export function fastTests(): string[] {
  const known = new Map<string, boolean>();
  const found = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.test\.tsx?$/.test(file))
      .map((file) => path.join(folder, file))
      .filter((file) => !isSlow(path.join(root, file), known))
      .filter((file) => !longLimit.test(readFileSync(path.join(root, file), 'utf8'))),
  );
  return ['test/boundaries.test.ts', ...found];
}
