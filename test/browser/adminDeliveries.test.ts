import { eq } from 'drizzle-orm';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { deliveries, deliveryAttempts } from '#server/db/schema/index.ts';
import { ceilingReason } from '#server/features/mail/recipientLimits.ts';
import { queueCopy } from '#client/admin/deliveries/copy.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { crmEnvironment, insertDelivery } from '#test/support/outboxSetup.ts';
import { insertLead, insertLeads } from '#test/support/leadRows.ts';
import { answers, startReceiver, takes } from '#test/support/receiver.ts';
import type { TestApp } from '#test/support/testApp.ts';
import { insertEndpoint, insertWebhook } from '#test/support/webhookRows.ts';
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

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName);

const toast = (page: Page, text: string) =>
  page.getByRole('status').filter({ hasText: text }).waitFor(patience);

/** Inserts leads whose CRM delivery a worker has attempted and the CRM has refused for good. */
async function insertRefused(app: TestApp, names: readonly string[]): Promise<string[]> {
  const leads = await insertLeads(
    app.db,
    names.map((firstName) => ({ firstName, lastName: 'Refused' })),
  );
  const ids: string[] = [];
  for (const { id: leadId } of leads)
    ids.push(await insertDelivery(app, { leadId, nextAttemptAt: new Date(), createdAt: new Date() }));
  await expect
    .poll(async () => (await app.db.select().from(deliveries)).map(({ state }) => state), patience)
    .toEqual(names.map(() => 'failed'));
  return ids;
}

test('automatic refetches are marked as background, requests of a person are not', async () => {
  await using app = await browserApp();
  const [lead] = await insertLeads(app.db, [{}]);
  await insertDelivery(app, { leadId: lead?.id ?? 0, nextAttemptAt: new Date(Date.now() + hourMs) });
  await using visitor = await visitAdmin(app);
  const { page } = visitor;
  const asked: Record<string, (string | undefined)[]> = { list: [], queueHealth: [] };
  page.on('request', (request) => {
    const name = /deliveries\.(\w+)/.exec(request.url())?.[1] ?? '';
    asked[name]?.push(request.headers()['x-background']);
  });
  await page.getByRole('tab', { name: 'Deliveries' }).click(patience);
  await expect.poll(() => asked['list']?.length).toBeGreaterThan(1);
  expect(asked['list']?.slice(0, 2)).toEqual([undefined, '1']);
  await expect.poll(() => asked['queueHealth']?.[0]).toBe('1');
});

test('failed deliveries are filtered, retried in bulk with a count, and delivered', async () => {
  await using receiver = await startReceiver(answers(400));
  await using app = await browserApp({ env: crmEnvironment(receiver), worker: true });
  const [arrived = ''] = await insertRefused(app, ['Ada', 'Grace', 'Joan']);
  const served = await insertLead(app.db, { firstName: 'Dora' });
  await insertDelivery(app, { leadId: served.id, state: 'delivered', reason: null, createdAt: new Date() });
  await using visitor = await visitAdmin(app, { path: deliveriesPath });
  const { page } = visitor;
  await expect.poll(() => states(page), patience).toHaveLength(4);
  // The list and the figures are separate queries.
  await expect
    .poll(() => figures(page), patience)
    .toEqual({
      Waiting: expect.stringMatching(/^0\b/),
      'Oldest waiting': 'None',
      'Failed in 24 hours': expect.stringMatching(/^3\b/),
      Workers: '1',
      'On hold': expect.stringMatching(/^0\b/),
    });
  expect(await warning(page).innerText()).toBe('');
  const tops = await queue(page)
    .locator('dl > div')
    .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);

  await page.getByRole('combobox', { name: /^State/ }).selectOption('Failed');
  await expect.poll(() => params(page).get('deliveryState'), patience).toBe('failed');
  const refused = expect.stringMatching(/^Failed\s+The CRM returned HTTP 400\.$/);
  await expect.poll(() => states(page), patience).toEqual([refused, refused, refused]);
  await page.getByRole('checkbox', { name: 'Select all on this page that can be retried' }).press('Space');
  await page.getByText('3 selected').waitFor(patience);
  await visitor.expectAccessible();
  await expectNoSideways(page);

  // One was delivered in another way since.
  receiver.become(takes);
  await app.sql`update deliveries set state = 'delivered', reason = null where id = ${arrived}`;
  await page.getByRole('button', { name: 'Retry 3 deliveries' }).press('Enter');
  await toast(page, '2 of 3 deliveries queued for a retry.');
  await page.getByRole('heading', { name: 'No matching deliveries' }).waitFor(patience);
  await expect.poll(() => page.getByText(/\d selected/).count(), patience).toBe(0);
  await expect.poll(() => focused(page), patience).not.toBe('BODY');
  await expect.poll(() => receiver.received.length, patience).toBe(5);

  await page.getByRole('search').getByRole('button', { name: 'Clear filters' }).press('Enter');
  await expect.poll(() => states(page), patience).toEqual(Array(4).fill('Delivered'));
  await expect.poll(() => focused(page)).toBe('BUTTON');
  await expect.poll(() => params(page).has('deliveryState')).toBe(false);
  expect(await rows(page).getByRole('checkbox').count()).toBe(0);
  expect(
    await rows(page)
      .getByRole('button', { name: /^Retry/ })
      .count(),
  ).toBe(0);
  const audited = await app.sql`select 1 from audit_log where action = 'lead.retry'`;
  expect(audited).toHaveLength(2);
});

test('lead emails that wait for the hourly limit are announced above the queue', async () => {
  await using app = await browserApp({ worker: true });
  const [lead] = await insertLeads(app.db, [{}]);
  const id = await insertDelivery(app, {
    leadId: lead?.id ?? 0,
    channel: 'lead-email',
    nextAttemptAt: new Date(Date.now() + hourMs),
    reason: ceilingReason,
  });
  await using visitor = await visitAdmin(app, { path: deliveriesPath });
  const { page } = visitor;
  await expect.poll(() => warning(page).innerText(), patience).toContain(queueCopy.limitTitle);
  await visitor.expectAccessible();
  await app.db.update(deliveries).set({ reason: null }).where(eq(deliveries.id, id));
  await page.reload();
  await expect.poll(async () => Object.keys(await figures(page)), patience).toContain('Workers');
  await expect.poll(() => queue(page).getAttribute('aria-busy'), patience).toBe('false');
  expect(await warning(page).innerText()).toBe('');
});

test('attempts, retry and lead work by keyboard, and the focus stays in the row', async () => {
  meets('D.deliveries.17');
  await using receiver = await startReceiver(answers(400));
  await using app = await browserApp({ env: crmEnvironment(receiver), worker: true });
  await insertRefused(app, ['Ada', 'Grace']);
  await using visitor = await visitAdmin(app, { path: deliveriesPath });
  const { page } = visitor;
  const name = 'Open Ada Refused';
  const link = page.getByRole('link', { name });
  await link.focus(patience);
  await page.keyboard.press('Tab');
  await expect.poll(() => focused(page)).toBe('1 attempt: CRM, Ada Refused');
  await page.keyboard.press('Enter');
  const attempts = page.getByRole('dialog', { name: 'Attempts: CRM, Ada Refused' });
  await attempts.getByText('HTTP 400 after').waitFor(patience);
  await attempts.getByText('The CRM returned HTTP 400.').waitFor(patience);
  await visitor.expectAccessible();
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page)).toBe('1 attempt: CRM, Ada Refused');
  await page.keyboard.press('Tab');
  await expect.poll(() => focused(page)).toBe('Retry: CRM, Ada Refused');
  // The result of a retry, which fails.
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'The CRM returned HTTP 400.' }).waitFor(patience);
  await page.getByRole('button', { name: '2 attempts: CRM, Ada Refused' }).waitFor(patience);
  await expect.poll(() => focused(page)).toBe('Retry: CRM, Ada Refused');
  receiver.become(takes);
  const again = page.getByRole('button', { name: 'Retry: CRM, Ada Refused' });
  await expect.poll(() => again.getAttribute('aria-disabled'), patience).toBe('false');
  await page.keyboard.press('Enter');
  await toast(page, 'Delivered');
  await toRow(page, 'Ada Refused').getByText('Delivered').waitFor(patience);
  await expect.poll(() => focused(page), patience).toBe(name);

  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Ada Refused' });
  await drawer.getByText('Received', { exact: true }).waitFor(patience);
  await expect.poll(() => params(page).get('tab')).toBe('deliveries');
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached', ...patience });
  await expect.poll(() => focused(page)).toBe(name);
  await page.keyboard.press('Enter');
  await drawer.getByRole('link', { name: 'All deliveries of this lead' }).press('Enter');
  await drawer.waitFor({ state: 'detached', ...patience });
  await expect.poll(() => rows(page).count(), patience).toBe(1);
  expect(await page.getByLabel('Lead ID').inputValue()).toBe(params(page).get('deliveryLead'));
  await expect.poll(() => focused(page)).toBe(name);
});

test('the links from a lead’s drawer and from the insights move the focus to the list', async () => {
  await using app = await browserApp();
  const [lead] = await insertLeads(app.db, [{ firstName: 'Ada' }, { firstName: 'Grace' }]);
  const id = lead?.id ?? 0;
  await insertDelivery(app, { leadId: id, state: 'failed', createdAt: new Date('2026-06-02T10:00:00Z') });
  await insertDelivery(app, { leadId: id + 1, state: 'held', createdAt: new Date('2026-06-02T10:00:00Z') });
  await using visitor = await visitAdmin(app, { path: `/admin?search=${id}`, role: 'viewer' });
  const { page } = visitor;
  await page.getByRole('link', { name: leadCopy.open('Ada') }).click(patience);
  await page.getByRole('dialog').getByRole('link', { name: 'All deliveries of this lead' }).click(patience);
  await expect.poll(() => states(page), patience).toEqual([expect.stringContaining('Failed')]);
  await expect.poll(() => page.evaluate(() => document.activeElement?.id), patience).toBe('panel-deliveries');
  await expect
    .poll(() => [...params(page)])
    .toEqual([
      ['search', String(id)],
      ['deliveryLead', String(id)],
      ['tab', 'deliveries'],
    ]);
  await page.goto('/admin?tab=insights&charts=true&since=2026-06-01&until=2026-06-03');
  await page.getByRole('link', { name: 'View failed deliveries in this period' }).press('Enter', patience);
  await expect.poll(() => states(page), patience).toEqual([expect.stringContaining('Failed')]);
  expect(await page.getByLabel('Created from').inputValue()).toBe('2026-06-01');
  expect(await page.getByLabel('Created to').inputValue()).toBe('2026-06-03');
});

test('owners filter webhooks by endpoint and event type, read attempts and replay one', async () => {
  await using app = await browserApp();
  const lead = await insertLead(app.db, { firstName: 'Ada', lastName: 'Ashgrove' });
  const endpointId = await insertEndpoint(app, { description: 'Our CRM' });
  const delivered = { state: 'delivered', reason: null, attempts: 1, createdAt: new Date() } as const;
  await insertDelivery(app, { leadId: lead.id, ...delivered });
  await insertWebhook(app, { endpointId: await insertEndpoint(app), event: {}, ...delivered });
  await insertWebhook(app, { endpointId, event: { type: 'lead.deleted', leadId: lead.id }, ...delivered });
  const webhook = await insertWebhook(app, {
    ...{ endpointId, event: { type: 'lead.created', leadId: lead.id }, ...delivered },
  });
  await app.db.insert(deliveryAttempts).values({
    ...{ deliveryId: webhook, channel: 'webhook', durationMs: 42, outcome: 'delivered' },
    ...{ status: 'HTTP 200', answer: 'Thanks.' },
  });
  await using visitor = await visitAdmin(app, {
    path: deliveriesPath,
    role: 'owner',
    expectedConsole: /ERR_FAILED/,
  });
  const { page } = visitor;
  await expect.poll(() => rows(page).count(), patience).toBe(4);
  await page.getByLabel('Channel').selectOption('Webhook');
  await expect.poll(() => rows(page).count(), patience).toBe(3);
  await page.getByLabel('Endpoint').selectOption('Our CRM (integrator.example)');
  await expect.poll(() => rows(page).count(), patience).toBe(2);
  await page.getByLabel('Event type').selectOption('lead.created');
  await expect.poll(() => rows(page).count(), patience).toBe(1);
  const row = toRow(page, 'Ada Ashgrove');
  expect(await row.innerText()).toMatch(
    /lead\.created\s+Webhook\s+integrator\.example\s+Delivered\s+1 attempt/,
  );
  // A delivered webhook is replayed by its own button only.
  expect(await row.getByRole('checkbox').count()).toBe(0);
  const frame = page.getByRole('region', { name: 'Deliveries', exact: true });
  const hidden = () => frame.evaluate((table) => table.scrollWidth - table.clientWidth);
  for (const width of [768, 360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSideways(page);
    await expect.poll(hidden, patience).toBeLessThanOrEqual(0);
    await visitor.expectAccessible();
  }

  const request = '**/trpc/*admin.deliveries.get*';
  await page.route(request, (route) => route.abort());
  await row.getByRole('button', { name: '1 attempt: lead.created, Ada Ashgrove' }).click();
  const attempts = page.getByRole('dialog', { name: 'Attempts: lead.created, Ada Ashgrove' });
  const again = attempts.getByRole('button', { name: 'Try again' });
  await again.waitFor(patience);
  await page.unroute(request);
  await again.click();
  await attempts.getByText('HTTP 200 after 42 ms').waitFor(patience);
  expect(await attempts.innerText()).toMatch(/webhook-id: msg_[-\da-f]{36}/);
  await attempts.getByText('Response').click();
  await attempts.getByText('Thanks.').waitFor(patience);
  await visitor.expectAccessible();
  await page.keyboard.press('Escape');

  await row.getByRole('button', { name: 'Replay: lead.created, Ada Ashgrove' }).press('Enter');
  await page.getByRole('alert').filter({ hasText: 'The signing secret can’t be read' }).waitFor(patience);
  await row.getByText('Failed').waitFor(patience);
  await row.getByRole('button', { name: 'Retry: lead.created, Ada Ashgrove' }).waitFor(patience);
});

test('managers see no webhooks and no filters for them', async () => {
  await using app = await browserApp();
  const lead = await insertLead(app.db);
  await insertDelivery(app, {
    leadId: lead.id,
    channel: 'provider-email',
    state: 'failed',
    reason: 'The mail server refused the message because the mailbox is full.',
    createdAt: new Date(),
  });
  const endpointId = await insertEndpoint(app);
  await insertWebhook(app, { endpointId, event: {}, state: 'failed', createdAt: new Date() });
  await using visitor = await visitAdmin(app, { path: deliveriesPath });
  const { page } = visitor;
  await page.getByText('Total: 1 delivery').waitFor(patience);
  for (const key of ['to', 'requestedBy']) {
    const lines = await page.locator(`td[data-cell=${key}]`).evaluate((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell.firstChild ?? cell);
      return range.getClientRects().length;
    });
    expect([key, lines]).toEqual([key, 1]);
  }
  expect(await rows(page).count()).toBe(1);
  const filters = page.getByRole('search');
  expect(await filters.getByLabel('Channel').locator('option').allInnerTexts()).toEqual([
    ...['All', 'Email to the lead', 'Email to the provider', 'CRM'],
  ]);
  expect(await filters.getByLabel(/^Endpoint|^Event type/).count()).toBe(0);
});
