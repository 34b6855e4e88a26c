import { expect, test } from 'vitest';
import { signWithdrawal } from '#server/features/mail/linkTokens.ts';
import { withdraw } from '#shared/brand/withdraw.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { insertAgreed } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';

test.each([
  [360, true],
  [360, false],
  [1280, true],
])('at %i px, scripts %s: one press withdraws, and the page confirms it', async (width, javaScript) => {
  meets('D.people.05');
  await using app = await browserApp();
  const { id, publicId } = await insertAgreed(app.db);
  await using visitor = await visit(app, { width, javaScript });
  const { page } = visitor;
  await page.goto(`/withdraw/${signWithdrawal(app.services.config.secretKeys, publicId)}`);
  await page.getByRole('heading', { name: withdraw.ask.title }).waitFor(patience);
  expect(await page.title()).toBe(withdraw.windowTitle);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  if (javaScript) await visitor.expectAccessible();
  const button = page.getByRole('button', { name: withdraw.ask.action });
  expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await button.click();
  await page.getByRole('heading', { name: withdraw.done.title }).waitFor(patience);
  expect(await app.sql`select 1 from consent_withdrawals where lead_id = ${id}`).toHaveLength(1);
  if (javaScript) await visitor.expectAccessible();
});

test('a truncated link shows an error and the contact address', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app, { width: 360, expectedConsole: /404/ });
  const { page } = visitor;
  await page.goto('/withdraw/12.cut');
  await page.getByRole('heading', { name: withdraw.unknown.title }).waitFor(patience);
  expect(await page.getByRole('link', { name: 'hello@example.com' }).getAttribute('href')).toBe(
    'mailto:hello@example.com',
  );
  await visitor.expectAccessible();
});
