import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import {
  apiTokens,
  auditLog,
  staffAccounts,
  staffInvitations,
  staffSessions,
} from '#server/db/schema/index.ts';
import { sessionCopy } from '#client/admin/kit/copy.ts';
import { teamCopy } from '#client/admin/settings/copy.ts';
import { gateCopy } from '#client/admin/signIn/copy.ts';
import { adminCopy } from '#shared/admin/copy.ts';
import { signInLinkCopy } from '#shared/admin/signInLinks.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, visit } from '#test/support/browser.ts';
import { mailServer } from '#scripts/demo/mailServer.ts';
import { insertAccount, testPassword, testPasswordHash } from '#test/support/staff.ts';
import { getLink } from '#test/support/staffLinks.ts';

const focusedName = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('name'));

test('asks for the password before an owner’s action, and repeats it', async () => {
  await using app = await browserApp();
  await using visitor = await visitAdmin(app, {
    role: 'owner',
    path: '/admin?tab=tokens',
    expectedConsole: /status of 4(03|22)/,
  });
  const { page } = visitor;
  await app.db.update(staffSessions).set({ createdAt: new Date(Date.now() - 16 * 60_000) });
  await page.getByRole('button', { name: 'New token' }).click();
  const form = page.getByRole('dialog', { name: 'New token' });
  await form.getByLabel('Name').fill('Nightly');
  await form.getByLabel(/^leads:read/).check();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: gateCopy.confirm.title });
  await dialog.waitFor();
  await expect.poll(() => focusedName(page)).toBe('password');
  await visitor.expectAccessible();
  // Given up: nothing was changed, and the form is as it was.
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await form.getByText('Nothing was changed. Confirm with your password first.').waitFor();
  expect(await app.db.$count(apiTokens)).toBe(0);
  await form.getByRole('button', { name: 'Create token' }).click();
  await dialog.waitFor();
  await page.keyboard.type('wrong password');
  await page.keyboard.press('Enter');
  await dialog.getByText('Invalid password').waitFor();
  await visitor.expectAccessible();
  await expect.poll(() => focusedName(page)).toBe('password');
  await dialog.getByLabel('Password').fill(testPassword);
  await page.keyboard.press('Enter');
  await page.getByText('Token “Nightly” created.').first().waitFor();
  expect(await dialog.count()).toBe(0);
  expect(await app.db.$count(apiTokens)).toBe(1);
});

const chosen = 'several unrelated words';

/** A dashboard that sends its mail to the test. */
async function setUp() {
  const server = await mailServer();
  const app = await browserApp({
    env: {
      SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      MAIL_FROM: 'We <us@main.example>',
      ADMIN_PASSWORD_HASH: testPasswordHash,
    },
  });
  return {
    app,
    server,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

test('a forgotten password is replaced by a link, by keyboard', async () => {
  await using given = await setUp();
  const { app, server } = given;
  const { email } = await insertAccount(app, 'viewer');
  await using visitor = await visit(app, { expectedConsole: /status of 422/ });
  const { page } = visitor;
  await page.goto('/admin');
  const forgot = page.getByRole('button', { name: gateCopy.forgot });
  await forgot.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText(gateCopy.linkNeedsEmail).waitFor();
  await page.getByLabel('Email').fill(email);
  await forgot.focus();
  await page.keyboard.press('Enter');
  await page.getByText(gateCopy.resetSent).waitFor();
  await visitor.expectAccessible();
  await page.goto(await getLink(server));
  await visitor.expectAccessible();
  const field = page.getByLabel(signInLinkCopy.password);
  expect(await field.getAttribute('autocomplete')).toBe('new-password');
  expect(await page.getByLabel('Email').getAttribute('autocomplete')).toBe('username');
  await field.fill('viewer-viewer-viewer');
  await page.keyboard.press('Enter');
  await page.getByText('This password is easy to guess.').waitFor();
  await visitor.expectAccessible();
  await field.fill(chosen);
  await page.keyboard.press('Enter');
  await page.getByText(signInLinkCopy.changed.text).waitFor();
  await visitor.expectAccessible();
  await page.getByRole('link', { name: signInLinkCopy.dashboard }).click();
  await page.getByRole('button', { name: gateCopy.namedAccount }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(chosen);
  await page.keyboard.press('Enter');
  await page.getByText('Signed in as Test viewer (viewer)').waitFor();
});

test('the account menu changes the password and signs other devices out', async () => {
  await using app = await browserApp();
  await using visitor = await visitAdmin(app, { role: 'viewer', expectedConsole: /status of 422/ });
  const { page } = visitor;
  const [account] = await app.db.select().from(staffAccounts);
  const { email = '', id, passwordHash = '' } = account ?? {};
  const signIn = () => app.post('/trpc/admin.session.signIn', { email, password: testPassword });
  await signIn();
  await signIn();
  const menu = page.getByRole('button', { name: /^Signed in as / });
  await menu.click();
  await page.getByRole('menuitem', { name: gateCopy.sessions }).click();
  const devices = page.getByRole('dialog', { name: gateCopy.sessions });
  await devices.getByText(sessionCopy.current).waitFor();
  await visitor.expectAccessible();
  await devices
    .getByRole('button', { name: sessionCopy.endOf(sessionCopy.unknownDevice) })
    .first()
    .click();
  await expect.poll(() => app.db.$count(staffSessions)).toBe(2);
  await devices.getByRole('button', { name: gateCopy.endOthers }).click();
  await expect.poll(() => app.db.$count(staffSessions)).toBe(1);
  await page.keyboard.press('Escape');
  await devices.waitFor({ state: 'hidden' });
  await menu.click();
  await page.getByRole('menuitem', { name: gateCopy.changePassword }).click();
  const dialog = page.getByRole('dialog', { name: gateCopy.changePassword });
  await expect.poll(() => focusedName(page)).toBe('current');
  await page.keyboard.type('wrong password');
  await dialog.getByLabel(gateCopy.newPassword).fill(chosen);
  await page.keyboard.press('Enter');
  await dialog.getByText('Invalid password').waitFor();
  await visitor.expectAccessible();
  await expect.poll(() => focusedName(page)).toBe('current');
  await dialog.getByLabel(gateCopy.currentPassword).fill(testPassword);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  const [changed] = await app.db.select().from(staffAccounts);
  expect(changed?.id).toBe(id);
  expect(changed?.passwordHash).not.toBe(passwordHash);
  await page.reload();
  await page.getByText('Signed in as Test viewer (viewer)').waitFor();
});

test('a change of role has Undo', async () => {
  await using app = await browserApp();
  const other = await insertAccount(app, 'viewer');
  await using visitor = await visitAdmin(app, { role: 'owner', path: '/admin?tab=team' });
  const { page } = visitor;
  const role = page.getByLabel(teamCopy.roleOf(other.name));
  await role.selectOption('manager');
  const undo = page.getByRole('button', { name: adminCopy.undo });
  await undo.waitFor();
  await visitor.expectAccessible();
  expect(await role.inputValue()).toBe('manager');
  await undo.click();
  await expect.poll(() => role.inputValue()).toBe('viewer');
  const log = await app.db.select().from(auditLog).orderBy(auditLog.id);
  expect(log.map(({ action }) => action)).toEqual(['account.role', 'account.role-undo']);
});

test('an owner invites a person, sends the link again and withdraws it', async () => {
  await using given = await setUp();
  const { app, server } = given;
  await using visitor = await visitAdmin(app, { role: 'owner', path: '/admin?tab=team' });
  const { page } = visitor;
  await page.getByRole('button', { name: teamCopy.invite }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('Password').count()).toBe(0);
  await dialog.getByLabel('Name').fill('Ada Reed');
  await dialog.getByLabel('Email').fill('ada@staff.example');
  await dialog.getByLabel('Role').selectOption('manager');
  await visitor.expectAccessible();
  await dialog.getByRole('button', { name: teamCopy.invite }).click();
  await page.getByText(teamCopy.invited('Ada Reed')).waitFor();
  await page.getByRole('button', { name: teamCopy.invitations.resendOf('Ada Reed') }).click();
  const link = await getLink(server, 2);
  await visitor.expectAccessible();
  await page.getByRole('button', { name: teamCopy.sessions }).click();
  await dialog.getByText(sessionCopy.current).waitFor();
  await visitor.expectAccessible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: teamCopy.invitations.withdrawOf('Ada Reed') }).click();
  await dialog.getByRole('button', { name: teamCopy.invitations.withdraw }).click();
  await expect.poll(() => app.db.$count(staffInvitations)).toBe(0);
  expect((await app.get(link)).status).toBe(404);
});
