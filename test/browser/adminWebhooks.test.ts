import type { Page } from 'playwright';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { leadInput } from '#test/support/factories.ts';
import { startReceiver } from '#test/support/receiver.ts';
import { insertEndpoint, insertWebhook } from '#test/support/webhookRows.ts';
import { waitUntil } from '#test/support/waitFor.ts';

const path = '/admin?tab=integrations';
/** What the browser logs about a rejected form. */
const expectedConsole = /status of 422/;

/** The next toast replaces this one. */
const toast = (page: Page, text: string) =>
  page.getByRole('status').filter({ hasText: text }).waitFor(patience);

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content, shown] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(content).toBeLessThanOrEqual(shown ?? 0);
}

test('an owner adds an endpoint, copies its secret, tests it and opens its deliveries', async () => {
  await using app = await browserApp({ worker: true });
  await using receiver = await startReceiver();
  await using visitor = await visitAdmin(app, { path, role: 'owner', expectedConsole });
  const { page } = visitor;
  await page.getByText('No endpoints yet.').waitFor(patience);
  await visitor.expectAccessible();

  await page.getByRole('button', { name: 'Add endpoint' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add endpoint' });
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(
      await dialog.getByRole('button', { name: 'Add endpoint' }).evaluate((button) => {
        const { x, y, width: across, height } = button.getBoundingClientRect();
        return button.contains(document.elementFromPoint(x + across / 2, y + height / 2));
      }),
    ).toBe(true);
  }
  await dialog.getByLabel('URL').fill('integrator.example');
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  await dialog.getByText('Enter a URL that starts with https://').waitFor(patience);
  await expect
    .poll(() => dialog.getByLabel('URL').evaluate((field) => field === document.activeElement))
    .toBe(true);
  await dialog.getByLabel('URL').fill(receiver.url);
  await dialog.getByLabel('Description').fill('Our CRM');
  await dialog.getByRole('checkbox', { name: /^lead\.created/ }).check();
  await dialog.getByLabel('Payload').selectOption('full');
  await dialog.getByText('are health data').waitFor(patience);
  await visitor.expectAccessible();
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  await dialog.getByText('You won’t see it again').waitFor(patience);
  const secret = await dialog.getByText(/^whsec_/).innerText();
  await visitor.expectAccessible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect.poll(() => page.content()).not.toContain(secret);

  const card = page.getByRole('article').filter({ hasText: 'Our CRM' });
  await card.getByText('On', { exact: true }).waitFor(patience);
  const sendTest = card.getByRole('button', { name: /^Send a test/ });
  await sendTest.click();
  await toast(page, 'accepted the test');
  expect(await sendTest.evaluate((element) => element === document.activeElement)).toBe(true);
  const lead = leadInput();
  expect((await app.post('/api/leads', lead)).status).toBe(201);
  await waitUntil(() => receiver.received.length === 2);
  for (const { body, headers } of receiver.received) new Webhook(secret).verify(body, headers);
  expect(receiver.received[1]?.body).toContain(lead.email);

  await card.getByRole('link', { name: /^Deliveries to 127\.0\.0\.1/ }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.id), patience).toBe('panel-deliveries');
  const row = page.getByRole('row').filter({ hasText: 'lead.created' });
  await row.getByText('Delivered').waitFor(patience);
  expect(await page.getByLabel('Endpoint').locator('option:checked').innerText()).toMatch(/^Our CRM/);
  await row.getByRole('button', { name: /^1 attempt/ }).click();
  const attempts = page.getByRole('dialog', { name: /^Attempts: lead\.created/ });
  await attempts
    .locator('li', { has: page.locator('time') })
    .getByText('HTTP 200 after')
    .waitFor(patience);
  expect(await attempts.innerText()).toContain(receiver.received[1]?.headers['webhook-id']);
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: /^Replay: lead\.created/ }).click();
  await waitUntil(() => receiver.received.length === 3);
  expect(receiver.received[2]?.headers['webhook-id']).toBe(receiver.received[1]?.headers['webhook-id']);
});

test('an endpoint gets a new secret, changes, a replay, is switched off and removed', async () => {
  await using app = await browserApp({ env: { SMTP_URL: 'smtp://127.0.0.1:1' } });
  await using visitor = await visitAdmin(app, {
    path,
    role: 'owner',
    width: 360,
    touch: true,
    expectedConsole,
  });
  const { page } = visitor;
  const endpointId = await insertEndpoint(app);
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
  await card
    .getByText('Signed with both secrets until')
    .and(card.getByTitle(/UTC\)$/))
    .waitFor(patience);
  await expectNoSidewaysScroll(page);
  await visitor.expectAccessible();

  await press('Edit integrator.example');
  const dialog = page.getByRole('dialog', { name: 'Edit integrator.example' });
  await dialog.getByLabel('URL').fill('https://other.example/hook');
  await dialog.getByRole('button', { name: 'Save' }).tap();
  await toast(page, 'other.example saved');

  const delivery = await insertWebhook(app, { endpointId, event: {}, state: 'failed' });
  const getState = async (): Promise<unknown> =>
    (await app.sql`select state from deliveries where id = ${delivery}`)[0]?.['state'];
  await press('Replay since… to other.example');
  const replay = page.getByRole('dialog', { name: 'Replay events to other.example' });
  await replay.getByRole('button', { name: 'Replay', exact: true }).tap();
  await replay.getByText('Choose a day and time').waitFor(patience);
  await replay.getByLabel('Since', { exact: true }).fill('2026-01-01T08:00');
  await visitor.expectAccessible();
  await replay.getByRole('button', { name: 'Replay', exact: true }).tap();
  await toast(page, '1 event queued');
  expect(await getState()).toBe('queued');

  await press('Turn off other.example');
  await toast(page, 'other.example is off');
  expect(await getState()).toBe('cancelled');
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.tap();
  await toast(page, 'other.example is on');
  expect(await getState()).toBe('queued');
  await press('Turn off other.example');
  await toast(page, 'other.example is off');
  await card.getByText('Turned off by staff').waitFor(patience);
  expect(await card.getByRole('button', { name: /^Replay since/ }).isDisabled()).toBe(true);
  // Without Undo, what was canceled stays so.
  await press('Turn on other.example');
  await toast(page, 'other.example is on');
  expect(await getState()).toBe('cancelled');
  await undo.tap();
  await toast(page, 'other.example is off');
  const acts =
    await app.sql`select action from audit_log where action in ('endpoint.enable', 'endpoint.disable')
    order by id`;
  expect(acts.map((entry) => entry['action'])).toEqual([
    ...['endpoint.disable', 'endpoint.enable', 'endpoint.disable', 'endpoint.enable', 'endpoint.disable'],
  ]);
  await press('Remove other.example');
  await confirm('Remove other.example', 'Remove');
  await page.getByText('No endpoints yet.').waitFor(patience);
  await expect.poll(() => card.count(), patience).toBe(0);
  // The button is gone, but not the place for the keyboard.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName), patience).toBe('DIV');
  expect(await getState()).toBeUndefined();
  await expectNoSidewaysScroll(page);
});

test('every tab warns owners about an endpoint that fails or is off for failing', async () => {
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
  expect(await banners.nth(0).innerText()).toContain('7 attempts in a row failed');
  expect(await banners.nth(1).innerText()).toContain('responded 410 Gone');
  await visitor.expectAccessible();
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSidewaysScroll(page);
  await banners.nth(1).getByRole('button', { name: 'Open integrations' }).click();
  await page.getByRole('article').filter({ hasText: 'off.example' }).waitFor(patience);
  await expect.poll(() => new URL(page.url()).searchParams.get('tab')).toBe('integrations');
});
