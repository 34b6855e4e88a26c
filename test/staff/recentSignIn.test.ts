import { expect, test } from 'vitest';
import { auditLog } from '#server/db/schema/index.ts';
import { everyProcedure } from '#test/support/procedures.ts';
import { getSession, insertAccount, testPassword, testPasswordHash } from '#test/support/staff.ts';
import { testApp } from '#test/support/testApp.ts';

const minuteMs = 60_000;

/** An application with a clock that the test moves. */
async function setUp() {
  let ms = Date.now();
  const app = await testApp({ now: () => new Date(ms), env: { ADMIN_PASSWORD_HASH: testPasswordHash } });
  return { app, add: (minutes: number) => void (ms += minutes * minuteMs) };
}

const token = { name: 'Nightly', scopes: ['sync:run'] };

test('an owner’s action needs a sign-in or a confirmation of the last 15 minutes', async () => {
  const { app: made, add } = await setUp();
  await using app = made;
  const owner = await insertAccount(app, 'owner');
  const headers = await getSession(app, owner);
  const create = () => app.post('/trpc/admin.apiTokens.create', token, headers);
  const confirm = (password: string) => app.post('/trpc/admin.session.confirm', { password }, headers);
  expect((await create()).status).toBe(200);
  add(15);
  const stale = await create();
  expect([stale.status, stale.text]).toEqual([403, expect.stringContaining('"reason":"recent-sign-in"')]);
  // What isn't such an action goes on.
  expect((await app.get('/trpc/admin.apiTokens.list', headers)).status).toBe(200);
  const wrong = await confirm('wrong password');
  expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('"password":"Invalid password"')]);
  expect((await create()).status).toBe(403);
  expect((await confirm(testPassword)).status).toBe(200);
  expect((await create()).status).toBe(200);
  add(15);
  expect((await create()).status).toBe(403);
  const lines = await app.db.select().from(auditLog).orderBy(auditLog.id);
  expect(lines.map(({ action, accountId }) => [action, accountId])).toEqual([
    ['token.create', owner.id],
    ['sign-in-failed', owner.id],
    ['session.confirm', owner.id],
    ['token.create', owner.id],
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/@|password/);
});

test('every action of that list refuses an older sign-in, and no other does', async () => {
  const { app: made, add } = await setUp();
  await using app = made;
  const headers = await getSession(app, await insertAccount(app, 'owner'));
  add(16);
  const refused: string[] = [];
  // Without input, so that nothing is done.
  for (const { path, type, access } of everyProcedure) {
    if (access?.role == null || path === 'admin.session.signOut') continue;
    const isQuery = type === 'query';
    const { text } = isQuery
      ? await app.get(`/trpc/${path}`, headers)
      : await app.post(`/trpc/${path}`, {}, headers);
    if (text.includes('"reason":"recent-sign-in"')) refused.push(path);
  }
  const listed = everyProcedure.filter(({ needsRecentSignIn }) => needsRecentSignIn);
  expect(refused).toEqual(listed.map(({ path }) => path));
  expect(refused).toContain('admin.personalData.erase');
});

test('a session allows five wrong passwords a quarter of an hour', async () => {
  await using app = await testApp();
  const owner = await insertAccount(app, 'owner');
  const headers = await getSession(app, owner);
  const statuses: number[] = [];
  for (let at = 0; at < 6; at += 1)
    statuses.push(
      (await app.post('/trpc/admin.session.confirm', { password: `wrong ${at}` }, headers)).status,
    );
  expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
  // The account's own sign-in has its own allowance.
  const signIn = { email: owner.email, password: testPassword };
  expect((await app.post('/trpc/admin.session.signIn', signIn)).status).toBe(200);
});

test('the shared password’s owner confirms with the shared password', async () => {
  const { app: made, add } = await setUp();
  await using app = made;
  const signedIn = await app.post('/trpc/admin.session.signIn', { password: testPassword });
  const cookie = (signedIn.headers['set-cookie'] ?? []).map((value) => value.split(';')[0]).join('; ');
  const headers = { cookie, origin: app.url };
  add(16);
  expect((await app.post('/trpc/admin.apiTokens.create', token, headers)).status).toBe(403);
  const confirmed = await app.post('/trpc/admin.session.confirm', { password: testPassword }, headers);
  expect(confirmed.status).toBe(200);
  expect((await app.post('/trpc/admin.apiTokens.create', token, headers)).status).toBe(200);
});
