import { expect, test } from 'vitest';
import { prepareDatabase } from '#server/startup/prepareDatabase.ts';
import { runCommand } from '#test/support/command.ts';
import { sha256 } from '#server/features/consent/evidenceFields.ts';
import { storeSnapshot } from '#server/features/consent/formSnapshots.ts';
import { longAgo, sealAll, storeEvidence, tamper } from '#test/support/evidence.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { testSecret } from '#test/support/testKeys.ts';
import { twoRoles } from '#test/support/twoRoles.ts';

/** Three old records and a young one. */
async function storeChain(database: TestDb): Promise<void> {
  await storeEvidence(database, 3, { at: longAgo });
  await storeEvidence(database, 1);
  await sealAll(database);
}

async function countRows({ sql }: TestDb, table: string): Promise<number> {
  const [row] = await sql<{ rows: number }[]>`select count(*)::int as rows from ${sql(table)}`;
  return row?.rows ?? -1;
}

test('npm run retention:prune -- evidence only counts, and removes with --yes', async () => {
  await using database = await testDb();
  await storeChain(database);
  const env = { DATABASE_URL: database.url, SECRET_KEYS: testSecret };
  const kept = /\nConsent record 4 \(seal 4\) must be kept until 20\d\d-\S+Z\.\n/.source;
  const counted = await runCommand('retentionPrune', ['evidence'], env);
  expect(counted).toEqual({
    status: 0,
    output: expect.stringMatching(
      `^Can be removed: 3 seals with 3 consent records, up to seal 3\\.${kept}Nothing was removed\\. Add --yes to remove it\\.\n$`,
    ),
  });
  expect(await countRows(database, 'consent_records')).toBe(4);
  const removed = await runCommand('retentionPrune', ['evidence', '--yes'], env);
  expect(removed).toEqual({
    status: 0,
    output: expect.stringMatching(
      `^Removed: 3 seals with 3 consent records, up to seal 3; withdrawals: 0; form snapshots: 0\\.${kept}The chain now begins after checkpoint 3\\. Check it with npm run consent:verify\\.\n$`,
    ),
  });
  expect(await countRows(database, 'consent_records')).toBe(1);
  expect(await runCommand('consentVerify', [], env)).toEqual({
    status: 0,
    output: expect.stringMatching(
      /^1 consent records, 1 sealed, 0 waiting for their seal\.\nSeals up to 3 were removed after their time, with 3 consent records; the last ones on \S+\.\n[^]*\nEvery row and the whole chain are intact\.\n$/,
    ),
  });
  const otherKey = { ...env, SECRET_KEYS: 'another-key-another-key-another-01' };
  expect(await runCommand('consentVerify', [], otherKey)).toEqual({
    status: 1,
    output: expect.stringMatching(
      /\nSeals up to 3 are gone, and checkpoint 3 doesn't prove that their time was over\.\n[^]*\ncheckpoint 3: none of SECRET_KEYS opens its key consent-seal-1, [^\n]*add the key to SECRET_KEYS/,
    ),
  });
  expect(await runCommand('retentionPrune', ['evidence', '--yes'], env)).toEqual({
    status: 0,
    output: expect.stringMatching(`^No consent record may be removed yet\\.${kept}$`),
  });
});

test('npm run retention:prune needs the owner’s role', async () => {
  await using roles = await twoRoles();
  await prepareDatabase({ url: roles.appUrl, ownerUrl: roles.ownerUrl });
  await storeChain(roles.database);
  const env = { DATABASE_URL: roles.appUrl, SECRET_KEYS: testSecret };
  expect(await runCommand('retentionPrune', ['evidence', '--yes'], env)).toEqual({
    status: 1,
    output: `The role "${roles.appRole}" doesn't own the tables, so it can't remove evidence or audit entries. Set DATABASE_OWNER_URL to the role that does. Nothing was removed.\n`,
  });
  expect(await countRows(roles.database, 'consent_records')).toBe(4);
  const asOwner = { ...env, DATABASE_OWNER_URL: roles.ownerUrl };
  expect(await runCommand('retentionPrune', ['evidence', '--yes'], asOwner)).toMatchObject({ status: 0 });
  expect(await countRows(roles.database, 'consent_records')).toBe(1);
});

test('npm run retention:prune -- audit-log removes and records entries of the age set', async () => {
  await using database = await testDb();
  const { sql } = database;
  for (const days of [800, 731, 729, 1])
    await sql`insert into audit_log (at, actor_kind, actor_name, action)
      values (now() - ${days}::int * interval '1 day', 'staff', ${String(days)}, 'sign-in')`;
  const env = { DATABASE_URL: database.url };
  expect(await runCommand('retentionPrune', ['audit-log', '--yes'], env)).toEqual({
    status: 0,
    output: 'The audit log is kept forever. Set audit-log in RETENTION to remove old entries.\n',
  });
  await expect(sql`delete from audit_log where actor_name = '800'`).rejects.toMatchObject({ code: '23001' });
  const configured = { ...env, RETENTION: 'audit-log=730' };
  expect(await runCommand('retentionPrune', ['audit-log'], configured)).toEqual({
    status: 0,
    output: expect.stringMatching(/^Can be removed: 2 audit entries before \S+Z\.\nNothing was removed\./),
  });
  expect(await countRows(database, 'audit_log')).toBe(4);
  expect(await runCommand('retentionPrune', ['audit-log', '--yes'], configured)).toEqual({
    status: 0,
    output: expect.stringMatching(/^Removed: 2 audit entries before \S+Z\.\n$/),
  });
  const left = await sql`select actor_name, action from audit_log order by id`;
  expect([...left]).toEqual([
    { actor_name: '729', action: 'sign-in' },
    { actor_name: '1', action: 'sign-in' },
    { actor_name: 'npm run retention:prune', action: 'audit.prune' },
  ]);
  await expect(sql`delete from audit_log where actor_name = '729'`).rejects.toMatchObject({ code: '23001' });
});

test('npm run retention:prune leaves withdrawals and forms until a record was removed', async () => {
  await using database = await testDb();
  await storeEvidence(database, 1);
  await sealAll(database);
  await storeSnapshot(database.db, { html: '<old>', sha256: sha256('<old>') });
  await tamper(database, "update consent_form_snapshots set created_at = '2019-01-01'");
  await database.sql`insert into consent_withdrawals (lead_id, at, how, by) values (999, '2019-01-01', 'page', 'Visitor')`;
  const env = { DATABASE_URL: database.url, SECRET_KEYS: testSecret };
  expect(await runCommand('retentionPrune', ['evidence', '--yes'], env)).toEqual({
    status: 0,
    output: expect.stringMatching(
      /^No consent record may be removed yet\.\nConsent record 1 \(seal 1\)[^\n]*\n$/,
    ),
  });
  expect(await countRows(database, 'consent_withdrawals')).toBe(1);
});

test('npm run retention:prune names the owner’s variable if its connection fails', async () => {
  await using database = await testDb();
  const env = { DATABASE_URL: database.url, DATABASE_OWNER_URL: 'postgres://owner:hidden@127.0.0.1:9/x' };
  expect(await runCommand('retentionPrune', ['evidence'], { ...env, SECRET_KEYS: testSecret })).toEqual({
    status: 1,
    output: "Can't reach Postgres at 127.0.0.1:9 (connection refused). Check DATABASE_OWNER_URL.\n",
  });
});

test('commands on a database without tables ask whether DATABASE_URL is set', async () => {
  await using database = await testDb();
  await database.sql`drop schema public cascade`;
  await database.sql`create schema public`;
  for (const [command, args] of [
    ['retentionPrune', ['evidence']],
    ['retentionPrune', ['audit-log']],
    ['consentVerify', []],
  ] as const)
    expect(
      await runCommand(command, [...args], { DATABASE_URL: database.url, SECRET_KEYS: testSecret }),
    ).toEqual({
      status: 1,
      output: expect.stringMatching(
        /^The database has no tables of this product \(relation "consent_records" does not exist\)\. Is DATABASE_URL set,/,
      ),
    });
});

test('npm run retention:prune without a known subject prints its usage', async () => {
  await using database = await testDb();
  const { status, output } = await runCommand('retentionPrune', ['leads', '--yes'], {
    DATABASE_URL: database.url,
  });
  expect([status, output]).toEqual([
    1,
    expect.stringMatching(/^npm run retention:prune -- evidence \[--yes\]\n/),
  ]);
});
