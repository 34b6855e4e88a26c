import { expect, test } from 'vitest';
import { auditLog, staffAccounts } from '#server/db/schema/index.ts';
import { runCommand } from '#test/support/command.ts';
import { getSession, insertAccount } from '#test/support/staff.ts';
import { testApp } from '#test/support/testApp.ts';

const password = 'several unrelated words';

test('a command makes an account an owner with a new password, or creates one', async () => {
  await using app = await testApp();
  const viewer = await insertAccount(app, 'viewer');
  const headers = await getSession(app, viewer);
  const recover = (email: string, input = `${password}\n`) =>
    runCommand('account', { args: ['recover', email], input }, { DATABASE_URL: app.database.url });
  for (const email of [viewer.email, 'new@staff.example']) {
    expect((await recover(email, 'short\n')).status).toBe(1);
    const done = await recover(email);
    expect([done.status, done.output]).toEqual([0, expect.stringContaining('is an owner')]);
    expect(done.output).not.toContain(password);
    const signedIn = await app.post('/trpc/admin.session.signIn', { email, password });
    expect(signedIn.json()).toMatchObject({ result: { data: { email, role: 'owner' } } });
  }
  // The sessions of the former password are over.
  expect((await app.get('/trpc/admin.session.me', headers)).status).toBe(401);
  expect(await app.db.$count(staffAccounts)).toBe(2);
  const lines = await app.db.select().from(auditLog).orderBy(auditLog.id);
  const byCommand = lines.filter(({ actorKind }) => actorKind === 'command');
  expect(byCommand.map(({ action }) => action)).toEqual([
    'account.password',
    'account.role',
    'account.create',
  ]);
});
