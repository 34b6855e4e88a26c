import { describe, expect, test } from 'vitest';
import { adminCopy } from '#shared/admin/copy.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { insertProvider } from '#test/support/factories.ts';
import { crmEnvironment } from '#test/support/outboxSetup.ts';
import { answers, startReceiver } from '#test/support/receiver.ts';
import { insertLeads } from '#test/support/leadRows.ts';
import { isFocused, keepToast, getName, row, rows, sendLead, toast } from '#test/support/leadList.ts';
import { meets } from '#test/support/meets.ts';

describe('a change of a lead', () => {
  test('a deleted lead disappears, the focus stays in the list, and Undo restores it', async () => {
    meets('P2.admin.36 P6.role.04 P7.call.37 P8.error.38 D.admin.36 P1.people.10');
    await using app = await browserApp();
    const older = await sendLead(app);
    const newer = await sendLead(app);
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    await row(page, newer).getByRole('button', { name: 'Delete' }).focus();
    const reloaded = page.waitForRequest(/admin\.leads\.list/, patience);
    await page.keyboard.press('Enter');
    await keepToast(page, 'Lead deleted successfully');
    expect(await toast(page, 'Lead deleted successfully').innerText()).toContain('Success');
    await row(page, newer).waitFor({ state: 'detached', ...patience });
    await reloaded;
    await expect.poll(() => getName(page, older).evaluate(isFocused), patience).toBe(true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row(page, newer).waitFor(patience);
    await toast(page, 'Lead restored').waitFor(patience);
    await expect.poll(() => getName(page, newer).evaluate(isFocused), patience).toBe(true);
  });

  test('a second Enter after a deletion opens the next lead and deletes nobody', async () => {
    await using app = await browserApp();
    const older = await sendLead(app);
    const newer = await sendLead(app);
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    await row(page, newer).getByRole('button', { name: 'Delete' }).focus(patience);
    await page.keyboard.press('Enter');
    await expect.poll(() => getName(page, older).evaluate(isFocused), patience).toBe(true);
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).searchParams.get('lead'), patience).toBe(String(older));
    await expect
      .poll(() => app.sql`select id::int from leads where deleted_at is not null`, patience)
      .toEqual([{ id: newer }]);
  });

  test('keys reach the toast (F6) and undo a deletion (Ctrl+Z), except in text fields', async () => {
    await using app = await browserApp();
    const older = await sendLead(app);
    const newer = await sendLead(app);
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    await row(page, newer).getByRole('button', { name: 'Delete' }).focus(patience);
    await page.keyboard.press('Enter');
    const undo = page.getByRole('button', { name: 'Undo' });
    await expect.poll(() => getName(page, older).evaluate(isFocused), patience).toBe(true);
    await undo.waitFor(patience);
    await page.keyboard.press('F6');
    await expect.poll(() => undo.evaluate(isFocused), patience).toBe(true);
    await page.keyboard.press('F6');
    await expect.poll(() => getName(page, older).evaluate(isFocused), patience).toBe(true);
    await keepToast(page, 'Lead deleted successfully');
    await page.getByRole('searchbox', { name: 'Search leads' }).focus();
    await page.keyboard.press('Control+z');
    await getName(page, older).focus();
    expect(await undo.count()).toBe(1);
    await page.keyboard.press('Control+z');
    await row(page, newer).waitFor(patience);
    await toast(page, 'Lead restored').waitFor(patience);
    await expect.poll(() => getName(page, newer).evaluate(isFocused), patience).toBe(true);
  });

  test('in the queue of unmatched leads, the focus moves to the next lead’s picker', async () => {
    await using app = await browserApp();
    const older = await sendLead(app, { zip_code: '99501' });
    const newer = await sendLead(app, { zip_code: '99501' });
    await insertProvider(app.db, { name: 'Near Clinic', zipCode: '98101' });
    await using visitor = await visitAdmin(app, { path: '/admin?match=unmatched' });
    const { page } = visitor;
    const picker = (id: number) => row(page, id).getByRole('button', { name: 'Match with provider...' });
    await picker(newer).focus(patience);
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: /^Near Clinic/, selected: true }).waitFor(patience);
    await page.keyboard.press('Enter');
    await row(page, newer).waitFor({ state: 'detached', ...patience });
    await expect.poll(() => picker(older).evaluate(isFocused), patience).toBe(true);
  });

  test('an unmatched lead is assigned by keyboard only, with the nearest provider first', async () => {
    meets(`
      P2.admin.27 P2.admin.28 P2.admin.29 P4.state.25 P6.role.05 P7.call.35 P8.error.37
      D.people.12 P1.people.09
    `);
    await using app = await browserApp();
    const id = await sendLead(app, { zip_code: '99501' });
    await insertProvider(app.db, { name: 'Far Clinic', zipCode: '33131' });
    await insertProvider(app.db, { name: 'Near Clinic', zipCode: '98101' });
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    await row(page, id).getByRole('button', { name: 'Match with provider...' }).focus();
    await page.keyboard.press('Enter');
    const list = page.getByRole('dialog', { name: 'Select Provider' });
    await list.getByText('Near Clinic - 98101').waitFor(patience);
    const options = await list.getByRole('option').allInnerTexts();
    expect(options[0]).toMatch(/^Near Clinic - 98101\s+1,\d{3} miles$/);
    expect(options[1]).toMatch(/^Far Clinic - 33131/);
    const typed = list.getByRole('combobox', { name: 'Search by name or ZIP' });
    await expect.poll(() => typed.evaluate(isFocused), patience).toBe(true);
    await visitor.expectAccessible();
    const button = row(page, id).getByRole('button', { name: 'Match with provider...' });
    // The list is hidden a moment before its button opens it again.
    const closed = row(page, id).locator('button[aria-haspopup=dialog][aria-expanded=false]');
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden', ...patience });
    await closed.waitFor(patience);
    await expect.poll(() => button.evaluate(isFocused)).toBe(true);
    await page.keyboard.press('Enter');
    await expect.poll(() => typed.evaluate(isFocused), patience).toBe(true);
    await page.keyboard.press('Tab');
    await list.waitFor({ state: 'hidden', ...patience });
    await closed.waitFor(patience);
    await button.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => typed.evaluate(isFocused), patience).toBe(true);
    await list.getByRole('option', { selected: true }).getByText('Near Clinic').waitFor(patience);
    await page.keyboard.press('Enter');
    await toast(page, 'Lead provider updated successfully').waitFor(patience);
    await row(page, id).getByText('Near Clinic').waitFor(patience);
    await expect
      .poll(() => row(page, id).evaluate((element) => element.contains(document.activeElement)), patience)
      .toBe(true);
  });

  test('a retry that fails says why, and the focus stays', async () => {
    await using receiver = await startReceiver(answers(400));
    await using app = await browserApp({ env: crmEnvironment(receiver) });
    const id = await sendLead(app);
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    const button = row(page, id).getByRole('button', { name: 'Retry CRM Sync' });
    await button.click();
    const alert = page.getByRole('alert');
    await alert.waitFor(patience);
    expect(await alert.innerText()).toMatch(/^Error\n+\S/);
    await expect.poll(() => button.evaluate(isFocused)).toBe(true);
    await page.getByRole('button', { name: 'Sync Providers' }).press('Enter');
    await expect.poll(() => page.getByRole('alert').count(), patience).toBe(1);
  });

  test('a deletion that fails shows the HTTP status text', async () => {
    meets('P8.error.29');
    await using app = await browserApp();
    const id = await sendLead(app);
    await using visitor = await visitAdmin(app, { expectedConsole: /Failed to load resource/ });
    const { page } = visitor;
    await page.route('**/trpc/admin.leads.remove*', (route) => route.fulfill({ status: 502 }));
    await row(page, id).getByRole('button', { name: 'Delete' }).click(patience);
    await page.getByRole('alert').getByText('Failed to delete lead: Bad Gateway').waitFor(patience);
    expect(await page.getByRole('alert').innerText()).toMatch(/^Error\n+Failed to delete lead: Bad Gateway/);
    await expect.poll(() => row(page, id).count(), patience).toBe(1);
  });

  test('a change of several leads keeps the focus in the list', async () => {
    await using app = await browserApp();
    await sendLead(app);
    await sendLead(app);
    await app.sql`update leads set quarantined_at = now(), quarantine_reason = 'honeypot'`;
    await using visitor = await visitAdmin(app, { path: '/admin?quarantined=true' });
    const { page } = visitor;
    const inList = () =>
      page.evaluate(() => {
        const list = document.querySelector('[data-leads]');
        return list !== null && list.contains(document.activeElement);
      });
    const bar = page.getByRole('region', { name: 'Selected leads' });
    for (const [name, done] of [
      ['Release', '2 leads released from quarantine'],
      ['Delete', '2 leads deleted'],
    ] as const) {
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check(patience);
      await bar.getByRole('button', { name }).focus();
      await page.keyboard.press('Enter');
      await toast(page, done).waitFor(patience);
      await expect.poll(inList, patience).toBe(true);
      await page.goto('/admin');
    }
    await page.getByText('No leads yet').waitFor(patience);
  });

  test('all leads are selected and cleared by keyboard, and the focus stays beside them', async () => {
    await using app = await browserApp();
    await insertLeads(
      app.db,
      Array.from({ length: 41 }, () => ({})),
    );
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    const bar = page.getByRole('region', { name: 'Selected leads' });
    // Until the rows are loaded, nothing can be selected.
    await rows(page).first().waitFor(patience);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).focus();
    await page.keyboard.press('Space');
    await bar.getByRole('button', { name: leadCopy.bulk.selectMatching(41) }).focus();
    await page.keyboard.press('Enter');
    await bar.getByText('41 selected').waitFor(patience);
    await expect.poll(() => bar.evaluate(isFocused), patience).toBe(true);
    await page.keyboard.press('Tab');
    const clear = bar.getByRole('button', { name: leadCopy.bulk.clear });
    expect(await clear.evaluate(isFocused)).toBe(true);
    await page.keyboard.press('Enter');
    await clear.waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('[data-leads]').evaluate(isFocused), patience).toBe(true);
  });

  test('several leads are deleted together and restored together', async () => {
    await using app = await browserApp();
    for (let count = 0; count < 3; count += 1) await sendLead(app);
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    await expect.poll(() => rows(page).count(), patience).toBe(3);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    const bar = page.getByRole('region', { name: 'Selected leads' });
    await bar.getByText('3 selected').waitFor(patience);
    await visitor.expectAccessible();
    await bar.getByRole('button', { name: 'Delete' }).click();
    await keepToast(page, '3 leads deleted');
    await page.getByText('No leads yet').waitFor(patience);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => rows(page).count(), patience).toBe(3);
  });

  test('Undo restores the leads deleted here, not those that a colleague deleted', async () => {
    await using app = await browserApp();
    const [theirs, own] = [await sendLead(app), await sendLead(app)];
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    await row(page, theirs).waitFor(patience);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await app.sql`update leads set deleted_at = now() where id = ${theirs}`;
    await page
      .getByRole('region', { name: 'Selected leads' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await keepToast(page, '1 lead deleted');
    await page.getByRole('button', { name: 'Undo' }).click();
    await toast(page, '1 lead restored').waitFor(patience);
    await row(page, own).waitFor(patience);
    await expect.poll(() => rows(page).count(), patience).toBe(1);
  });

  test('a viewer sees no button that makes changes', async () => {
    await using app = await browserApp();
    await sendLead(app);
    await using visitor = await visitAdmin(app, { role: 'viewer' });
    const { page } = visitor;
    await rows(page).first().waitFor(patience);
    for (const name of [
      'Delete',
      'Resend Email',
      'Retry CRM Sync',
      'Match with provider...',
      'Sync Providers',
    ])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    expect(await page.getByRole('checkbox').count()).toBe(0);
  });
});

test('an export is a file; a refused one says why, and asks to sign in if needed', async () => {
  meets('P2.admin.06 P6.role.08 D.people.13');
  await using app = await browserApp();
  await sendLead(app);
  await using visitor = await visitAdmin(app, { expectedConsole: /Failed to load resource/ });
  const { page } = visitor;
  const button = page.getByRole('button', { name: 'Export Leads CSV' });
  await rows(page).first().waitFor(patience);
  const hint = `#${await button.getAttribute('aria-describedby')}`;
  expect(await page.locator(hint).innerText()).toBe(adminCopy.spreadsheetHint);
  const refuse = (headers: Record<string, string>): Promise<unknown> =>
    page.route('**/api/leads.csv*', (route) => route.fulfill({ status: 503, headers }), { times: 1 });
  await refuse({});
  await button.click();
  await page.getByRole('alert').getByText('503: Service Unavailable').waitFor(patience);
  await refuse({ 'x-exports-busy': '1' });
  await button.click();
  await page
    .getByRole('alert')
    .getByText(/^Other exports are in progress/)
    .waitFor(patience);
  const saved = page.waitForEvent('download');
  await button.click();
  expect((await saved).suggestedFilename()).toMatch(/^leads-.*\.csv$/);
  await app.sql`delete from staff_sessions`;
  await button.click();
  await page.getByText('Your session has expired. Sign in again.').waitFor(patience);
});

test('single keys are listed in the help, and do nothing once they are switched off', async () => {
  await using app = await browserApp();
  await sendLead(app);
  await using visitor = await visitAdmin(app);
  const { page } = visitor;
  await rows(page).first().waitFor(patience);
  // In every tab.
  await page.getByRole('tab', { name: 'Applications' }).click();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Help' });
  await help.getByText('Erasing a person.').waitFor(patience);
  await visitor.expectAccessible();
  await help.getByRole('checkbox').uncheck();
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'hidden', ...patience });
  await page.getByRole('tab', { name: /^Leads/ }).click();
  await rows(page).first().waitFor(patience);
  await page.keyboard.press('?');
  await page.keyboard.press('/');
  expect(await help.isVisible()).toBe(false);
  await expect
    .poll(() => page.getByRole('searchbox', { name: 'Search leads' }).evaluate(isFocused))
    .toBe(false);
  await page.reload();
  await rows(page).first().waitFor(patience);
  await page.keyboard.press('?');
  expect(await help.isVisible()).toBe(false);
});

test.each([768, 360])('at %i px the page itself never scrolls sideways', async (width) => {
  await using app = await browserApp();
  await insertProvider(app.db, { zipCode: '80202' });
  await sendLead(app, { zip_code: '99501' });
  await sendLead(app, { zip_code: '80202' });
  await using visitor = await visitAdmin(app, { width });
  const { page } = visitor;
  for (const tab of [/^Leads/, /^Providers/, /^Applications/]) {
    await page.getByRole('tab', { name: tab }).click();
    await page.locator('table, [data-provider], [role=tabpanel] p').first().waitFor(patience);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    await visitor.expectAccessible();
  }
});
