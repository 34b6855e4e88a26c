import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { environment } from '#server/config/environment.ts';
import { renderDiagram } from '#scripts/buildDiagram.ts';
import { markdownAnchors } from '#test/support/markdownAnchors.ts';

const root = resolve(import.meta.dirname, '..');

/** Files of the repository's source folders, by their path. */
const files = ['src', 'test', 'scripts', 'deploy', 'docs', 'migrations'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
);

/** Pages about the code as it is; records of decisions also name what is gone. */
const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/decisions/README.md',
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

function toText(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

const commands = Object.keys(
  z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(toText('package.json'))).scripts,
);

/** Commands that a page asks the reader to run: `npm run build`, or a line with `clinic-leads doctor`. */
function commandsIn(text: string): string[] {
  return [...text.matchAll(/(?:\bnpm run (?:-[\w-]+ )*|^ *clinic-leads )([a-z][\w:-]*)/gm)].map(
    ([, command = '']) => command,
  );
}

/** Names in capitals with an underscore, in code: variables, and codes of errors. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)].map(([, name = '']) => name);
}

/** What the code, the examples and the tests know by such a name. */
const knownNames = new Set(
  [
    '.env.example',
    ...files.filter((file) =>
      /^(?:src\/server|scripts|test|deploy)\/.*(?:\.tsx?|\.yaml|\.example)$/.test(file),
    ),
  ]
    .filter((file) => file !== 'test/documents.test.ts')
    .flatMap((file) => toText(file).match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? [])
    // Of glibc.
    .concat('MALLOC_ARENA_MAX'),
);

describe.each(documents)('%s', (document) => {
  const text = toText(document);

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

  test('links to headings that exist', () => {
    const links = [...text.matchAll(/\]\(([^)\s#:]*)#([^)\s]+)\)/g)];
    const missing = links.filter(([, file = '', anchor = '']) => {
      const target = file === '' ? text : readFileSync(resolve(root, dirname(document), file), 'utf8');
      return !markdownAnchors(target).includes(anchor);
    });
    expect(missing.map(([link]) => link)).toEqual([]);
  });

  test('names commands of package.json', () => {
    expect(commandsIn(text).filter((command) => !commands.includes(command))).toEqual([]);
  });

  test('names variables that the code reads or the page sets', () => {
    const unknown = namesIn(text).filter((name) => !knownNames.has(name) && !text.includes(`\n${name}=`));
    expect(unknown).toEqual([]);
  });
});

test('docs/README.md links each page beside it', () => {
  const start = toText('docs/README.md');
  const pages = documents.flatMap((file) => /^docs\/(?!README)(.+)$/.exec(file)?.[1] ?? []);
  expect(pages.length).toBeGreaterThan(15);
  expect(pages.filter((page) => !start.includes(`](${page})`))).toEqual([]);
});

test('docs/decisions/README.md links each record and explains each missing number', () => {
  const index = toText('docs/decisions/README.md');
  const records = readdirSync(join(root, 'docs/decisions')).filter((file) => /^\d{3}-/.test(file));
  expect(records.length).toBeGreaterThan(30);
  expect(records.filter((file) => !index.includes(`](${file})`))).toEqual([]);
  const [, without = ''] = index.split('Numbers without a record:');
  const numbers = Array.from({ length: Math.max(...records.map((file) => parseInt(file, 10))) }, (_, last) =>
    String(last + 1).padStart(3, '0'),
  );
  const missing = numbers.filter((number) => !records.some((file) => file.startsWith(number)));
  expect(missing.filter((number) => !without.includes(number))).toEqual([]);
});

test('ARCHITECTURE.md is a map of at most 12 KB', () => {
  expect(Buffer.byteLength(toText('ARCHITECTURE.md'))).toBeLessThanOrEqual(12 * 1024);
});

test('docs/commands.md lists each command', () => {
  const listed = ['start', 'test', ...commandsIn(toText('docs/commands.md'))];
  expect(commands.filter((command) => !listed.includes(command))).toEqual(['postinstall']);
});

test.each([
  ['the hosted workflow', '.github/workflows/ci.yml'],
  ['the container image', 'deploy/Dockerfile'],
  ['the compose file', 'deploy/compose.yaml'],
])('the README says that %s was never run as long as %s does', (name, file) => {
  const [, status = ''] = /\*\*Status:\*\*(.*?)\n\n/s.exec(toText('README.md')) ?? [];
  const [, never = ''] = /\. ([^.]*) were never run/s.exec(status) ?? [];
  expect(never.replaceAll('\n', ' ').toLowerCase().includes(name)).toBe(
    toText(file).startsWith('# Not tried'),
  );
});

test('the README has at most 120 lines', () => {
  expect(toText('README.md').split('\n').length - 1).toBeLessThanOrEqual(120);
});

test.each(['docs/configuration.md', '.env.example'])('%s has each environment variable', (file) => {
  const words: string[] = toText(file).match(/\b[A-Z][A-Z0-9_]+\b/g) ?? [];
  expect(Object.keys(environment.shape).filter((name) => !words.includes(name))).toEqual([]);
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

test('a heading, a command and a variable that do not exist are found', () => {
  const page =
    '# One `two`: three\n\n```sh\n# four\nnpm run -s nothing -- x\nclinic-leads none\n```\n\n`NO_SUCH_NAME=1`, `HTTP`';
  expect(markdownAnchors(page)).toEqual(['one-two-three']);
  expect(commandsIn(page)).toEqual(['nothing', 'none']);
  expect(namesIn(page)).toEqual(['NO_SUCH_NAME']);
  expect(['NO_SUCH', 'DATABASE_URL'].map((name) => knownNames.has(name))).toEqual([false, true]);
});

test('the picture of how it works is drawn from its text', async () => {
  expect(toText('docs/how-it-works.svg'), 'run npm run diagram').toBe(await renderDiagram());
});

test('the picture of how it works fits in a column of 800 pixels', () => {
  const [, points] = /<svg width="(\d+)pt"/.exec(toText('docs/how-it-works.svg')) ?? [];
  expect((Number(points) * 96) / 72).toBeLessThanOrEqual(800);
});

test('docs/monitoring.md has every event of the log', () => {
  const code = files.filter((file) => /^(src\/server|scripts)\/.*(?<!\.test)\.ts$/.test(file));
  const events = code.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\bevent: '([a-z-]+\.[a-z-]+)'/g)].map(
      ([, name = '']) => name,
    ),
  );
  expect(events.length).toBeGreaterThan(50);
  const described = readFileSync(join(root, 'docs/monitoring.md'), 'utf8');
  expect(events.filter((name) => !described.includes(`\`${name}\``))).toEqual([]);
});
