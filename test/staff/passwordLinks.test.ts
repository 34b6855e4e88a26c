import { expect, test } from 'vitest';
import { auditLog, staffAccounts, staffInvitations, staffSessions } from '#server/db/schema/index.ts';
import { restoreAccess } from '#server/features/auth/restoreAccess.ts';
import { purgeInvitations } from '#server/features/auth/invitations.ts';
import { signInLinkCopy as copy } from '#shared/admin/signInLinks.ts';
import { getSession, insertAccount, signedIn, testPassword } from '#test/support/staff.ts';
import { getLink, listCookies, press, setUpLinks } from '#test/support/staffLinks.ts';
import type { Answer, Client } from '#test/support/testApp.ts';

const password = 'several unrelated words';
const dayMinutes = 24 * 60;

function askReset(app: Client, email: string): Promise<Answer> {
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  return app.post('/trpc/admin.session.requestLink', { email, kind: 'reset' }, headers);
}

const choose = (app: Client, path: string, chosen = password) => press(app, path, {}, { password: chosen });

function signIn(app: Client, email: string, typed: string): Promise<Answer> {
  return app.post('/trpc/admin.session.signIn', { email, password: typed });
}

test('a reset’s link sets a password once, ends every session and is announced', async () => {
  await using given = await setUpLinks();
  const { app, server } = given;
  const account = await insertAccount(app, 'manager');
  const { email } = account;
  const headers = await getSession(app, account);
  expect((await askReset(app, email)).status).toBe(200);
  const path = await getLink(server);
  // Opening it changes nothing, and the page names the account for password managers.
  const page = await app.get(path);
  expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store']);
  expect(page.text).toContain(email);
  expect((await signIn(app, email, testPassword)).status).toBe(200);
  for (const [weak, sentence] of [
    ['short', 'Use at least 12 characters'],
    ['manager-manager', 'This password is easy to guess'],
  ] as const) {
    const refused = await choose(app, path, weak);
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(sentence)]);
    expect(refused.text).not.toContain(`value="${weak}"`);
  }
  const done = await choose(app, path);
  expect([done.status, done.headers['set-cookie']]).toEqual([200, undefined]);
  expect(done.text).toContain(copy.changed.text);
  expect((await app.get('/trpc/admin.session.me', headers)).status).toBe(401);
  expect((await signIn(app, email, testPassword)).status).toBe(401);
  expect((await signIn(app, email, password)).status).toBe(200);
  expect((await choose(app, path)).status).toBe(404);
  await expect.poll(() => server.received.length).toBe(2);
  expect((await server.received[1]?.email)?.subject).toBe(copy.changedMail.subject);
  const lines = await app.db.select().from(auditLog).orderBy(auditLog.id);
  expect(lines.map(({ action, detail }) => [action, detail])).toContainEqual([
    'account.password',
    { by: 'link' },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/staff\.example|unrelated/);
});

test('of two uses of a reset at the same time, one sets the password', async () => {
  await using given = await setUpLinks();
  const { app, server } = given;
  await askReset(app, (await insertAccount(app, 'viewer')).email);
  const path = await getLink(server);
  const answers = await Promise.all([choose(app, path), choose(app, path, `${password} too`)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
});

test('a reset’s link ends after an hour or with its account, and signs nobody in', async () => {
  await using given = await setUpLinks();
  const { app, server, add } = given;
  const { email } = await insertAccount(app, 'viewer');
  await askReset(app, email);
  const path = await getLink(server);
  add(59);
  expect((await app.get(path)).status).toBe(200);
  // Without a password it is no sign-in link.
  expect((await press(app, path)).status).toBe(422);
  add(1);
  expect((await choose(app, path)).status).toBe(404);
  expect((await signIn(app, email, testPassword)).status).toBe(200);
  await askReset(app, (await insertAccount(app, 'manager')).email);
  const last = await getLink(server, 2);
  expect((await app.get(last)).status).toBe(200);
  await app.db.delete(staffAccounts);
  expect((await choose(app, last)).status).toBe(404);
});

test('a request for a reset answers the same for an address without an account', async () => {
  await using given = await setUpLinks();
  const { app, server } = given;
  const { email } = await insertAccount(app, 'owner');
  const answers: string[] = [];
  for (const typed of ['nobody@staff.example', email, email]) {
    const { status, text } = await askReset(app, typed);
    answers.push(`${status} ${text}`);
  }
  expect(new Set(answers).size).toBe(1);
  await getLink(server);
  expect(server.received.map(({ to }) => to)).toEqual([[email]]);
});

const person = { name: 'Ada Reed', email: 'ada@staff.example', role: 'manager' };

test('an invited person chooses a password, and no owner knows it', async () => {
  await using given = await setUpLinks();
  const { app, server } = given;
  const headers = await signedIn(app, 'owner');
  const byHand = { ...person, password };
  expect((await app.post('/trpc/admin.accounts.create', byHand, headers)).status).toBe(409);
  expect((await app.post('/trpc/admin.accounts.invite', person, headers)).status).toBe(200);
  const path = await getLink(server);
  expect(server.received[0]?.to).toEqual([person.email]);
  // An invitation is no account.
  expect((await signIn(app, person.email, password)).status).toBe(401);
  for (const twin of [person, { ...person, email: 'other@staff.example' }])
    expect((await app.post('/trpc/admin.accounts.invite', twin, headers)).status).toBe(409);
  const opened = await choose(app, path);
  expect([opened.status, opened.headers.location]).toEqual([303, '/admin']);
  const me = await app.get('/trpc/admin.session.me', { cookie: listCookies(opened) });
  expect(me.json()).toMatchObject({ result: { data: { email: person.email, role: 'manager' } } });
  expect((await choose(app, path)).status).toBe(404);
  expect(await app.db.$count(staffInvitations)).toBe(0);
  expect((await signIn(app, person.email, password)).status).toBe(200);
  const lines = await app.db.select().from(auditLog).orderBy(auditLog.id);
  expect(lines.map(({ action, detail }) => [action, detail])).toEqual([
    ['account.invite', { role: 'manager' }],
    ['sign-in-failed', expect.anything()],
    ['account.create', { role: 'manager', by: 'invitation' }],
    ['sign-in', { by: 'invitation' }],
    ['sign-in', null],
  ]);
});

test('an invitation ends after a week, when it is sent again, withdrawn or restored', async () => {
  await using given = await setUpLinks();
  const { app, server, add } = given;
  const owner = await insertAccount(app, 'owner');
  const session = () => getSession(app, owner);
  await app.post('/trpc/admin.accounts.invite', person, await session());
  const first = await getLink(server);
  add(7 * dayMinutes);
  expect((await choose(app, first)).status).toBe(404);
  const [row] = await app.db.select().from(staffInvitations);
  const id = row?.id ?? 0;
  await app.post('/trpc/admin.accounts.resendInvitation', { id }, await session());
  const second = await getLink(server, 2);
  add(1);
  await app.post('/trpc/admin.accounts.resendInvitation', { id }, await session());
  const third = await getLink(server, 3);
  expect((await app.get(second)).status).toBe(404);
  expect((await app.get(third)).status).toBe(200);
  await restoreAccess(app.db, { changes: [], now: app.services.now() });
  expect((await app.get(third)).status).toBe(404);
  const again = await app.post('/trpc/admin.accounts.invite', person, await session());
  expect(again.status).toBe(200);
  const fourth = await getLink(server, 4);
  const [open] = await app.db.select().from(staffInvitations);
  const headers = await session();
  const withdrawn = await app.post('/trpc/admin.accounts.withdrawInvitation', { id: open?.id }, headers);
  expect(withdrawn.status).toBe(200);
  expect((await choose(app, fourth)).status).toBe(404);
  expect(await app.db.$count(staffAccounts)).toBe(1);
});

test('an invitation is kept for 30 days', async () => {
  await using given = await setUpLinks();
  const { app, add } = given;
  await app.post('/trpc/admin.accounts.invite', person, await signedIn(app, 'owner'));
  add(30 * dayMinutes - 1);
  expect(await purgeInvitations(app.db, app.services.now())).toBe(0);
  add(1);
  expect(await purgeInvitations(app.db, app.services.now())).toBe(1);
});

test('where email is configured, an owner sends a password link instead of a password', async () => {
  await using given = await setUpLinks();
  const { app, server } = given;
  const headers = await signedIn(app, 'owner');
  const { id, email } = await insertAccount(app, 'viewer');
  expect((await app.post('/trpc/admin.accounts.setPassword', { id, password }, headers)).status).toBe(409);
  expect((await app.post('/trpc/admin.accounts.sendReset', { id }, headers)).status).toBe(200);
  expect((await choose(app, await getLink(server))).status).toBe(200);
  expect((await signIn(app, email, password)).status).toBe(200);
});

test('a refused invitation is reported and stays in the list', async () => {
  await using given = await setUpLinks();
  const { app, server } = given;
  await server[Symbol.asyncDispose]();
  const headers = await signedIn(app, 'owner');
  const sent = await app.post('/trpc/admin.accounts.invite', person, headers);
  expect(sent.json()).toMatchObject({ result: { data: { name: 'Ada Reed', isSent: false } } });
  const listed = await app.get('/trpc/admin.accounts.invitations', headers);
  expect(listed.json()).toMatchObject({
    result: { data: { sendsMail: true, invitations: [{ email: person.email }] } },
  });
  expect(await app.db.$count(staffSessions)).toBe(1);
});
