import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { pageCopy } from '#client/admin/providers/page/copy.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { isFocused } from '#test/support/leadList.ts';
import { insertLeads } from '#test/support/leadRows.ts';
import type { TestApp } from '#test/support/testApp.ts';

const path = '/admin?tab=providers';

/** A provider with twelve leads of this month, of which six were reached and three booked, and two were refused. */
async function fill(app: TestApp): Promise<{ id: number; lead: number }> {
  const { id } = await insertProvider(app.db, { name: 'Amber Quay', practiceName: null, wordpressId: 71 });
  await insertProvider(app.db, { name: 'Birch Hollow' });
  const leads = await insertLeads(
    app.db,
    Array.from({ length: 12 }, (_, index) => ({
      providerId: id,
      createdAt: new Date(),
      outcome: index < 3 ? ('booked' as const) : index < 6 ? ('reached' as const) : null,
      clinicNotReached: index > 9,
    })),
  );
  const [lead] = leads;
  if (lead === undefined) throw new Error('no lead');
  return { id, lead: lead.id };
}

const heading = (page: Page) => page.getByRole('heading', { name: 'Amber Quay', level: 2 });

test('a provider’s page opens from its row, and back leads to the row', async () => {
  await using app = await browserApp();
  const { id } = await fill(app);
  await using visitor = await visitAdmin(app, { path });
  const { page } = visitor;
  const link = page.getByRole('link', { name: 'Amber Quay', exact: true });
  await page.getByText('12 this month · 50% reached, 25% booked').waitFor(patience);
  await page.getByText('0 this month · fewer than 10 leads in 90 days').waitFor(patience);
  await page.getByRole('searchbox', { name: 'Search providers' }).fill('amb');
  await expect.poll(() => new URL(page.url()).searchParams.get('find'), patience).toBe('amb');
  await link.press('Enter');
  await expect.poll(() => heading(page).evaluate(isFocused), patience).toBe(true);
  expect(new URL(page.url()).searchParams.get('provider')).toBe(String(id));
  await page.goBack();
  await expect.poll(() => link.evaluate(isFocused), patience).toBe(true);
  expect(await page.getByRole('searchbox', { name: 'Search providers' }).inputValue()).toBe('amb');
  await link.press('Enter');
  await page.getByRole('link', { name: pageCopy.back }).press('Enter', patience);
  await expect.poll(() => link.evaluate(isFocused), patience).toBe(true);
});

test('a provider’s page has its results, email, sync, site and leads at every width', async () => {
  await using app = await browserApp();
  const { id, lead } = await fill(app);
  await using visitor = await visitAdmin(app, {
    path: `${path}&provider=${id}`,
    // The preview runs no script.
    expectedConsole: /frame is sandboxed/,
  });
  const { page } = visitor;
  const panel = page.getByRole('tabpanel');
  const rows = panel.getByRole('table', { name: pageCopy.results.caption }).getByRole('row');
  await expect
    .poll(() => rows.allInnerTexts(), patience)
    .toEqual([
      'Figure\tThis provider\tNetwork',
      'Leads\t12\t12',
      'Reached\t50% (6 of 12)\t50% (6 of 12)',
      'Booked\t25% (3 of 12)\t25% (3 of 12)',
      'Median time to first outcome\tFewer than 10 outcomes\tFewer than 10 outcomes',
    ]);
  const months = panel.getByRole('figure').getByRole('listitem');
  expect(await months.count()).toBe(12);
  expect(await months.last().innerText()).toMatch(/^12\s/);
  expect(await months.first().innerText()).toMatch(/^0\s/);
  for (const text of ['2 leads not delivered', 'Not confirmed by its link', 'WordPress ID 71'])
    await panel.getByText(text).first().waitFor(patience);
  await panel.getByText(pageCopy.site.show).click();
  const preview = page.frameLocator(`iframe[title="${pageCopy.site.preview('Amber Quay')}"]`);
  await preview.getByText('Amber Quay').first().waitFor(patience);
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect([width, Math.max(0, overflow)]).toEqual([width, 0]);
    await visitor.expectAccessible();
  }
  // Ten of twelve, each with its drawer above the page.
  const leads = panel.getByRole('table', { name: pageCopy.leads.title }).getByRole('row');
  await expect.poll(() => leads.count(), patience).toBe(11);
  const newest = leads.nth(1).getByRole('link');
  await newest.press('Enter');
  const drawer = page.getByRole('dialog');
  await drawer.waitFor(patience);
  await page.keyboard.press('Escape');
  await expect.poll(() => newest.evaluate(isFocused), patience).toBe(true);
  await panel.getByRole('link', { name: pageCopy.leads.all(12) }).press('Enter');
  await page.locator(`[data-lead="${lead}"]`).waitFor(patience);
  expect(new URL(page.url()).searchParams.get('providerId')).toBe(String(id));
});

test('a provider’s page opens from the drawer of its lead; an unknown one says so', async () => {
  await using app = await browserApp();
  const { lead } = await fill(app);
  await using visitor = await visitAdmin(app, {
    path: `/admin?lead=${lead}`,
    role: 'viewer',
    expectedConsole: /status of 404/,
  });
  const { page } = visitor;
  await page.getByRole('dialog').getByRole('link', { name: 'Amber Quay' }).press('Enter', patience);
  await expect.poll(() => heading(page).evaluate(isFocused), patience).toBe(true);
  await page.getByText('2 leads not delivered').waitFor(patience);
  // Viewers change nothing.
  expect(await page.locator('#provider-settings, #provider-details').count()).toBe(0);
  await visitor.expectAccessible();
  await page.goBack();
  await page.getByRole('dialog').waitFor(patience);
  await page.goto(`${path}&provider=999999`);
  await page.getByRole('alert').getByText('Provider not found').waitFor(patience);
  await page.getByRole('link', { name: pageCopy.back }).click();
  await page.getByRole('link', { name: 'Amber Quay', exact: true }).waitFor(patience);
});
