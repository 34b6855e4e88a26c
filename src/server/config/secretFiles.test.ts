import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configGaps } from '#scripts/doctorGaps.ts';
import { productionEnvironment as production } from '#test/support/productionEnvironment.ts';
import { ConfigError, parseConfig } from './config.ts';
import { environment } from './environment.ts';
import { secretSettings } from './secretFiles.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secret-files-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, text: string | Buffer): Promise<string> {
  await writeFile(join(folder, name), text, { mode: 0o600 });
  return join(folder, name);
}

function listFaults(env: Record<string, string>): readonly string[] {
  try {
    parseConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults;
  }
}

const key = 'a-key-for-tests-a-key-for-tests-0001';

test.each(['\n', '', '\r\n', '\n\n'])(
  'a secret in a file counts without its last line end %j',
  async (end) => {
    const path = await file('keys', `\ufeff${key},${key}${end}`);
    expect(parseConfig({ SECRET_KEYS_FILE: path, SECRET_KEYS: ' ' }).secretKeys).toEqual([key, key]);
  },
);

test('every secret setting can be in a file, and no other', async () => {
  const names = Object.keys(environment.shape);
  expect(secretSettings.filter((name) => !names.includes(name))).toEqual([]);
  const isSecret = /SECRET|PASSWORD|TOKEN|_KEY|^DATABASE_.*URL$|SMTP_URL/;
  expect(names.filter((name) => isSecret.test(name)).toSorted()).toEqual([...secretSettings].toSorted());
  const url = 'postgres://leads:a%20secret@10.1.2.3/leads';
  const config = parseConfig({
    DATABASE_URL_FILE: await file('url', `${url}\n`),
    METRICS_TOKEN_FILE: await file('token', 'a-token-of-enough-length\n'),
  });
  expect([config.databaseUrl, config.metricsToken]).toEqual([url, 'a-token-of-enough-length']);
});

test('a name without a slash is a credential of systemd', async () => {
  await file('secret-keys', `${key}\n`);
  const env = { SECRET_KEYS_FILE: 'secret-keys', CREDENTIALS_DIRECTORY: folder };
  expect(parseConfig(env).secretKeys).toEqual([key]);
});

test('a file that can’t be used is a fault that names the variable, never the content', async () => {
  await mkdir(join(folder, 'folder'), { recursive: true });
  for (const [path, reason] of [
    [join(folder, 'none'), "can't be read (ENOENT)"],
    [join(folder, 'folder'), "can't be read (EISDIR)"],
    [await file('empty', '\n'), 'is empty'],
    [await file('lines', `${key}\n${key}\n`), 'has more than one line'],
    [await file('binary', Buffer.from([0xff, 0xfe, 0x80, 0x41])), 'is no text in UTF-8'],
    [await file('long', 'x'.repeat(70_000)), 'is too long for a setting'],
  ] as const)
    expect(listFaults({ SECRET_KEYS_FILE: path })).toEqual([`SECRET_KEYS_FILE: the file ${reason}`]);
  const wrong = listFaults({ SMTP_URL_FILE: await file('smtp', 'ftp://user:hunter2@host') });
  expect(wrong).toEqual([expect.stringMatching(/^SMTP_URL: must be/)]);
  expect(wrong.join()).not.toContain('hunter2');
});

test('a value and a file for the same setting are refused', async () => {
  const env = { SECRET_KEYS: key, SECRET_KEYS_FILE: await file('other', `${key}\n`) };
  expect(listFaults(env)).toEqual(['SECRET_KEYS, SECRET_KEYS_FILE: set one of them, not both']);
});

test('production and doctor read a key in a file like one in the environment', async () => {
  const { SECRET_KEYS, ...others } = production;
  const path = await file('production', `${SECRET_KEYS}\n`);
  expect(listFaults({ ...others, SECRET_KEYS_FILE: path })).toEqual([]);
  const texts = (env: Record<string, string>) => configGaps(env).map(({ text }) => text);
  expect(texts({ ...others, SECRET_KEYS_FILE: path })).toEqual(texts(production));
  expect(listFaults({ ...others, SECRET_KEYS_FILE: await file('weak', `${'a'.repeat(32)}\n`) })).toEqual([
    expect.stringContaining('SECRET_KEYS: a key is too easy to guess'),
  ]);
  expect(listFaults({ ...others, SECRET_KEYS_FILE: join(folder, 'none') })).toEqual([
    "SECRET_KEYS_FILE: the file can't be read (ENOENT)",
  ]);
});
