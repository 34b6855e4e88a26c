import { expect, test } from 'vitest';
import { z } from 'zod';
import { apiTokens, auditLog, staffAccounts, staffSessions } from '#server/db/schema/index.ts';
import { insertAccount, getSession, signedIn, getToken } from '#test/support/staff.ts';
import { type TestApp, testApp } from '#test/support/testApp.ts';
import { meets } from '#test/support/meets.ts';

const success = z.object({ result: z.object({ data: z.looseObject({ id: z.number().optional() }) }) });

async function call(
  app: TestApp,
  headers: Record<string, string>,
  path: string,
  input: object,
): Promise<{ status: number; data: Record<string, unknown> }> {
  const { status, json } = await app.post(`/trpc/${path}`, input, headers);
  return { status, data: status === 200 ? success.parse(json()).result.data : {} };
}

test('each change of accounts and tokens is audited without personal data or secrets', async () => {
  meets('D.admin.40');
  await using app = await testApp();
  const owner = await insertAccount(app, 'owner');
  const headers = await getSession(app, owner);
  const person = {
    name: 'Ada Reed',
    email: 'ada@staff.example',
    role: 'viewer',
    password: 'long enough, really',
  };
  const { data: account } = await call(app, headers, 'admin.accounts.create', person);
  await call(app, headers, 'admin.accounts.setRole', { id: account['id'], role: 'manager' });
  await call(app, headers, 'admin.accounts.setPassword', {
    id: account['id'],
    password: 'another, long enough',
  });
  await call(app, headers, 'admin.accounts.remove', { id: account['id'] });
  const { data: made } = await call(app, headers, 'admin.apiTokens.create', {
    name: 'Nightly',
    scopes: ['sync:run'],
  });
  const { id } = z.object({ id: z.number() }).parse(made['created']);
  await call(app, headers, 'admin.apiTokens.revoke', { id });
  const lines = await app.db.select().from(auditLog).orderBy(auditLog.id);
  const by = { actorKind: 'staff', actorName: owner.name, accountId: owner.id, ip: '127.0.0.1' };
  const onAccount = { ...by, subjectKind: 'account', subjectId: String(account['id']) };
  const onToken = { ...by, subjectKind: 'token', subjectId: String(id) };
  expect(lines).toMatchObject([
    { ...onAccount, action: 'account.create', detail: { role: 'viewer' } },
    { ...onAccount, action: 'account.role', detail: { role: 'manager' } },
    { ...onAccount, action: 'account.password', detail: null },
    { ...onAccount, action: 'account.remove', detail: null },
    { ...onToken, action: 'token.create', detail: { scopes: ['sync:run'] } },
    { ...onToken, action: 'token.revoke', detail: null },
  ]);
  const [{ now } = { now: '' }] = await app.sql<{ now: string }[]>`select now()::text as now`;
  for (const { at } of lines) expect(Math.abs(at.getTime() - Date.parse(now))).toBeLessThan(60_000);
  expect(JSON.stringify(lines)).not.toMatch(/@|mpx_|long enough/);
});

test('owners cannot remove their own role or account', async () => {
  await using app = await testApp();
  const owner = await insertAccount(app, 'owner');
  const headers = await getSession(app, owner);
  expect((await call(app, headers, 'admin.accounts.setRole', { id: owner.id, role: 'viewer' })).status).toBe(
    409,
  );
  expect((await call(app, headers, 'admin.accounts.remove', { id: owner.id })).status).toBe(409);
  expect(await app.db.select().from(staffAccounts)).toMatchObject([{ role: 'owner' }]);
  expect(await app.db.$count(auditLog)).toBe(0);
});

test.each(['setRole', 'remove'] as const)(
  'of two owners who use %s on each other concurrently, one remains',
  async (staffAction) => {
    await using app = await testApp();
    const [one, other] = [await insertAccount(app, 'owner'), await insertAccount(app, 'owner')];
    const [byOne, byOther] = [await getSession(app, one), await getSession(app, other)];
    const calls = await app.sql.begin(async (tx) => {
      await tx`select 1 from staff_accounts for update`;
      const asked = [
        call(app, byOne, `staffAccounts.${staffAction}`, { id: other.id, role: 'viewer' }),
        call(app, byOther, `staffAccounts.${staffAction}`, { id: one.id, role: 'viewer' }),
      ];
      await expect
        .poll(async () =>
          Number(
            (
              await app.sql`select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
            )[0]?.['count'],
          ),
        )
        .toBe(2);
      return { asked };
    });
    const statuses = (await Promise.all(calls.asked)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect((await app.db.select().from(staffAccounts)).filter(({ role }) => role === 'owner')).toHaveLength(
      1,
    );
  },
);

test('a role is undone by its own entry, and not after somebody else changed it', async () => {
  await using app = await testApp();
  const headers = await signedIn(app, 'owner');
  const { id } = await insertAccount(app, 'viewer');
  const setRole = async (input: object) =>
    (await call(app, headers, 'admin.accounts.setRole', { id, ...input })).status;
  const undo = { role: 'viewer', from: 'manager', isUndo: true };
  expect(await setRole({ role: 'manager', from: 'viewer' })).toBe(200);
  expect(await setRole(undo)).toBe(200);
  expect(await setRole({ role: 'owner', from: 'viewer' })).toBe(200);
  expect(await setRole(undo)).toBe(409);
  const log = await app.db.select().from(auditLog).orderBy(auditLog.id);
  expect(log.map(({ action, detail }) => [action, detail])).toEqual([
    ['account.role', { role: 'manager' }],
    ['account.role-undo', { role: 'viewer' }],
    ['account.role', { role: 'owner' }],
  ]);
});

test('an address has one account, and its removal ends its sessions', async () => {
  meets('D.errors.10');
  await using app = await testApp();
  const headers = await signedIn(app, 'owner');
  const other = await insertAccount(app, 'viewer');
  await getSession(app, other);
  const again = {
    name: 'Twin',
    email: other.email.toUpperCase(),
    role: 'owner',
    password: 'long enough, really',
  };
  expect((await call(app, headers, 'admin.accounts.create', again)).status).toBe(409);
  expect((await call(app, headers, 'admin.accounts.remove', { id: other.id })).status).toBe(200);
  expect(await app.db.$count(staffSessions)).toBe(1);
  expect((await call(app, headers, 'admin.accounts.remove', { id: other.id })).status).toBe(404);
});

test('no account has the name of another or a name that the log reserves', async () => {
  await using app = await testApp();
  const headers = await signedIn(app, 'owner');
  const create = (name: string) =>
    app.post(
      '/trpc/admin.accounts.create',
      {
        name,
        email: `${crypto.randomUUID()}@staff.example`,
        role: 'viewer',
        password: 'long enough, really',
      },
      headers,
    );
  for (const name of ['Staff', ' system ', 'Visitor', 'Clinic', 'Sta\u200bff', 'Ѕtaff', '\u202eStaff']) {
    const refused = await create(name);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('This name is reserved');
  }
  expect((await create('Ann Reader')).status).toBe(200);
  const again = await create('ann reader');
  expect([again.status, again.text]).toEqual([
    409,
    expect.stringContaining('account with this name already'),
  ]);
  expect(await app.db.$count(staffAccounts)).toBe(2);
});

test('the last use of a token is stored, to the minute', async () => {
  let ms = Date.parse('2031-05-01T08:00:00Z');
  await using app = await testApp({ now: () => new Date(ms) });
  const headers = await getToken(app, ['sync:run']);
  const lastUsed = async () => (await app.db.select().from(apiTokens))[0]?.lastUsedAt?.toISOString();
  expect(await lastUsed()).toBeUndefined();
  for (const [addMs, kept] of [
    [0, '2031-05-01T08:00:00.000Z'],
    [59_999, '2031-05-01T08:00:00.000Z'],
    [1, '2031-05-01T08:01:00.000Z'],
  ] as const) {
    ms += addMs;
    expect((await app.post('/api/sync', {}, headers)).status).toBe(200);
    expect(await lastUsed()).toBe(kept);
  }
});
