import { expect, test } from 'vitest';
import { browserApp, patience, visit } from '#test/support/browser.ts';

test.each([
  [360, false],
  [768, true],
  [1280, true],
])('at %i px, scripts %s: the reference lists operations and opens fields', async (width, javaScript) => {
  await using app = await browserApp();
  await using visitor = await visit(app, { width, javaScript });
  const { page } = visitor;
  await page.goto('/api/docs');
  await page.getByRole('link', { name: 'POST /api/leads', exact: true }).focus();
  await page.keyboard.press('Enter');
  const operation = page.locator('section[id="leads.create"]');
  await operation.waitFor(patience);
  expect(page.url()).toMatch(/#leads\.create$/);
  const fields = operation.getByText('Fields').first();
  await fields.focus();
  await page.keyboard.press('Enter');
  await operation.getByRole('rowheader', { name: 'zip_code', exact: true }).first().waitFor(patience);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  if (javaScript) await visitor.expectAccessible();
});
