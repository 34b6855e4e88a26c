import { eq } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { auditLog, secondFactors, staffSessions } from '#server/db/schema/index.ts';
import type { StaffRole } from '#shared/admin/staff.ts';
import { mailServer } from '#scripts/demo/mailServer.ts';
import {
  getSession,
  insertAccount,
  type StaffHeaders,
  testPassword,
  testPasswordHash,
} from '#test/support/staff.ts';
import { type Answer, testApp, type TestApp } from '#test/support/testApp.ts';
import { waitUntil } from '#test/support/waitFor.ts';

const draft = z.object({ secret: z.string(), sealed: z.string(), uri: z.string() });
const codes = z.object({ recoveryCodes: z.array(z.string()) });

/** A clock that tests control. */
function clock() {
  let ms = Date.parse('2031-05-01T08:00:10Z');
  return { now: () => new Date(ms), add: (seconds: number) => void (ms += seconds * 1000) };
}

function toData(answer: Answer): unknown {
  return z.object({ result: z.object({ data: z.unknown() }) }).parse(answer.json()).result.data;
}

function toError(answer: Answer): [number, string] {
  const parsed = z.object({ error: z.object({ message: z.string() }) }).parse(answer.json());
  return [answer.status, parsed.error.message];
}

function listCookies({ headers }: Answer): string {
  return (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ');
}

function toCode(secret: string, at: Date): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() });
}

async function call(app: TestApp, procedure: string, headers: Record<string, string>, input: object = {}) {
  return app.post(`/trpc/admin.${procedure}`, input, { origin: app.url, ...headers });
}

/** Sets up two-factor sign-in for the account of a session. */
async function setUp(app: TestApp, headers: StaffHeaders) {
  const { secret, sealed } = draft.parse(toData(await call(app, 'secondFactor.start', headers)));
  const code = toCode(secret, app.services.now());
  const done = await call(app, 'secondFactor.finish', headers, { sealed, code });
  return { secret, ...codes.parse(toData(done)) };
}

async function setUpAccount(app: TestApp, role: StaffRole = 'manager') {
  const account = await insertAccount(app, role);
  const headers = await getSession(app, account);
  return { account, headers, ...(await setUp(app, headers)) };
}

/** Enters the password. Returns the cookie of the step that is left. */
async function enterPassword(app: TestApp, email: string): Promise<{ cookie: string }> {
  const answer = await call(app, 'session.signIn', {}, { email, password: testPassword });
  expect(answer.status).toBe(200);
  expect(Object.keys(z.record(z.string(), z.unknown()).parse(toData(answer)))).toEqual(['step']);
  return { cookie: listCookies(answer) };
}

test('with two-factor sign-in, a password isn’t enough, and the code signs in', async () => {
  const time = clock();
  await using app = await testApp({ now: time.now });
  const { account, headers, secret } = await setUpAccount(app);
  expect((await app.get('/trpc/admin.session.me', headers)).status).toBe(200);
  time.add(60);
  const step = await enterPassword(app, account.email);
  expect(step.cookie).toMatch(/^sign-in-step=[\w.-]+$/);
  expect((await app.get('/trpc/admin.session.me', step)).status).toBe(401);
  const wrong = await call(app, 'signInStep.enterCode', step, { code: '000000' });
  expect(toError(wrong)[0]).toBe(422);
  const code = toCode(secret, time.now());
  const done = await call(app, 'signInStep.enterCode', step, {
    code: `${code.slice(0, 3)} ${code.slice(3)}`,
  });
  expect(toData(done)).toMatchObject({ email: account.email, role: 'manager' });
  const me = await app.get('/trpc/admin.session.me', { cookie: listCookies(done) });
  expect(toData(me)).toMatchObject({ email: account.email });
  // The step is used up.
  time.add(60);
  const again = await call(app, 'signInStep.enterCode', step, { code: toCode(secret, time.now()) });
  expect(again.status).toBe(401);
  const log = await app.db.select().from(auditLog).orderBy(auditLog.id);
  expect(log.map(({ action, detail }) => [action, detail])).toEqual([
    ['second-factor.set-up', null],
    ['sign-in-failed', { by: 'code' }],
    ['sign-in', { by: 'code' }],
  ]);
});

test('a code works once, also in another sign-in, and one step early or late', async () => {
  const time = clock();
  await using app = await testApp({ now: time.now });
  const { account, secret } = await setUpAccount(app);
  const enter = async (code: string) =>
    (await call(app, 'signInStep.enterCode', await enterPassword(app, account.email), { code })).status;
  const at = (seconds: number) => toCode(secret, new Date(time.now().getTime() + seconds * 1000));
  // The code of the setting up.
  expect(await enter(at(0))).toBe(422);
  time.add(90);
  expect(await enter(at(-60))).toBe(422);
  expect(await enter(at(60))).toBe(422);
  const early = at(-30);
  expect(await enter(early)).toBe(200);
  expect(await enter(early)).toBe(422);
  time.add(900);
  const late = at(30);
  expect(await enter(late)).toBe(200);
  // It came before the one that was used.
  expect(await enter(at(0))).toBe(422);
});

test('each of ten recovery codes signs in once', async () => {
  const time = clock();
  await using app = await testApp({ now: time.now });
  const { account, headers, recoveryCodes } = await setUpAccount(app);
  expect(new Set(recoveryCodes).size).toBe(10);
  const [first = ''] = recoveryCodes;
  expect(first).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
  const enter = async (code: string) =>
    (await call(app, 'signInStep.enterCode', await enterPassword(app, account.email), { code })).status;
  expect(await enter(first.toUpperCase().replaceAll('-', ' '))).toBe(200);
  expect(await enter(first)).toBe(422);
  const own = await app.get('/trpc/admin.secondFactor.own', headers);
  expect(toData(own)).toEqual({ recoveryCodesLeft: 9, isRequired: false, isPossible: true });
  const [row] = await app.db.select().from(secondFactors);
  expect(JSON.stringify(row)).not.toContain(first);
});

test('the secret is stored sealed, and opens for its own account only', async () => {
  await using app = await testApp();
  const { secret, headers } = await setUpAccount(app);
  const [row] = await app.db.select().from(secondFactors);
  expect(row?.sealedSecret).toMatch(/^v1\./);
  expect(JSON.stringify(row)).not.toContain(secret);
  const other = await getSession(app, await insertAccount(app, 'viewer'));
  const { sealed, secret: theirs } = draft.parse(toData(await call(app, 'secondFactor.start', headers)));
  const code = toCode(theirs, app.services.now());
  expect((await call(app, 'secondFactor.finish', other, { sealed, code })).status).toBe(422);
});

test('five wrong codes in 15 minutes are the limit of an account', async () => {
  const time = clock();
  await using app = await testApp({ now: time.now });
  const { account, secret } = await setUpAccount(app);
  time.add(60);
  const step = await enterPassword(app, account.email);
  const enter = async (code: string) => (await call(app, 'signInStep.enterCode', step, { code })).status;
  for (let at = 0; at < 5; at += 1) expect(await enter('000000')).toBe(422);
  expect(await enter(toCode(secret, time.now()))).toBe(429);
});

test('a link by email asks for the code too', async () => {
  await using server = await mailServer();
  const env = { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'We <us@main.example>' };
  const time = clock();
  await using app = await testApp({ env, now: time.now });
  const { account, secret } = await setUpAccount(app);
  await call(app, 'session.requestLink', {}, { email: account.email });
  await expect.poll(() => server.received.length).toBe(1);
  const [path = ''] = /\/sign-in\/[\w.-]+/.exec((await server.received[0]?.email)?.text ?? '') ?? [];
  const [, token = ''] = /name="token" value="([^"]+)"/.exec((await app.get(path)).text) ?? [];
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  const opened = await app.post(path, `token=${encodeURIComponent(token)}`, form);
  expect([opened.status, opened.headers.location]).toEqual([303, '/admin']);
  const step = { cookie: listCookies(opened) };
  expect(step.cookie).toMatch(/^sign-in-step=[^;]+$/);
  expect((await app.get('/trpc/admin.session.me', step)).status).toBe(401);
  time.add(60);
  const done = await call(app, 'signInStep.enterCode', step, { code: toCode(secret, time.now()) });
  expect(done.status).toBe(200);
});

test('a page of another site can’t take the step', async () => {
  const time = clock();
  await using app = await testApp({ now: time.now });
  const { account, secret } = await setUpAccount(app);
  time.add(60);
  const step = await enterPassword(app, account.email);
  const origin = 'https://evil.example';
  const foreign = await call(
    app,
    'signInStep.enterCode',
    { ...step, origin },
    { code: toCode(secret, time.now()) },
  );
  expect(foreign.status).toBe(403);
});

test('people of a role that needs it set it up before anything else', async () => {
  const time = clock();
  await using app = await testApp({ env: { ADMIN_PASSWORD_HASH: testPasswordHash }, now: time.now });
  const manager = await insertAccount(app, 'manager');
  const viewer = await insertAccount(app, 'viewer');
  const sessions = { manager: await getSession(app, manager), viewer: await getSession(app, viewer) };
  const plain = await getSession(app, await insertAccount(app, 'owner'));
  const refused = await call(app, 'secondFactor.requireFor', plain, { roles: ['manager', 'owner'] });
  expect(toError(refused)).toEqual([409, 'Set up two-factor sign-in for your own account first.']);
  const { headers } = await setUpAccount(app, 'owner');
  const required = await call(app, 'secondFactor.requireFor', headers, { roles: ['manager', 'owner'] });
  expect(required.status).toBe(200);
  const status = async (session: StaffHeaders) => (await app.get('/trpc/admin.session.me', session)).status;
  expect(await Promise.all([sessions.manager, plain, sessions.viewer, headers].map(status))).toEqual([
    401, 401, 200, 200,
  ]);
  const step = await enterPassword(app, manager.email);
  expect((await app.get('/trpc/admin.session.me', step)).status).toBe(401);
  expect((await call(app, 'signInStep.enterCode', step, { code: '000000' })).status).toBe(401);
  const { secret, sealed } = draft.parse(toData(await call(app, 'signInStep.start', step)));
  const code = toCode(secret, time.now());
  const done = await call(app, 'signInStep.finish', step, { sealed, code });
  expect(codes.parse(toData(done)).recoveryCodes).toHaveLength(10);
  expect((await app.get('/trpc/admin.session.me', { cookie: listCookies(done) })).status).toBe(200);
  // A person of the role can't turn it off, and the shared password has none.
  const off = await call(app, 'secondFactor.turnOff', { cookie: listCookies(done) });
  expect(off.status).toBe(409);
  const shared = await call(app, 'session.signIn', {}, { password: testPassword });
  expect(toError(shared)).toEqual([401, expect.stringContaining('Sign in with your own account.')]);
  await call(app, 'accounts.setRole', headers, { id: viewer.id, role: 'manager' });
  expect(await status(sessions.viewer)).toBe(401);
  await enterPassword(app, viewer.email);
});

test('an owner resets another’s two-factor sign-in, and the person gets an email', async () => {
  await using server = await mailServer();
  const env = { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'We <us@main.example>' };
  await using app = await testApp({ env });
  const { account } = await setUpAccount(app, 'owner');
  const owner = await getSession(app, await insertAccount(app, 'owner'));
  const manager = await getSession(app, await insertAccount(app, 'manager'));
  expect((await call(app, 'secondFactor.reset', manager, { id: account.id })).status).toBe(403);
  expect((await call(app, 'secondFactor.reset', owner, { id: account.id })).status).toBe(200);
  await expect.poll(() => server.received.length).toBe(1);
  expect(server.received[0]?.to).toEqual([account.email]);
  expect((await server.received[0]?.email)?.subject).toBe('Your two-factor sign-in was reset');
  expect(await app.db.$count(staffSessions)).toBe(2);
  const answer = await call(app, 'session.signIn', {}, { email: account.email, password: testPassword });
  expect(toData(answer)).toMatchObject({ email: account.email });
  const [last] = (await app.db.select().from(auditLog).orderBy(auditLog.id)).slice(-2);
  expect(last).toMatchObject({ action: 'second-factor.reset', subjectId: String(account.id) });
});

test('a factor that another device sets up during the step is not replaced', async () => {
  await using app = await testApp();
  const { headers } = await setUpAccount(app, 'owner');
  const viewer = await insertAccount(app, 'viewer');
  await call(app, 'secondFactor.requireFor', headers, { roles: ['viewer'] });
  const step = await enterPassword(app, viewer.email);
  const { secret, sealed } = draft.parse(toData(await call(app, 'signInStep.start', step)));
  const input = { sealed, code: toCode(secret, app.services.now()) };
  const { asked } = await app.sql.begin(async (tx) => {
    await tx`select 1 from staff_accounts where id = ${viewer.id} for update`;
    const started = call(app, 'signInStep.finish', step, input);
    await waitUntil(async () => {
      const waits = await app.sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return waits.length > 0;
    });
    await tx`insert into staff_second_factors values (${viewer.id}, 'of the other device', 0, '{}')`;
    return { asked: started };
  });
  expect((await asked).status).toBe(401);
  const [kept] = await app.db.select().from(secondFactors).where(eq(secondFactors.id, viewer.id));
  expect(kept?.sealedSecret).toBe('of the other device');
});

test('setting it up and turning it off end or keep the right sessions', async () => {
  await using app = await testApp();
  const account = await insertAccount(app, 'viewer');
  const [first, second] = [await getSession(app, account), await getSession(app, account)];
  await setUp(app, first);
  const status = async (session: StaffHeaders) => (await app.get('/trpc/admin.session.me', session)).status;
  expect([await status(first), await status(second)]).toEqual([200, 401]);
  expect((await call(app, 'secondFactor.turnOff', first)).status).toBe(200);
  const answer = await call(app, 'session.signIn', {}, { email: account.email, password: testPassword });
  expect(toData(answer)).toMatchObject({ email: account.email });
});

test('a code counts as a recent sign-in, which changes of the factor need', async () => {
  const time = clock();
  await using app = await testApp({ now: time.now });
  const { headers, secret } = await setUpAccount(app);
  time.add(16 * 60);
  const turnOff = async () => (await call(app, 'secondFactor.turnOff', headers)).status;
  expect(await turnOff()).toBe(403);
  const confirm = async (code: string) => (await call(app, 'session.confirm', headers, { code })).status;
  expect(await confirm('000000')).toBe(422);
  expect(await turnOff()).toBe(403);
  const code = toCode(secret, time.now());
  expect(await confirm(code)).toBe(200);
  expect(await confirm(code)).toBe(422);
  expect(await turnOff()).toBe(200);
});
