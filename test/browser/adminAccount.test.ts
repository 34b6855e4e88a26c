import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { apiTokens, staffSessions } from '#server/db/schema/index.ts';
import { gateCopy } from '#client/admin/signIn/copy.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp } from '#test/support/browser.ts';
import { testPassword } from '#test/support/staff.ts';

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
