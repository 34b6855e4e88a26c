import { expect, test } from 'vitest';
import { flagFailedDeliveries } from '#server/features/outbox/leadStatus.ts';
import { deliveries } from '#server/db/schema/index.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { toHue } from '#test/support/readColor.ts';
import { addFilter, openView, row, rows, toast } from '#test/support/leadList.ts';
import { insertLead } from '#test/support/leadRows.ts';

test('a recorded outcome is listed and filtered; a wrong area rematches the lead', async () => {
  await using app = await browserApp();
  const provider = await insertProvider(app.db, { zipCode: '80202' });
  const lead = await insertLead(app.db, { providerId: provider.id });
  const other = await insertLead(app.db, { providerId: provider.id });
  await using visitor = await visitAdmin(app, { role: 'manager', width: 1280 });
  const { page } = visitor;
  await row(page, lead.id).getByRole('link').first().click();
  const drawer = page.getByRole('dialog');
  const choices = drawer.getByRole('group', { name: 'Outcome reported by the provider' });
  await choices.getByRole('button', { name: 'Booked' }).click();
  await toast(page, 'Outcome saved').waitFor(patience);
  await drawer.getByText(`Booked (${provider.name})`).waitFor(patience);
  await expect
    .poll(() => choices.getByRole('button', { name: 'Booked' }).getAttribute('aria-pressed'))
    .toBe('true');
  await visitor.expectAccessible();
  await page.keyboard.press('Escape');
  await row(page, lead.id).getByText('Booked', { exact: true }).waitFor(patience);
  await addFilter(page, 'Outcome', 'Booked');
  await expect.poll(() => rows(page).count(), patience).toBe(1);
  await expect.poll(() => new URL(page.url()).searchParams.get('outcome')).toBe('booked');
  await addFilter(page, 'Outcome', 'None yet');
  await row(page, other.id).waitFor(patience);
  await row(page, other.id).getByRole('link').first().click();
  await choices.getByRole('button', { name: 'Wrong area' }).click();
  await drawer.getByText('Matched again', { exact: true }).waitFor(patience);
  await drawer.getByText('No provider was found.').waitFor(patience);
  await expect.poll(() => choices.count(), patience).toBe(0);
  expect(await app.sql`select 1 from leads where id = ${other.id} and provider_id is null`).toHaveLength(1);
});

test('the views count leads, and those without leads are in the menu', async () => {
  await using app = await browserApp();
  const provider = await insertProvider(app.db);
  const [unmatched, failed, refused, quarantined, returned] = [
    await insertLead(app.db),
    await insertLead(app.db, { providerId: provider.id }),
    await insertLead(app.db, { providerId: provider.id, crmSyncStatus: 'failed' }),
    await insertLead(app.db, { quarantinedAt: new Date(), quarantineReason: 'honeypot' }),
    await insertLead(app.db, { providerId: provider.id }),
  ];
  const dayMs = 86_400_000;
  const overdue = await insertLead(app.db, {
    providerId: provider.id,
    createdAt: new Date(Date.now() - 2 * dayMs),
  });
  await app.db.insert(deliveries).values({
    id: crypto.randomUUID(),
    leadId: overdue.id,
    providerId: provider.id,
    channel: 'provider-email',
    state: 'delivered',
    finishedAt: new Date(Date.now() - 2 * dayMs),
  });
  await app.db.insert(deliveries).values({
    id: crypto.randomUUID(),
    leadId: failed.id,
    channel: 'provider-email',
    state: 'failed',
    reason: 'The mailbox refused it.',
    finishedAt: new Date(),
  });
  await flagFailedDeliveries(app.db, [failed.id]);
  const said = { lead_id: returned.id, provider_id: provider.id, outcome: 'wrong-area', by: 'Clinic' };
  await app.sql`insert into lead_outcomes ${app.sql(said)}`;
  await app.sql`update leads set outcome = 'wrong-area', provider_id = null, match_method = 'none' where id = ${returned.id}`;
  for (const width of [360, 1280]) {
    await using visitor = await visitAdmin(app, { role: 'viewer', width });
    const { page } = visitor;
    const views = page.getByRole('navigation', { name: 'Views' });
    const inLine = ['All 5', 'Unmatched 2', 'Clinic not reached 1', 'No outcome after 24 h 1', 'Returned 1'];
    for (const name of inLine) await views.getByRole('link', { name, exact: true }).waitFor(patience);
    expect(await views.getByRole('link').count()).toBe(inLine.length);
    expect(await toHue(views.getByRole('link', { name: 'Clinic not reached 1' }))).toBe('red');
    expect(await views.getByRole('button').innerText()).toBe('More 2');
    for (const [name, ids, isInMenu] of [
      ['Unmatched 2', [unmatched.id, returned.id]],
      ['Clinic not reached 1', [failed.id]],
      ['No outcome after 24 h 1', [overdue.id]],
      ['CRM failed 1', [refused.id], true],
      ['Quarantined 1', [quarantined.id], true],
      ['Returned 1', [returned.id]],
      ['Deleted', [], true],
    ] as const) {
      await openView(page, name, isInMenu);
      await expect.poll(() => rows(page).count(), patience).toBe(ids.length);
      for (const id of ids) await row(page, id).waitFor(patience);
      // The current view is in the line, also one of the menu.
      await views.locator('a[aria-current=true]').filter({ hasText: name }).waitFor(patience);
    }
    await visitor.expectAccessible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    await openView(page, 'All 5');
    await expect.poll(() => rows(page).count(), patience).toBe(5);
    await expect.poll(() => new URL(page.url()).search).toBe('');
  }
});
