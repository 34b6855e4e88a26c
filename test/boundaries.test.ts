import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const source = join(root, 'src');

interface Edge {
  from: string;
  /** Path under src, or a package's name. */
  to: string;
  typeOnly: boolean;
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map((file) => file.replaceAll('\\', '/'));

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:([^'";]*?)\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g;

function target(from: string, specifier: string): string {
  if (specifier.startsWith('.'))
    return relative(source, resolve(source, dirname(from), specifier)).replaceAll('\\', '/');
  const alias = /^#(server|client|shared)\/(.+)$/.exec(specifier);
  if (alias !== null) return `${alias[1]}/${alias[2]}`;
  return specifier;
}

/** `{ type A, type B }`, as in an import of types only. */
const namesOnlyTypes = (names: string): boolean =>
  /^\{(?:\s*type \w+(?: as \w+)?,?)+\s*\}$/.test(names.trim());

const edges: Edge[] = files.flatMap((from) => {
  // An import() shown in a comment is none.
  const text = readFileSync(join(source, from), 'utf8').replace(/^\s*(?:\/\*)?\*.*$/gm, '');
  return [...text.matchAll(importPattern)].map((match) => ({
    from,
    to: target(from, match[3] ?? match[4] ?? ''),
    typeOnly: match[1] !== undefined || namesOnlyTypes(match[2] ?? ''),
  }));
});

const ownFolder = (path: string, depth: number): string => path.split('/').slice(0, depth).join('/');
const inside = (path: string, ...folders: string[]): boolean =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

const clientKits = [
  'client/ui',
  'client/theme',
  'client/forms',
  'client/map',
  'client/api',
  'client/browser',
];

/** Folders of the dashboard that are no tab: they may load the tabs, or are loaded before them. */
const dashboardFrame = ['client/admin/kit', 'client/admin/shell', 'client/admin/signIn'];
const dashboardTabs = [...new Set(files.map((file) => ownFolder(file, 3)))].filter(
  (folder) => inside(folder, 'client/admin') && !dashboardFrame.includes(folder),
);

/** The import boundaries: what must not be imported from where, and why. */
const rules: { name: string; why: string; forbids: (edge: Edge) => boolean }[] = [
  {
    name: 'shared imports only zod and shared',
    why: 'it runs in the browser and on the server alike',
    forbids: ({ from, to }) => inside(from, 'shared') && !inside(to, 'shared') && to !== 'zod',
  },
  {
    name: 'the client never takes a value from the server',
    why: 'server code would be shipped to visitors',
    forbids: ({ from, to, typeOnly }) =>
      inside(from, 'client') &&
      inside(to, 'server') &&
      !(typeOnly && from === 'client/api/trpc.ts' && to === 'server/trpc/root.ts'),
  },
  {
    name: 'the server never imports the client',
    why: 'Node runs no JSX: the client is built, and loaded through render/bundle.ts',
    forbids: ({ from, to, typeOnly }) =>
      inside(from, 'server') && inside(to, 'client') && !(typeOnly && inside(from, 'server/render')),
  },
  {
    name: 'ui and theme know no data',
    why: 'they are drawn anywhere',
    forbids: ({ from, to }) =>
      inside(from, 'client/ui', 'client/theme') &&
      ((inside(to, 'client') && !inside(to, 'client/ui', 'client/theme')) || to.startsWith('@trpc/')),
  },
  {
    name: 'ui and theme know no brand but its colors',
    why: 'texts come from LabelsProvider and from properties',
    forbids: ({ from, to }) =>
      inside(from, 'client/ui', 'client/theme') &&
      inside(to, 'shared/brand') &&
      !(from === 'client/theme/tokens.ts' && to === 'shared/brand/colors.ts'),
  },
  {
    name: 'forms and the map know only ui, api and shared',
    why: 'any page can use them',
    forbids: ({ from, to }) =>
      inside(from, 'client/forms', 'client/map') &&
      inside(to, 'client') &&
      ownFolder(from, 2) !== ownFolder(to, 2) &&
      !inside(to, 'client/ui', 'client/theme', 'client/api', 'client/browser'),
  },
  {
    name: 'a section imports no other section and no page',
    why: 'pages compose sections; sections stay movable',
    forbids: ({ from, to }) =>
      inside(from, 'client/sections') &&
      inside(to, 'client') &&
      ownFolder(from, 3) !== ownFolder(to, 3) &&
      !inside(to, 'client/sections/kit', ...clientKits),
  },
  {
    name: 'the section kit imports no section',
    why: 'every section builds on it; study notes need the page’s data',
    forbids: ({ from, to }) =>
      inside(from, 'client/sections/kit') &&
      inside(to, 'client') &&
      !inside(to, 'client/sections/kit', 'client/ui', 'client/theme', 'client/api', 'client/browser'),
  },
  {
    name: 'a page imports sections and kits, never another page',
    why: 'what two pages share is a section',
    forbids: ({ from, to }) =>
      inside(from, 'client/pages') &&
      inside(to, 'client') &&
      !inside(to, 'client/sections', ...clientKits) &&
      !(from === 'client/pages/LandingPage.tsx' && to === 'client/pages/LandingRest.tsx') &&
      !(from === 'client/pages/AdminPage.tsx' && inside(to, 'client/admin')),
  },
  {
    name: 'the dashboard imports kits only',
    why: 'its code is loaded apart from the pages',
    forbids: ({ from, to }) =>
      inside(from, 'client/admin') && inside(to, 'client') && !inside(to, 'client/admin', ...clientKits),
  },
  {
    name: 'a dashboard tab imports only the kit and its own folder',
    why: 'what two tabs share is the kit',
    forbids: ({ from, to }) =>
      inside(from, ...dashboardTabs) &&
      inside(to, 'client/admin') &&
      ownFolder(from, 3) !== ownFolder(to, 3) &&
      !inside(to, 'client/admin/kit'),
  },
  {
    name: 'the dashboard kit imports no tab',
    why: 'every tab builds on it',
    forbids: ({ from, to }) =>
      inside(from, 'client/admin/kit') && inside(to, 'client/admin') && !inside(to, 'client/admin/kit'),
  },
  {
    name: 'server features know no transport',
    why: 'REST, tRPC and the plain form run the same code',
    forbids: ({ from, to }) =>
      inside(from, 'server/features') &&
      (inside(to, 'server/http', 'server/rest', 'server/render', 'server/trpc') ||
        to === 'koa' ||
        to.startsWith('@koa/')),
  },
  {
    name: 'tenant, http, security, config and db know no feature',
    why: 'every feature builds on them',
    forbids: ({ from, to }) =>
      inside(from, 'server/tenant', 'server/http', 'server/security', 'server/config', 'server/db') &&
      inside(to, 'server/features'),
  },
  {
    name: 'tenant knows koa only in tenant.ts',
    why: 'its rules are string rules',
    forbids: ({ from, to, typeOnly }) =>
      inside(from, 'server/tenant') && to === 'koa' && from !== 'server/tenant/tenant.ts' && !typeOnly,
  },
  {
    name: 'http middleware knows no tRPC call and no database',
    why: 'it would serve any application',
    forbids: ({ from, to, typeOnly }) =>
      inside(from, 'server/http') && inside(to, 'server/trpc', 'server/db') && !typeOnly,
  },
  {
    name: 'render/templates has one entry',
    why: 'an optimization stays behind one function',
    forbids: ({ from, to }) =>
      inside(to, 'server/render/templates') &&
      !inside(from, 'server/render/templates') &&
      to !== 'server/render/templates/pageTemplates.ts',
  },
  {
    name: 'background work knows no transport',
    why: 'a worker process has none',
    forbids: ({ from, to }) =>
      inside(from, 'server/background') &&
      inside(to, 'server/http', 'server/rest', 'server/trpc', 'server/render'),
  },
  {
    name: 'REST reaches data only through procedures',
    why: 'one set of rules for both transports',
    forbids: ({ from, to }) =>
      inside(from, 'server/rest') && (inside(to, 'server/db') || to.startsWith('drizzle-orm')),
  },
  {
    name: 'src imports neither tests nor scripts',
    why: 'they are not shipped',
    forbids: ({ to }) => /^#(test|scripts)\//.test(to) || /^\.\.(?!\/package\.json)/.test(to),
  },
];

test.each(rules)('$name', ({ forbids, why }) => {
  const broken = edges.filter(forbids).map(({ from, to }) => `${from} → ${to} (${why})`);
  expect(broken).toEqual([]);
});

test('process.env is read only in config.ts and configOrExit.ts', () => {
  const readers = files.filter((file) =>
    /process\.env\b(?!\.NODE_ENV)/.test(readFileSync(join(source, file), 'utf8')),
  );
  expect(
    readers.filter((file) => !['server/config/config.ts', 'server/config/configOrExit.ts'].includes(file)),
  ).toEqual([]);
});

/** The cycles of a directed graph, each as its path; empty if there are none. */
function listCycles(next: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (node: string, trail: string[]): void => {
    if (trail.includes(node)) {
      cycles.push([...trail.slice(trail.indexOf(node)), node].join(' → '));
      return;
    }
    if (done.has(node)) return;
    for (const to of next.get(node) ?? []) visit(to, [...trail, node]);
    done.add(node);
  };
  for (const node of next.keys()) visit(node, []);
  return cycles;
}

/** What each node imports from another node. Without `typeOnly`, only values: types are gone at run time. */
function listImports(nodeOf: (file: string) => string, typeOnly: boolean): Map<string, string[]> {
  const known = edges.filter((edge) => files.includes(edge.to) && (typeOnly || !edge.typeOnly));
  const pairs = known.map(({ from, to }) => [nodeOf(from), nodeOf(to)] as const);
  const distinct = Map.groupBy(
    pairs.filter(([from, to]) => from !== to),
    ([from]) => from,
  );
  return new Map([...distinct].map(([from, list]) => [from, [...new Set(list.map(([, to]) => to))]]));
}

/**
 * The subject a file belongs to: a folder with its subfolders. The outbox channels are a subject of their own, which
 * knows the features that the engine doesn't. A router, which only the transports import, and a file directly in
 * `server` stand for themselves.
 */
function toSubject(file: string): string {
  if (/Router\.ts$/.test(file) || dirname(file) === 'server') return file;
  if (inside(file, 'server/features/outbox/channels')) return 'server/features/outbox/channels';
  if (inside(file, 'server/features', 'client/sections', 'client/admin')) return ownFolder(file, 3);
  return ownFolder(file, 2);
}

test('no module imports itself through others, types included', () => {
  const imports = listImports((file) => file, true);
  expect(imports.get('server/procedures.ts')).toContain('server/services.ts');
  expect(listCycles(imports)).toEqual([]);
});

/** Without types: `Services` names a type of most features, which import it. */
test('no folder imports itself through others', () => {
  const imports = listImports(toSubject, false);
  expect(imports.get('server/features/leads')).toContain('server/features/outbox');
  expect(listCycles(imports)).toEqual([]);
});

test('a router is imported only by the two transports', () => {
  const importers = edges.filter(({ to }) => /Router\.ts$/.test(to) && inside(to, 'server/features'));
  expect(importers.length).toBeGreaterThan(10);
  expect(
    importers.filter(({ from, typeOnly }) => !inside(from, 'server/trpc', 'server/rest') && !typeOnly),
  ).toEqual([]);
});

/** The folder that a file counts to: `shared/<x>`, `client/<x>`, and each section and tab by itself. */
function getFolder(file: string): string {
  const depth = inside(file, 'client/sections', 'client/admin') ? 3 : 2;
  return ownFolder(file, depth);
}

/** Cycles of folders, each with the imports that close it. */
function folderCycles(top: string, counts: (edge: Edge) => boolean): string[] {
  const between = edges
    .filter((edge) => inside(edge.from, top) && inside(edge.to, top) && counts(edge))
    .map(({ from, to }) => ({ from: getFolder(from), to: getFolder(to), text: `${from} → ${to}` }))
    .filter(({ from, to }) => from !== to);
  const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
    between.some((edge) => {
      if (edge.from !== from || seen.has(edge.to)) return false;
      return edge.to === goal || reaches(edge.to, goal, seen.add(edge.to));
    });
  return between.filter(({ from, to }) => reaches(to, from)).map(({ text }) => text);
}

test('folders of shared form no cycle, types included', () => {
  expect(folderCycles('shared', () => true)).toEqual([]);
});

test('folders of the client form no cycle of values', () => {
  expect(folderCycles('client', ({ typeOnly }) => !typeOnly)).toEqual([]);
});

test('the search for cycles finds the folders of a known import', () => {
  expect(getFolder('shared/leads/leads.ts')).toBe('shared/leads');
  expect(getFolder('client/sections/hero/Hero.tsx')).toBe('client/sections/hero');
  expect(getFolder('client/sections/Trust.tsx')).toBe('client/sections/Trust.tsx');
});

test('no code file has more than 350 lines', () => {
  const long = ['src', 'test', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !file.includes('node_modules'))
      .map((file) => ({
        file: join(folder, file),
        lines: readFileSync(join(root, folder, file), 'utf8').split('\n').length - 1,
      }))
      .filter(({ lines }) => lines > 350),
  );
  expect(long).toEqual([]);
});

test('the scan finds known files and imports', () => {
  expect(files.length).toBeGreaterThan(40);
  expect(dashboardTabs).toContain('client/admin/leads');
  expect(edges).toContainEqual({ from: 'server/app.ts', to: 'koa', typeOnly: false });
  expect(edges).toContainEqual({
    from: 'shared/leads/leads.ts',
    to: 'shared/leads/leadFields.ts',
    typeOnly: false,
  });
});

test('no folder has more than 30 source files', () => {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > 30)).toEqual([]);
});
