import { expect, test } from 'vitest';
import { findAccountByEmail } from '#server/features/auth/accounts.ts';
import { restoreAccess } from '#server/features/auth/restoreAccess.ts';
import { listAccessChanges } from '#server/features/ledger/accessChanges.ts';
import { runCommand } from '#test/support/command.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';
import { signedIn, getToken } from '#test/support/staff.ts';

const [former, later] = ['the-former-password', 'the-later-password'];

/** Accounts of Ada, Bo, Cy and Di, made by an owner. */
async function accounts(app: TestApp, owner: Record<string, string>) {
  const ids: number[] = [];
  for (const name of ['Ada', 'Bo', 'Cy', 'Di']) {
    const input = { name, email: `${name.toLowerCase()}@brand.example`, role: 'owner', password: former };
    const answer = await app.post('/trpc/admin.accounts.create', input, owner);
    const { result }: { result: { data: { id: number } } } = Object(answer.json());
    ids.push(result.data.id);
  }
  const [ada = 0, bo = 0, cy = 0, di = 0] = ids;
  return { ada, bo, cy, di };
}

function signIn(app: TestApp, password: string) {
  return app.post('/trpc/admin.session.signIn', { email: 'ada@brand.example', password });
}

test('a restore ends sessions and repeats every end of access', async () => {
  await using app = await testApp();
  const owner = await signedIn(app, 'owner');
  const { ada, bo, cy, di } = await accounts(app, owner);
  const token = await getToken(app, ['leads:read']);
  const [revoked] = await app.sql<{ id: string }[]>`select id from api_tokens`;
  const backup = {
    accounts: [...(await app.sql`select * from staff_accounts order by id`)],
    tokens: [...(await app.sql`select * from api_tokens`)],
  };
  // The phone and the identity of before, which a backup brings back.
  const linkAgain = async () => {
    for (const id of [ada, bo, cy]) {
      await app.sql`insert into staff_second_factors values (${id}, 'sealed', 0, '{}')`;
      await app.sql`insert into staff_identities values ('https://id.example', ${`subject ${id}`}, ${id})`;
    }
  };
  await linkAgain();
  await app.post('/trpc/admin.secondFactor.reset', { id: cy }, owner);
  await app.post('/trpc/admin.accounts.unlink', { id: cy }, owner);
  await app.post('/trpc/admin.accounts.setPassword', { id: ada, password: later }, owner);
  await app.post('/trpc/admin.accounts.remove', { id: bo }, owner);
  await app.post('/trpc/admin.apiTokens.revoke', { id: Number(revoked?.id) }, owner);
  const setRole = (id: number, role: string) => app.post('/trpc/admin.accounts.setRole', { id, role }, owner);
  for (const role of ['viewer', 'manager']) await setRole(cy, role);
  for (const role of ['viewer', 'owner']) await setRole(di, role);
  const changes = await listAccessChanges(app.db);
  expect(changes.map(({ kind, subject }) => [kind, subject])).toEqual([
    ['second-factor-removed', cy],
    ['identity-removed', cy],
    ['password-changed', ada],
    ['account-removed', bo],
    ['token-revoked', Number(revoked?.id)],
    ...[cy, cy, di, di].map((id) => ['role-changed', id]),
  ]);
  // The restored database: as at the backup, with a session of then.
  await app.sql`delete from access_changes`;
  for (const account of backup.accounts) {
    await app.sql`delete from staff_accounts where id = ${account['id']}`;
    await app.sql`insert into staff_accounts ${app.sql(account)}`;
  }
  await linkAgain();
  await app.sql`delete from staff_second_factors where id = ${ada}`;
  await app.sql`update api_tokens set revoked_at = null`;
  expect((await signIn(app, former)).status).toBe(200);
  expect((await app.get('/api/leads', token)).status).toBe(200);

  const restored = await restoreAccess(app.db, { changes, now: new Date() });
  expect(restored).toMatchObject({ tokens: 1, accounts: 1, roles: 4, passwords: 1 });
  expect(restored).toMatchObject({ secondFactors: 1, identities: 1 });
  expect(await app.sql`select id from staff_second_factors`).toEqual([]);
  expect(await app.sql`select subject from staff_identities`).toEqual([{ subject: `subject ${ada}` }]);
  const roles = await app.sql`select role from staff_accounts where id in ${app.sql([cy, di])} order by id`;
  expect(roles.map(({ role }) => role)).toEqual(['manager', 'owner']);
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
    ...{ tokens: 0, accounts: 0, roles: 0, passwords: 0, secondFactors: 0, identities: 0 },
  });
  expect((await signIn(app, later)).status).toBe(200);
});
