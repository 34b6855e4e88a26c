import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiDocument } from '#server/rest/openapi.ts';
import { operationExamples } from '#server/rest/operationExamples.ts';
import { restRoutes } from '#server/rest/routes.ts';

const run = promisify(execFile);
const generator = [
  '--import',
  path.resolve('test/rest/typescriptApi.ts'),
  'node_modules/openapi-typescript/bin/cli.js',
];
const compiler = 'node_modules/typescript/bin/tsc';
const options = {
  ...{ strict: true, noEmit: true, module: 'nodenext', target: 'es2024', types: [] },
  ...{ lib: ['es2024', 'dom', 'dom.iterable'], allowImportingTsExtensions: true, skipLibCheck: false },
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'api-types-'));
  const document = path.join(folder, 'openapi.json');
  await writeFile(document, JSON.stringify(openApiDocument('1.0.0')));
  await run(process.execPath, [...generator, document, '--output', path.join(folder, 'api.ts')]);
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
});
afterAll(() => rm(folder, { recursive: true }));

/** What the compiler says about files beside the generated types; nothing if they fit. */
async function complaints(files: Record<string, string>): Promise<string> {
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  const project = path.join(folder, 'tsconfig.json');
  await writeFile(project, JSON.stringify({ compilerOptions: options, files: Object.keys(files) }));
  return run(process.execPath, [compiler, '--project', project, '--pretty', 'false']).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
}

function listBlocks(text: string, language: string): string[] {
  const blocks = [...text.matchAll(/^ *```(\w+)[^\n]*\n([\s\S]*?)^ *```$/gm)];
  return blocks.flatMap(([, found, code = '']) => (found === language ? [code] : []));
}

/** `paths['/api/leads']['post']…` of a method and a path with ids. */
function bodyType(method: string, sentPath: string): string {
  const found = restRoutes.find(
    (route) =>
      route.method === method && new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(sentPath),
  );
  if (found === undefined) throw new Error(`${method} ${sentPath} is not in the API`);
  return `paths['${found.path}']['${method.toLowerCase()}']['requestBody']['content']['application/json']`;
}

/** The JSON bodies of a page's curl commands to `$SITE` or an https URL, as constants of their types. */
function sentBodies(text: string): string[] {
  const commands = listBlocks(text, 'sh').flatMap((block) => block.split(/^(?= *curl )/m));
  return commands.flatMap((command) => {
    const [, body] = / -d '([^']+)'/.exec(command) ?? [];
    const [, sentPath] = /(?:\$SITE|https:\/\/[^\s"'/]+)(\/api\/[^\s"'?]+)/.exec(command) ?? [];
    const [, method = 'POST'] = / -X (\w+)/.exec(command) ?? [];
    if (body === undefined || sentPath === undefined) return [];
    return [`{ const body: ${bodyType(method, sentPath)} = ${body}; void body; }`];
  });
}

/** Every page of docs/ by its path. */
async function readPages(): Promise<Record<string, string>> {
  const found = await readdir('docs', { recursive: true });
  const names = found.filter((name) => name.endsWith('.md')).toSorted();
  const pages = names.map(async (name) => [name, await readFile(path.join('docs', name), 'utf8')] as const);
  return Object.fromEntries(await Promise.all(pages));
}

test('the TypeScript and the JSON bodies in the documentation fit the generated types', async () => {
  const pages = await readPages();
  const scripts = ['api.md', 'webhooks.md'].flatMap((name) => listBlocks(pages[name] ?? '', 'ts'));
  const sending = Object.entries(pages).filter(([, text]) => sentBodies(text).length > 0);
  expect(sending.map(([name]) => name)).toEqual(expect.arrayContaining(['api.md', 'install.md']));
  const bodies = sending.flatMap(([, text]) => sentBodies(text));
  expect(scripts).not.toHaveLength(0);
  expect(bodies.length).toBeGreaterThan(5);
  const files = Object.fromEntries(scripts.map((script, index) => [`script${index}.ts`, script]));
  const sent = ["import type { paths } from './api.ts';", ...bodies].join('\n');
  expect(await complaints({ ...files, 'bodies.ts': sent })).toBe('');
});

test('every example of the document fits the generated types', async () => {
  const lines = restRoutes.flatMap(({ method, path: route, operation, status, body }) => {
    const type = `paths['${route}']['${method.toLowerCase()}']`;
    const { request, response } = operationExamples[operation] ?? {};
    const constants = [
      [`${type}['responses'][${status}]['content']['application/json']`, response],
      ...(body === undefined || request === undefined
        ? []
        : [[`NonNullable<${type}['requestBody']>['content']['application/json']`, request]]),
    ];
    return constants.map(
      ([as, value]) => `{ const value: ${String(as)} = ${JSON.stringify(value)}; void value; }`,
    );
  });
  const text = ["import type { paths } from './api.ts';", ...lines].join('\n');
  expect(await complaints({ 'examples.ts': text })).toBe('');
  const wrong = text.replace('"providerId":1', '"providerId":"1"');
  expect(await complaints({ 'wrong.ts': wrong })).toContain(
    "Type 'string' is not assignable to type 'number'",
  );
});
