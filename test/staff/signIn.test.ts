import { expect, test } from 'vitest';
import { z } from 'zod';
import { auditLog, staffAccounts } from '#server/db/schema/index.ts';
import { messages } from '#shared/brand/messages.ts';
import { gateCopy } from '#client/admin/signIn/copy.ts';
import { insertProvider } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import { productionEnvironment } from '#test/support/productionEnvironment.ts';
import { insertAccount, getSession, testPassword, testPasswordHash, getToken } from '#test/support/staff.ts';
import { type Answer, type Client, testApp } from '#test/support/testApp.ts';
import { eq } from 'drizzle-orm';

const env = { ADMIN_PASSWORD_HASH: testPasswordHash };
const hourMs = 3_600_000;
const success = z.object({ result: z.object({ data: z.unknown() }) });
const refusal = z.object({ error: z.object({ data: z.object({ error: z.string() }) }) });

function signIn(app: Client, input: object, headers: Record<string, string> = {}): Promise<Answer> {
  return app.post('/trpc/admin.session.signIn', input, headers);
}

/** The response's cookie as a browser sends it. */
function getCookie({ headers }: Answer): string {
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

function toData(answer: Answer): unknown {
  return success.parse(answer.json()).result.data;
}

function toSentence(answer: Answer): string {
  return refusal.parse(answer.json()).error.data.error;
}

/** A clock that tests control. */
function clock(): { now: () => Date; add: (ms: number) => void } {
  let ms = Date.parse('2031-05-01T08:00:00Z');
  return { now: () => new Date(ms), add: (more) => void (ms += more) };
}

test('the shared password opens a session with an HttpOnly, SameSite cookie', async () => {
  meets('P2.gate.03 D.admin.04 D.admin.11 D.admin.12');
  await using app = await testApp({ env });
  const answer = await signIn(app, { password: testPassword });
  expect(answer.status).toBe(200);
  expect(toData(answer)).toEqual({ name: 'Staff', email: null, role: 'owner', account: 'shared' });
  expect(answer.headers['set-cookie']).toEqual([
    expect.stringMatching(/^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
    expect.stringMatching(/^device=/),
  ]);
  const me = await app.get('/trpc/admin.session.me', { cookie: getCookie(answer) });
  expect(toData(me)).toEqual({ name: 'Staff', email: null, role: 'owner', account: 'shared' });
  expect(me.headers['cache-control']).toBe('no-store');
});

test('over https, the cookie has the host prefix', async () => {
  meets('D.admin.10');
  await using app = await testApp({ env: { ...env, TRUSTED_PROXIES: '1' } });
  const https = { 'x-forwarded-proto': 'https' };
  const answer = await signIn(app, { password: testPassword }, https);
  expect(answer.headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
    expect.stringMatching(/^__Host-device=/),
  ]);
  const cookie = getCookie(answer);
  expect((await app.get('/trpc/admin.session.me', { ...https, cookie })).status).toBe(200);
  // Another host of the domain could set a cookie without the prefix.
  const weak = cookie.replace('__Host-', '');
  expect((await app.get('/trpc/admin.session.me', { ...https, cookie: weak })).status).toBe(401);
});

test('a named account signs in with its address in upper or lower case, as itself', async () => {
  await using app = await testApp({ env });
  const account = await insertAccount(app, 'viewer');
  const answer = await signIn(app, { email: ` ${account.email.toUpperCase()} `, password: testPassword });
  expect(toData(answer)).toEqual({
    name: 'Test viewer',
    email: account.email,
    role: 'viewer',
    account: String(account.id),
  });
  const [row] = await app.db.select().from(staffAccounts);
  expect(row?.lastSignInAt).not.toBeNull();
});

test('a wrong password, address or configuration gets the same response', async () => {
  meets('P2.gate.06 D.admin.03 D.admin.08');
  await using app = await testApp({ env });
  await using bare = await testApp({ database: app.database });
  const { email } = await insertAccount(app, 'owner');
  for (const [site, input] of [
    [app, { password: 'wrong' }],
    [app, { email, password: 'wrong' }],
    [app, { email: 'nobody@staff.example', password: testPassword }],
    [bare, { password: testPassword }],
  ] as const) {
    const answer = await signIn(site, input);
    expect([input, answer.status, toSentence(answer)]).toEqual([input, 401, 'Invalid password']);
    expect(answer.headers['set-cookie']).toBeUndefined();
  }
  const empty = await signIn(app, { password: '' });
  expect([empty.status, toSentence(empty)]).toEqual([422, 'Invalid password']);
});

test('the sixth attempt in 15 minutes is refused with the time to wait, even if right', async () => {
  meets('D.admin.18');
  await using app = await testApp({ env });
  for (let at = 0; at < 4; at += 1) expect((await signIn(app, { password: 'wrong' })).status).toBe(401);
  expect((await signIn(app, { password: testPassword })).status).toBe(200);
  expect((await signIn(app, { password: 'wrong' })).status).toBe(401);
  const refused = await signIn(app, { password: testPassword });
  expect(refused.status).toBe(429);
  expect(toSentence(refused)).toMatch(/^Too many sign-in attempts\. Try again in 1[45] minutes\.$/);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800);
});

test('signing out ends the session and deletes the cookie', async () => {
  meets('D.admin.17');
  await using app = await testApp({ env });
  const headers = { cookie: getCookie(await signIn(app, { password: testPassword })), origin: app.url };
  const out = await app.post('/trpc/admin.session.signOut', {}, headers);
  expect(out.status).toBe(200);
  expect(out.headers['set-cookie']).toEqual(['session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0']);
  expect(out.headers['clear-site-data']).toBe('"cache", "storage"');
  expect((await app.get('/trpc/admin.session.me', headers)).status).toBe(401);
});

test('a session ends after two hours without use and after twelve in all', async () => {
  meets('D.admin.13 D.admin.14');
  const time = clock();
  await using app = await testApp({ env, now: time.now });
  const open = async () => ({ cookie: getCookie(await signIn(app, { password: testPassword })) });
  const status = async (headers: { cookie: string }) =>
    (await app.get('/trpc/admin.session.me', headers)).status;
  const idle = await open();
  time.add(2 * hourMs - 1);
  expect(await status(idle)).toBe(200);
  time.add(2 * hourMs);
  expect(await status(idle)).toBe(401);
  const busy = await open();
  for (let hour = 1; hour < 12; hour += 1) {
    time.add(hourMs);
    expect(await status(busy)).toBe(200);
  }
  time.add(hourMs);
  expect(await status(busy)).toBe(401);
});

test('background requests of a page do not extend the session', async () => {
  const time = clock();
  await using app = await testApp({ env, now: time.now });
  const cookie = getCookie(await signIn(app, { password: testPassword }));
  const ask = async (headers: Record<string, string> = {}): Promise<number> =>
    (await app.post('/trpc/admin.deliveries.queueHealth', {}, { cookie, origin: app.url, ...headers }))
      .status;
  const polled: number[] = [];
  for (let minute = 10; minute <= 120; minute += 10) {
    time.add(hourMs / 6);
    polled.push(await ask({ 'x-background': '1' }));
  }
  expect(polled).toEqual([...Array.from({ length: 11 }, () => 200), 401]);
  expect(await ask()).toBe(401);
});

test('a new password or role and a removed account affect open sessions', async () => {
  await using app = await testApp({ env });
  const account = await insertAccount(app, 'owner');
  const headers = await getSession(app, account);
  const listed = async () => (await app.get('/trpc/admin.audit.list?input=%7B%7D', headers)).status;
  expect(await listed()).toBe(200);
  const of = eq(staffAccounts.id, account.id);
  await app.db.update(staffAccounts).set({ role: 'manager' }).where(of);
  expect(await listed()).toBe(403);
  const other = testPasswordHash.replace('t=1', 't=2');
  await app.db.update(staffAccounts).set({ role: 'owner', passwordHash: other }).where(of);
  expect(await listed()).toBe(401);
  await app.db.update(staffAccounts).set({ passwordHash: account.passwordHash }).where(of);
  expect(await listed()).toBe(200);
  await app.db.delete(staffAccounts).where(of);
  expect(await listed()).toBe(401);
});

test('a new shared password ends the sessions of the previous one', async () => {
  await using app = await testApp({ env });
  const cookie = getCookie(await signIn(app, { password: testPassword }));
  await using again = await testApp({
    env: { ADMIN_PASSWORD_HASH: testPasswordHash.replace('t=1', 't=2') },
    database: app.database,
  });
  expect((await again.get('/trpc/admin.session.me', { cookie })).status).toBe(401);
  expect((await app.get('/trpc/admin.session.me', { cookie })).status).toBe(200);
});

test('every sign-in and sign-out is audited without typed addresses', async () => {
  meets('D.admin.40');
  await using app = await testApp({ env: { ...env, TRUSTED_PROXIES: '1' } });
  const from = { 'x-forwarded-for': '203.0.113.50' };
  const account = await insertAccount(app, 'manager');
  await signIn(app, { email: 'typed@mail.example', password: 'x' }, from);
  await signIn(app, { email: account.email, password: 'x' }, from);
  const cookie = getCookie(await signIn(app, { email: account.email, password: testPassword }, from));
  await app.post('/trpc/admin.session.signOut', {}, { ...from, cookie, origin: app.url });
  const lines = await app.db.select().from(auditLog).orderBy(auditLog.id);
  const visitor = { actorKind: 'visitor', actorName: 'Visitor', accountId: null, ip: '203.0.113.50' };
  const known = { subjectKind: 'account', subjectId: String(account.id) };
  const staff = { ...visitor, actorKind: 'staff', actorName: 'Test manager', accountId: account.id };
  expect(lines).toMatchObject([
    { ...visitor, action: 'sign-in-failed', subjectKind: null },
    { ...visitor, action: 'sign-in-failed', ...known },
    { ...staff, action: 'sign-in' },
    { ...staff, action: 'sign-out' },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/@/);
});

test('nobody can sign in on a provider’s host', async () => {
  await using app = await testApp({ env });
  const provider = await insertProvider(app.db);
  await app.knows(provider);
  for (const host of [provider, 'unknown.example'])
    expect((await signIn(app.as(host), { password: testPassword })).status).toBe(404);
});

test('the dashboard’s URLs show the gate or the dashboard and are never cached', async () => {
  meets('D.hosts.22 D.admin.01 D.admin.02');
  await using app = await testApp({ env });
  const provider = await insertProvider(app.db);
  await app.knows(provider);
  const cookie = getCookie(await signIn(app, { password: testPassword }));
  for (const path of ['/admin', '/getmpx']) {
    const gate = await app.get(path);
    // The gate is public, so it is served from memory, compressed.
    expect((await app.get(path, { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe('gzip');
    expect([gate.status, gate.headers['cache-control'], gate.headers['x-robots-tag']]).toEqual([
      200,
      'no-store',
      'noindex',
    ]);
    expect(gate.text).toMatch(/<h1[^>]*>Admin Dashboard<\/h1>/);
    expect(gate.text).toContain('type="password"');
    expect(gate.text).not.toContain('Signed in as');
    const inside = (await app.get(path, { cookie })).text;
    expect(inside).toContain('Signed in as Staff (owner)');
    expect(inside).not.toContain('type="password"');
    for (const host of [provider, 'unknown.example'])
      expect((await app.as(host).get(path, { cookie })).status).toBe(404);
  }
});

test('without a shared password, the sign-in form asks for email and password', async () => {
  await using shared = await testApp({ env });
  const form = (await shared.get('/admin')).text;
  expect(form).toContain('name="password"');
  expect(form).not.toContain('name="email"');
  await using app = await testApp({ env: { ...productionEnvironment, ADMIN_PASSWORD_HASH: 'off' } });
  await insertAccount(app, 'owner');
  const named = (await app.as('brand.example').get('/admin')).text;
  expect(named).toContain('name="email"');
  expect(named).not.toContain(gateCopy.namedAccount);
});

test('in production the dashboard is a 404 until a password or an account exists', async () => {
  meets('D.admin.09');
  await using app = await testApp({ env: productionEnvironment });
  const site = app.as('brand.example');
  const calls = [
    () => site.get('/admin'),
    () => site.get('/getmpx'),
    () => site.get('/api/leads'),
    () => site.get('/api/leads.csv'),
    () => site.get('/trpc/admin.session.me'),
    () => signIn(site, { password: testPassword }),
    () => site.post('/trpc/sync.run', {}),
  ];
  for (const call of calls) expect((await call()).status).toBe(404);
  expect((await site.get('/admin')).text).toContain(messages.notFound.title);
  // A token is made by a command of the operator, so it needs nobody who can sign in.
  expect((await site.get('/api/leads', await getToken(app, ['leads:read']))).status).toBe(200);
  const { email } = await insertAccount(app, 'owner');
  expect((await site.get('/admin')).status).toBe(200);
  expect((await site.get('/api/leads')).status).toBe(401);
  expect((await signIn(site, { password: testPassword })).status).toBe(401);
  expect((await signIn(site, { email, password: testPassword })).status).toBe(200);
});
