import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { auditLog, staffAccounts, staffIdentities, staffSessions } from '#server/db/schema/index.ts';
import { signInLinkCopy } from '#shared/admin/signInLinks.ts';
import { singleSignOnPath } from '#shared/pages/paths.ts';
import { singleSignOnGaps } from '#scripts/doctorAddresses.ts';
import { identityProvider } from '#test/support/identityProvider.ts';
import { insertAccount, signedIn, testPassword } from '#test/support/staff.ts';
import { type Answer, testApp } from '#test/support/testApp.ts';

function listCookies({ headers }: Answer): string {
  return (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ');
}

async function setUp(env: Record<string, string> = {}) {
  const provider = await identityProvider();
  const app = await testApp({ env: { ...provider.env, ...env } });
  provider.serve(app.url);
  return {
    app,
    provider,
    /** Begins as a browser does. Returns its cookie and the path to which the provider sends it back. */
    async begin() {
      const started = await app.get(singleSignOnPath);
      expect(started.status).toBe(303);
      const path = await provider.visit(started.headers.location ?? '');
      expect(path).toMatch(/^\/sign-in\/single-sign-on\/callback\?/);
      return { path, headers: { cookie: listCookies(started) } };
    },
    async signIn() {
      const { path, headers } = await this.begin();
      return app.get(path, headers);
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

const member = z.object({ result: z.object({ data: z.object({ email: z.string(), role: z.string() }) }) });

test('a verified email address links an existing account, which signs in', async () => {
  await using given = await setUp();
  const { app, provider } = given;
  const account = await insertAccount(app, 'manager');
  provider.is({ sub: 'ada', email: account.email.toUpperCase(), email_verified: true });
  const done = await given.signIn();
  expect([done.status, done.headers.location]).toEqual([303, '/admin']);
  const me = await app.get('/trpc/admin.session.me', { cookie: listCookies(done) });
  expect(member.parse(me.json()).result.data).toMatchObject({ email: account.email, role: 'manager' });
  expect(await app.db.select().from(staffIdentities)).toMatchObject([
    { issuer: provider.issuer, subject: 'ada', accountId: account.id },
  ]);
  // From now on the subject counts, not the address.
  provider.is({ sub: 'ada', email: 'new-name@staff.example', email_verified: false });
  expect((await given.signIn()).status).toBe(303);
  const log = await app.db.select().from(auditLog).orderBy(auditLog.id);
  expect(log.map(({ action, detail }) => [action, detail])).toEqual([
    ['account.identity', null],
    ['sign-in', { by: 'single-sign-on' }],
    ['sign-in', { by: 'single-sign-on' }],
  ]);
});

test('an unknown or unverified address and another subject get no access', async () => {
  await using given = await setUp();
  const { app, provider } = given;
  const account = await insertAccount(app, 'owner');
  provider.is({ sub: 'ada', email: account.email, email_verified: true });
  expect((await given.signIn()).status).toBe(303);
  const other = await insertAccount(app, 'viewer');
  const kelvin = { ...other, id: undefined, name: 'Kelvin', email: 'kelvin@staff.example' };
  await app.db.insert(staffAccounts).values(kelvin);
  for (const person of [
    { sub: 'stranger', email: 'nobody@staff.example', email_verified: true },
    { sub: 'grace', email: other.email, email_verified: false },
    { sub: 'impostor', email: account.email, email_verified: true },
    // The Kelvin sign, whose lowercase form is a k.
    { sub: 'kelvin', email: '\u212Aelvin@staff.example', email_verified: true },
  ]) {
    provider.is(person);
    const refused = await given.signIn();
    expect([person.sub, refused.status]).toEqual([person.sub, 403]);
    expect(refused.text).toContain(signInLinkCopy.refused.title);
    expect(refused.headers['set-cookie']).toBeUndefined();
  }
  expect(await app.db.$count(staffAccounts)).toBe(3);
  expect(await app.db.$count(staffIdentities)).toBe(1);
  expect(await app.db.$count(auditLog, eq(auditLog.action, 'sign-in-failed'))).toBe(4);
});

test('an owner unlinks an account: its sessions end, and another subject may follow', async () => {
  await using given = await setUp();
  const { app, provider } = given;
  const account = await insertAccount(app, 'manager');
  provider.is({ sub: 'ada', email: account.email, email_verified: true });
  const session = { cookie: listCookies(await given.signIn()) };
  const owner = await signedIn(app, 'owner');
  const team = await app.get('/trpc/admin.secondFactor.team', owner);
  expect(team.json()).toMatchObject({ result: { data: { linked: [account.id] } } });
  const unlink = (headers: Record<string, string>) =>
    app.post('/trpc/admin.accounts.unlink', { id: account.id }, { origin: app.url, ...headers });
  expect((await unlink(session)).status).toBe(403);
  expect((await unlink(owner)).status).toBe(200);
  expect((await unlink(owner)).status).toBe(404);
  expect((await app.get('/trpc/admin.session.me', session)).status).toBe(401);
  provider.is({ sub: 'ada-2', email: account.email, email_verified: true });
  expect((await given.signIn()).status).toBe(303);
  provider.is({ sub: 'ada', email: account.email, email_verified: true });
  expect((await given.signIn()).status).toBe(403);
  expect(await app.db.select().from(staffIdentities)).toMatchObject([{ subject: 'ada-2' }]);
  await app.db.delete(staffAccounts).where(eq(staffAccounts.id, account.id));
  provider.is({ sub: 'ada-2', email: account.email, email_verified: true });
  expect((await given.signIn()).status).toBe(403);
  const log = await app.db.select().from(auditLog).where(eq(auditLog.action, 'account.unlink'));
  expect(log).toMatchObject([{ actorName: 'Test owner', subjectId: String(account.id) }]);
});

test('an answer counts once, in the browser that asked, with its state', async () => {
  await using given = await setUp();
  const { app, provider } = given;
  const { email } = await insertAccount(app, 'owner');
  provider.is({ sub: 'ada', email, email_verified: true });
  const [first, second] = [await given.begin(), await given.begin()];
  const refused = [
    await app.get(first.path),
    await app.get(first.path, second.headers),
    await app.get(first.path.replace(/state=[^&]+/, 'state=other'), first.headers),
  ];
  expect(refused.map(({ status }) => status)).toEqual([503, 503, 503]);
  expect((await app.get(first.path, first.headers)).status).toBe(303);
  expect((await app.get(first.path, first.headers)).status).toBe(503);
  expect(await app.db.$count(staffSessions)).toBe(1);
});

test('while the provider is down, the password still signs in', async () => {
  await using given = await setUp();
  const { app, provider } = given;
  const { email } = await insertAccount(app, 'owner');
  provider.is({ sub: 'ada', email, email_verified: true });
  const attempt = await given.begin();
  expect(await singleSignOnGaps(app.services.config)).toEqual([]);
  provider.goDown();
  const failed = await app.get(attempt.path, attempt.headers);
  expect([failed.status, failed.text.includes(signInLinkCopy.noProvider.title)]).toEqual([503, true]);
  await using other = await testApp({ env: provider.env, database: app.database });
  expect((await other.get(singleSignOnPath)).status).toBe(503);
  expect(await singleSignOnGaps(other.services.config)).toEqual([
    { isBlocking: false, text: expect.stringMatching(/^OIDC_ISSUER /) },
  ]);
  const answer = await other.post('/trpc/admin.session.signIn', { email, password: testPassword });
  expect(answer.status).toBe(200);
});

test('a claim gives the role, except that the last owner stays one', async () => {
  await using given = await setUp({ OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: 'staff=viewer,leads=manager' });
  const { app, provider } = given;
  const [viewer, owner] = [await insertAccount(app, 'viewer'), await insertAccount(app, 'owner')];
  const getRole = async (id: number) =>
    (await app.db.select().from(staffAccounts).where(eq(staffAccounts.id, id)))[0]?.role;
  provider.is({ sub: 'grace', email: viewer.email, email_verified: true, groups: ['staff', 'leads', 'x'] });
  expect((await given.signIn()).status).toBe(303);
  expect(await getRole(viewer.id)).toBe('manager');
  provider.is({ sub: 'ada', email: owner.email, email_verified: true, groups: ['staff'] });
  expect((await given.signIn()).status).toBe(303);
  expect(await getRole(owner.id)).toBe('owner');
  await insertAccount(app, 'owner');
  const done = await given.signIn();
  expect(await getRole(owner.id)).toBe('viewer');
  const me = await app.get('/trpc/admin.session.me', { cookie: listCookies(done) });
  expect(member.parse(me.json()).result.data.role).toBe('viewer');
  provider.is({ sub: 'ada', email: owner.email, email_verified: true, groups: [] });
  expect((await given.signIn()).status).toBe(303);
  expect(await getRole(owner.id)).toBe('viewer');
});

test('without an identity provider there is no single sign-on', async () => {
  await using bare = await testApp();
  expect((await bare.get(singleSignOnPath)).status).toBe(404);
  expect((await bare.get('/admin')).text).not.toContain(singleSignOnPath);
  await using given = await setUp();
  expect((await given.app.get('/admin')).text).toContain(singleSignOnPath);
});
