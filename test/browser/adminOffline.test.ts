import { expect, test } from 'vitest';
import { adminCopy } from '#shared/admin/copy.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { insertLeads } from '#test/support/leadRows.ts';
import { row, rows } from '#test/support/leadList.ts';

test('offline, a deletion keeps its row and says so, and the next page is an error', async () => {
  await using app = await browserApp();
  const leads = await insertLeads(
    app.db,
    Array.from({ length: 41 }, () => ({})),
  );
  await using visitor = await visitAdmin(app, {
    expectedConsole: /ERR_INTERNET_DISCONNECTED|Failed to fetch|Failed to load resource/,
  });
  const { page, context } = visitor;
  const id = leads.at(-1)?.id ?? 0;
  await row(page, id).waitFor(patience);
  await context.setOffline(true);
  await page.getByText(adminCopy.offline).waitFor(patience);
  await row(page, id).getByRole('button', { name: 'Delete' }).click(patience);
  await page.getByText('Failed to delete lead').first().waitFor(patience);
  expect(await row(page, id).count()).toBe(1);
  await page.getByRole('button', { name: 'Next' }).click(patience);
  await page.getByRole('button', { name: adminCopy.retry }).first().waitFor(patience);
  await context.setOffline(false);
  await page.getByRole('button', { name: adminCopy.retry }).first().click(patience);
  await expect.poll(() => rows(page).count(), patience).toBe(1);
  expect(await page.getByText(adminCopy.offline).count()).toBe(0);
  expect(await app.sql`select 1 from leads where deleted_at is not null`).toHaveLength(0);
});

test('a name of a hundred letters without a space pushes no column of the list away', async () => {
  await using app = await browserApp();
  await insertLeads(app.db, [{ firstName: 'W'.repeat(100), lastName: 'M'.repeat(96) }]);
  for (const width of [360, 768, 1280]) {
    await using visitor = await visitAdmin(app, { width });
    const { page } = visitor;
    await rows(page).first().waitFor(patience);
    const { table, box, whole } = await page.evaluate(() => ({
      table: document.querySelector('[data-leads] table')?.scrollWidth ?? 0,
      box: document.querySelector('[data-leads] table')?.parentElement?.clientWidth ?? 0,
      whole: document.documentElement.scrollWidth,
    }));
    expect(whole).toBeLessThanOrEqual(width);
    expect([width, table]).toEqual([width, expect.any(Number)]);
    // On a tablet the table scrolls by its own columns; the name adds nothing to them.
    expect(table).toBeLessThanOrEqual(Math.max(box, 1_000));
  }
});
