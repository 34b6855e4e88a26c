import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { certifiedCount, mapCopy, recruitmentMap } from '#shared/brand/map.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { basemapFile, mapPatience } from '#test/support/mapVisit.ts';
import { meets } from '#test/support/meets.ts';
import { swipeOver } from '#test/support/swipe.ts';

const middle = { latitude: 39.83, longitude: -98.58 };

async function scrollToMap(page: Page): Promise<void> {
  await page.getByText(recruitmentMap.question).scrollIntoViewIfNeeded();
  await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(mapPatience);
}

test('the map counts all active providers and loads only near the window', async () => {
  meets(`
    P7.call.17 P9.const.13 P9.const.21 D.privacy.09 D.conformity.01 P2.rmap.01 P2.rmap.02
    P2.rmap.03 P2.rmap.04 P2.rmap.10 P2.rmap.11 P2.rmap.16
  `);
  await using app = await browserApp();
  await insertProvider(app.db, middle);
  await insertProvider(app.db);
  await insertProvider(app.db, { latitude: null, longitude: null });
  await insertProvider(app.db, { status: 'f' });
  await using visitor = await visit(app);
  const { page, context } = visitor;
  const asked: string[] = [];
  context.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    asked.push(`${pathname}${search}`);
  });
  const isMaps = (path: string): boolean => /api\/providers|ClinicMap|basemap|worker/.test(path);
  await page.setViewportSize({ width: 1280, height: 200 });
  await page.goto('/clinics');
  await visitor.settled();
  expect(asked.filter(isMaps)).toEqual([]);
  await scrollToMap(page);
  expect(asked.some((path) => basemapFile.test(path))).toBe(true);
  await expect
    .poll(() => asked.filter((path) => path.startsWith('/api/providers')).toSorted(), patience)
    .toEqual(['/api/providers', '/api/providers?status=inactive']);
  await expect.poll(() => page.getByText(certifiedCount(3)).isVisible(), patience).toBe(true);
  const box = await page.locator('[data-map]').boundingBox();
  expect(box?.height).toBe(500);
  expect(await page.getByText(recruitmentMap.question).getByRole('link').getAttribute('href')).toBe(
    '#special-offer',
  );
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.locator('[data-map]').scrollIntoViewIfNeeded();
  await expect
    .poll(async () => {
      const canvas = await page.locator('canvas').boundingBox();
      if (canvas !== null)
        await page.mouse.click(canvas.x + canvas.width / 2, canvas.y + canvas.height / 2 - 16);
      return page.locator('.maplibregl-popup').count();
    }, patience)
    .toBe(1);
  await expect
    .poll(() => page.locator('.maplibregl-popup').innerText(), patience)
    .toContain(recruitmentMap.certified);
});

test('the visitor’s location gets a pin and is in no request', async () => {
  meets('P7.call.50 P2.rmap.05 P2.rmap.07 P2.rmap.08');
  await using app = await browserApp();
  await using visitor = await visit(app);
  const { page, context } = visitor;
  await context.grantPermissions(['geolocation']);
  await context.setGeolocation({ latitude: 47.6062, longitude: -122.3321 });
  const sent: string[] = [];
  context.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  await page.goto('/clinics');
  await scrollToMap(page);
  await page.getByText(mapCopy.yourLocation).waitFor(patience);
  await page.getByRole('button', { name: mapCopy.nearMe }).click();
  await expect.poll(() => page.locator('.maplibregl-marker').count(), patience).toBe(1);
  expect(sent.filter((request) => /47\.6|122\.3/.test(request))).toEqual([]);
});

test('on a phone one finger scrolls the page and shows the hint to use two', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app, { width: 360, touch: true });
  const { page } = visitor;
  await page.goto('/clinics');
  await scrollToMap(page);
  await page.locator('[data-map]').scrollIntoViewIfNeeded();
  const { scrolled, said } = await swipeOver(visitor, page.locator('[data-map]'));
  expect(scrolled).toBeGreaterThan(50);
  expect(said).toBe(mapCopy.twoFingers);
});

test('providers that fail to load are reported', async () => {
  meets('P8.error.12 P8.error.13');
  await using app = await browserApp();
  await using visitor = await visit(app, { expectedConsole: /Failed to load resource/ });
  const { page } = visitor;
  await page.route('**/api/providers*', (route) => route.fulfill({ status: 503, body: '{}' }));
  await page.goto('/clinics');
  await page.getByText(recruitmentMap.question).scrollIntoViewIfNeeded();
  await expect.poll(() => page.getByRole('alert').innerText(), patience).toContain(recruitmentMap.failed);
});

test('without scripts a link to the list replaces the map', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app, { javaScript: false });
  const { page } = visitor;
  await page.goto('/clinics');
  expect(await page.getByText(recruitmentMap.loading).isVisible()).toBe(false);
  expect(await page.getByRole('link', { name: recruitmentMap.list }).getAttribute('href')).toBe('/map');
});

test('a network without providers shows no count', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app);
  const { page } = visitor;
  // The list arrives when the map has nothing left to render: it must not wait for a rendering then.
  const isRendered = Promise.withResolvers<void>();
  await page.route('**/api/providers*', async (route) => {
    await isRendered.promise;
    await route.continue();
  });
  await page.goto('/clinics');
  await page.getByText(recruitmentMap.question).scrollIntoViewIfNeeded();
  await page.locator('[data-map=loading] [aria-busy=false]').waitFor(mapPatience);
  isRendered.resolve();
  await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(mapPatience);
  await page.getByRole('button', { name: mapCopy.nearMe }).waitFor(patience);
  expect(await page.getByText(certifiedCount(0)).count()).toBe(0);
});
