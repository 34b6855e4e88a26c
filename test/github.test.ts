import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const folder = '.github';
const packageJson = z
  .object({
    engines: z.object({ node: z.string() }),
    license: z.string(),
    scripts: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

function parseYaml(path: string): unknown {
  return parse(readFileSync(join(folder, path), 'utf8'));
}

const job = z.object({
  'runs-on': z.string().regex(/^ubuntu-\d/),
  'timeout-minutes': z.number().max(90),
  strategy: z.object({ matrix: z.object({ node: z.array(z.number()) }) }).optional(),
  steps: z.array(
    z.object({ uses: z.string().optional(), run: z.string().optional(), with: z.unknown().optional() }),
  ),
});
const workflow = z.object({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(z.string(), job),
});

describe.each(readdirSync(join(folder, 'workflows')))('%s', (file) => {
  const { permissions, jobs } = workflow.parse(parseYaml(`workflows/${file}`));
  const steps = Object.values(jobs).flatMap((one) => one.steps);

  test('says that it was not tried, and may only read', () => {
    expect(readFileSync(join(folder, 'workflows', file), 'utf8')).toMatch(/^# Not tried: /);
    expect(permissions).toEqual({ contents: 'read' });
  });

  test('runs only commands and files that exist', () => {
    const commands = steps.flatMap(({ run = '' }) => run.split('\n'));
    const scripts = commands.flatMap((line) => /npm run ([\w:]+)/.exec(line)?.[1] ?? []);
    for (const script of scripts) expect(Object.keys(packageJson.scripts)).toContain(script);
    const programs = commands.filter((line) => line.startsWith('.'));
    expect(programs.filter((path) => (statSync(path).mode & 0o111) === 0)).toEqual([]);
  });

  test('uses actions by a version', () => {
    const actions = steps.flatMap(({ uses }) => uses ?? []);
    expect(actions.filter((action) => !/^[\w-]+\/[\w-]+@v\d+$/.test(action))).toEqual([]);
  });

  test('covers the oldest Node that the package accepts', () => {
    const versions = Object.values(jobs).flatMap(({ strategy }) => strategy?.matrix.node ?? []);
    expect(packageJson.engines.node).toBe(`>=${Math.min(...versions)}`);
  });
});

test('dependency updates name folders of the repository', () => {
  const { updates } = z
    .object({ updates: z.array(z.object({ 'package-ecosystem': z.string(), directory: z.string() })) })
    .parse(parseYaml('dependabot.yml'));
  expect(updates.filter(({ directory }) => !existsSync(`.${directory}`))).toEqual([]);
});

test.each(['bug.yml', 'feature.yml'])('the form %s has fields with an id and a label', (file) => {
  const form = z.object({
    name: z.string(),
    description: z.string(),
    body: z.array(
      z.discriminatedUnion('type', [
        z.object({ type: z.literal('markdown'), attributes: z.object({ value: z.string() }) }),
        z.object({
          type: z.enum(['textarea', 'input']),
          id: z.string(),
          attributes: z.object({ label: z.string() }),
        }),
      ]),
    ),
  });
  const { body } = form.parse(parseYaml(`ISSUE_TEMPLATE/${file}`));
  expect(body.filter(({ type }) => type !== 'markdown').length).toBeGreaterThan(1);
});

/** Licenses without conditions that NOTICE.md would have to name. */
const free = /^\(?(MIT|ISC|BSD-[23]-Clause|Apache-2\.0|0BSD|Unlicense)\b/;

test('NOTICE.md names each package with another license', () => {
  const lock = z
    .object({
      packages: z.record(
        z.string(),
        z.object({
          license: z.string().optional(),
          dev: z.boolean().optional(),
          link: z.boolean().optional(),
        }),
      ),
    })
    .parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));
  const notice = readFileSync('NOTICE.md', 'utf8');
  const others = Object.entries(lock.packages)
    // A link is to a folder of this repository.
    .filter(([path, { dev, link }]) => path !== '' && dev !== true && link !== true)
    .filter(([, { license }]) => !free.test(license ?? ''))
    // A package for one platform belongs to the one without it.
    .map(([path]) =>
      path.replace(/^.*node_modules\//, '').replace(/-(android|darwin|freebsd|linux|win32)-.*$/, ''),
    );
  expect(others.length).toBeGreaterThan(5);
  for (const name of new Set(others)) expect(notice).toContain(`\`${name}\``);
  expect(packageJson.license).toBe('MIT');
  expect(readFileSync('LICENSE', 'utf8')).toMatch(/^MIT License/);
});
