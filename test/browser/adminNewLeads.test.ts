import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { newLeadsCopy } from '#shared/admin/leadCopy.ts';
import { eventsPath } from '#shared/admin/staff.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { row } from '#test/support/leadList.ts';
import { insertLead } from '#test/support/leadRows.ts';

const recent = (): { createdAt: Date } => ({ createdAt: new Date() });
const plainTitle = /^(?!\()/;

test('a new lead is announced by a button and in the title, and moves nothing', async () => {
  await using app = await browserApp();
  const old = await insertLead(app.db);
  await using visitor = await visitAdmin(app);
  const { page } = visitor;
  await row(page, old.id).waitFor(patience);
  const title = await page.title();
  expect(title).toMatch(plainTitle);
  const place = await row(page, old.id).boundingBox();

  const first = await insertLead(app.db, recent());
  await page.getByRole('button', { name: newLeadsCopy.button(1) }).waitFor(patience);
  expect(await page.title()).toBe(newLeadsCopy.title(1, title));
  const second = await insertLead(app.db, recent());
  const button = page.getByRole('button', { name: newLeadsCopy.button(2) });
  await button.waitFor(patience);
  expect(await page.title()).toBe(newLeadsCopy.title(2, title));
  expect(await row(page, old.id).boundingBox()).toEqual(place);
  expect(await row(page, first.id).count()).toBe(0);
  expect(await page.getByText(newLeadsCopy.arrived).getAttribute('aria-live')).toBe('polite');
  await visitor.expectAccessible();

  await button.focus();
  await page.keyboard.press('Enter');
  for (const { id } of [first, second]) await row(page, id).waitFor(patience);
  await button.waitFor({ state: 'detached', ...patience });
  expect(await page.title()).toBe(title);
  expect(await page.evaluate(() => document.activeElement?.hasAttribute('data-leads'))).toBe(true);
});

test('two tabs share one stream, and the second takes over when the first is closed', async () => {
  await using app = await browserApp();
  const old = await insertLead(app.db);
  await using visitor = await visitAdmin(app);
  const { page, context } = visitor;
  await row(page, old.id).waitFor(patience);
  const shows = (tab: Page, count: number) =>
    tab.getByRole('button', { name: newLeadsCopy.button(count) }).waitFor(patience);
  const { id } = await insertLead(app.db, recent());
  await shows(page, 1);
  let further = 0;
  context.on('request', (request) => (further += request.resourceType() === 'eventsource' ? 1 : 0));
  const other = await context.newPage();
  await other.goto('/admin');
  await row(other, id).waitFor(patience);
  await insertLead(app.db, recent());
  await shows(page, 2);
  await shows(other, 1);
  expect(further).toBe(0);
  await page.close();
  await expect.poll(() => further, patience).toBe(1);
  await insertLead(app.db, recent());
  await shows(other, 2);
});

test('a lost connection is said and comes back with the leads that it missed', async () => {
  await using app = await browserApp();
  const old = await insertLead(app.db);
  await using visitor = await visitAdmin(app, {
    expectedConsole:
      /ERR_INTERNET_DISCONNECTED|ERR_INCOMPLETE_CHUNKED_ENCODING|Failed to (fetch|load resource)/,
  });
  const { page, context } = visitor;
  await row(page, old.id).waitFor(patience);
  await insertLead(app.db, recent());
  await page.getByRole('button', { name: newLeadsCopy.button(1) }).waitFor(patience);
  await context.setOffline(true);
  await page.getByText(newLeadsCopy.lost).waitFor(patience);
  await insertLead(app.db, recent());
  await context.setOffline(false);
  await page.getByRole('button', { name: newLeadsCopy.button(2) }).waitFor(patience);
  await expect.poll(() => page.getByText(newLeadsCopy.lost).count(), patience).toBe(0);
});

test('where no stream gets through, the dashboard asks every half a minute', async () => {
  await using app = await browserApp();
  await using visitor = await visitAdmin(app, { expectedConsole: /Failed to load resource/ });
  const { page } = visitor;
  let refusals = 0;
  let questions = 0;
  await page.route(`**${eventsPath}`, async (route) => {
    refusals += 1;
    await route.fulfill({ status: 503 });
  });
  // Answered: a lead that is stored while a question is open may be in its answer.
  page.on('requestfinished', (request) => {
    if (request.url().includes('admin.leads.newIds')) questions += 1;
  });
  await page.clock.install();
  await page.reload();
  const forward = async (ms: number): Promise<void> => page.clock.fastForward(ms);
  // The page's clock also runs by itself: on a busy machine more time passes than is forwarded.
  await expect
    .poll(async () => {
      await forward(1_000);
      return refusals;
    }, patience)
    .toBeGreaterThanOrEqual(2);
  await expect.poll(() => questions, patience).toBeGreaterThanOrEqual(1);
  const asked = questions;
  await insertLead(app.db, recent());
  await forward(30_000);
  await page.getByRole('button', { name: newLeadsCopy.button(1) }).waitFor(patience);
  await expect.poll(() => questions, patience).toBeGreaterThan(asked);
  expect(await page.getByText(newLeadsCopy.lost).count()).toBe(0);
});
