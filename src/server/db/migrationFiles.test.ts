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

test('a version names each migration, with its hash', () => {
  expect(Object.keys(released)).toContain(version);
  const named = Object.values(released).flatMap((files) => Object.entries(files));
  expect(Object.fromEntries(named)).toEqual(
    Object.fromEntries(readMigrations().map(({ name, sha256 }) => [name, sha256])),
  );
});
