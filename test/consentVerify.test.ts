import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { sealAll } from '#test/support/evidence.ts';
import { leadInput } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import { testSecret } from '#test/support/testKeys.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';

const run = promisify(execFile);

function verify({ database }: TestApp, secrets: string = testSecret): Promise<{ stdout: string }> {
  return run(process.execPath, ['scripts/consentVerify.ts'], {
    env: { ...process.env, DATABASE_URL: database.url, SECRET_KEYS: secrets },
  });
}

test('npm run consent:verify passes on real leads and names a changed row', async () => {
  meets('D.leads.47 D.names.59');
  await using app = await testApp();
  for (let count = 0; count < 3; count += 1) await app.post('/api/leads', leadInput());
  await sealAll(app);
  const intact = await verify(app);
  expect(intact.stdout).toContain('3 consent records, 3 sealed, 0 waiting');
  expect(intact.stdout).toContain('Every row and the whole chain are intact.');

  const [row] = await app.sql<
    { id: string; lead_id: string }[]
  >`select id, lead_id from consent_records order by id offset 1 limit 1`;
  if (row === undefined) throw new Error('no consent record');
  await app.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update consent_records set text_shown = overlay(text_shown placing '!' from length(text_shown)) where id = ${row.id}`;
  });
  await expect(verify(app)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      `consent record ${row.id} (lead ${row.lead_id}, seal 2): its content does not match its hash`,
    ),
  });
});

test('npm run consent:verify exits with 2 if it can’t check HMACs', async () => {
  await using app = await testApp();
  await app.post('/api/leads', leadInput());
  await sealAll(app);
  await expect(verify(app, 'another-key-another-key-another-01')).rejects.toMatchObject({
    code: 2,
    stdout: expect.stringContaining('No faults, but some HMACs were not checked.'),
    stderr: expect.stringContaining('HMACs of 1 seals not checked'),
  });
});

test('npm run consent:verify uses DATA_DIR’s secret without SECRET_KEYS', async () => {
  meets('D.names.45');
  await using app = await testApp();
  await app.post('/api/leads', leadInput());
  await sealAll(app);
  const folder = await mkdtemp(join(tmpdir(), 'consent-verify-'));
  try {
    await writeFile(join(folder, 'secret-keys'), testSecret);
    const { stdout } = await run(process.execPath, ['scripts/consentVerify.ts'], {
      env: { ...process.env, DATABASE_URL: app.database.url, DATA_DIR: folder, SECRET_KEYS: '' },
    });
    expect(stdout).toContain('Every row and the whole chain are intact.');
  } finally {
    await rm(folder, { recursive: true });
  }
});
