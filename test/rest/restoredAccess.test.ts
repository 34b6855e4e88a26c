import { expect, test } from 'vitest';
import { findAccountByEmail } from '#server/features/auth/accounts.ts';
import { restoreAccess } from '#server/features/auth/restoreAccess.ts';
import { listAccessChanges } from '#server/features/ledger/accessChanges.ts';
import { runCommand } from '#test/support/command.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';
import { signedIn, tokenOf } from '#test/support/staff.ts';

const [former, later] = ['the-former-password', 'the-later-password'];

/** Accounts of Ada and Bo, made by an owner. */
async function accounts(app: TestApp, owner: Record<string, string>) {
  const ids: number[] = [];
  for (const name of ['Ada', 'Bo']) {
    const input = { name, email: `${name.toLowerCase()}@brand.example`, role: 'owner', password: former };
    const answer = await app.post('/trpc/staffAccounts.create', input, owner);
    const { result }: { result: { data: { id: number } } } = Object(answer.json());
    ids.push(result.data.id);
  }
  return { ada: ids[0] ?? 0, bo: ids[1] ?? 0 };
}

function signIn(app: TestApp, password: string) {
  return app.post('/trpc/staff.signIn', { email: 'ada@brand.example', password });
}

test('a restore ends sessions and repeats revocations, removals and password changes', async () => {
  await using app = await testApp();
  const owner = await signedIn(app, 'owner');
  const { ada, bo } = await accounts(app, owner);
  const token = await tokenOf(app, ['leads:read']);
  const [revoked] = await app.sql<{ id: string }[]>`select id from api_tokens`;
  const backup = {
    accounts: [...(await app.sql`select * from staff_accounts order by id`)],
    tokens: [...(await app.sql`select * from api_tokens`)],
  };
  await app.post('/trpc/staffAccounts.setPassword', { id: ada, password: later }, owner);
  await app.post('/trpc/staffAccounts.remove', { id: bo }, owner);
  await app.post('/trpc/apiTokens.revoke', { id: Number(revoked?.id) }, owner);
  const changes = await listAccessChanges(app.db);
  expect(changes.map(({ kind, subject }) => [kind, subject])).toEqual([
    ['password-changed', ada],
    ['account-removed', bo],
    ['token-revoked', Number(revoked?.id)],
  ]);
  // The restored database: as at the backup, with a session of then.
  await app.sql`delete from access_changes`;
  for (const account of backup.accounts) {
    await app.sql`delete from staff_accounts where id = ${account['id']}`;
    await app.sql`insert into staff_accounts ${app.sql(account)}`;
  }
  await app.sql`update api_tokens set revoked_at = null`;
  expect((await signIn(app, former)).status).toBe(200);
  expect((await app.get('/api/leads', token)).status).toBe(200);

  const restored = await restoreAccess(app.db, { changes, now: new Date() });
  expect(restored).toMatchObject({ tokens: 1, accounts: 1, passwords: 1 });
  expect(restored.sessions).toBeGreaterThan(0);
  expect(await app.sql`select 1 from staff_sessions`).toHaveLength(0);
  expect((await app.get('/api/leads', token)).status).toBe(401);
  expect(await findAccountByEmail(app.db, 'bo@brand.example')).toBeNull();
  const refused = await signIn(app, former);
  expect([refused.status, refused.text]).toEqual([
    401,
    expect.stringContaining('Ask an owner to set a new one'),
  ]);
  expect((await signIn(app, later)).text).not.toContain('restored');

  const env = { DATABASE_URL: app.database.url };
  expect(await runCommand('account', ['list'], env)).toEqual({
    status: 0,
    output: expect.stringMatching(/\tada@brand\.example\towner\tneeds a new password/),
  });
  expect(
    await runCommand('account', { args: ['password', 'ada@brand.example'], input: `${later}\n` }, env),
  ).toEqual({
    status: 0,
    output: expect.stringContaining('"Ada" (owner) has the new password.'),
  });
  expect((await signIn(app, later)).status).toBe(200);
  // A second replay repeats nothing, also not against the new password.
  expect(await restoreAccess(app.db, { changes, now: new Date() })).toMatchObject({
    ...{ tokens: 0, accounts: 0, passwords: 0 },
  });
  expect((await signIn(app, later)).status).toBe(200);
});
