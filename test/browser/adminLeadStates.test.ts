import type { Locator } from 'playwright';
import { describe, expect, test } from 'vitest';
import { overLimitLeads } from '#server/db/schema/index.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { toHue } from '#test/support/readColor.ts';
import {
  addFilter,
  chooseInRow,
  getName,
  isFocused,
  keepToast,
  openView,
  row,
  rows,
  sendLead,
  toast,
} from '#test/support/leadList.ts';
import { insertLead, insertLeads } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';
import { crmEnvironment, insertDelivery } from '#test/support/outboxSetup.ts';
import { answers, startReceiver } from '#test/support/receiver.ts';

describe('quarantined leads', () => {
  const quarantined = { quarantinedAt: new Date(), quarantineReason: 'honeypot' } as const;

  test('are counted and listed only by their queue, with the reason in words', async () => {
    meets('P2.admin.72 D.admin.50');
    await using app = await browserApp();
    const [bot, person] = await insertLeads(app.db, [quarantined, {}]);
    if (bot === undefined || person === undefined) throw new Error('two leads');
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    await row(page, person.id).waitFor(patience);
    expect(await rows(page).count()).toBe(1);
    await page.getByRole('tab', { name: 'Leads (1)' }).waitFor(patience);
    await openView(page, 'Quarantined 1', true);
    await expect.poll(() => rows(page).count(), patience).toBe(1);
    const shown = await row(page, bot.id).innerText();
    for (const text of ['Quarantined', 'Filled in a hidden field (likely a bot)', 'Not sent'])
      expect(shown).toContain(text);
    expect(await toHue(row(page, bot.id).getByText('Not sent', { exact: true }))).toBe('gray');
    for (const name of ['Resend Email', 'Retry CRM Sync'])
      expect(await row(page, bot.id).getByRole('button', { name }).count()).toBe(0);
    await visitor.expectAccessible();
    await page.getByRole('tab', { name: 'Leads (1)' }).waitFor(patience);
  });

  test('are found by a search, which can hide them', async () => {
    await using app = await browserApp();
    const bot = await insertLead(app.db, { ...quarantined, lastName: 'Rarename' });
    const person = await insertLead(app.db, { lastName: 'Rarename' });
    await using visitor = await visitAdmin(app, { path: '/admin?search=rarename' });
    const { page } = visitor;
    await row(page, bot.id).waitFor(patience);
    expect(await rows(page).count()).toBe(2);
    await addFilter(page, 'Quarantine', 'Hidden');
    await expect.poll(() => rows(page).count(), patience).toBe(1);
    await row(page, person.id).waitFor(patience);
    await page.getByRole('button', { name: 'Remove filter: Not quarantined' }).waitFor(patience);
  });

  test('are released and deleted in their rows, and the focus moves to the next name', async () => {
    await using app = await browserApp();
    const leads = await insertLeads(app.db, [quarantined, quarantined, quarantined]);
    const [oldest = 0, middle = 0, newest = 0] = leads.map(({ id }) => id);
    await using visitor = await visitAdmin(app, { path: '/admin?quarantined=true' });
    const { page } = visitor;
    await chooseInRow(page, newest, 'Release');
    await toast(page, 'Lead released from quarantine').waitFor(patience);
    await row(page, newest).waitFor({ state: 'detached', ...patience });
    await expect.poll(() => getName(page, middle).evaluate(isFocused), patience).toBe(true);
    await row(page, middle).getByRole('button', { name: 'Delete' }).focus();
    await page.keyboard.press('Enter');
    await row(page, middle).waitFor({ state: 'detached', ...patience });
    await expect.poll(() => getName(page, oldest).evaluate(isFocused), patience).toBe(true);
    const states = () =>
      app.sql`select quarantined_at is null as released, deleted_at is null as kept from leads order by id`;
    await expect
      .poll(async () => [...(await states())], patience)
      .toEqual([
        { released: false, kept: true },
        { released: false, kept: false },
        { released: true, kept: true },
      ]);
  });

  test('over the limit wait in their own queue and not in the list', async () => {
    await using app = await browserApp();
    const waiting = await insertLead(app.db, { ...quarantined, quarantineReason: 'over-limit' });
    await app.db.insert(overLimitLeads).values({ leadId: waiting.id, releaseAt: new Date('2099-01-01') });
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    await page.getByText('No leads yet').waitFor(patience);
    await openView(page, 'Over limit: waiting to be delivered 1', true);
    await expect
      .poll(() => rows(page).allInnerTexts(), patience)
      .toEqual([expect.stringContaining('Not sent')]);
  });
});

describe('the list of deleted leads', () => {
  test('restores a lead in its row, and several together', async () => {
    await using app = await browserApp();
    const leads = await insertLeads(app.db, [
      { deletedAt: new Date() },
      { deletedAt: new Date() },
      { deletedAt: new Date() },
      { deletedAt: new Date(), erasedAt: new Date() },
    ]);
    const [oldest = 0, middle = 0, newest = 0, erased = 0] = leads.map(({ id }) => id);
    await using visitor = await visitAdmin(app, { path: '/admin?deleted=true' });
    const { page } = visitor;
    await row(page, erased).getByText('Erased').waitFor(patience);
    expect(await row(page, erased).getByRole('button').count()).toBe(0);
    await row(page, newest).getByRole('button', { name: 'Restore' }).focus();
    await page.keyboard.press('Enter');
    await toast(page, 'Lead restored').waitFor(patience);
    await row(page, newest).waitFor({ state: 'detached', ...patience });
    await expect.poll(() => getName(page, middle).evaluate(isFocused), patience).toBe(true);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    const bar = page.getByRole('region', { name: 'Selected leads' });
    await bar.getByText('2 selected').waitFor(patience);
    expect(await bar.getByRole('button').allInnerTexts()).toEqual(['', 'Restore']);
    await visitor.expectAccessible();
    await bar.getByRole('button', { name: 'Restore' }).click();
    await toast(page, '2 leads restored').waitFor(patience);
    await expect.poll(() => rows(page).count(), patience).toBe(1);
    expect(await app.sql`select id::int from leads where deleted_at is null order by id`).toEqual([
      { id: oldest },
      { id: middle },
      { id: newest },
    ]);
    await page.keyboard.press('Control+z');
    await expect.poll(() => rows(page).count(), patience).toBe(3);
    expect(await app.sql`select id::int from leads where deleted_at is null`).toEqual([{ id: newest }]);
    await row(page, middle).getByRole('button', { name: 'Restore' }).press('Enter');
    await toast(page, 'Lead restored').waitFor(patience);
    await page.keyboard.press('Control+z');
    await toast(page, 'Lead deleted successfully').waitFor(patience);
    await row(page, middle).waitFor(patience);
  });
});

describe('the CRM status', () => {
  test('says why a lead is not delivered and when the next attempt is', async () => {
    meets('P2.admin.32 P2.admin.35');
    await using receiver = await startReceiver(answers(503));
    await using app = await browserApp({ env: crmEnvironment(receiver) });
    const [waiting, failed, delivered] = await insertLeads(app.db, [
      {},
      { crmSyncStatus: 'failed' },
      { crmSyncStatus: 'success' },
    ]);
    if (waiting === undefined || failed === undefined || delivered === undefined) throw new Error('leads');
    const inFourHours = new Date(Date.now() + 4 * 3_600_000 + 60_000);
    await insertDelivery(app, {
      leadId: waiting.id,
      reason: 'The CRM returned HTTP 503.',
      nextAttemptAt: inFourHours,
    });
    await insertDelivery(app, { leadId: failed.id, state: 'failed', reason: 'The CRM returned HTTP 400.' });
    await insertDelivery(app, { leadId: delivered.id, state: 'delivered' });
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    const cell = (id: number) => row(page, id).locator('[data-cell=crm]');
    await cell(waiting.id).getByText('The CRM returned HTTP 503.').waitFor(patience);
    await cell(waiting.id).getByText('Next attempt in 4 hours').waitFor(patience);
    expect(await cell(failed.id).innerText()).toMatch(/^failed\s+The CRM returned HTTP 400\./);
    expect(await cell(delivered.id).innerText()).toBe('success');
    await cell(waiting.id).getByRole('button', { name: 'Retry CRM Sync' }).click();
    await page.getByRole('alert').waitFor(patience);
  });

  test('without a CRM says so, and a gray retry shows the reason in row, bar and drawer', async () => {
    meets('P2.admin.30 P2.admin.34 P2.admin.73 D.deliveries.33');
    await using app = await browserApp();
    const id = await sendLead(app);
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    const cell = row(page, id).locator('[data-cell=crm]');
    await cell.getByText('CRM sync is not configured.').waitFor(patience);
    expect(await cell.innerText()).toMatch(/^Pending/);
    expect(await toHue(cell.getByText('Pending', { exact: true }))).toBe('gray');
    const retryIn = (place: Locator): Locator => place.getByRole('button', { name: 'Retry CRM Sync' });
    const expectReason = async (button: Locator): Promise<void> => {
      expect(await button.getAttribute('disabled')).toBeNull();
      expect(await button.getAttribute('aria-disabled')).toBe('true');
      expect(await toHue(button)).toBe('gray');
      await button.press('Enter');
      const alert = page.getByRole('alert').filter({ hasText: 'CRM sync is not configured.' });
      await alert.waitFor(patience);
      await alert.getByRole('button').first().click();
      await alert.waitFor({ state: 'detached', ...patience });
    };
    await expectReason(retryIn(cell));
    // The row is busy until the list was reloaded, after the toast.
    const resend = cell.getByRole('button', { name: 'Resend Email' });
    await expect.poll(() => resend.isEnabled(), patience).toBe(true);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    const bar = page.getByRole('region', { name: 'Selected leads' });
    await expectReason(retryIn(bar));
    await visitor.expectAccessible();
    await getName(page, id).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('CRM sync is not configured.').first().waitFor(patience);
    await expectReason(retryIn(drawer));
  });
});

test('all leads that the filter matches can be selected, also those on other pages', async () => {
  await using app = await browserApp();
  await insertLeads(
    app.db,
    Array.from({ length: 45 }, () => ({ lastName: 'Rarename' })),
  );
  const other = await insertLead(app.db);
  await using visitor = await visitAdmin(app, { path: '/admin?search=rarename' });
  const { page } = visitor;
  await expect.poll(() => rows(page).count(), patience).toBe(40);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  const bar = page.getByRole('region', { name: 'Selected leads' });
  await bar.getByRole('button', { name: 'Select all 45 matching' }).click();
  await bar.getByText('45 selected').waitFor(patience);
  await bar.getByRole('button', { name: 'Delete' }).click();
  await keepToast(page, '45 leads deleted');
  expect(await app.sql`select id::int from leads where deleted_at is null`).toEqual([{ id: other.id }]);
});
