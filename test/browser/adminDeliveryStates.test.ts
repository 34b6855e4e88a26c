import { describe, expect, test } from 'vitest';
import type { deliveries } from '#server/db/schema/index.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertLead, insertLeads } from '#test/support/leadRows.ts';
import {
  expectNoSideways,
  figures,
  hourMs,
  params,
  deliveriesPath,
  queue,
  toRow,
  rows,
  states,
  warning,
} from '#test/support/deliveriesTab.ts';
import { meets } from '#test/support/meets.ts';

describe('viewers', () => {
  test('see every state and reason at every width, and no button that makes changes', async () => {
    meets('D.deliveries.28');
    await using app = await browserApp();
    const provider = await insertProvider(app.db, { name: 'Alpine Clinic' });
    const gone = await insertLead(app.db, {
      firstName: 'Gone',
      providerId: provider.id,
      deletedAt: new Date(),
    });
    const of = (row: Partial<typeof deliveries.$inferInsert>) =>
      insertDelivery(app, { leadId: gone.id, providerId: provider.id, createdAt: new Date(), ...row });
    await of({
      nextAttemptAt: new Date(Date.now() + 2 * hourMs),
      attempts: 3,
      reason: 'The CRM returned HTTP 503.',
    });
    await of({
      nextAttemptAt: new Date(Date.now() - 90_000),
      channel: 'provider-email',
      requestedBy: 'Robin',
    });
    await of({ state: 'held', channel: 'lead-email', providerId: null, reason: 'Email is not configured.' });
    await of({
      state: 'cancelled',
      reason: 'The person withdrew.',
      createdAt: new Date(Date.now() - hourMs),
    });
    const ahead = new Date(Date.now() + hourMs);
    await of({ leasedUntil: ahead, nextAttemptAt: ahead, createdAt: new Date(Date.now() - 2 * hourMs) });
    await using visitor = await visitAdmin(app, { path: deliveriesPath, role: 'viewer' });
    const { page } = visitor;
    await expect.poll(() => rows(page).count(), patience).toBe(5);
    expect(await rows(page).getByText('Deleted').count()).toBe(5);
    await warning(page).getByText('No worker is connected to the queue.').waitFor(patience);
    expect(await figures(page)).toEqual({
      Waiting: expect.stringMatching(/^3\b/),
      'Oldest waiting': expect.stringMatching(/^[12] min/),
      'Failed in 24 hours': expect.stringMatching(/^0\b/),
      Workers: '0',
      'On hold': expect.stringMatching(/^1\b/),
      'On hold, by reason': expect.stringMatching(/^Email to the lead: 1 .*Email is not configured\.$/),
    });
    // The five figures are in one row, the reasons below.
    const tops = await queue(page)
      .locator('dl > div')
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().top));
    expect(new Set(tops.slice(0, 5)).size).toBe(1);
    expect(tops[5]).toBeGreaterThan(tops[0] ?? Infinity);
    const waiting = toRow(page, 'The CRM returned HTTP 503.');
    expect(await waiting.innerText()).toMatch(
      /Alpine Clinic\s+Queued\s+The CRM returned HTTP 503\.\s+3 attempts\s+Next/,
    );
    expect(await waiting.locator('time').first().innerText()).toMatch(/^in 2 hours/);
    expect(await waiting.locator('time').first().getAttribute('title')).toMatch(/20\d\d, \d+:\d\d:\d\d/);
    expect(await toRow(page, 'Robin').innerText()).toContain('Email to the provider');
    await toRow(page, 'In progress').waitFor(patience);
    expect(await toRow(page, 'In progress').innerText()).not.toContain('Next');
    expect(await rows(page).locator('button, input').allInnerTexts()).toEqual(['3 attempts']);
    for (const width of [1280, 768, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoSideways(page);
      await visitor.expectAccessible();
    }
    await queue(page).getByRole('link', { name: 'Email to the lead: 1' }).click();
    await expect
      .poll(() => states(page), patience)
      .toEqual([expect.stringMatching(/^On hold\s+Email is not/)]);
    await expect.poll(() => params(page).get('deliveryChannel')).toBe('lead-email');
    await page.reload();
    await expect.poll(() => states(page), patience).toHaveLength(1);
    await page.goBack();
    await expect.poll(() => states(page), patience).toHaveLength(5);
  });

  test('filter by lead and day, page by page, and see when nothing matches', async () => {
    await using app = await browserApp();
    const [many, one] = await insertLeads(app.db, [{ firstName: 'Many' }, { firstName: 'One' }]);
    const day = new Date('2026-06-02T10:00:00Z');
    for (let at = 0; at < 51; at += 1)
      await insertDelivery(app, { leadId: many?.id ?? 0, state: 'failed', createdAt: day });
    await insertDelivery(app, { leadId: one?.id ?? 0, state: 'failed', createdAt: new Date('2026-06-05') });
    await using visitor = await visitAdmin(app, { path: deliveriesPath, role: 'viewer' });
    const { page } = visitor;
    await page.getByText('Total: 52 deliveries').waitFor(patience);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Page 2 of 2').waitFor(patience);
    await expect.poll(() => rows(page).count(), patience).toBe(2);
    await page.getByLabel('Lead ID').fill(`Lead #${one?.id}`);
    await page.getByText('Total: 1 delivery').waitFor(patience);
    await expect
      .poll(() => [params(page).get('deliveryLead'), params(page).has('deliveryPage')])
      .toEqual([String(one?.id), false]);
    await page.getByLabel('Created to').fill('2026-06-04');
    await page.getByRole('heading', { name: 'No matching deliveries' }).waitFor(patience);
    await visitor.expectAccessible();
    await page.getByLabel('Lead ID').fill('');
    await page.getByText('Total: 51 deliveries').waitFor(patience);
    await page.goto(`${deliveriesPath}&deliveryPage=9`);
    await page.getByRole('heading', { name: 'This page is empty now' }).waitFor(patience);
    await page.getByRole('button', { name: 'Go to page 1' }).click();
    await page.getByText('Page 1 of 2').waitFor(patience);
  });
});

test('a failed request is reported and repeated; then figures and list refresh', async () => {
  meets('D.conformity.01 D.conformity.32');
  await using app = await browserApp();
  await using visitor = await visitAdmin(app, {
    path: '/admin?tab=applications',
    expectedConsole: /Failed to load resource/,
  });
  const { page } = visitor;
  await page.route('**/trpc/*admin.deliveries.*', (route) => route.abort());
  await page.getByRole('tab', { name: 'Deliveries' }).click(patience);
  await page.getByText('Failed to load queue status').waitFor(patience);
  const alert = page.getByRole('alert').filter({ hasText: 'Failed to load deliveries' });
  await alert.waitFor(patience);
  expect(await page.locator('table, dl').count()).toBe(0);
  await visitor.expectAccessible();
  await page.unroute('**/trpc/*admin.deliveries.*');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor(patience);
  await expect.poll(() => page.getByRole('alert').count(), patience).toBe(0);
  await visitor.expectAccessible();

  const lead = await insertLead(app.db);
  const id = await insertDelivery(app, { leadId: lead.id, nextAttemptAt: new Date(Date.now() + hourMs) });
  const shown = (name: RegExp) => queue(page).getByRole('link', { name }).count();
  await expect.poll(() => shown(/^1 waiting/), patience).toBe(1);
  await page.getByRole('tab', { name: 'Applications' }).click();
  await page.getByRole('tab', { name: 'Deliveries' }).click();
  await expect.poll(() => states(page), patience).toEqual(['Queued']);
  await app.sql`update deliveries set state = 'failed', reason = 'Because.', next_attempt_at = null, finished_at = now() where id = ${id}`;
  await expect.poll(() => states(page), patience).toEqual(['Failed\nBecause.']);
  await expect.poll(() => shown(/^1 failed/), patience).toBe(1);
});

test('an alert offers to try again when the tab’s code fails to load', async () => {
  await using app = await browserApp();
  await using visitor = await visitAdmin(app, { expectedConsole: /Failed to load resource/ });
  const { page } = visitor;
  await page.route('**/assets/DeliveriesTab-*.js', (route) => route.abort());
  await page.getByRole('tab', { name: 'Deliveries' }).click(patience);
  await page.getByRole('alert').getByText('This part couldn’t be loaded.').waitFor(patience);
  await page.unroute('**/assets/DeliveriesTab-*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor(patience);
  await expect.poll(() => page.getByRole('alert').count(), patience).toBe(0);
});

test('the days of the filters are those of the viewer’s time zone', async () => {
  await using app = await browserApp();
  const lead = await insertLead(app.db);
  for (const createdAt of ['2026-06-01T05:59:59Z', '2026-06-01T06:00:00Z', '2026-06-02T05:59:59Z'])
    await insertDelivery(app, { leadId: lead.id, state: 'held', createdAt: new Date(createdAt) });
  await using visitor = await visitAdmin(app);
  const { page, context } = visitor;
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'America/Denver' });
  await page.goto(`${deliveriesPath}&deliveryFrom=2026-06-01&deliveryTo=2026-06-01`);
  await expect.poll(() => states(page), patience).toHaveLength(2);
  await page.getByLabel('Created from').fill('2026-05-31');
  await expect.poll(() => states(page), patience).toHaveLength(3);
  await page.getByLabel('Created to').fill('2026-05-31');
  await expect.poll(() => states(page), patience).toHaveLength(1);
  // Insights has the same days.
  await page.goto('/admin?tab=insights&charts=true&since=2026-06-01&until=2026-06-02');
  await page.getByRole('link', { name: 'View failed deliveries in this period' }).click();
  await expect.poll(() => params(page).get('deliveryFrom'), patience).toBe('2026-06-01');
  expect(params(page).get('deliveryTo')).toBe('2026-06-02');
  expect(params(page).get('deliveryState')).toBe('failed');
});
