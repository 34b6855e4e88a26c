import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { commandBlocks, isAsDescribed } from '#test/support/documentBlocks.ts';
import { insertProvider } from '#test/support/factories.ts';
import { getToken } from '#test/support/staff.ts';
import { testApp } from '#test/support/testApp.ts';

const run = promisify(execFile);

test('the documented commands list providers and enter a lost lead with its provider', async () => {
  await using app = await testApp();
  await insertProvider(app.db, { id: 7, zipCode: '10016', email: 'office@elm.example' });
  await insertProvider(app.db, { zipCode: '80202' });
  const { authorization } = await getToken(app, ['providers:read', 'leads:write']);
  const folder = await mkdtemp(join(tmpdir(), 'lost-leads-'));
  const blocks = commandBlocks('docs/backup.md').filter(
    ({ heading }) => heading === 'Leads of the lost time',
  );
  expect(blocks).toHaveLength(2);
  try {
    for (const { commands, expected } of blocks) {
      const script = commands.replaceAll('https://brand.example', `http://127.0.0.1:${app.port}`);
      const env = { PATH: process.env['PATH'] ?? '', TOKEN: authorization.replace('Bearer ', '') };
      const { stdout } = await run('sh', ['-euc', script], { cwd: folder, env });
      expect(isAsDescribed(stdout, expected ?? '')).toBe(true);
    }
    expect(await readFile(join(folder, 'providers.csv'), 'utf8')).toContain('office@elm.example');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  expect([...(await app.sql`select email, provider_id::int from leads`)]).toEqual([
    { email: 'sam@example.com', provider_id: 7 },
  ]);
});
