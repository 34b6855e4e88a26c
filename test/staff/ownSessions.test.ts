import { expect, test } from 'vitest';
import { z } from 'zod';
import { auditLog, staffSessions } from '#server/db/schema/index.ts';
import { describeDevice } from '#server/features/auth/deviceWords.ts';
import { staffSession } from '#shared/admin/access.ts';
import { getSession, insertAccount, signedIn, testPassword, testPasswordHash } from '#test/support/staff.ts';
import { listCookies } from '#test/support/staffLinks.ts';
import { type Client, type TestApp, testApp } from '#test/support/testApp.ts';

const windows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

const listed = z.object({ result: z.object({ data: z.array(staffSession) }) });

async function list(app: Client, headers: Record<string, string>, path = 'session.list') {
  return listed.parse((await app.get(`/trpc/admin.${path}`, headers)).json()).result.data;
}

async function signIn(app: TestApp, email: string, headers: Record<string, string> = {}) {
  const signedInAs = await app.post('/trpc/admin.session.signIn', { email, password: testPassword }, headers);
  expect(signedInAs.status).toBe(200);
  return { cookie: listCookies(signedInAs), origin: app.url };
}

test('members see only their own sessions, end one of them, and all others', async () => {
  await using app = await testApp();
  const [own, other] = [await insertAccount(app, 'viewer'), await insertAccount(app, 'viewer')];
  const current = await signIn(app, own.email, { 'user-agent': windows });
  await getSession(app, own);
  const last = await getSession(app, own);
  const foreign = await getSession(app, other);
  const [foreignSession] = await list(app, foreign);
  const sessions = await list(app, current);
  expect(sessions.map(({ device, isCurrent }) => [device, isCurrent])).toContainEqual([
    'Chrome on Windows',
    true,
  ]);
  expect(sessions).toHaveLength(3);
  // Another's isn't found.
  const refused = await app.post('/trpc/admin.session.end', { id: foreignSession?.id }, current);
  expect(refused.status).toBe(404);
  const [mine] = (await list(app, last)).filter(({ isCurrent }) => isCurrent);
  expect((await app.post('/trpc/admin.session.end', { id: mine?.id }, current)).status).toBe(200);
  expect((await app.get('/trpc/admin.session.me', last)).status).toBe(401);
  expect((await app.post('/trpc/admin.session.endOthers', {}, current)).status).toBe(200);
  expect(await list(app, current)).toHaveLength(1);
  expect((await app.get('/trpc/admin.session.me', foreign)).status).toBe(200);
  const lines = await app.db.select().from(auditLog).orderBy(auditLog.id);
  expect(lines.filter(({ action }) => action === 'session.end').map(({ detail }) => detail)).toEqual([
    { count: 1 },
    { count: 1 },
  ]);
});

test('owners see and end everyone’s sessions, also those of the shared password', async () => {
  await using app = await testApp({ env: { ADMIN_PASSWORD_HASH: testPasswordHash } });
  const owner = await signedIn(app, 'owner');
  const manager = await signedIn(app, 'manager');
  const shared = await app.post('/trpc/admin.session.signIn', { password: testPassword });
  const staff = { cookie: listCookies(shared), origin: app.url };
  const sessions = await list(app, owner, 'accounts.listSessions');
  expect(sessions.map(({ name }) => name).toSorted()).toEqual(['Staff', 'Test manager', 'Test owner']);
  for (const { id } of sessions.filter(({ isCurrent }) => !isCurrent))
    expect((await app.post('/trpc/admin.accounts.endSession', { id }, owner)).status).toBe(200);
  for (const ended of [manager, staff])
    expect((await app.get('/trpc/admin.session.me', ended)).status).toBe(401);
  expect(await list(app, owner)).toHaveLength(1);
});

test('a sign-in ends the session whose cookie it carries', async () => {
  await using app = await testApp();
  const [one, other] = [await insertAccount(app, 'viewer'), await insertAccount(app, 'owner')];
  const first = await signIn(app, one.email);
  const kept = await getSession(app, one);
  const second = await signIn(app, other.email, first);
  expect((await app.get('/trpc/admin.session.me', first)).status).toBe(401);
  for (const open of [kept, second]) expect((await app.get('/trpc/admin.session.me', open)).status).toBe(200);
  expect(await app.db.$count(staffSessions)).toBe(2);
});

test('a changed password needs the current one, ends other sessions and keeps this one', async () => {
  await using app = await testApp();
  const account = await insertAccount(app, 'viewer');
  const [current, other] = [await getSession(app, account), await getSession(app, account)];
  const change = (typed: string, password = 'several unrelated words') =>
    app.post('/trpc/admin.session.changePassword', { current: typed, password }, current);
  const wrong = await change('wrong password');
  expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('"current":"Invalid password"')]);
  const weak = await change(testPassword, 'viewer-viewer-viewer');
  expect([weak.status, weak.text]).toEqual([422, expect.stringContaining('easy to guess')]);
  expect((await app.get('/trpc/admin.session.me', other)).status).toBe(200);
  expect((await change(testPassword)).status).toBe(200);
  expect((await app.get('/trpc/admin.session.me', current)).status).toBe(200);
  expect((await app.get('/trpc/admin.session.me', other)).status).toBe(401);
  const noted = await app.sql`select kind, target_id::int as id from access_changes`;
  expect(noted).toMatchObject([{ kind: 'password-changed', id: account.id }]);
});

test.each([
  [windows, 'Chrome on Windows'],
  [`${windows} Edg/140.0.0.0`, 'Edge on Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    'Safari on a Mac',
  ],
  ['curl/8.0', null],
])('a User-Agent is shown in words: %#', (userAgent, words) => {
  expect(describeDevice(userAgent)).toBe(words);
});
