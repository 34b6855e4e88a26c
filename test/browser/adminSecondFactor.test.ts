import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { accountActs, teamCopy } from '#client/admin/settings/copy.ts';
import { factorCopy } from '#client/admin/signIn/copy.ts';
import type { StaffAccountRow } from '#server/db/schema/index.ts';
import { singleSignOnPath } from '#shared/pages/paths.ts';
import { browserApp, visit, type Visit } from '#test/support/browser.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { identityProvider } from '#test/support/identityProvider.ts';
import { insertAccount, testPassword } from '#test/support/staff.ts';

const refusals = /status of 4(01|22)/;

/** A code that no one used: each is of a later time, up to which the server's clock is moved. */
function codes(now: () => Date, add: (ms: number) => void) {
  return async (page: Page): Promise<string> => {
    add(60_000);
    const secret = (await page.locator('code').first().textContent()) ?? '';
    return toCode(secret, now());
  };
}

function toCode(secret: string, at: Date): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) });
  return totp.generate({ timestamp: at.getTime() });
}

/** Types the password of a named account, by keyboard only. */
async function enterPassword({ page }: Visit, { email }: StaffAccountRow): Promise<void> {
  await page.goto('/admin');
  // Without a shared password, the form asks for both at once.
  await expect.poll(() => focused(page)).toBe('email');
  await page.keyboard.type(email);
  await page.getByLabel('Password', { exact: true }).fill(testPassword);
  await page.keyboard.press('Enter');
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('name'));

test('a person sets up two-factor sign-in and signs in with it by keyboard', async () => {
  let ms = Date.now();
  const now = () => new Date(ms);
  const nextCode = codes(now, (more) => void (ms += more));
  await using app = await browserApp({ now });
  const account = await insertAccount(app, 'manager');
  await using visitor = await visit(app, { expectedConsole: refusals });
  const { page } = visitor;
  await enterPassword(visitor, account);
  const menu = page.getByRole('button', { name: /^Signed in as / });
  await menu.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: factorCopy.title }).click();
  const dialog = page.getByRole('dialog', { name: factorCopy.title });
  await dialog.getByText(factorCopy.off).waitFor();
  await visitor.expectAccessible();
  await dialog.getByRole('button', { name: factorCopy.setUp }).click();
  await dialog.getByRole('img', { name: factorCopy.qr }).waitFor();
  await expect.poll(() => focused(page)).toBe('code');
  await visitor.expectAccessible();
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await dialog.getByText(/^That code is wrong/).waitFor();
  const secret = (await dialog.locator('code').textContent()) ?? '';
  await dialog.getByLabel(factorCopy.code).fill(await nextCode(page));
  await page.keyboard.press('Enter');
  await dialog.getByText(factorCopy.recoveryNote).waitFor();
  await visitor.expectAccessible();
  const recoveryCodes = ((await dialog.locator('code').innerText()) ?? '').split('\n');
  expect(recoveryCodes).toHaveLength(10);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText(factorCopy.turnedOn, { exact: true }).waitFor();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);

  await visitor.context.clearCookies();
  await enterPassword(visitor, account);
  const field = page.getByLabel(factorCopy.code);
  await field.waitFor();
  await expect.poll(() => focused(page)).toBe('code');
  expect(await field.getAttribute('autocomplete')).toBe('one-time-code');
  await visitor.expectAccessible();
  ms += 60_000;
  await page.keyboard.type(toCode(secret, now()));
  await page.keyboard.press('Enter');
  await page.getByText('Signed in as Test manager (manager)').waitFor();

  await visitor.context.clearCookies();
  await enterPassword(visitor, account);
  await page.getByRole('button', { name: factorCopy.useRecovery }).click();
  await expect.poll(() => focused(page)).toBe('code');
  await page.keyboard.type(recoveryCodes[0] ?? '');
  await page.keyboard.press('Enter');
  await page.getByText('Signed in as Test manager (manager)').waitFor();
});

test('a person whose role needs it sets it up at the sign-in, and an owner resets it', async () => {
  let ms = Date.now();
  const now = () => new Date(ms);
  const nextCode = codes(now, (more) => void (ms += more));
  await using app = await browserApp({ now });
  const account = await insertAccount(app, 'manager');
  await using owner = await visitAdmin(app, { role: 'owner', path: '/admin?tab=team' });
  await owner.page.getByRole('checkbox', { name: 'Manager' }).check();
  await owner.page.getByText(teamCopy.requiredChanged).waitFor();
  await owner.expectAccessible();

  await using visitor = await visit(app, { expectedConsole: refusals });
  const { page } = visitor;
  await enterPassword(visitor, account);
  await page.getByText(factorCopy.required).waitFor();
  await page.getByRole('img', { name: factorCopy.qr }).waitFor();
  await visitor.expectAccessible();
  // The step outlasts a reload.
  await page.reload();
  await page.getByRole('img', { name: factorCopy.qr }).waitFor();
  await page.getByLabel(factorCopy.code).fill(await nextCode(page));
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Signed in as Test manager (manager)').waitFor();

  await owner.page.reload();
  await owner.page.getByRole('button', { name: accountActs.resetFactor.title(account.name) }).click();
  const dialog = owner.page.getByRole('dialog');
  await owner.expectAccessible();
  await dialog.getByRole('button', { name: accountActs.resetFactor.label }).click();
  await owner.page.getByText(accountActs.resetFactor.done(account.name)).waitFor();
  await enterPassword(visitor, account);
  await page.getByText(factorCopy.required).waitFor();
  expect(await page.getByText(/^Signed in as /).count()).toBe(0);
});

test('single sign-on has a button that signs in', async () => {
  await using provider = await identityProvider();
  await using app = await browserApp({ env: provider.env });
  await using visitor = await visit(app, { expectedHosts: [new URL(provider.issuer).host] });
  provider.serve(visitor.origin);
  const { email } = await insertAccount(app, 'manager');
  provider.is({ sub: 'ada', email, email_verified: true });
  const { page } = visitor;
  await page.goto('/admin');
  const button = page.getByRole('link', { name: 'Sign in with single sign-on' });
  expect(await button.getAttribute('href')).toBe(singleSignOnPath);
  await visitor.expectAccessible();
  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByText('Signed in as Test manager (manager)').waitFor();
});
