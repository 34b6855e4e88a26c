import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const folder = join(root, 'docs/conformity');
const tables = readdirSync(folder).filter((file) => file !== 'README.md');

interface Requirement {
  id: string;
  text: string;
  proof: string;
}

/** The rows of a table: id, requirement, proof. */
function requirementsIn(markdown: string): Requirement[] {
  return markdown
    .split('\n')
    .filter((line) => /^\| [A-Z]\d?\./.test(line))
    .map((line) => {
      const [, id = '', text = '', proof = '', ...rest] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
      return { id, text, proof: rest.length === 1 ? proof : '' };
    });
}

/** The tests that a proof names. */
function testsIn(proof: string): { path: string; title: string }[] {
  return [...proof.matchAll(/`([^`]+)` "((?:[^"\\]|\\.)+)"/g)].map(([, path = '', title = '']) => ({
    path,
    title: title.replaceAll(/\\(["|])/g, '$1'),
  }));
}

/** What is wrong with a proof: a file that does not exist, a title that the file does not have, or no proof at all. */
function faultOf(proof: string): string | null {
  if (/^allowed: (?!specification decision )/.test(proof)) return 'no specification decision';
  if (/^(?:allowed|own record): .{20}/.test(proof)) {
    const records = [...proof.matchAll(/`(docs\/[^`]+)`/g)].map(([, path = '']) => path);
    const missing = records.find((path) => !existsSync(join(root, path)));
    return missing === undefined ? null : `no file ${missing}`;
  }
  const named = testsIn(proof);
  if (named.length === 0) return 'no test';
  for (const [at, { path, title }] of named.entries()) {
    if (!/\.test\.tsx?$/.test(path) || !existsSync(join(root, path))) return `no file ${path}`;
    if (!readFileSync(join(root, path), 'utf8').includes(title)) return `no test ${title}`;
    if (named.findIndex((other) => other.path === path && other.title === title) < at)
      return `named twice: ${title}`;
  }
  return null;
}

describe.each(tables)('docs/conformity/%s', (file) => {
  const markdown = readFileSync(join(folder, file), 'utf8');
  const requirements = requirementsIn(markdown);

  test('lists requirements once each', () => {
    const ids = requirements.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(50);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(requirements.filter(({ text }) => text.length < 10)).toEqual([]);
  });

  test('names a test that exists, or the decision that allows the difference', () => {
    const faults = requirements
      .map(({ id, proof }) => [id, faultOf(proof)])
      .filter(([, fault]) => fault !== null);
    expect(faults).toEqual([]);
  });
});

test('a proof without an existing test is found', () => {
  const here = '`test/conformity.test.ts`';
  const missing = ['a', 'title', 'of', 'nothing'].join(' ');
  const twice = `${here} "lists requirements once each"`;
  expect([
    faultOf(`${here} "a proof without an existing test is found"`),
    faultOf(`${here} "lists requirements once each"; ${here} "${missing}"`),
    faultOf('`test/missing.test.ts` "a title"'),
    faultOf('own record: `docs/decisions/000-missing.md`, for a reason'),
    faultOf('allowed: `docs/decisions/004-consent-chain.md`, for a reason'),
    faultOf(`${twice}; ${twice}`),
    faultOf('GAP: nothing'),
  ]).toEqual([
    null,
    `no test ${missing}`,
    'no file test/missing.test.ts',
    'no file docs/decisions/000-missing.md',
    'no specification decision',
    'named twice: lists requirements once each',
    'no test',
  ]);
});
