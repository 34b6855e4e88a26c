import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';

/**
 * Fills the secrets a developer didn't set with ones made once and kept, readable by the owner alone, under the data folder. Production
 * never gets here: parseConfig refuses to go on without SECRET_KEYS.
 */
export async function withLocalSecrets(config: Config): Promise<Config> {
  if (config.secretKeys.length > 0) return config;
  const file = join(config.dataDir, 'secret-keys');
  await mkdir(config.dataDir, { recursive: true });
  // `wx`: of two processes that start at once, one writes and both read the same key.
  await writeFile(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  const key = (await readFile(file, 'utf8')).trim();
  if (key.length < 32) throw new Error(`${file} holds no usable key; delete it and start again.`);
  return { ...config, secretKeys: [key] };
}
