import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { version } from '../version.ts';
import { readMigrations } from './applyMigrations.ts';

const released = z
  .record(z.string(), z.record(z.string(), z.string()))
  .parse(JSON.parse(readFileSync('migrations/released.json', 'utf8')));

test('migrations of released versions are as they were', () => {
  const now = readMigrations().map(({ name, sha256 }) => [name, sha256]);
  const then = Object.values(released).flatMap((files) => Object.entries(files));
  expect(now).toEqual(expect.arrayContaining(then));
});

test('this version names all of its migrations', () => {
  expect(Object.keys(released)).toContain(version);
  const names = Object.values(released).flatMap((files) => Object.keys(files));
  expect(names.toSorted()).toEqual(readMigrations().map(({ name }) => name));
});
