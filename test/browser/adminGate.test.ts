import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { apiTokens, staffAccounts, staffSessions } from '#server/db/schema/index.ts';
import { gateCopy } from '#client/admin/signIn/copy.ts';
import { signInLinkCopy } from '#shared/admin/signInLinks.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { meets } from '#test/support/meets.ts';
import { insertAccount, testPassword, testPasswordHash } from '#test/support/staff.ts';

const env = { ADMIN_PASSWORD_HASH: testPasswordHash };
/** What the browser logs about rejected sign-ins. */
const refusals = /status of 4(01|22|29)/;

const passwordField = (page: Page) => page.getByLabel('Password', { exact: true });
const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true });
const accountButton = (page: Page) => page.getByRole('button', { name: /^Signed in as / });
const mirror = (page: Page) => page.evaluate(() => sessionStorage.getItem('auth'));

async function signIn(page: Page, password = testPassword): Promise<void> {
  await passwordField(page).fill(password);
  await signInButton(page).click();
}

describe('the sign-in page', () => {
  test.each(['/admin', '/getmpx'])(
    'is shown below the title at %s until the password is correct',
    async (path) => {
      meets(`
      P2.gate.01 P2.gate.02 P2.gate.03 P2.gate.04 P2.gate.06 P4.state.37 P6.role.09 P8.error.40
      D.admin.01 D.admin.02 D.admin.15 P1.what.05 P2.routes.17 P2.routes.19
    `);
      await using app = await browserApp({ env });
      await using visitor = await visit(app, { expectedConsole: refusals });
      const { page } = visitor;
      await page.goto(path);
      await page.getByRole('heading', { level: 1, name: 'Admin Dashboard' }).waitFor();
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
        .toBe('password');
      await visitor.expectAccessible();
      expect(await mirror(page)).toBeNull();
      await signIn(page, 'wrong');
      await page.getByRole('alert').getByText('Invalid password', { exact: true }).waitFor();
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
        .toBe('password');
      await visitor.expectAccessible();
      await signIn(page);
      await page.getByText('Signed in as Staff (owner)').waitFor();
      await page.getByRole('heading', { level: 1, name: 'Admin Dashboard' }).waitFor();
      expect(await passwordField(page).count()).toBe(0);
      expect(await mirror(page)).toBe('true');
      await expect.poll(() => new URL(page.url()).search).toBe('');
      await page.reload();
      await page.getByText('Signed in as Staff (owner)').waitFor();
      expect(await passwordField(page).count()).toBe(0);
    },
  );

  test('reports an empty password without a request', async () => {
    await using app = await browserApp({ env });
    await using visitor = await visit(app);
    const { page } = visitor;
    await page.goto('/admin');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await signInButton(page).click();
    await page.getByRole('alert').getByText('Invalid password').waitFor();
    expect(asked.filter((url) => url.includes('/trpc/'))).toEqual([]);
  });

  test('signs in a named account by keyboard only', async () => {
    await using app = await browserApp({ env });
    const { email } = await insertAccount(app, 'viewer');
    await using visitor = await visit(app);
    const { page } = visitor;
    await page.goto('/admin');
    const disclosure = page.getByRole('button', { name: 'Sign in with your own account' });
    await expect.poll(() => disclosure.getAttribute('aria-expanded')).toBe('false');
    await disclosure.focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Email').fill(email);
    await passwordField(page).fill(testPassword);
    await visitor.expectAccessible();
    await page.keyboard.press('Enter');
    await page.getByText('Signed in as Test viewer (viewer)').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
    // Only owners see their tabs.
    expect(await page.getByRole('tab', { name: 'Team' }).count()).toBe(0);
  });

  test('emails a sign-in link to the typed address, which signs in on its page', async () => {
    await using app = await browserApp({ env });
    const { email } = await insertAccount(app, 'viewer');
    await using visitor = await visit(app);
    const { page } = visitor;
    await page.goto('/admin');
    await page.getByRole('button', { name: gateCopy.namedAccount }).click();
    const ask = page.getByRole('button', { name: gateCopy.sendLink });
    await ask.click();
    await page.getByRole('alert').getByText(gateCopy.linkNeedsEmail).waitFor();
    await page.getByLabel('Email').fill(email);
    await ask.click();
    await page.getByText(gateCopy.linkSent).waitFor();
    const { folder } = app.services.mail;
    const getLink = async (): Promise<string> => {
      const [message] = (await folder?.list(null))?.messages ?? [];
      const shown = message === undefined ? undefined : await folder?.get(message.name);
      return /(\/sign-in\/[\w.-]+)/.exec(JSON.stringify(shown ?? null))?.[1] ?? '';
    };
    await expect.poll(getLink).not.toBe('');
    await page.goto(await getLink());
    await visitor.expectAccessible();
    await page.getByRole('button', { name: signInLinkCopy.ask.action }).click();
    await page.getByText('Signed in as Test viewer (viewer)').waitFor();
  });

  test('says how long to wait after too many wrong passwords', async () => {
    await using app = await browserApp({ env });
    await using visitor = await visit(app, { expectedConsole: refusals });
    const { page } = visitor;
    await page.goto('/admin');
    for (let at = 0; at < 5; at += 1) {
      const answered = page.waitForResponse(/admin\.session\.signIn/);
      await signIn(page, `wrong ${at}`);
      await answered;
      await page.getByRole('alert').getByText('Invalid password').waitFor();
      await signInButton(page).waitFor();
    }
    await signIn(page);
    const refused = page
      .getByRole('alert')
      .getByText(/^Too many sign-in attempts\. Try again in 1[45] minutes\.$/);
    await refused.waitFor();
    expect(await mirror(page)).toBeNull();
  });

  test('is shown after signing out, and Back shows nothing of the dashboard', async () => {
    meets('D.admin.17');
    await using app = await browserApp({ env });
    await using visitor = await visit(app);
    const { page } = visitor;
    await page.goto('/admin');
    await signIn(page);
    await page.getByText('No leads yet').waitFor();
    await accountButton(page).click();
    await visitor.expectAccessible();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await passwordField(page).waitFor();
    expect(await mirror(page)).toBeNull();
    expect(await app.db.$count(staffSessions)).toBe(0);
    await page.goto('/privacy');
    await page.goBack();
    await passwordField(page).waitFor();
    expect(await accountButton(page).count()).toBe(0);
  });

  test('is shown at the next call after a session ended elsewhere', async () => {
    await using app = await browserApp({ env });
    await using visitor = await visit(app, { expectedConsole: refusals });
    const { page } = visitor;
    await page.goto('/admin');
    await signIn(page);
    await page.getByText('No leads yet').waitFor();
    await app.db.delete(staffSessions);
    const expired = page.getByText('Your session has expired. Sign in again.');
    // Its stream of new leads ends within a second, and may say so before the press.
    await page.getByRole('tab', { name: 'Audit log' }).or(expired).first().click();
    await expired.waitFor();
    expect(await mirror(page)).toBeNull();
    await visitor.expectAccessible();
  });

  test('ignores the flag in the browser’s storage', async () => {
    meets('D.admin.03 D.admin.16');
    await using app = await browserApp({ env });
    await using visitor = await visit(app);
    const { page } = visitor;
    await page.addInitScript(() => sessionStorage.setItem('auth', 'true'));
    await page.goto('/admin');
    await passwordField(page).waitFor();
    await expect.poll(() => mirror(page)).toBeNull();
  });

  test('asks for JavaScript if it is off, and sends no password', async () => {
    await using app = await browserApp({ env });
    await using visitor = await visit(app, { javaScript: false });
    const { page } = visitor;
    await page.goto('/admin');
    await page.getByText('The dashboard needs JavaScript.').waitFor();
    expect(await signInButton(page).isDisabled()).toBe(true);
  });
});

describe('owners', () => {
  async function ownersRoom(page: Page, tab: string): Promise<void> {
    await page.goto('/admin');
    await signIn(page);
    await page.getByRole('tab', { name: tab }).click();
  }

  test('add a person, change the role and the password, and remove the account', async () => {
    await using app = await browserApp({ env });
    await using visitor = await visit(app, { expectedConsole: /status of 4(22|09)/ });
    const { page } = visitor;
    await ownersRoom(page, 'Team');
    await page.getByText('No accounts yet.').waitFor();
    await page.getByRole('button', { name: 'Add a person' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add a person' }).click();
    await dialog.getByText('Name is required').waitFor();
    await dialog.getByText('Email is required').waitFor();
    await dialog.getByText('Use at least 12 characters', { exact: true }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name');
    await visitor.expectAccessible();
    await dialog.getByLabel('Name').fill('Ada Reed');
    await dialog.getByLabel('Email').fill('ada@staff.example');
    await dialog.getByLabel('Role').selectOption('manager');
    await dialog.getByLabel('Password').fill('long enough a password');
    await dialog.getByRole('button', { name: 'Add a person' }).click();
    const row = page.getByRole('row', { name: /Ada Reed/ });
    await page.getByText('Ada Reed added').waitFor();
    await row.waitFor();
    await visitor.expectAccessible();
    await row.getByLabel('Role of Ada Reed').selectOption('viewer');
    await page.getByText('Ada Reed’s role changed').waitFor();
    const [stored] = await app.db.select().from(staffAccounts);
    expect(stored).toMatchObject({ name: 'Ada Reed', role: 'viewer' });
    await row.getByRole('button', { name: 'Set password for Ada Reed' }).click();
    await dialog.locator('[name=password]').fill('another long password');
    await dialog.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('Ada Reed’s password changed').waitFor();
    const [changed] = await app.db.select().from(staffAccounts);
    expect(changed?.passwordHash).not.toBe(stored?.passwordHash);
    await row.getByRole('button', { name: 'Remove Ada Reed' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    // What is below an open dialog isn't in the accessibility tree.
    await dialog.waitFor({ state: 'detached' });
    await row.waitFor({ state: 'detached' });
    expect(await app.db.$count(staffAccounts)).toBe(0);
  });

  test('create a token that is shown once and works, and revoke it', async () => {
    meets('D.admin.22 D.admin.27');
    await using app = await browserApp({ env });
    await using visitor = await visit(app);
    const { page } = visitor;
    await ownersRoom(page, 'Tokens');
    await page.getByRole('button', { name: 'New token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Nightly');
    await dialog.getByLabel(/^sync:run/).check();
    await visitor.expectAccessible();
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await dialog.getByText('Token “Nightly” created.', { exact: true }).waitFor(patience);
    const token = await dialog.getByText(/^mpx_[\w-]{43}$/).textContent();
    await visitor.expectAccessible();
    // As on a page without HTTPS.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await dialog.getByText(/^Couldn’t copy/).waitFor();
    const headers = { authorization: `Bearer ${token}` };
    expect((await app.post('/api/sync', {}, headers)).json()).toEqual({
      success: false,
      error: 'Provider sync is not configured.',
      run: null,
    });
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row', { name: /Nightly/ }).waitFor();
    expect(await page.content()).not.toContain(token);
    await page.getByRole('button', { name: 'Revoke “Nightly”' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('cell', { name: /^Revoked / }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('DIV');
    expect((await app.post('/api/sync', {}, headers)).status).toBe(401);
    expect(await app.db.$count(apiTokens)).toBe(1);
  });

  test('read the audit log in their own time zone', async () => {
    meets('D.conformity.42');
    await using app = await browserApp({ env });
    await app.sql`insert into audit_log (at, actor_kind, actor_name, action)
      values ('2024-01-06T03:00:00Z', 'command', 'npm run token', 'token.create')`;
    await using visitor = await visit(app);
    const { page, context } = visitor;
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'America/Denver' });
    await ownersRoom(page, 'Audit log');
    const row = page.getByRole('row', { name: /npm run token/ });
    await expect.poll(() => row.locator('time').innerText(), patience).toMatch(/^Jan 5, 2024\b/);
    await page.getByLabel('From', { exact: true }).fill('2024-01-06');
    await page.getByRole('button', { name: 'Apply' }).click();
    await row.waitFor({ ...patience, state: 'detached' });
    await page.getByLabel('From', { exact: true }).fill('2024-01-05');
    await page.getByLabel('To', { exact: true }).fill('2024-01-05');
    await page.getByRole('button', { name: 'Apply' }).click();
    await row.waitFor(patience);
  });

  test('read the audit log by page and by filter', async () => {
    meets('D.conformity.43');
    await using app = await browserApp({ env });
    await app.sql`insert into audit_log (actor_kind, actor_name, ip, action, subject_kind, subject_id, detail)
      select 'staff', 'Ada Reed', '203.0.113.9', 'lead.view', 'lead', n::text, null from generate_series(1, 60) n`;
    await app.sql`insert into audit_log (actor_kind, actor_name, action, subject_kind, subject_id, detail)
      values ('command', 'npm run token', 'token.create', 'token', '7', '{"scopes": ["sync:run"]}')`;
    await using visitor = await visit(app);
    const { page } = visitor;
    await ownersRoom(page, 'Audit log');
    const rows = page.getByRole('row');
    await page.getByRole('row', { name: /Staff \S+ Signed in/ }).waitFor();
    expect(await rows.count()).toBe(51);
    await page.getByRole('button', { name: 'Older' }).click();
    await expect.poll(() => rows.count()).toBe(13);
    await page.getByRole('button', { name: 'Newer' }).click();
    await expect.poll(() => rows.count()).toBe(51);
    await page
      .getByRole('form', { name: 'Filters' })
      .getByRole('combobox')
      .first()
      .selectOption('token.create');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => rows.count()).toBe(2);
    await page
      .getByRole('row', {
        name: /npm run token \(command\) On the server Created an API token API token 7 scopes: sync:run$/,
      })
      .waitFor();
    expect(await rows.last().locator('time').getAttribute('title')).toMatch(/ UTC\)$/);
    for (const width of [1280, 768, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await visitor.expectAccessible();
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
      const table = page.getByRole('region', { name: 'Audit log' });
      expect([width, await table.evaluate((frame) => frame.scrollWidth - frame.clientWidth)]).toEqual([
        width,
        0,
      ]);
    }
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => rows.count()).toBe(51);
    await page.getByLabel('Who').fill('Nobody at all');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('No entries match these filters.').waitFor();
  });
});
