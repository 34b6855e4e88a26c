import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mapCopy, network } from '#shared/brand/map.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import {
  basemapColors,
  basemapFile,
  mapPatience,
  openMap,
  getPopup,
  pressMiddle,
  sortFrom,
  threeProviders,
} from '#test/support/mapVisit.ts';
import { meets } from '#test/support/meets.ts';
import { startTiles } from '#test/support/tiles.ts';
import type { TestApp } from '#test/support/testApp.ts';

// One site for all who only look at it.
let app: TestApp;
beforeAll(async () => {
  app = await browserApp();
  await threeProviders(app);
});
afterAll(() => app[Symbol.asyncDispose]());

describe('the basemap', () => {
  test('loads and shows counties and towns only after zooming in', async () => {
    meets('D.privacy.02 D.privacy.09');
    await using visitor = await visit(app);
    const { page, context } = visitor;
    const details: string[] = [];
    context.on('request', (request) => {
      if (request.url().includes('basemapDetail')) details.push(request.url());
    });
    await openMap(visitor);
    await visitor.settled();
    expect(details).toEqual([]);
    await sortFrom(page, '80202');
    // Denver's state fills the map: no border of another is in view.
    await expect.poll(() => basemapColors(page), mapPatience).toBeGreaterThan(5);
    expect(details).toHaveLength(1);
  });

  test('works without detail that fails to load, and requests it again', async () => {
    await using visitor = await visit(app, { expectedConsole: /Failed to load resource/ });
    const { page } = visitor;
    await page.route(/basemapDetail/, (route) => route.fulfill({ status: 503, body: '' }), { times: 1 });
    await openMap(visitor);
    const missed = page.waitForEvent('console', (message) => message.text().startsWith('No map detail:'));
    await sortFrom(page, '80202');
    await missed;
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(() => basemapColors(page), mapPatience).toBeGreaterThan(5);
  });
});

describe('street tiles', () => {
  test('load only from the configured server, with attribution and no CSP violation', async () => {
    meets('P7.call.54 P9.const.16 D.privacy.01 D.privacy.03 D.privacy.10 D.privacy.12 P2.map.14');
    await using tiles = await startTiles();
    await using site = await browserApp({ env: { MAP_TILES_URL: tiles.url } });
    await threeProviders(site);
    await using visitor = await visit(site, { expectedHosts: [tiles.host] });
    const { page } = visitor;
    await openMap(visitor);
    await expect.poll(() => tiles.asked.length, patience).toBeGreaterThan(3);
    // The whole country at once is what street maps call zoom 4.
    expect(new Set(tiles.asked.map((path) => path.split('/')[1]))).toEqual(new Set(['4']));
    await page.getByRole('link', { name: 'OpenStreetMap' }).waitFor(patience);
    // Their server learns the area: the page claims only that the exact location stays in the browser.
    expect(await page.getByText(network.nearMePrivacy.basemapOnly).count()).toBe(0);
    await page.getByText(network.nearMePrivacy.streetTiles).waitFor(patience);
    // The basemap shines through the tiles.
    await expect.poll(() => basemapColors(page), mapPatience).toBeGreaterThan(5);
  });

  test('that fail to load are reported, and the map works without them', async () => {
    meets('D.privacy.09 D.privacy.14');
    await using tiles = await startTiles({ status: 500 });
    await using site = await browserApp({ env: { MAP_TILES_URL: tiles.url } });
    await threeProviders(site);
    await using visitor = await visit(site, {
      expectedHosts: [tiles.host],
      expectedConsole: /Failed to load resource/,
    });
    const { page } = visitor;
    await openMap(visitor);
    await page.getByText(mapCopy.tilesFailed).waitFor(patience);
    // Below the map, where nothing covers it.
    const [map, notice] = [page.locator('[data-map]'), page.getByText(mapCopy.tilesFailed)];
    const [mapBox, noticeBox] = [await map.boundingBox(), await notice.boundingBox()];
    expect(noticeBox?.y).toBeGreaterThanOrEqual((mapBox?.y ?? 0) + (mapBox?.height ?? Infinity));
    await pressMiddle(page);
    await expect.poll(() => getPopup(page).innerText(), patience).toContain('Middle Clinic');
    await sortFrom(page, '80202');
    // A clinic is shown from where its state can be made out, as there are no streets to see from nearer.
    await page.getByRole('button', { name: 'Show on map Alpine Clinic' }).click();
    const zooms = (): number[] => tiles.asked.map((path) => Number(path.split('/')[1]));
    await expect.poll(() => Math.max(...zooms()), patience).toBeGreaterThan(4);
    await page.locator('.maplibregl-popup').getByText('Alpine Clinic').waitFor(patience);
    await page.locator('[data-map] [aria-busy=false]').waitFor(patience);
    await expect.poll(() => Math.max(...zooms())).toBe(9);
    await expect.poll(() => basemapColors(page), mapPatience).toBeGreaterThan(5);
  });

  test('load on the dashboard, too', async () => {
    meets('P2.admin.70 P7.call.54 D.privacy.09 D.privacy.10');
    await using tiles = await startTiles();
    await using site = await browserApp({ env: { MAP_TILES_URL: tiles.url } });
    await threeProviders(site);
    await using visitor = await visitAdmin(site, {
      path: '/admin?tab=providers',
      expectedHosts: [tiles.host],
    });
    const { page } = visitor;
    await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(mapPatience);
    await expect.poll(() => tiles.asked.length, patience).toBeGreaterThan(0);
    await page.getByRole('link', { name: 'OpenStreetMap' }).waitFor(patience);
    expect(await page.getByText(mapCopy.tilesFailed).count()).toBe(0);
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name),
    );
    expect(loaded.some((name) => basemapFile.test(name))).toBe(true);
  });

  test('are allowed only by the CSP of screens with a map', async () => {
    await using site = await browserApp({ env: { MAP_TILES_URL: 'https://tiles.example/{z}/{x}/{y}.png' } });
    const buildPolicy = async (path: string): Promise<string> =>
      String((await site.get(path)).headers['content-security-policy']);
    for (const path of ['/map', '/clinics', '/admin', '/getmpx'])
      expect(await buildPolicy(path)).toContain("img-src 'self' data: https://tiles.example;");
    for (const path of ['/', '/privacy', '/success?noProvider=true', '/no-such-page'])
      expect(await buildPolicy(path)).not.toContain('tiles.example');
  });
});
