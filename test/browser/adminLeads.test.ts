import { describe, expect, test } from 'vitest';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { patience, useBrowser } from '#test/support/browser.ts';
import { insertClinic } from '#test/support/factories.ts';
import { isFocused, row, rows, sendLead, toast } from '#test/support/leadList.ts';
import { testApp } from '#test/support/testApp.ts';

useBrowser();

describe('the list of leads', () => {
  test('names who, where, whose, when and how far the CRM is, newest first', async () => {
    await using app = await testApp();
    await insertClinic(app.db, { name: 'Alpine Clinic', zipCode: '80202' });
    await sendLead(app, { first_name: 'Ann', last_name: 'Older', zip_code: '80202' });
    await sendLead(app, { first_name: 'Ben', last_name: 'Newer', zip_code: '99501' });
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    await rows(page).first().waitFor(patience);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Admin Dashboard');
    await page.getByRole('tab', { name: 'Leads (2)' }).waitFor(patience);
    await page.getByRole('tab', { name: 'Providers (1)' }).waitFor(patience);
    const heads = await page.getByRole('columnheader').allInnerTexts();
    expect(heads.map((head) => head.trim()).filter((head) => head !== '')).toEqual([
      'Contact',
      'Zip Code',
      'Provider',
      'Date',
      'CRM Sync',
      'Actions',
    ]);
    const [first, second] = await rows(page).allInnerTexts();
    for (const text of ['Ben Newer', '99501', 'Unmatched', 'Match with provider...', 'Pending'])
      expect(first).toContain(text);
    for (const text of ['Ann Older', '80202', 'Alpine Clinic', 'Resend Email', 'Retry CRM Sync', 'Delete'])
      expect(second).toContain(text);
    expect(await page.getByText('Total: 2 leads').isVisible()).toBe(true);
    expect(await page.getByText('Page 1 of 1').isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Previous' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
    await visitor.expectAccessible();
  });

  test('an inactive provider is marked', async () => {
    await using app = await testApp();
    const clinic = await insertClinic(app.db, { zipCode: '80202' });
    const id = await sendLead(app, { zip_code: '80202' });
    await app.sql`update providers set status = 'f' where id = ${clinic.id}`;
    await using visitor = await visitAdmin(app);
    await expect.poll(() => row(visitor.page, id).innerText(), patience).toContain('Inactive');
  });

  test('five skeleton rows stand in its place while it loads, an alert where it can’t be had', async () => {
    await using app = await testApp();
    await using visitor = await visitAdmin(app, {
      path: '/admin?tab=applications',
      expectedConsole: /Failed to load resource/,
    });
    const { page } = visitor;
    const held = Promise.withResolvers<void>();
    await page.route('**/trpc/*adminLeads.list*', async (route) => {
      await held.promise;
      await route.abort();
    });
    await page.goto('/admin');
    await page.locator('tr[data-skeleton]').first().waitFor(patience);
    expect(await page.locator('tr[data-skeleton]').count()).toBe(5);
    held.resolve();
    const alert = page.getByRole('alert');
    await alert.waitFor(patience);
    expect(await alert.innerText()).toMatch(/^Error\n+Failed to load leads/);
    await page.unroute('**/trpc/*adminLeads.list*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No leads yet').waitFor(patience);
    expect(await page.getByRole('button', { name: 'Export Leads CSV' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Export Providers CSV' }).isDisabled()).toBe(true);
  });

  test('a page holds forty; buttons and keys turn it, and the address says which', async () => {
    await using app = await testApp();
    for (let count = 0; count < 41; count += 1) await sendLead(app);
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    await page.getByText('Page 1 of 2').waitFor(patience);
    expect(await rows(page).count()).toBe(40);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Page 2 of 2').waitFor(patience);
    await expect.poll(() => rows(page).count(), patience).toBe(1);
    expect(new URL(page.url()).searchParams.get('page')).toBe('2');
    await page.locator('main').focus();
    await page.keyboard.press('[');
    await page.getByText('Page 1 of 2').waitFor(patience);
    await page.keyboard.press(']');
    await page.getByText('Page 2 of 2').waitFor(patience);
    await page.reload();
    await page.getByText('Page 2 of 2').waitFor(patience);
  });
});

describe('what is looked at', () => {
  test('search and filters are kept in the address, shown as chips, and taken away again', async () => {
    await using app = await testApp();
    await insertClinic(app.db, { zipCode: '80202' });
    await sendLead(app, { first_name: 'Quentin', last_name: 'Rarename', zip_code: '99501' });
    await sendLead(app, { first_name: 'Quentin', last_name: 'Common', zip_code: '80202' });
    await sendLead(app);
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    await expect.poll(() => rows(page).count(), patience).toBe(3);
    await page.keyboard.press('/');
    expect(await page.getByRole('searchbox', { name: 'Search leads' }).evaluate(isFocused)).toBe(true);
    await page.keyboard.type('quentin');
    await expect.poll(() => rows(page).count(), patience).toBe(2);
    await page.getByRole('combobox', { name: 'Match', exact: true }).selectOption('Unmatched');
    await expect.poll(() => rows(page).count(), patience).toBe(1);
    expect(await rows(page).innerText()).toContain('Rarename');
    await page.getByText('Total: 1 leads', { exact: true }).waitFor(patience);
    expect(await page.getByRole('tab', { name: /^Leads/ }).innerText()).toBe('Leads (3)');
    await page.reload();
    await expect.poll(() => rows(page).count(), patience).toBe(1);
    await visitor.expectAccessible();
    await page.getByRole('button', { name: 'Take away: Unmatched' }).click();
    await expect.poll(() => rows(page).count(), patience).toBe(2);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => rows(page).count(), patience).toBe(3);
    expect(new URL(page.url()).search).toBe('');
    expect(await page.getByRole('searchbox', { name: 'Search leads' }).inputValue()).toBe('');
  });

  test('a provider to filter by is asked for once the typing pauses, and no more than can be shown', async () => {
    await using app = await testApp();
    const clinic = await insertClinic(app.db, { name: 'Gable End', zipCode: '80202' });
    await sendLead(app, { zip_code: '80202' });
    await sendLead(app, { zip_code: '99501' });
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    await expect.poll(() => rows(page).count(), patience).toBe(2);
    const asked: unknown[] = [];
    page.on('request', (request) => {
      if (request.url().includes('adminProviders.list')) asked.push(request.postDataJSON());
    });
    await page.getByRole('button', { name: 'Provider: All' }).click();
    await page.keyboard.type('gable');
    const list = page.getByRole('dialog', { name: 'Select Provider' });
    await list.getByRole('button', { name: /^Gable End/ }).click(patience);
    await expect.poll(() => rows(page).count(), patience).toBe(1);
    expect(new URL(page.url()).searchParams.get('providerId')).toBe(String(clinic.id));
    expect(asked).toEqual([
      { search: 'gable', limit: 50, status: 'active' },
      { search: 'gable', limit: 50, status: 'inactive' },
    ]);
  });

  test('what nobody fits says so and offers the way back', async () => {
    await using app = await testApp();
    await sendLead(app);
    await using visitor = await visitAdmin(app, { path: '/admin?search=nobodyatall' });
    const { page } = visitor;
    await page.getByText('No lead fits').waitFor(patience);
    await page.getByRole('button', { name: 'Clear filters' }).last().click();
    await expect.poll(() => rows(page).count(), patience).toBe(1);
  });

  test('heads order the list and say how', async () => {
    await using app = await testApp();
    await sendLead(app, { last_name: 'Zander' });
    await sendLead(app, { last_name: 'Abbot' });
    await sendLead(app, { last_name: 'Miller' });
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    const names = async (): Promise<string[]> =>
      (await rows(page).locator('th a').allInnerTexts()).map((name) => name.split(' ').at(-1) ?? '');
    await page.getByRole('button', { name: 'Contact' }).click();
    await expect.poll(names, patience).toEqual(['Abbot', 'Miller', 'Zander']);
    expect(await page.getByRole('columnheader', { name: 'Contact' }).getAttribute('aria-sort')).toBe(
      'ascending',
    );
    await page.getByRole('button', { name: 'Contact' }).click();
    await expect.poll(names, patience).toEqual(['Zander', 'Miller', 'Abbot']);
    expect(new URL(page.url()).searchParams.get('sort')).toBe('-last_name');
  });
});

describe('what is done to a lead', () => {
  test('deleted it is gone, the focus stays in the list, and Undo brings it back', async () => {
    await using app = await testApp();
    const older = await sendLead(app);
    const newer = await sendLead(app);
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    const button = row(page, newer).getByRole('button', { name: 'Delete' });
    await button.focus();
    await page.keyboard.press('Enter');
    await toast(page, 'Lead deleted successfully').waitFor(patience);
    expect(await toast(page, 'Lead deleted successfully').innerText()).toContain('Success');
    await row(page, newer).waitFor({ state: 'detached', ...patience });
    await expect
      .poll(() => row(page, older).getByRole('button', { name: 'Delete' }).evaluate(isFocused), patience)
      .toBe(true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row(page, newer).waitFor(patience);
    await toast(page, 'Lead restored').waitFor(patience);
    await expect.poll(() => button.evaluate(isFocused), patience).toBe(true);
  });

  test('an unmatched one is given to a provider with the keyboard alone, nearest first', async () => {
    await using app = await testApp();
    const id = await sendLead(app, { zip_code: '99501' });
    await insertClinic(app.db, { name: 'Far Clinic', zipCode: '33131' });
    await insertClinic(app.db, { name: 'Near Clinic', zipCode: '98101' });
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    await row(page, id).getByRole('button', { name: 'Match with provider...' }).focus();
    await page.keyboard.press('Enter');
    const list = page.getByRole('dialog', { name: 'Select Provider' });
    await list.getByText('Near Clinic - 98101').waitFor(patience);
    const options = await list.getByRole('listitem').allInnerTexts();
    expect(options[0]).toMatch(/^Near Clinic - 98101\s+1,\d{3} miles$/);
    expect(options[1]).toMatch(/^Far Clinic - 33131/);
    const typed = list.getByRole('searchbox');
    await expect.poll(() => typed.evaluate(isFocused), patience).toBe(true);
    await visitor.expectAccessible();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden', ...patience });
    const button = row(page, id).getByRole('button', { name: 'Match with provider...' });
    expect(await button.evaluate(isFocused)).toBe(true);
    await page.keyboard.press('Enter');
    await expect.poll(() => typed.evaluate(isFocused), patience).toBe(true);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await toast(page, 'Lead provider updated successfully').waitFor(patience);
    await row(page, id).getByText('Near Clinic').waitFor(patience);
    await expect
      .poll(() => row(page, id).evaluate((element) => element.contains(document.activeElement)), patience)
      .toBe(true);
  });

  test('a retry that can’t be done says why, and the focus stays', async () => {
    await using app = await testApp();
    const id = await sendLead(app);
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    const button = row(page, id).getByRole('button', { name: 'Retry CRM Sync' });
    await button.click();
    const alert = page.getByRole('alert');
    await alert.waitFor(patience);
    expect(await alert.innerText()).toMatch(/^Error\n+\S/);
    expect(await button.evaluate(isFocused)).toBe(true);
    await page.getByRole('button', { name: 'Sync Providers' }).click();
    await expect.poll(() => page.getByRole('alert').count(), patience).toBe(1);
  });

  test('a removal that fails says what HTTP calls it', async () => {
    await using app = await testApp();
    const id = await sendLead(app);
    await using visitor = await visitAdmin(app, { expectedConsole: /Failed to load resource/ });
    const { page } = visitor;
    await page.route('**/trpc/adminLeads.remove*', (route) => route.fulfill({ status: 502 }));
    await row(page, id).getByRole('button', { name: 'Delete' }).click(patience);
    await page.getByRole('alert').getByText('Failed to delete lead: Bad Gateway').waitFor(patience);
    await expect.poll(() => row(page, id).count(), patience).toBe(1);
  });

  test('what is done to several leaves the focus in the list', async () => {
    await using app = await testApp();
    await sendLead(app);
    await sendLead(app);
    await app.sql`update leads set quarantined_at = now(), quarantine_reason = 'honeypot'`;
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    const inList = () =>
      page.evaluate(() => {
        const list = document.querySelector('[data-leads]');
        return list !== null && list.contains(document.activeElement);
      });
    const bar = page.getByRole('region', { name: 'Selected leads' });
    for (const [name, done] of [
      ['Release', '2 leads released from quarantine'],
      ['Retry CRM Sync', null],
      ['Delete', '2 leads deleted'],
    ] as const) {
      const all = page.getByRole('checkbox', { name: 'Select all on this page' });
      if (!(await all.isChecked(patience))) await all.check();
      await bar.getByRole('button', { name }).focus();
      await page.keyboard.press('Enter');
      await (done === null ? page.getByRole('alert') : toast(page, done)).waitFor(patience);
      await expect.poll(inList, patience).toBe(true);
    }
    await page.getByText('No leads yet').waitFor(patience);
    expect(await inList()).toBe(true);
  });

  test('several are selected and deleted at once, and come back at once', async () => {
    await using app = await testApp();
    for (let count = 0; count < 3; count += 1) await sendLead(app);
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    await expect.poll(() => rows(page).count(), patience).toBe(3);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    const bar = page.getByRole('region', { name: 'Selected leads' });
    await bar.getByText('3 selected').waitFor(patience);
    await visitor.expectAccessible();
    await bar.getByRole('button', { name: 'Delete' }).click();
    await toast(page, '3 leads deleted').waitFor(patience);
    await page.getByText('No leads yet').waitFor(patience);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => rows(page).count(), patience).toBe(3);
  });

  test('Undo brings back what was deleted here, not what somebody else deleted meanwhile', async () => {
    await using app = await testApp();
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
    await toast(page, '1 lead deleted').waitFor(patience);
    await page.getByRole('button', { name: 'Undo' }).click();
    await toast(page, '1 lead restored').waitFor(patience);
    await row(page, own).waitFor(patience);
    expect(await rows(page).count()).toBe(1);
  });

  test('who may only look is offered nothing else', async () => {
    await using app = await testApp();
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

test('an export is a file; a refused one says why, and closes the gate when the session is over', async () => {
  await using app = await testApp();
  await sendLead(app);
  await using visitor = await visitAdmin(app, { expectedConsole: /Failed to load resource/ });
  const { page } = visitor;
  const button = page.getByRole('button', { name: 'Export Leads CSV' });
  await rows(page).first().waitFor(patience);
  const refuse = (headers: Record<string, string>): Promise<unknown> =>
    page.route('**/api/leads.csv*', (route) => route.fulfill({ status: 503, headers }), { times: 1 });
  await refuse({});
  await button.click();
  await page.getByRole('alert').getByText('Failed to export').waitFor(patience);
  await refuse({ 'x-exports-busy': '1' });
  await button.click();
  await page
    .getByRole('alert')
    .getByText(/^Other exports are under way/)
    .waitFor(patience);
  const saved = page.waitForEvent('download');
  await button.click();
  expect((await saved).suggestedFilename()).toMatch(/^leads-.*\.csv$/);
  await app.sql`delete from staff_sessions`;
  await button.click();
  await page.getByText('Your session is over. Sign in again.').waitFor(patience);
});

test('single keys are listed under ?, and act no more once they are switched off', async () => {
  await using app = await testApp();
  await sendLead(app);
  await using visitor = await visitAdmin(app);
  const { page } = visitor;
  await rows(page).first().waitFor(patience);
  // In every tab.
  await page.getByRole('tab', { name: 'Applications' }).click();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.waitFor(patience);
  await visitor.expectAccessible();
  await help.getByRole('checkbox').uncheck();
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'hidden', ...patience });
  await page.getByRole('tab', { name: /^Leads/ }).click();
  await rows(page).first().waitFor(patience);
  await page.keyboard.press('?');
  await page.keyboard.press('/');
  expect(await help.isVisible()).toBe(false);
  expect(await page.getByRole('searchbox', { name: 'Search leads' }).evaluate(isFocused)).toBe(false);
  await page.reload();
  await rows(page).first().waitFor(patience);
  await page.keyboard.press('?');
  expect(await help.isVisible()).toBe(false);
});

test.each([768, 360])('at %i px the page itself never scrolls sideways', async (width) => {
  await using app = await testApp();
  await insertClinic(app.db, { zipCode: '80202' });
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
