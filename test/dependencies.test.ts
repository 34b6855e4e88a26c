import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';

const packages = z.record(z.string(), z.string());
const { dependencies, devDependencies } = z
  .object({ dependencies: packages, devDependencies: packages })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

/** The rows of the page's first table: the names in the first column, and the reason. */
const [, table = ''] = /^\| package .*\n\| -.*\n((?:\|.*\n)+)/m.exec(
  readFileSync('docs/dependencies.md', 'utf8'),
) ?? [undefined, undefined];
const rows = table
  .trimEnd()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, names = '', reason = '']) => ({ names, reason }));
const border = rows.findIndex(({ names }) => names === '_development_');
const listNames = (some: typeof rows): string[] =>
  some.flatMap(({ names }) => [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)).toSorted();

test('docs/dependencies.md names each dependency once, and no other package', () => {
  expect(listNames(rows.slice(0, border))).toEqual(Object.keys(dependencies).toSorted());
});

test('docs/dependencies.md names each development dependency, and no other', () => {
  expect(listNames(rows.slice(border + 1))).toEqual(Object.keys(devDependencies).toSorted());
});

test('docs/dependencies.md has a reason for each package', () => {
  const others = rows.filter((_, index) => index !== border);
  expect(others.filter(({ names, reason }) => names === '' || reason === '')).toEqual([]);
});
