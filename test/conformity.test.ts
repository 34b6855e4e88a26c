import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  findStatedIds,
  readRequirements,
  readStatedIds,
  requirements,
  root,
} from './conformity/requirements.ts';
import { pageRequirements } from './golden/pageRequirements.ts';

const stated = new Set([
  ...readStatedIds(),
  ...Object.values(pageRequirements).flatMap((ids) => ids.trim().split(/\s+/)),
]);
const differences = [
  ...readFileSync(join(root, 'docs/conformity/README.md'), 'utf8').matchAll(
    /^\| ([A-Z]\d?\.[a-z]+\.\d+) +\|.+\| (allowed: specification decision .{20}.*|own record: .{20}.*) \|$/gm,
  ),
].map(([, id = '', reason = '']) => ({ id, reason }));

test('every requirement is stated by a test, and every stated one exists', () => {
  expect([...requirements.keys()].filter((id) => !stated.has(id))).toEqual([]);
  expect([...stated].filter((id) => !requirements.has(id))).toEqual([]);
  expect(requirements.size + differences.length).toBeGreaterThanOrEqual(1217);
});

test('each golden page that has requirements exists', () => {
  const missing = Object.keys(pageRequirements).filter(
    (page) => !existsSync(join(root, `test/golden/pages/main-${page}.html`)),
  );
  expect(missing).toEqual([]);
});

test('each difference is no requirement, and the record that allows it exists', () => {
  expect(differences.length).toBeGreaterThan(50);
  expect(differences.filter(({ id }) => requirements.has(id))).toEqual([]);
  const records = differences.flatMap(({ reason }) => [...reason.matchAll(/`(docs\/decisions\/[^`]+)`/g)]);
  expect(records.length).toBeGreaterThan(20);
  const missing = records.filter(([, file = '']) => !existsSync(join(root, file)));
  expect(missing).toEqual([]);
});

test('the scan finds ids in one line and over several lines, and refuses broken lines', () => {
  const here = 'meets';
  expect(findStatedIds(`${here}('P1.a.01 P2.b.02'); ${here}(\`\n  D.c.03\n  D.c.04\n\`);`)).toEqual([
    'P1.a.01',
    'P2.b.02',
    'D.c.03',
    'D.c.04',
  ]);
  expect(() => readRequirements('P1.a.01 A text of some words.\nP1.a.01 A text of some words.')).toThrow(
    /twice/,
  );
  expect(() => readRequirements('A text of some words.')).toThrow(/no requirement/);
});
