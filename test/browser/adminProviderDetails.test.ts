import { expect, test } from 'vitest';
import { providerCopy } from '#client/admin/providers/copy.ts';
import { adminCopy, adminMessages } from '#shared/admin/copy.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { toHue } from '#test/support/readColor.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertUnreachable } from '#test/support/clinicMail.ts';
import { mapPatience } from '#test/support/mapVisit.ts';
import { meets } from '#test/support/meets.ts';

const path = '/admin?tab=providers';
const middle = { latitude: 39.8283, longitude: -98.5795 };
const image = 'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E';

test('a row has a picture or a letter, the ZIP if it has no address, and a colored dot', async () => {
  meets('P2.admin.43 P2.admin.47 P2.admin.51');
  await using app = await browserApp();
  const pictured = await insertProvider(app.db, { name: 'Amber Quay', imageUrl: image });
  const bare = await insertProvider(app.db, {
    ...{ name: 'Birch Hollow', imageUrl: null, practiceName: null, address: null, zipCode: '80202' },
  });
  await insertProvider(app.db, { name: 'Closed Clinic', status: 'f' });
  await using visitor = await visitAdmin(app, { path });
  const { page } = visitor;
  const row = (id: number) => page.locator(`[data-provider="${id}"]`);
  await row(pictured.id).waitFor(patience);
  await expect.poll(() => row(pictured.id).locator('img').count(), patience).toBe(1);
  expect(await row(bare.id).locator('img').count()).toBe(0);
  expect(await row(bare.id).getByText('B', { exact: true }).isVisible()).toBe(true);
  expect(await row(bare.id).getByText('80202', { exact: true }).isVisible()).toBe(true);
  expect(await toHue(page.locator('[data-status=active]').first(), 'background-color')).toBe('green');
  await page.getByRole('button', { name: 'Inactive (1)', exact: true }).click();
  await page.getByText('Closed Clinic').first().waitFor(patience);
  expect(await toHue(page.locator('[data-status=inactive]').first(), 'background-color')).toBe('red');
});

test('a page says how many people wait for a clinic without email, and sends again', async () => {
  await using app = await browserApp();
  const provider = await insertProvider(app.db, { name: 'Amber Quay', email: 'front@quay.example' });
  await insertUnreachable(app, provider, { leads: 2 });
  await using visitor = await visitAdmin(app, { path, width: 360 });
  const { page } = visitor;
  const row = page.locator(`[data-provider="${provider.id}"]`);
  await row.getByText('Email refused, 2 waiting').waitFor(patience);
  await row.getByRole('link', { name: 'Amber Quay', exact: true }).press('Enter');
  const panel = page.getByRole('tabpanel');
  await panel.getByText('2 people have waited').waitFor(patience);
  expect(await panel.innerText()).toContain('550 5.1.1 no such user');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await panel.getByRole('button', { name: 'Send again to Amber Quay' }).press('Enter');
  await panel.getByText('2 people have waited').waitFor({ state: 'hidden', ...patience });
  const held = await app.sql`select state from deliveries where state <> 'queued'`;
  expect([...held]).toEqual([]);
});

test('the export is of the selected group', async () => {
  meets('P2.admin.09');
  await using app = await browserApp();
  await insertProvider(app.db, { name: 'Amber Quay' });
  await insertProvider(app.db, { name: 'Closed Clinic', status: 'f' });
  await using visitor = await visitAdmin(app, { path });
  const { page } = visitor;
  const exported = async (): Promise<string | null> => {
    const request = page.waitForRequest((sent) => sent.url().includes('/api/providers.csv'));
    await page.getByRole('button', { name: 'Export Providers CSV' }).click();
    return new URL((await request).url()).searchParams.get('status');
  };
  await page.getByText('Amber Quay').first().waitFor(patience);
  expect(await exported()).toBe('active');
  await page.getByRole('button', { name: 'Inactive (1)', exact: true }).click();
  await page.getByText('Closed Clinic').first().waitFor(patience);
  expect(await exported()).toBe('inactive');
});

test('a skeleton is shown while providers load; a list that fails is requested once', async () => {
  meets('P2.admin.38 P7.call.45');
  await using app = await browserApp();
  await using visitor = await visitAdmin(app, {
    path: '/admin?tab=applications',
    expectedConsole: /Failed to load resource/,
  });
  const { page } = visitor;
  const { promise: seen, resolve: release } = Promise.withResolvers<void>();
  const asked: string[] = [];
  await page.route('**/trpc/*admin.providers.list*', async (route) => {
    asked.push(route.request().postData() ?? '');
    await seen;
    await route.abort();
  });
  await page.goto(path);
  const waiting = page.locator('[aria-busy=true]', { has: page.locator('output') });
  await waiting.waitFor(patience);
  release();
  await page.getByRole('alert').waitFor(patience);
  await visitor.settled();
  expect(await waiting.count()).toBe(0);
  expect(asked.length).toBeGreaterThanOrEqual(2);
  expect(new Set(asked).size).toBe(asked.length);
});

test('an inactive provider’s popup has its badge and email; a hidden layer has no pins', async () => {
  meets('P2.admin.65 P2.admin.68');
  await using app = await browserApp();
  await insertProvider(app.db, {
    name: 'Closed Clinic',
    status: 'f',
    email: 'closed@example.com',
    ...middle,
  });
  await insertProvider(app.db, { name: 'Unplaced Clinic', status: 'f', latitude: null, longitude: null });
  await using visitor = await visitAdmin(app, { path });
  const { page } = visitor;
  await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(mapPatience);
  const map = page.getByRole('region', { name: 'Map View' });
  const popup = page.locator('.maplibregl-popup');
  const pressPin = async (): Promise<void> => {
    const box = await page.locator('canvas').boundingBox();
    if (box === null) throw new Error('the map has no canvas');
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2 - 16);
  };
  await pressPin();
  await popup.waitFor(patience);
  expect(await popup.getByText('Inactive', { exact: true }).isVisible()).toBe(true);
  expect(await popup.innerText()).toContain('Email: closed@example.com');
  const layer = map.getByRole('checkbox', { name: 'Inactive Providers', exact: true });
  await layer.uncheck();
  await popup.waitFor({ state: 'detached', ...patience });
  await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(mapPatience);
  await pressPin();
  await visitor.settled();
  expect(await popup.count()).toBe(0);
  await layer.check();
  await expect
    .poll(async () => {
      if ((await popup.count()) === 0) await pressPin();
      return popup.count();
    }, patience)
    .toBe(1);
});

test('a time zone that a ZIP code doesn’t have is saved with a warning', async () => {
  await using app = await browserApp();
  const { id } = await insertProvider(app.db, { name: 'Amber Quay', zipCode: '80202' });
  await using visitor = await visitAdmin(app, { path: `${path}&provider=${id}`, width: 360 });
  const { page } = visitor;
  const form = page.locator('#provider-settings');
  const { details, zoneUnlikely } = providerCopy.settingsForm;
  const zone = form.getByLabel(details.timeZone);
  const warning = form.getByText(zoneUnlikely('80202', ['America/Denver']));
  await zone.fill('America/Denver');
  expect(await warning.count()).toBe(0);
  await zone.fill('America/New_York');
  await warning.waitFor(patience);
  await visitor.expectAccessible();
  await form.getByRole('button', { name: adminCopy.save, exact: true }).click();
  await page.getByRole('status').filter({ hasText: adminMessages.saveProvider.done }).waitFor(patience);
  expect([...(await app.sql`select time_zone from providers where id = ${id}`)]).toEqual([
    { time_zone: 'America/New_York' },
  ]);
});
