import { expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { auditLog, staffAccounts } from '#server/db/schema/index.ts';
import { checkSignIns } from '#server/features/alerts/checkSignIns.ts';
import { listAlerts } from '#server/features/alerts/alerts.ts';
import { signInLinkCopy } from '#shared/admin/signInLinks.ts';
import { insertProvider } from '#test/support/factories.ts';
import { productionEnvironment } from '#test/support/productionEnvironment.ts';
import {
  askForLink as ask,
  getLink,
  listCookies,
  press,
  setUpLinks as setUp,
} from '#test/support/staffLinks.ts';
import { insertAccount, testPassword, testPasswordHash } from '#test/support/staff.ts';
import { testApp } from '#test/support/testApp.ts';

test('a link to the account’s own address signs in once, also under attack', async () => {
  await using given = await setUp();
  const { app, server } = given;
  const { email } = await insertAccount(app, 'manager');
  const attempt = (at: number) =>
    app.post(
      '/trpc/admin.session.signIn',
      { email, password: 'wrong password' },
      { 'x-forwarded-for': `2001:db8:${at.toString(16)}::1` },
    );
  const statuses: number[] = [];
  for (let at = 0; at < 122; at += 1) statuses.push((await attempt(at)).status);
  expect(statuses).toEqual([...Array.from({ length: 120 }, () => 401), 429, 429]);
  expect((await ask(app, email.toUpperCase())).status).toBe(200);
  const path = await getLink(server);
  // Mail programs open links.
  expect((await app.get(path)).status).toBe(200);
  const opened = await press(app, path);
  expect([opened.status, opened.headers.location]).toEqual([303, '/admin']);
  const cookie = listCookies(opened);
  const me = await app.get('/trpc/admin.session.me', { cookie });
  expect(me.json()).toMatchObject({ result: { data: { email, role: 'manager' } } });
  // Once.
  expect((await app.get(path)).status).toBe(404);
  expect((await press(app, path)).status).toBe(404);
  // The device is known from now on.
  const known = await app.post('/trpc/admin.session.signIn', { email, password: testPassword }, { cookie });
  expect(known.status).toBe(200);
  const actions = (await app.db.select().from(auditLog).orderBy(auditLog.id)).slice(120);
  expect(actions.map(({ action, detail }) => [action, detail])).toEqual([
    ['sign-in-link', null],
    ['sign-in', { by: 'link' }],
    ['sign-in', null],
  ]);
});

test('of two presses of one link at the same time, one signs in', async () => {
  await using given = await setUp();
  const { app, server } = given;
  await ask(app, (await insertAccount(app, 'owner')).email);
  const path = await getLink(server);
  const statuses = (await Promise.all([press(app, path), press(app, path)])).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([303, 404]);
});

test('a link ends after 20 minutes, with a new password, and at a later sign-in', async () => {
  await using given = await setUp();
  const { app, server } = given;
  const account = await insertAccount(app, 'viewer');
  await ask(app, account.email);
  const old = await getLink(server);
  given.add(20);
  expect((await press(app, old)).status).toBe(404);
  for (const [count, end] of [
    [2, { passwordHash: testPasswordHash.replace('t=1', 't=2') }],
    [3, { lastSignInAt: new Date() }],
  ] as const) {
    const isCounted = await app.sql`delete from rate_limits`;
    expect(isCounted.count).toBeGreaterThan(0);
    // The first process remembers that the address got its link.
    const env = { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'We <us@main.example>' };
    await using other = await testApp({ database: app.database, env });
    await ask(other, account.email);
    const path = await getLink(server, count);
    expect((await app.get(path)).status).toBe(200);
    await app.db.update(staffAccounts).set(end).where(eq(staffAccounts.id, account.id));
    expect((await press(app, path)).status).toBe(404);
  }
});

test('the answer says nothing about the account, and only its own address gets mail', async () => {
  await using given = await setUp();
  const { app, server } = given;
  const { email } = await insertAccount(app, 'owner');
  const answers: [number, string][] = [];
  for (const typed of ['nobody@staff.example', email, email, `${email}.`]) {
    const { status, text } = await ask(app, typed);
    answers.push([status, text]);
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  await getLink(server);
  expect(server.received.map(({ to }) => to)).toEqual([[email]]);
  await ask(app, email);
  expect((await ask(app, email)).status).toBe(429);
});

test('a form of another site or without the page’s token signs nobody in', async () => {
  await using given = await setUp();
  const { app, server } = given;
  await ask(app, (await insertAccount(app, 'owner')).email);
  const path = await getLink(server);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  for (const answer of [
    await press(app, path, { 'sec-fetch-site': 'cross-site' }),
    await press(app, path, { 'sec-fetch-site': '', origin: 'https://evil.example' }),
    await app.post(path, 'token=none', form),
    await app.post(path, '', form),
  ]) {
    expect([answer.status, answer.headers['set-cookie']]).toEqual([200, undefined]);
    expect(answer.text).toContain(signInLinkCopy.ask.text);
  }
  expect((await press(app, path)).status).toBe(303);
});

test('a changed token, a provider’s host and a site without a dashboard serve no link', async () => {
  await using given = await setUp();
  const { app, server } = given;
  const account = await insertAccount(app, 'owner');
  const provider = await insertProvider(app.db);
  await app.knows(provider);
  await ask(app, account.email);
  const path = await getLink(server);
  const [, id = '', rest = ''] = /^\/sign-in\/(\d+)(.*)$/.exec(path) ?? [];
  expect((await app.get(`/sign-in/${Number(id) + 1}${rest}`)).status).toBe(404);
  expect((await app.as(provider).get(path)).status).toBe(404);
  expect((await ask(app.as(provider), account.email)).status).toBe(404);
  await using bare = await testApp({ env: productionEnvironment });
  const host = bare.as(bare.services.config.mainDomains[0] ?? '');
  expect((await ask(host, account.email)).status).toBe(404);
  expect((await host.get(path)).text).not.toContain(signInLinkCopy.unknown.text);
});

test('many failed sign-ins raise an alert that ends an hour later', async () => {
  await using given = await setUp();
  const { app } = given;
  const { email } = await insertAccount(app, 'owner');
  const open = async () => {
    await checkSignIns(app.services);
    return (await listAlerts(app.db)).alerts.map(({ kind, message }) => [kind, message]);
  };
  for (let at = 0; at < 20; at += 1) {
    expect(await open()).toEqual([]);
    const headers = { 'x-forwarded-for': `2001:db8:${at.toString(16)}::1` };
    await app.post('/trpc/admin.session.signIn', { email, password: 'wrong password' }, headers);
  }
  const [raised] = await open();
  expect(raised).toEqual([
    'sign-in-failures',
    expect.stringMatching(/^20 sign-ins failed .* for one account\./),
  ]);
  expect(raised?.[1]).not.toContain(email);
  given.add(59);
  expect(await open()).toHaveLength(1);
  given.add(2);
  expect(await open()).toEqual([]);
});
