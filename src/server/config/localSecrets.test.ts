import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testPasswordHash } from '#test/support/staff.ts';
import { parseConfig } from './config.ts';
import { verifyPassword } from '../security/password.ts';
import { withLocalPassword } from './localSecrets.ts';

async function dataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clinic-leads-secrets-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('a developer gets one password that opens the dashboard, the same at every start, in a file of theirs alone', async () => {
  const folder = await dataDir();
  const given = parseConfig({ DATA_DIR: folder });
  const [first, second] = await Promise.all([withLocalPassword(given), withLocalPassword(given)]);
  expect(first.adminPassword).toMatch(/^[\w-]{16}$/);
  expect(second).toEqual(first);
  expect(await withLocalPassword(given)).toEqual(first);
  expect(await verifyPassword(first.adminPassword ?? '', first.config.adminPasswordHash)).toBe(true);
  expect((await stat(join(folder, 'admin-password'))).mode & 0o777).toBe(0o600);
});

test('one that is configured is used and none is made', async () => {
  const folder = await dataDir();
  const given = parseConfig({ DATA_DIR: folder, ADMIN_PASSWORD_HASH: testPasswordHash });
  expect(await withLocalPassword(given)).toEqual({ config: given, adminPassword: null });
  await expect(readFile(join(folder, 'admin-password'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('production without one has none', async () => {
  const folder = await dataDir();
  const given = { ...parseConfig({ DATA_DIR: folder }), production: true };
  expect(await withLocalPassword(given)).toEqual({ config: given, adminPassword: null });
});

test('a file that holds nothing usable is named', async () => {
  const folder = await dataDir();
  await writeFile(join(folder, 'admin-password'), 'only a password');
  await expect(withLocalPassword(parseConfig({ DATA_DIR: folder }))).rejects.toThrow(
    /admin-password holds no usable password/,
  );
});
