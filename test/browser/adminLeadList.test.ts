import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { auditLog, overLimitLeads } from '#server/db/schema/index.ts';
import { listAlerts, raiseAlert } from '#server/features/alerts/alerts.ts';
import { alertsCopy, alertTitles } from '#shared/admin/alerts.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { toHue } from '#test/support/readColor.ts';
import { insertProvider } from '#test/support/factories.ts';
import { addFilter, isFocused, openDays, openView, row, rows, sendLead } from '#test/support/leadList.ts';
import { insertLeads } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';

describe('the list of leads', () => {
  test('shows contact, ZIP, provider, date and CRM status, newest first', async () => {
    meets(`
      P2.admin.01 P2.admin.04 P2.admin.05 P2.admin.10 P2.admin.11 P2.admin.13 P2.admin.20
      P2.admin.21 P2.admin.23 P2.admin.26 P2.admin.36 P4.state.30 P4.state.31 P6.role.03
      P9.const.03
    `);
    await using app = await browserApp();
    await insertProvider(app.db, { name: 'Alpine Clinic', zipCode: '80202' });
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
      'Stage',
      'Date',
      'CRM Sync',
      'Actions',
    ]);
    const [first, second] = await rows(page).allInnerTexts();
    for (const text of ['Ben Newer', '99501', 'Unmatched', 'Match with provider...', 'Pending'])
      expect(first).toContain(text);
    for (const text of ['Ann Older', '80202', 'Alpine Clinic']) expect(second).toContain(text);
    for (const [at, key, text] of [
      [0, 'provider', 'Unmatched'],
      [1, 'contact', 'Ann Older'],
      [1, 'zip', '80202'],
      [1, 'provider', 'Alpine Clinic'],
    ] as const)
      expect(await rows(page).nth(at).locator(`[data-cell=${key}]`).innerText()).toContain(text);
    for (const [key, name] of [
      ['crm', 'Resend Email'],
      ['crm', 'Retry CRM Sync'],
      ['actions', 'Delete'],
    ] as const) {
      const button = rows(page)
        .nth(1)
        .locator(`[data-cell=${key}]`)
        .getByRole('button', { name, exact: true });
      expect(await button.isVisible()).toBe(true);
    }
    expect(await page.getByText('Total: 2 leads').isVisible()).toBe(true);
    expect(await page.getByText('Page 1 of 1').isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Previous' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
    await visitor.expectAccessible();
  });

  test('an open alert is listed with its message until staff dismiss it', async () => {
    await using app = await browserApp();
    const alert = { kind: 'provider-skipped', subject: '7', now: new Date() } as const;
    await raiseAlert(app.db, {
      ...alert,
      message: 'Alpine Clinic runs on old data: its ZIP code is missing.',
    });
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    const item = page.getByRole('listitem').filter({ hasText: 'Alpine Clinic runs on old data' });
    await item.waitFor(patience);
    expect(await item.innerText()).toContain(alertTitles['provider-skipped']);
    await visitor.expectAccessible();
    await item.getByRole('button', { name: alertsCopy.dismiss }).press('Enter');
    await item.waitFor({ ...patience, state: 'detached' });
    expect((await listAlerts(app.db)).total).toBe(0);
    const [entry] = await app.db.select().from(auditLog).where(eq(auditLog.action, 'alert.dismiss'));
    expect(entry?.detail).toEqual({ kind: alert.kind, subject: alert.subject });
  });

  test('a lead above the limit has a badge, a filter and a count; staff can release it', async () => {
    meets('D.abuse.27');
    await using app = await browserApp();
    const provider = await insertProvider(app.db, { zipCode: '80202' });
    const over = { quarantinedAt: new Date(), quarantineReason: 'over-limit' } as const;
    const [waiting, other] = await insertLeads(app.db, [
      { providerId: provider.id, ...over },
      { providerId: provider.id, ...over, quarantineReason: 'foreign-origin' },
    ]);
    if (waiting === undefined || other === undefined) throw new Error('two leads');
    await app.db.insert(overLimitLeads).values({ leadId: waiting.id, releaseAt: new Date('2099-01-01') });
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    const label = 'Over limit: waiting to be delivered';
    await page.getByText('Total: 0 leads').waitFor(patience);
    await addFilter(page, 'Quarantine', label);
    await expect.poll(() => rows(page).count(), patience).toBe(1);
    await row(page, waiting.id).getByText(label).waitFor(patience);
    await expect.poll(() => new URL(page.url()).searchParams.get('overLimit')).toBe('true');
    await page.getByRole('button', { name: `Remove filter: ${label}` }).click();
    await expect.poll(() => rows(page).count(), patience).toBe(0);
    await openView(page, `${label} 1`, true);
    await expect.poll(() => rows(page).count(), patience).toBe(1);
    await visitor.expectAccessible();
    await row(page, waiting.id).getByRole('link', { name: 'Open' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('Too many leads from one network.').first().waitFor(patience);
    await drawer.getByRole('button', { name: 'Release' }).click();
    await page.getByText('Lead released from quarantine').waitFor(patience);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: `${label} 0` }).waitFor(patience);
    expect(await app.sql`select quarantine_reason as reason from leads order by id`).toMatchObject([
      { reason: null },
      { reason: 'foreign-origin' },
    ]);
  });

  test('marks an inactive provider', async () => {
    meets('P2.admin.25');
    await using app = await browserApp();
    const provider = await insertProvider(app.db, { zipCode: '80202' });
    const id = await sendLead(app, { zip_code: '80202' });
    await app.sql`update providers set status = 'f' where id = ${provider.id}`;
    await using visitor = await visitAdmin(app);
    const cell = row(visitor.page, id).locator('[data-cell=provider]');
    await expect.poll(() => cell.innerText(), patience).toContain('Inactive');
  });

  test('shows five skeleton rows while it loads, and an alert if it fails to load', async () => {
    meets('P2.admin.07 P2.admin.08 P2.admin.17 P2.admin.18 P8.error.22');
    await using app = await browserApp();
    await using visitor = await visitAdmin(app, {
      path: '/admin?tab=applications',
      expectedConsole: /Failed to load resource/,
    });
    const { page } = visitor;
    const blocked = Promise.withResolvers<void>();
    await page.route('**/trpc/*admin.leads.list*', async (route) => {
      await blocked.promise;
      await route.abort();
    });
    await page.goto('/admin');
    await page.locator('tr[data-skeleton]').first().waitFor(patience);
    expect(await page.locator('tr[data-skeleton]').count()).toBe(5);
    blocked.resolve();
    const alert = page.getByRole('alert');
    await alert.waitFor(patience);
    expect(await alert.innerText()).toMatch(/^Error\n+Failed to load leads/);
    expect(await toHue(alert)).toBe('red');
    await page.unroute('**/trpc/*admin.leads.list*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No leads yet').waitFor(patience);
    expect(await page.getByRole('button', { name: 'Export Leads CSV' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Export Providers CSV' }).isDisabled()).toBe(true);
  });

  test('has forty leads per page; buttons and keys change the page, which is in the URL', async () => {
    meets('P2.admin.21 P2.admin.22 P4.state.28 P4.state.31 P9.const.02');
    await using app = await browserApp();
    for (let count = 0; count < 41; count += 1) await sendLead(app);
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    await page.getByText('Page 1 of 2').waitFor(patience);
    expect(await rows(page).count()).toBe(40);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Page 2 of 2').waitFor(patience);
    await expect.poll(() => rows(page).count(), patience).toBe(1);
    await expect.poll(() => new URL(page.url()).searchParams.get('page')).toBe('2');
    // The button that was pressed is disabled on the last page.
    const next = page.getByRole('button', { name: 'Next' });
    await expect.poll(() => next.isDisabled(), patience).toBe(true);
    const list = page.getByRole('region', { name: 'Leads', exact: true });
    await expect.poll(() => list.evaluate(isFocused), patience).toBe(true);
    await page.locator('main').focus();
    await page.keyboard.press('[');
    await page.getByText('Page 1 of 2').waitFor(patience);
    await page.keyboard.press(']');
    await page.getByText('Page 2 of 2').waitFor(patience);
    await page.reload();
    await page.getByText('Page 2 of 2').waitFor(patience);
    // Forty leads are one page.
    await app.sql`update leads set deleted_at = now() where id = (select max(id) from leads)`;
    await page.goto('/admin');
    await page.getByText('Page 1 of 1').waitFor(patience);
  });
});

describe('the search', () => {
  test('keeps text and filters in the URL, shows them as chips, and removes them', async () => {
    meets('D.admin.47 D.admin.49 D.admin.54');
    await using app = await browserApp();
    await insertProvider(app.db, { zipCode: '80202' });
    await sendLead(app, { first_name: 'Quentin', last_name: 'Rarename', zip_code: '99501' });
    await sendLead(app, { first_name: 'Quentin', last_name: 'Common', zip_code: '80202' });
    await sendLead(app);
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    await expect.poll(() => rows(page).count(), patience).toBe(3);
    await page.keyboard.press('/');
    await expect
      .poll(() => page.getByRole('searchbox', { name: 'Search leads' }).evaluate(isFocused))
      .toBe(true);
    await page.keyboard.type('quentin');
    await expect.poll(() => rows(page).count(), patience).toBe(2);
    await addFilter(page, 'Match', 'Unmatched');
    await expect.poll(() => rows(page).count(), patience).toBe(1);
    expect(await rows(page).innerText()).toContain('Rarename');
    await page.getByText('Total: 1 leads', { exact: true }).waitFor(patience);
    const exporting = page.getByRole('button', { name: 'Export Leads CSV' });
    await expect.poll(() => exporting.getAttribute('title')).toBe('1 lead, current filters');
    expect(await page.getByRole('tab', { name: /^Leads/ }).innerText()).toBe('Leads (3)');
    await page.reload();
    await expect.poll(() => rows(page).count(), patience).toBe(1);
    await visitor.expectAccessible();
    await page.getByRole('button', { name: 'Remove filter: Unmatched' }).press('Enter');
    await expect.poll(() => rows(page).count(), patience).toBe(2);
    const clear = page.getByRole('button', { name: 'Clear filters' });
    expect(await clear.evaluate(isFocused)).toBe(true);
    await clear.press('Enter');
    await expect.poll(() => rows(page).count(), patience).toBe(3);
    expect(await page.getByRole('search').evaluate(isFocused)).toBe(true);
    await expect.poll(() => new URL(page.url()).search).toBe('');
    expect(await page.getByRole('searchbox', { name: 'Search leads' }).inputValue()).toBe('');
  });

  test('filters by repeats, CRM status and dates', async () => {
    meets('D.admin.51 D.admin.52 D.admin.53');
    await using app = await browserApp();
    const [first] = await insertLeads(app.db, [
      { createdAt: new Date('2026-05-01T12:00:00Z'), crmSyncStatus: 'failed' },
    ]);
    const [repeat] = await insertLeads(app.db, [
      { createdAt: new Date('2026-05-03T12:00:00Z'), duplicateOf: first?.id ?? 0 },
    ]);
    if (!first || !repeat) throw new Error('the leads were not stored');
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    const shown = () => rows(page).evaluateAll((found) => found.map((tr) => tr.getAttribute('data-lead')));
    const all = [String(repeat.id), String(first.id)];
    await expect.poll(shown, patience).toEqual(all);
    const fillDay = async (label: string): Promise<void> => {
      await (await openDays(page)).getByLabel(label, { exact: true }).fill('2026-05-02');
      await page.keyboard.press('Escape');
    };
    for (const [filter, left] of [
      [() => addFilter(page, 'Repeats', 'Only repeats'), repeat],
      [() => addFilter(page, 'CRM status', 'failed'), first],
      [() => fillDay('From'), repeat],
      [() => fillDay('To'), first],
    ] as const) {
      await filter();
      await expect.poll(shown, patience).toEqual([String(left.id)]);
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await expect.poll(shown, patience).toEqual(all);
    }
  });

  test('looks for a provider when typing pauses, and loads only as many as it can show', async () => {
    meets('D.admin.48');
    await using app = await browserApp();
    const provider = await insertProvider(app.db, { name: 'Gable End', zipCode: '80202' });
    await sendLead(app, { zip_code: '80202' });
    await sendLead(app, { zip_code: '99501' });
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    await expect.poll(() => rows(page).count(), patience).toBe(2);
    const asked: unknown[] = [];
    page.on('request', (request) => {
      if (request.url().includes('admin.providers.list')) asked.push(request.postDataJSON());
    });
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByRole('option', { name: 'Provider' }).click();
    const list = page.getByRole('dialog', { name: 'Select Provider' });
    await list.locator('input:focus').waitFor(patience);
    // In one task: no pause between the letters, however busy the machine is.
    await page.evaluate(() => {
      for (const letter of 'gable') document.execCommand('insertText', false, letter);
    });
    await list.getByRole('option', { name: /^Gable End/, selected: true }).waitFor(patience);
    await page.keyboard.press('Enter');
    await expect.poll(() => rows(page).count(), patience).toBe(1);
    await expect.poll(() => new URL(page.url()).searchParams.get('providerId')).toBe(String(provider.id));
    expect(asked).toEqual([
      { search: 'gable', limit: 50, status: 'active' },
      { search: 'gable', limit: 50, status: 'inactive' },
    ]);
  });

  test('says if no lead matches, and offers to clear the filters', async () => {
    await using app = await browserApp();
    await sendLead(app);
    await using visitor = await visitAdmin(app, { path: '/admin?search=nobodyatall' });
    const { page } = visitor;
    await page.getByText('No matching leads').waitFor(patience);
    await page.getByRole('button', { name: 'Clear filters' }).last().click();
    await expect.poll(() => rows(page).count(), patience).toBe(1);
  });

  test('says if a view is empty, and offers all leads', async () => {
    await using app = await browserApp();
    await insertProvider(app.db, { zipCode: '80202' });
    await sendLead(app, { zip_code: '80202' });
    await using visitor = await visitAdmin(app, { path: '/admin?deleted=true' });
    const { page } = visitor;
    await page.getByText(leadCopy.empty.viewTitle).waitFor(patience);
    await page.getByRole('button', { name: leadCopy.empty.all }).click();
    await expect.poll(() => rows(page).count(), patience).toBe(1);
  });

  test('sorts the list by its column headers, which show the order', async () => {
    await using app = await browserApp();
    await sendLead(app, { last_name: 'Zander' });
    await sendLead(app, { last_name: 'Abbot' });
    await sendLead(app, { last_name: 'Miller' });
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    const names = async (): Promise<string[]> =>
      (
        await rows(page)
          .getByRole('link', { name: /^Open / })
          .allInnerTexts()
      ).map((name) => name.split(' ').at(-1) ?? '');
    await page.getByRole('button', { name: 'Contact' }).click();
    await expect.poll(names, patience).toEqual(['Abbot', 'Miller', 'Zander']);
    await expect
      .poll(() => page.getByRole('columnheader', { name: 'Contact' }).getAttribute('aria-sort'))
      .toBe('ascending');
    await page.getByRole('button', { name: 'Contact' }).click();
    await expect.poll(names, patience).toEqual(['Zander', 'Miller', 'Abbot']);
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('-last_name');
  });
});
