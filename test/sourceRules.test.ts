import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { meets } from '#test/support/meets.ts';

const root = resolve(import.meta.dirname, '..');

/** The code of a folder without its tests: path under the folder → text without comments. */
function getCode(folder: string): Map<string, string> {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));
  return new Map(
    files.map((file) => [
      file,
      readFileSync(join(root, folder, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ''),
    ]),
  );
}

function filesWith(code: ReadonlyMap<string, string>, pattern: RegExp): string[] {
  return [...code].flatMap(([file, text]) => (pattern.test(text) ? [file] : [])).toSorted();
}

test('there is no second job system', () => {
  meets('D.deliveries.07');
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  expect(Object.keys(dependencies)).toContain('postgres');
  const jobSystems =
    /^(?:@?(?:bull|bullmq|pg-boss|graphile-worker|agenda|bee-queue|kue|bree|resque|faktory|temporal|inngest|trigger)\b|.*(?:redis|amqp|rabbit|kafka|nats|sqs|queue))/;
  expect(['pg-boss', 'bullmq', 'ioredis'].every((name) => jobSystems.test(name))).toBe(true);
  expect(Object.keys(dependencies).filter((name) => jobSystems.test(name))).toEqual([]);
  // The table of deliveries is the one queue: only the outbox leases rows.
  expect(filesWith(getCode('src/server'), /for update skip locked/)).toEqual(['features/outbox/lease.ts']);
});

test('each CRM adapter is one file', () => {
  meets('D.deliveries.21');
  const adapters = getCode('src/server/features/crm');
  expect([...adapters.keys()].toSorted()).toEqual(['hubspotCrm.ts', 'webhookCrm.ts']);
  for (const [file, text] of adapters) {
    expect([file, text.match(/^export function create\w+/gm)]).toEqual([file, [expect.any(String)]]);
    expect([file, text.match(/from '\.\/[^']+'/g)]).toEqual([file, null]);
  }
});

test('each event of the log is a subject and a verb, and is logged at one place', () => {
  const code = [...getCode('src/server'), ...getCode('scripts')].map(([, text]) => text).join('\n');
  const events = [...code.matchAll(/\bevent: '([^']*\.[^']*)'/g)].map(([, event = '']) => event);
  expect(events.length).toBeGreaterThan(40);
  expect(events.filter((event) => !/^[a-z]+(?:-[a-z]+)*\.[a-z]+(?:-[a-z]+)*$/.test(event))).toEqual([]);
  expect(events.filter((event, index) => events.indexOf(event) !== index)).toEqual([]);
});

test('a function is named by a verb', () => {
  const named = /\bfunction\*? (?!(?:is|may|has)[A-Z]\w*Of\b)[a-z]\w*Of\b/;
  expect(named.test('function pathOf(')).toBe(true);
  expect(named.test('function isLeadOf(')).toBe(false);
  expect(['src', 'scripts'].flatMap((folder) => filesWith(getCode(folder), named))).toEqual([]);
});

test('the host of a request is read only where it is normalized', () => {
  meets('D.hosts.03');
  const readers = filesWith(
    getCode('src/server'),
    /headers\.host\b|headers\[['"](?:x-forwarded-)?host['"]\]|\.get\(['"](?:x-forwarded-)?host['"]\)|\bctx\.(?:host|hostname|origin|href|URL)\b/i,
  );
  // Before tenant.ts, requestStart.ts writes the host of an absolute target and metrics.ts answers without a site.
  expect(readers).toEqual(['http/metrics.ts', 'http/requestStart.ts', 'tenant/tenant.ts']);
});

test('nothing that is installed imports from test, which the image leaves out', () => {
  for (const folder of ['src', 'scripts'])
    expect([folder, filesWith(getCode(folder), /['"](?:#test|(?:\.\.\/)+test)\//)]).toEqual([folder, []]);
});

test('rows of a statement are parsed, and never only given a type', () => {
  const typed = /\.execute</;
  expect(typed.test('await tx.execute<{ id: string }>(query)')).toBe(true);
  for (const folder of ['src', 'scripts'])
    expect([folder, filesWith(getCode(folder), typed)]).toEqual([folder, []]);
});

/** The names of tests as written: literals that begin a call of `test` or `describe`, also after a table of cases. */
function readTestNames(): string[] {
  const name = /(?:\b(?:test|describe)(?:\.\w+)*|\))\(\s*(['"`])((?:\\.|(?!\1)[^\\\n])*)\1,/g;
  return ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.test\.tsx?$/.test(file))
      .map((file) => readFileSync(join(root, folder, file), 'utf8'))
      .flatMap((code) => [...code.matchAll(name)].map(([, , text = '']) => text)),
  );
}

test('names of tests have at most 80 characters, and begin with no code to look up', () => {
  const code = /^[A-Z]{1,2}\d+[a-z]?(?:[:.]|\s*[–-]\s)/;
  expect(['H1: a lead is kept', 'F12. a lead', 'C4 - a lead'].every((name) => code.test(name))).toBe(true);
  const names = readTestNames();
  expect(names.length).toBeGreaterThan(3_000);
  expect(names.filter((name) => code.test(name) || name.length > 80)).toEqual([]);
});
