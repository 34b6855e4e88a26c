import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import pLimit from 'p-limit';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { commandEnvironment } from '#test/support/command.ts';
import { meets } from '#test/support/meets.ts';
import { testDb } from '#test/support/testDb.ts';
import { testSecret } from '#test/support/testKeys.ts';
import { goldenFile, jsonText } from './goldenFiles.ts';

interface Example {
  name: string;
  args: string[];
}

interface Ending {
  command: string;
  status: number;
  stdout: string[];
  stderr: string[];
}

const packageFile = z.object({ engines: z.unknown(), scripts: z.record(z.string(), z.string()) });

/** Runs the script that package.json has for an npm command. */
function run(
  { name, args }: Example,
  scripts: Readonly<Record<string, string>>,
  env: Record<string, string>,
): Promise<Ending> {
  const [, script = ''] = /^node (scripts\/[\w/]+\.ts)$/.exec(scripts[name] ?? '') ?? [];
  if (script === '') throw new Error(`${name} runs no script`);
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [resolve(script), ...args],
      { env: { ...commandEnvironment, ...env } },
      (error, stdout, stderr) =>
        done({
          command: [name, ...args].join(' '),
          status: error === null ? 0 : Number(error.code),
          stdout: stdout.trimEnd().split('\n'),
          stderr: stderr.trimEnd().split('\n'),
        }),
    );
    child.stdin?.end();
  });
}

/** Wrong or harmless arguments: each answer is the usage, an error or an empty result. */
const examples: readonly Example[] = [
  { name: 'token', args: [] },
  { name: 'token', args: ['create', '--name', 'nightly'] },
  { name: 'token', args: ['list'] },
  { name: 'claims', args: [] },
  { name: 'claims', args: ['accept', '--all', '--name', 'Dana Owner', '--reason', ' '] },
  { name: 'claims', args: ['accept', '--claim', 'none', '--name', 'Dana Owner', '--reason', 'A reason'] },
  { name: 'suppression', args: [] },
  { name: 'suppression', args: ['lift', '--phone', '555', '--reason', 'A reason'] },
  { name: 'deliveries', args: [] },
  { name: 'deliveries', args: ['retry', '--channel', 'webhook', '--state', 'failed'] },
  { name: 'deliveries', args: ['retry', '--channel', 'crm', '--state', 'failed'] },
  { name: 'sync-providers', args: ['--complete'] },
  { name: 'sync-providers', args: ['--dry-run', '--force'] },
  { name: 'push-providers', args: [] },
  { name: 'webhook:verify', args: [] },
  { name: 'consent:verify', args: [] },
  { name: 'admin:password', args: [] },
  { name: 'backup', args: [] },
  { name: 'restore', args: [] },
  { name: 'restore', args: ['--replay-only'] },
];

test('npm commands keep their names, options, messages and exit codes', async () => {
  meets(`
    D.names.48 D.names.49 D.names.50 D.names.51 D.names.52 D.names.53 D.names.54 D.names.55
    D.names.56 D.names.57 D.names.58 D.names.59 D.names.60 D.names.63
  `);
  const { scripts, engines } = packageFile.parse(JSON.parse(await readFile('package.json', 'utf8')));
  await using database = await testDb();
  const env = { DATABASE_URL: database.url, SECRET_KEYS: testSecret, DATA_DIR: '/nonexistent' };
  const limit = pLimit(2);
  const endings = await Promise.all(examples.map((example) => limit(() => run(example, scripts, env))));
  const commands = { engines, names: Object.keys(scripts).toSorted(), endings };
  await expect(jsonText(commands)).toMatchFileSnapshot(goldenFile('commands.json'));
});
