import { expect, test } from 'vitest';
import { setupCopy } from '#shared/admin/setup.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertLead } from '#test/support/leadRows.ts';

test('before the first lead, the tab says what is left to set up; staff send a test', async () => {
  await using app = await browserApp();
  await insertProvider(app.db, { name: 'Alpine Clinic', zipCode: '80202' });
  await using visitor = await visitAdmin(app);
  const { page } = visitor;
  const step = (key: keyof typeof setupCopy.steps) => page.locator(`[data-step=${key}]`);
  await step('testLead').waitFor(patience);
  // Neither views and filters nor an empty table.
  expect(await page.getByRole('searchbox').count()).toBe(0);
  expect(await page.locator('table, [aria-current=true]').count()).toBe(0);
  expect(await step('provider').innerText()).toContain(setupCopy.done);
  expect(await step('testLead').innerText()).toContain(setupCopy.open);
  await visitor.expectAccessible();
  await page.getByRole('button', { name: setupCopy.send }).press('Enter');
  await page.getByText(/Matched with Alpine Clinic, .* away\./).waitFor(patience);
  await step('testLead').getByText(setupCopy.done, { exact: true }).waitFor(patience);
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    await visitor.expectAccessible();
  }
  await page.getByRole('link', { name: setupCopy.openTest }).press('Enter');
  const drawer = page.getByRole('dialog');
  await drawer.getByText('A test by staff: never delivered, and not counted').first().waitFor(patience);
  expect(await drawer.getByRole('button', { name: 'Release' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: setupCopy.deleteTest }).press('Enter');
  await step('testLead').getByText(setupCopy.open, { exact: true }).waitFor(patience);
});

test('with a lead, the list is shown and Help keeps what is left to set up', async () => {
  await using app = await browserApp();
  await insertLead(app.db);
  await using visitor = await visitAdmin(app, { role: 'viewer' });
  const { page } = visitor;
  await page.locator('tr[data-lead]').waitFor(patience);
  expect(await page.locator('[data-step]').count()).toBe(0);
  await page.keyboard.press('?');
  const help = page.getByRole('dialog');
  await help.locator('[data-step=testLead]').waitFor(patience);
  expect(await help.getByRole('button', { name: setupCopy.send }).count()).toBe(0);
  await visitor.expectAccessible();
});
