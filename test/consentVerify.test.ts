import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { sealConsent } from '#server/features/leads/consentChain.ts';
import { leadInput } from '#test/support/factories.ts';
import { testApp } from '#test/support/testApp.ts';

const run = promisify(execFile);

test('npm run consent:verify passes on real leads, and after one byte of one row has changed it names that row and fails', async () => {
  await using app = await testApp();
  for (let count = 0; count < 3; count += 1) await app.post('/api/leads', leadInput());
  await sealConsent(app.db);
  const verify = (): Promise<{ stdout: string }> =>
    run(process.execPath, ['scripts/consentVerify.ts'], {
      env: { ...process.env, DATABASE_URL: app.database.url },
    });

  const intact = await verify();
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
  await expect(verify()).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      `consent record ${row.id} (lead ${row.lead_id}, seal 2): its content does not match its hash`,
    ),
  });
});
