import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** Files of the repository's source folders, by their path. */
const files = ['src', 'test', 'scripts', 'deploy', 'docs', 'migrations'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
);

/** Pages about the code as it is; records of decisions and of the redesign also name what is gone. */
const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...files.filter((file) => /^docs\/[^/]+\.md$/.test(file)),
];

/** A file of the repository; a path that starts with a slash is a URL, and results of runs are not in the repository. */
const isFile = (text: string): boolean =>
  /^(?!\/|test-results\/)[\w@./-]+\.(?:tsx?|sql|md|yaml|json|css)$/.test(text);
const isFolder = (text: string): boolean =>
  /^(?:src|server|client|shared|test|scripts|deploy|docs|migrations)(?:\/[\w-]+)+\/?$/.test(text);

function exists(path: string): boolean {
  if (existsSync(join(root, path)) || existsSync(join(root, 'src', path))) return true;
  return files.some((file) => file.endsWith(`/${path}`));
}

describe.each(documents)('%s', (document) => {
  const text = readFileSync(join(root, document), 'utf8');

  test('names files and folders that exist', () => {
    const named = [...text.matchAll(/`([^`\s]+)`/g)].map(([, path = '']) => path);
    const missing = named.filter((path) => (isFile(path) || isFolder(path)) && !exists(path));
    expect(missing).toEqual([]);
  });

  test('links to files that exist', () => {
    const links = [...text.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
    const local = links.filter((link) => !/^(?:https?|mailto):/.test(link));
    expect(local.filter((link) => !existsSync(resolve(root, dirname(document), link)))).toEqual([]);
  });
});

test('a path that does not exist is found', () => {
  expect([exists('server/leads/storeLead.ts'), exists('storeLeads.ts'), exists('server/features')]).toEqual([
    false,
    true,
    true,
  ]);
  expect([isFile('server/app.ts'), isFolder('client/ui'), isFolder('text/html')]).toEqual([
    true,
    true,
    false,
  ]);
});
