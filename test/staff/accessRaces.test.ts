import { createServer } from 'node:http';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { auditLog, secondFactors, staffAccounts, staffInvitations } from '#server/db/schema/index.ts';
import { singleSignOnPath } from '#shared/pages/paths.ts';
import {
  cheapHash,
  getSession,
  insertAccount,
  signedIn,
  testPassword,
  testPasswordHash,
} from '#test/support/staff.ts';
import { listCookies, setUpLinks } from '#test/support/staffLinks.ts';
import { type Answer, testApp, type TestApp } from '#test/support/testApp.ts';
import { waitUntil } from '#test/support/waitFor.ts';

type Tx = Parameters<Parameters<TestApp['sql']['begin']>[1]>[0];

/** Waits until this many statements wait for a lock. */
async function untilWaiting(app: TestApp, count: number): Promise<void> {
  await waitUntil(async () => {
    const waits = await app.sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return waits.length >= count;
  });
}

/** Calls while `lock` holds what the call waits for, and finishes `act` before the call goes on. */
async function during(
  app: TestApp,
  call: () => Promise<Answer>,
  { lock, act }: { lock: (tx: Tx) => unknown; act: (tx: Tx) => unknown },
): Promise<Answer> {
  const { asked } = await app.sql.begin(async (tx) => {
    await lock(tx);
    const started = call();
    await untilWaiting(app, 1);
    await act(tx);
    return { asked: started };
  });
  return asked;
}

const lockAccounts = (tx: Tx) => tx`select 1 from staff_accounts for update`;
const signIn = (app: TestApp, input: object) =>
  app.post('/trpc/admin.session.signIn', { password: testPassword, ...input });

test('an owner who loses the role to a concurrent call changes no role', async () => {
  await using app = await testApp();
  const [first, second, third] = [
    await insertAccount(app, 'owner'),
    await insertAccount(app, 'owner'),
    await insertAccount(app, 'owner'),
  ];
  const headers = await getSession(app, second);
  const answer = await during(
    app,
    () => app.post('/trpc/admin.accounts.setRole', { id: first.id, role: 'viewer' }, headers),
    {
      lock: lockAccounts,
      act: (tx) => tx`update staff_accounts set role = 'viewer' where id = ${second.id}`,
    },
  );
  expect(answer.status).toBe(403);
  const owners = await app.db.select().from(staffAccounts).where(eq(staffAccounts.role, 'owner'));
  expect(owners.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([first.id, third.id]);
});

test('a password that a reset replaces while it is changed stays the reset’s', async () => {
  await using app = await testApp();
  const account = await insertAccount(app, 'viewer');
  const headers = await getSession(app, account);
  const reset = cheapHash('chosen by the reset');
  const change = { current: testPassword, password: 'several unrelated words' };
  const answer = await during(app, () => app.post('/trpc/admin.session.changePassword', change, headers), {
    lock: lockAccounts,
    act: (tx) => tx`update staff_accounts set password_hash = ${reset}`,
  });
  expect(answer.status).toBe(401);
  expect(await app.db.select().from(staffAccounts)).toMatchObject([{ passwordHash: reset }]);
});

test.each([
  ['removed', (tx: Tx) => tx`delete from staff_accounts`],
  ['given another password', (tx: Tx) => tx`update staff_accounts set password_hash = 'other'`],
])('an account that is %s while its password is checked isn’t signed in', async (_, act) => {
  await using app = await testApp();
  const { email } = await insertAccount(app, 'viewer');
  const answer = await during(app, () => signIn(app, { email }), { lock: lockAccounts, act });
  expect([answer.status, answer.text]).toEqual([401, expect.stringContaining('Invalid password')]);
  expect((await app.db.select().from(auditLog)).map(({ action }) => action)).toEqual(['sign-in-failed']);
});

test('a shared session that opens while owners get to need a second factor has ended', async () => {
  await using app = await testApp({ env: { ADMIN_PASSWORD_HASH: testPasswordHash } });
  const owner = await insertAccount(app, 'owner');
  await app.db
    .insert(secondFactors)
    .values({ id: owner.id, sealedSecret: 'x', lastStep: 0, recoverySha256: [] });
  const headers = await getSession(app, owner);
  const required: Promise<Answer>[] = [];
  const answer = await during(app, () => signIn(app, {}), {
    // The sign-in has read the requirement and stored its session when it writes its entry.
    lock: (tx) => tx`lock table audit_log in exclusive mode`,
    act: async () => {
      required.push(app.post('/trpc/admin.secondFactor.requireFor', { roles: ['owner'] }, headers));
      await untilWaiting(app, 2);
    },
  });
  expect(answer.status).toBe(200);
  expect((await Promise.all(required)).map(({ status }) => status)).toEqual([200]);
  const session = { cookie: listCookies(answer) };
  expect((await app.get('/trpc/admin.session.me', session)).status).toBe(401);
});

test('an invitation is stored only with its audit entry, and mailed after both', async () => {
  await using given = await setUpLinks();
  const { app, server } = given;
  const headers = await signedIn(app, 'owner');
  const person = { name: 'Ada Reed', email: 'ada@staff.example', role: 'owner' };
  await app.sql`alter table audit_log add constraint refused check (action <> 'account.invite') not valid`;
  expect((await app.post('/trpc/admin.accounts.invite', person, headers)).status).toBe(500);
  expect(await app.db.$count(staffInvitations)).toBe(0);
  expect(server.received).toHaveLength(0);
  await app.sql`alter table audit_log drop constraint refused`;
  expect((await app.post('/trpc/admin.accounts.invite', person, headers)).status).toBe(200);
  await expect.poll(() => server.received.length).toBe(1);
});

/** A provider that answers with its addresses, or not at all, and counts the requests. */
async function countingProvider(answers: boolean) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const url = `http://${request.headers.host ?? ''}`;
    asked.push(request.url ?? '');
    if (!answers) return response.destroy();
    const isDiscovery = request.url?.includes('.well-known') === true;
    const addresses = {
      ...{ issuer: url, authorization_endpoint: `${url}/auth`, token_endpoint: `${url}/token` },
      ...{ userinfo_endpoint: `${url}/me`, jwks_uri: `${url}/jwks` },
    };
    response.writeHead(isDiscovery ? 200 : 400, { 'content-type': 'application/json' });
    return response.end(JSON.stringify(isDiscovery ? addresses : { error: 'invalid_grant' }));
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return {
    asked,
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'dashboard', OIDC_CLIENT_SECRET: 'a secret of the test' },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<unknown>((done) => {
        server.close(done);
      });
    },
  };
}

test('visitors can’t make more requests to a provider that is down', async () => {
  await using provider = await countingProvider(false);
  await using app = await testApp({ env: provider.env });
  const started = await Promise.all([1, 2, 3].map(() => app.get(singleSignOnPath)));
  expect(started.map(({ status }) => status)).toEqual([503, 503, 503]);
  expect((await app.get(singleSignOnPath)).status).toBe(503);
  expect(provider.asked).toHaveLength(1);
});

test('a network’s wrong answers reach the provider twenty times in 15 minutes', async () => {
  await using provider = await countingProvider(true);
  await using app = await testApp({ env: provider.env });
  for (let at = 0; at < 22; at += 1) {
    const started = await app.get(singleSignOnPath);
    const state = new URL(started.headers.location ?? '').searchParams.get('state') ?? '';
    const answer = await app.get(`${singleSignOnPath}/callback?code=${at}&state=${state}`, {
      cookie: listCookies(started),
    });
    expect(answer.status).toBe(503);
  }
  expect(provider.asked.filter((path) => path === '/token')).toHaveLength(20);
});
