import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testPasswordHash } from '#test/support/staff.ts';
import { meets } from '#test/support/meets.ts';
import { parseConfig } from './config.ts';
import { verifyPassword } from '../security/password.ts';
import { withLocalPassword, withLocalSecrets } from './localSecrets.ts';

async function dataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clinic-leads-secrets-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('a developer gets one password for all starts, in a private file', async () => {
  meets('D.admin.05 D.names.44');
  const folder = await dataDir();
  const given = parseConfig({ DATA_DIR: folder });
  const [first, second] = await Promise.all([withLocalPassword(given), withLocalPassword(given)]);
  expect(first.adminPassword).toMatch(/^[\w-]{16}$/);
  expect(second).toEqual(first);
  expect(await withLocalPassword(given)).toEqual(first);
  expect(await verifyPassword(first.adminPassword ?? '', first.config.adminPasswordHash)).toBe(true);
  expect((await stat(join(folder, 'admin-password'))).mode & 0o777).toBe(0o600);
});

test('a developer gets one signing key for all starts, in a private file', async () => {
  meets('D.names.45 D.names.46');
  const folder = await dataDir();
  const given = parseConfig({ DATA_DIR: folder });
  const starts = Array.from({ length: 20 }, () => withLocalSecrets(given));
  const [first, ...others] = await Promise.all(starts);
  for (const other of others) expect(other).toEqual(first);
  expect(await readdir(folder)).toEqual(['secret-keys']);
  expect(first?.secretKeys).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
  expect(await withLocalSecrets(given)).toEqual(first);
  expect((await stat(join(folder, 'secret-keys'))).mode & 0o777).toBe(0o600);
  const other = await withLocalSecrets(parseConfig({ DATA_DIR: await dataDir() }));
  expect(other.secretKeys).not.toEqual(first?.secretKeys);
});

test('a configured password is used and none is generated', async () => {
  const folder = await dataDir();
  const given = parseConfig({ DATA_DIR: folder, ADMIN_PASSWORD_HASH: testPasswordHash });
  expect(await withLocalPassword(given)).toEqual({ config: given, adminPassword: null });
  await expect(readFile(join(folder, 'admin-password'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a shared password that is off is not generated', async () => {
  const folder = await dataDir();
  const given = parseConfig({ DATA_DIR: folder, ADMIN_PASSWORD_HASH: 'off' });
  expect(given.adminPasswordHash).toBeNull();
  expect(await withLocalPassword(given)).toEqual({ config: given, adminPassword: null });
  await expect(readFile(join(folder, 'admin-password'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('production generates no password', async () => {
  meets('D.admin.07');
  const folder = await dataDir();
  const given = { ...parseConfig({ DATA_DIR: folder }), production: true };
  expect(await withLocalPassword(given)).toEqual({ config: given, adminPassword: null });
});

test('a file without a usable secret is named in the error', async () => {
  const folder = await dataDir();
  await writeFile(join(folder, 'admin-password'), 'only a password');
  await expect(withLocalPassword(parseConfig({ DATA_DIR: folder }))).rejects.toThrow(
    /admin-password holds no usable password/,
  );
});
