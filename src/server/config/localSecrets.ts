import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { hashPassword, isPasswordHash } from '../security/password.ts';

/** The content of a file in the data folder that only the owner can read. Created if it does not exist. */
async function kept(file: string, make: () => string | Promise<string>): Promise<string> {
  const found = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return null;
  });
  if (found !== null) return found.trim();
  await mkdir(join(file, '..'), { recursive: true });
  // Of two processes that start concurrently, one file wins, and only a complete one ever has this name.
  const own = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(own, await make(), { mode: 0o600 });
  await link(own, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(own);
  return (await readFile(file, 'utf8')).trim();
}

/** Generates missing secrets once, in the data folder. Never in production, where parseConfig requires SECRET_KEYS. */
export async function withLocalSecrets(config: Config): Promise<Config> {
  if (config.secretKeys.length > 0) return config;
  const file = join(config.dataDir, 'secret-keys');
  const key = await kept(file, () => randomBytes(32).toString('base64url'));
  if (key.length < 32) throw new Error(`${file} holds no usable key; delete it and start again.`);
  return { ...config, secretKeys: [key] };
}

/** The dashboard's local password, generated once and stored with its hash. Null if configured or off, and in production. */
export async function withLocalPassword(
  config: Config,
): Promise<{ config: Config; adminPassword: string | null }> {
  if (config.production || !config.allowsSharedPassword || config.adminPasswordHash !== null)
    return { config, adminPassword: null };
  const file = join(config.dataDir, 'admin-password');
  // Stored with its hash: a new hash at each start, with another salt, would end every session.
  const text = await kept(file, async () => {
    const password = randomBytes(12).toString('base64url');
    return `${password}\n${await hashPassword(password)}\n`;
  });
  const [adminPassword = '', adminPasswordHash = ''] = text.split('\n');
  if (adminPassword === '' || !isPasswordHash(adminPasswordHash))
    throw new Error(`${file} holds no usable password; delete it and start again.`);
  return { config: { ...config, adminPasswordHash, isPasswordLocal: true }, adminPassword };
}
