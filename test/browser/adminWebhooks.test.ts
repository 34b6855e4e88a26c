import type { Page } from 'playwright';
import { Webhook } from 'standardwebhooks';
import { expect, test, vi } from 'vitest';
import { webhookEndpoints } from '#server/db/schema/index.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience, useBrowser } from '#test/support/browser.ts';
import { leadInput } from '#test/support/factories.ts';
import { startReceiver } from '#test/support/receiver.ts';
import type { TestApp } from '#test/support/testApp.ts';

useBrowser();

const path = '/admin?tab=integrations';
/** The browser's own line on what a form is told. */
const expectedConsole = /status of 422/;

/** What a toast says; it is said once, and away with the next. */
const toast = (page: Page, text: string) =>
  page.getByRole('status').filter({ hasText: text }).waitFor(patience);

async function insertEndpoint(
  app: TestApp,
  row: Partial<typeof webhookEndpoints.$inferInsert>,
): Promise<void> {
  await app.db.insert(webhookEndpoints).values({
    id: crypto.randomUUID(),
    url: 'https://integrator.example/hook',
    types: [],
    secret: 'v1.sealed',
    createdBy: 'Robin Staff',
    ...row,
  });
}

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content, shown] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(content).toBeLessThanOrEqual(shown ?? 0);
}

test('an owner adds an endpoint, keeps its secret, tests it, and sees what became of a lead’s message', async () => {
  await using app = await browserApp({ worker: true });
  await using receiver = await startReceiver();
  await using visitor = await visitAdmin(app, {
    path,
    role: 'owner',
    expectedConsole: /status of 422|ERR_FAILED/,
  });
  const { page } = visitor;
  await page.getByText('There are no endpoints.').waitFor(patience);
  await visitor.expectAccessible();

  await page.getByRole('button', { name: 'Add an endpoint' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add an endpoint' });
  await dialog.getByLabel('URL').fill('integrator.example');
  await dialog.getByRole('button', { name: 'Add an endpoint' }).click();
  await dialog.getByText('Give an address that begins with https://').waitFor(patience);
  expect(await dialog.getByLabel('URL').evaluate((field) => field === document.activeElement)).toBe(true);
  await dialog.getByLabel('URL').fill(receiver.url);
  await dialog.getByLabel('Description').fill('Our CRM');
  await dialog.getByRole('checkbox', { name: /^lead\.created/ }).check();
  await dialog.getByLabel('What is sent').selectOption('full');
  await dialog.getByText('are health data').waitFor(patience);
  await visitor.expectAccessible();
  await dialog.getByRole('button', { name: 'Add an endpoint' }).click();
  await dialog.getByText('this is the only time it is shown').waitFor(patience);
  const secret = await dialog.getByText(/^whsec_/).innerText();
  await visitor.expectAccessible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  expect(await page.content()).not.toContain(secret);

  const card = page.getByRole('article').filter({ hasText: 'Our CRM' });
  await card.getByText('On', { exact: true }).waitFor(patience);
  await card.getByRole('button', { name: /^Send a test/ }).click();
  await toast(page, 'took the test');
  const lead = leadInput();
  expect((await app.post('/api/leads', lead)).status).toBe(201);
  await vi.waitUntil(() => receiver.received.length === 2);
  for (const { body, headers } of receiver.received) new Webhook(secret).verify(body, headers);
  expect(receiver.received[1]?.body).toContain(lead.email);

  await page.reload();
  const row = page.getByRole('row').filter({ hasText: 'lead.created' });
  await row.getByText('Delivered').waitFor(patience);
  await visitor.expectAccessible();
  const asked = '**/trpc/*events.tries*';
  await page.route(asked, (route) => route.abort());
  await row.getByRole('button', { name: /^Tries of lead\.created/ }).click();
  const attempts = page.getByRole('dialog', { name: /^Tries of/ });
  const retry = attempts.getByRole('button', { name: 'Try again' });
  await retry.waitFor(patience);
  await page.unroute(asked);
  await retry.click();
  await attempts.getByText('HTTP 200 after').waitFor(patience);
  expect(await attempts.innerText()).toContain(receiver.received[1]?.headers['webhook-id']);
  await visitor.expectAccessible();
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: /^Replay lead\.created/ }).click();
  await toast(page, 'queued again');
  await vi.waitUntil(() => receiver.received.length === 3);
  const lists = '**/trpc/*events.messages*';
  await page.route(lists, (route) => route.abort());
  await page.getByLabel('State').selectOption('Failed');
  const again = page.getByRole('button', { name: 'Try again' });
  await again.waitFor(patience);
  await page.unroute(lists);
  await again.click();
  await page.getByText('There are no messages that fit.').waitFor(patience);
});

test('an endpoint gets a new secret, is switched off and on, changed and removed; what failed is replayed', async () => {
  await using app = await browserApp();
  await using visitor = await visitAdmin(app, {
    path,
    role: 'owner',
    width: 360,
    touch: true,
    expectedConsole,
  });
  const { page } = visitor;
  await insertEndpoint(app, {});
  await page.reload();
  const card = page.getByRole('article');
  const press = (name: string) => card.getByRole('button', { name }).tap();
  const confirm = async (title: string, button: string): Promise<void> => {
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.getByRole('button', { name: button, exact: true }).tap();
  };
  await press('New secret for integrator.example');
  await confirm('New secret for integrator.example', 'New secret');
  await page.getByText(/^whsec_/).waitFor(patience);
  await page.getByRole('button', { name: 'Done' }).tap();
  await card.getByText('Signed with both secrets until').waitFor(patience);
  await expectNoSidewaysScroll(page);
  await visitor.expectAccessible();

  await press('Change integrator.example');
  const dialog = page.getByRole('dialog', { name: 'Change integrator.example' });
  await dialog.getByLabel('URL').fill('https://other.example/hook');
  await dialog.getByRole('button', { name: 'Save' }).tap();
  await toast(page, 'other.example is changed');

  await app.sql`insert into webhook_events (id, type, data) values (gen_random_uuid(), 'sync.completed', '{}')`;
  await app.sql`insert into webhook_messages (event_id, endpoint_id, state, reason)
    select e.id, w.id, 'failed', 'The endpoint answered HTTP 400.' from webhook_events e, webhook_endpoints w`;
  await page.getByRole('button', { name: 'Replay since…' }).tap();
  const replay = page.getByRole('dialog', { name: 'Replay since…' });
  await replay.getByRole('button', { name: 'Replay', exact: true }).tap();
  await replay.getByText('Choose a day and time').waitFor(patience);
  await replay.getByLabel('Since', { exact: true }).fill('2026-01-01T08:00');
  await visitor.expectAccessible();
  await replay.getByRole('button', { name: 'Replay', exact: true }).tap();
  await toast(page, '1 message queued');
  await page.getByRole('row').getByText('Queued').waitFor(patience);

  await press('Switch other.example off');
  await confirm('Switch other.example off', 'Switch off');
  await toast(page, 'other.example is off');
  await page.getByRole('row').getByText('Cancelled').waitFor(patience);
  await card.getByText('Switched off by staff').waitFor(patience);
  await press('Switch other.example on');
  await toast(page, 'other.example is on');
  await press('Remove other.example');
  await confirm('Remove other.example', 'Remove');
  await page.getByText('There are no endpoints.').waitFor(patience);
  await expect.poll(() => card.count(), patience).toBe(0);
  await expectNoSidewaysScroll(page);
}, 120_000);

test('owners are told on every tab of an endpoint that fails or was switched off for it; others see none of it', async () => {
  await using app = await browserApp();
  const failing = { failures: 7, firstFailedAt: new Date() };
  await insertEndpoint(app, { url: 'https://failing.example/', ...failing });
  await insertEndpoint(app, { url: 'https://gone.example/', disabledAt: new Date(), disabledReason: 'gone' });
  await insertEndpoint(app, { url: 'https://off.example/', disabledAt: new Date(), disabledReason: 'staff' });
  await using manager = await visitAdmin(app, { path });
  expect(await manager.page.getByRole('tab', { name: 'Integrations' }).count()).toBe(0);
  await using visitor = await visitAdmin(app, { role: 'owner' });
  const { page } = visitor;
  const banners = page.getByRole('alert').filter({ hasText: '.example' });
  await expect.poll(() => banners.count(), patience).toBe(2);
  expect(await banners.nth(0).innerText()).toContain('7 tries in a row failed');
  expect(await banners.nth(1).innerText()).toContain('it answered 410 Gone');
  await visitor.expectAccessible();
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSidewaysScroll(page);
  await banners.nth(1).getByRole('button', { name: 'Open integrations' }).click();
  await page.getByRole('article').filter({ hasText: 'off.example' }).waitFor(patience);
  expect(new URL(page.url()).searchParams.get('tab')).toBe('integrations');
});
