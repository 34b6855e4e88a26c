import { expect, test } from 'vitest';
import { flagFailedDeliveries } from '#server/features/outbox/leadStatus.ts';
import { deliveries } from '#server/db/schema/index.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { toHue } from '#test/support/readColor.ts';
import { row, rows, toast } from '#test/support/leadList.ts';
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
  await row(page, lead.id).getByText('Booked').waitFor(patience);
  await page.getByRole('combobox', { name: /^Outcome/ }).selectOption('booked');
  await expect.poll(() => rows(page).count(), patience).toBe(1);
  await expect.poll(() => new URL(page.url()).searchParams.get('outcome')).toBe('booked');
  await page.getByRole('combobox', { name: /^Outcome/ }).selectOption('None yet');
  await row(page, other.id).waitFor(patience);
  await row(page, other.id).getByRole('link').first().click();
  await choices.getByRole('button', { name: 'Wrong area' }).click();
  await drawer.getByText('Matched again', { exact: true }).waitFor(patience);
  await drawer.getByText('No provider was found.').waitFor(patience);
  await expect.poll(() => choices.count(), patience).toBe(0);
  expect(await app.sql`select 1 from leads where id = ${other.id} and provider_id is null`).toHaveLength(1);
});

test('the worklist counts leads by kind, and each kind links to its leads and back', async () => {
  await using app = await browserApp();
  const provider = await insertProvider(app.db);
  const [unmatched, failed, refused, quarantined, returned] = [
    await insertLead(app.db),
    await insertLead(app.db, { providerId: provider.id }),
    await insertLead(app.db, { providerId: provider.id, crmSyncStatus: 'failed' }),
    await insertLead(app.db, { quarantinedAt: new Date(), quarantineReason: 'honeypot' }),
    await insertLead(app.db, { providerId: provider.id }),
  ];
  await insertLead(app.db, { providerId: provider.id });
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
    const work = page.getByRole('navigation', { name: 'Needs attention' });
    await work.getByRole('link', { name: 'Unmatched 2' }).waitFor(patience);
    const first = work.getByRole('link').first();
    expect(await first.innerText()).toMatch(/^Clinic not reached/);
    expect(await toHue(first)).toBe('red');
    for (const [name, ids] of [
      ['Unmatched 2', [unmatched.id, returned.id]],
      ['Clinic not reached 1', [failed.id]],
      ['CRM failed 1', [refused.id]],
      ['Quarantined 1', [quarantined.id]],
      ['Returned 1', [returned.id]],
    ] as const) {
      const group = work.getByRole('link', { name });
      await group.click();
      await expect.poll(() => rows(page).count(), patience).toBe(ids.length);
      for (const id of ids) await row(page, id).waitFor(patience);
      await expect.poll(() => group.getAttribute('aria-current')).toBe('true');
    }
    await visitor.expectAccessible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    await work.getByRole('link', { name: 'Returned 1' }).click();
    await expect.poll(() => rows(page).count(), patience).toBe(5);
  }
});
