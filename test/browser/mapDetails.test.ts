import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { providers } from '#server/db/schema/index.ts';
import { mapCopy, network, recruitmentMap, sortedText } from '#shared/brand/map.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { toHue, nameOfColor } from '#test/support/readColor.ts';
import { insertProvider, providerRow } from '#test/support/factories.ts';
import {
  colorAt,
  denver,
  mapPatience,
  openMap,
  getPopup,
  pressMiddle,
  sortFrom,
  threeProviders,
} from '#test/support/mapVisit.ts';
import { meets } from '#test/support/meets.ts';
import { startTiles, type Tiles } from '#test/support/tiles.ts';
import type { TestApp } from '#test/support/testApp.ts';

// One site with street tiles, whose paths have the zoom.
let tiles: Tiles;
let app: TestApp;
beforeAll(async () => {
  tiles = await startTiles();
  app = await browserApp({ env: { MAP_TILES_URL: tiles.url } });
  await threeProviders(app);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await tiles[Symbol.asyncDispose]();
});

/** The zooms of the tiles requested since the last call. */
function zoomsSince(): () => number[] {
  const from = tiles.asked.length;
  return () => tiles.asked.slice(from).map((path) => Number(path.split('/')[1]));
}

async function openRecruitmentMap(page: Page): Promise<void> {
  await page.goto('/clinics');
  await page.getByText(recruitmentMap.question).scrollIntoViewIfNeeded();
  await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(mapPatience);
}

/** Turns the wheel over the map, and resolves once the page has scrolled. */
async function turnWheel(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.locator('[data-map]').scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => scrollY);
  const box = await page.locator('canvas').boundingBox();
  if (box === null) throw new Error('the map has no canvas');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.wheel(0, -200);
  await expect.poll(() => page.evaluate(() => scrollY), patience).toBeLessThan(before);
}

/** Records the options of each call for the location. */
async function recordLocationCalls(page: Page): Promise<() => Promise<unknown>> {
  await page.addInitScript(() => {
    const { geolocation } = navigator;
    const ask = geolocation.getCurrentPosition.bind(geolocation);
    const calls: unknown[] = [];
    Object.assign(window, { locationCalls: calls });
    geolocation.getCurrentPosition = (found, missed, options) => {
      calls.push(options?.enableHighAccuracy);
      ask(found, missed, options);
    };
  });
  return () => page.evaluate((): unknown => Reflect.get(window, 'locationCalls'));
}

/** The pixels between the marked place and the middle of the map. The place is 24 px above its label. */
async function fromMiddle(page: Page): Promise<number> {
  const map = await page.locator('canvas').boundingBox();
  const label = await page.locator('.maplibregl-marker').getByText(mapCopy.yourLocation).boundingBox();
  if (map === null || label === null) return Infinity;
  return Math.hypot(label.x + label.width / 2 - map.x - map.width / 2, label.y - 24 - map.y - map.height / 2);
}

describe('the network map', () => {
  test('moves to the visitor’s location at zoom 9 and marks it in blue', async () => {
    meets('P9.const.19 P2.map.11 P2.map.12');
    const zooms = zoomsSince();
    await using visitor = await visit(app, { expectedHosts: [tiles.host] });
    const { page, context } = visitor;
    await context.grantPermissions(['geolocation']);
    await context.setGeolocation(denver);
    const calls = await recordLocationCalls(page);
    await openMap(visitor);
    await expect.poll(() => new Set(zooms()), patience).toEqual(new Set([4]));
    await page.getByRole('link', { name: mapCopy.nearMe }).click();
    const marker = page.locator('.maplibregl-marker').getByText(mapCopy.yourLocation);
    await marker.waitFor(patience);
    expect(await toHue(marker)).toBe('blue');
    const hueOfDot = async () => {
      const label = await marker.boundingBox();
      if (label === null) throw new Error('the marker has no label');
      return nameOfColor(await colorAt(page, label.x + label.width / 2, label.y - 20));
    };
    await expect.poll(hueOfDot, patience).toBe('blue');
    await expect.poll(() => Math.max(...zooms()), patience).toBe(9);
    await expect.poll(() => fromMiddle(page), patience).toBeLessThan(3);
    expect(await calls()).toEqual([true]);
  });

  test('shows the nearest of a long list after a location, at every width', async () => {
    await using site = await browserApp();
    const rows = Array.from({ length: 40 }, (_, at) =>
      providerRow({
        ...{ name: `Clinic ${at}`, practiceName: null },
        ...{ latitude: 39.7 + at / 10, longitude: -105 },
      }),
    );
    await site.db.insert(providers).values(rows);
    for (const width of [360, 768, 1280]) {
      await using visitor = await visit(site, { width });
      const { page, context } = visitor;
      await context.grantPermissions(['geolocation']);
      await context.setGeolocation(denver);
      await openMap(visitor);
      await page.getByRole('link', { name: mapCopy.nearMe }).click();
      const nearest = page.locator('#provider-list').getByRole('link', { name: 'Clinic 0', exact: true });
      const isInView = () =>
        nearest.evaluate((link) => {
          const { top, bottom } = link.getBoundingClientRect();
          return top >= 0 && bottom <= innerHeight;
        });
      await expect.poll(isInView, { ...patience, message: `${width} px` }).toBe(true);
    }
  });

  test('on a phone a ZIP scrolls to the list and focuses its heading', async () => {
    await using visitor = await visit(app, { width: 360, touch: true, expectedHosts: [tiles.host] });
    const { page } = visitor;
    await openMap(visitor);
    await page.getByLabel(network.zip.label).fill('10016');
    await page.getByRole('button', { name: network.zip.submit }).tap();
    await page.getByText(sortedText('10016', null)).waitFor(patience);
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('provider-list-title');
    const first = page.locator('#provider-list').getByRole('listitem').first();
    const isInView = () =>
      first.evaluate((item) => {
        const { top, bottom } = item.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
    await expect.poll(isInView, patience).toBe(true);
  });

  test('shows the provider’s image in the popup, or the first letter of its name', async () => {
    meets('P2.map.16');
    await using site = await browserApp();
    const image = 'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E';
    await insertProvider(site.db, {
      ...{ name: 'Middle Clinic', practiceName: null },
      latitude: 39.83,
      longitude: -98.58,
      imageUrl: image,
    });
    await insertProvider(site.db, { name: 'Alpine Clinic', practiceName: null, imageUrl: null, ...denver });
    await using visitor = await visit(site);
    const { page } = visitor;
    await openMap(visitor);
    await pressMiddle(page);
    await getPopup(page).getByText('Middle Clinic').waitFor(patience);
    await expect.poll(() => getPopup(page).locator('img').count(), patience).toBe(1);
    await sortFrom(page, '80202');
    await page.getByRole('button', { name: `${network.list.showOnMap} Alpine Clinic` }).click();
    await getPopup(page).getByText('Alpine Clinic').waitFor(patience);
    await expect.poll(() => getPopup(page).getByText('A', { exact: true }).count(), patience).toBe(1);
    expect(await getPopup(page).locator('img').count()).toBe(0);
  });

  test.each([
    ['on a phone, where the map takes the place of the list', 360],
    ['where the list is beside the map', 1280],
  ])('Escape closes the popup of a listed provider and keeps the focus: %s', async (_where, width) => {
    await using visitor = await visit(app, { width, touch: width === 360, expectedHosts: [tiles.host] });
    const { page } = visitor;
    await openMap(visitor);
    await sortFrom(page, '80202');
    const button = page.getByRole('button', { name: `${network.list.showOnMap} Alpine Clinic` });
    const opener = width === 360 ? page.getByRole('button', { name: network.view.map, exact: true }) : button;
    if (width === 360) await button.tap();
    else await button.press('Enter');
    const popup = page.locator('.maplibregl-popup');
    await popup.waitFor(patience);
    const hasFocus = () => opener.evaluate((element) => element.contains(document.activeElement));
    await expect.poll(hasFocus, patience).toBe(true);
    await page.keyboard.press('Escape');
    await popup.waitFor({ state: 'detached', ...patience });
    expect(await hasFocus()).toBe(true);
  });

  test('a far row opens and closes its popup by keys, and keeps the focus', async () => {
    await using site = await browserApp();
    for (const zipCode of ['80202', '99501', '78701'])
      await insertProvider(site.db, { practiceName: `Clinic ${zipCode}`, zipCode, address: '1 Main St' });
    await using visitor = await visit(site);
    const { page } = visitor;
    await openMap(visitor);
    await sortFrom(page, '80202');
    await page.locator('#provider-list summary').press('Enter', patience);
    await page.locator('#provider-list').getByText('1 Main St 78701').waitFor(patience);
    const show = page.getByRole('button', { name: `${network.list.showOnMap} Clinic 78701` });
    await show.press('Enter', patience);
    await getPopup(page).getByText('Clinic 78701').waitFor(patience);
    const hasFocus = () => show.evaluate((button) => button === document.activeElement);
    await expect.poll(hasFocus, patience).toBe(true);
    await page.keyboard.press('Escape');
    await getPopup(page).waitFor({ state: 'detached', ...patience });
    await expect.poll(hasFocus, patience).toBe(true);
    // Escape closes it from anywhere, and the list's end leads back to the map.
    await page.keyboard.press('Enter');
    await getPopup(page).getByText('Clinic 78701').waitFor(patience);
    await page.getByRole('link', { name: network.backToMap }).press('Enter');
    await page.keyboard.press('Escape');
    await getPopup(page).waitFor({ state: 'detached', ...patience });
    expect(await page.locator(':focus').getAttribute('id')).toBe('network-map');
  });

  test('the form of a provider has the ZIP code that was searched on the map', async () => {
    await using visitor = await visit(app, { expectedHosts: [tiles.host] });
    const { page } = visitor;
    await openMap(visitor);
    await sortFrom(page, '80202');
    // A link within the page leaves the address of the search.
    await page.getByRole('link', { name: network.skipMap }).press('Enter');
    expect(new URL(page.url()).hash).toBe('#zip=80202');
    await page
      .getByRole('link', { name: /^Request consultation/ })
      .first()
      .click();
    const zip = page.locator('[name=zip_code]');
    await expect.poll(() => zip.inputValue(), patience).toBe('80202');
    expect(page.url()).not.toContain('80202');
  });

  test('on a phone, the map is in view after the list was scrolled', async () => {
    await using site = await browserApp();
    for (let count = 0; count < 12; count += 1) await insertProvider(site.db, denver);
    await using visitor = await visit(site, { width: 360, touch: true });
    const { page } = visitor;
    await openMap(visitor);
    await sortFrom(page, '80202');
    const mapButton = page.getByRole('button', { name: network.view.map, exact: true });
    // The switch stays at the top while the list is in view.
    await page.getByRole('heading', { level: 3 }).last().scrollIntoViewIfNeeded();
    await mapButton.tap();
    const frame = page.getByLabel(network.mapLabel, { exact: true });
    const isInView = async () => {
      const [shown, bar] = [await frame.boundingBox(), await mapButton.boundingBox()];
      return shown !== null && bar !== null && shown.y >= bar.y + bar.height && shown.y < 400;
    };
    await expect.poll(isInView, patience).toBe(true);
  });

  test.each([
    ['above its pin', null],
    [
      'below its pin if it is high',
      'Alpine Practice for Men of the Front Range and the Western Slope of Colorado',
    ],
  ])('shows a listed provider’s popup whole on a phone, %s', async (_place, practiceName) => {
    await using site = await browserApp();
    await insertProvider(site.db, {
      name: 'Alpine Ridge Health',
      practiceName,
      address: '100 Sample Street, Denver, CO',
      phone: '(303) 555-0100',
      website: 'https://alpine.example',
      acceptsFreeConsultation: true,
      acceptsFinancing: true,
      ...denver,
    });
    await using visitor = await visit(site, { width: 360, touch: true });
    const { page } = visitor;
    await openMap(visitor);
    await sortFrom(page, '80202');
    await page.getByRole('button', { name: network.list.showOnMap }).tap();
    const popup = page.locator('.maplibregl-popup');
    await popup.waitFor(patience);
    const hidden = async (): Promise<number> => {
      const [map, box] = [await page.locator('[data-map]').boundingBox(), await popup.boundingBox()];
      if (map === null || box === null) return Infinity;
      return Math.max(map.y - box.y, box.y + box.height - map.y - map.height);
    };
    await expect.poll(hidden, patience).toBeLessThanOrEqual(0);
    const isBelow = await popup.evaluate((element) => element.className.includes('anchor-top'));
    expect(isBelow).toBe(practiceName !== null);
    for (const target of await popup.locator('a[href^="tel:"], a[target], button').all())
      expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  });
});

describe('the recruitment map', () => {
  test('starts at zoom 4; its button asks again for the location and moves there at 8', async () => {
    meets(`
      P7.call.51 P7.call.52 P7.call.54 P8.error.21 P9.const.17 P9.const.18 P2.rmap.06 P2.rmap.12
      P2.rmap.13
    `);
    const zooms = zoomsSince();
    await using visitor = await visit(app, { expectedHosts: [tiles.host] });
    const { page, context } = visitor;
    await context.clearPermissions();
    const calls = await recordLocationCalls(page);
    const refused = page.waitForEvent('console', (message) => message.text().startsWith('No location:'));
    await openRecruitmentMap(page);
    await refused;
    await expect.poll(() => new Set(zooms()), patience).toEqual(new Set([4]));
    expect(await page.locator('.maplibregl-marker').count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
    await context.grantPermissions(['geolocation']);
    await context.setGeolocation(denver);
    await page.getByRole('button', { name: mapCopy.nearMe }).click();
    await page.locator('.maplibregl-marker').getByText(mapCopy.yourLocation).waitFor(patience);
    await expect.poll(() => Math.max(...zooms()), patience).toBe(8);
    await expect.poll(() => fromMiddle(page), patience).toBeLessThan(3);
    expect(await calls()).toEqual([true, true]);
  });

  test('leaves the scroll wheel to the page', async () => {
    meets('P2.rmap.14');
    const zooms = zoomsSince();
    await using visitor = await visit(app, { expectedHosts: [tiles.host] });
    const { page } = visitor;
    await openRecruitmentMap(page);
    await turnWheel(page);
    await visitor.settled();
    expect(new Set(zooms())).toEqual(new Set([4]));
  });
});

test('the dashboard’s map starts at zoom 4 and leaves the scroll wheel to the page', async () => {
  meets('P2.admin.58 P2.admin.59 P9.const.33');
  const zooms = zoomsSince();
  await using visitor = await visitAdmin(app, {
    path: '/admin?tab=providers',
    expectedHosts: [tiles.host],
    width: 1280,
  });
  const { page } = visitor;
  await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(mapPatience);
  await expect.poll(() => new Set(zooms()), patience).toEqual(new Set([4]));
  await turnWheel(page);
  await visitor.settled();
  expect(new Set(zooms())).toEqual(new Set([4]));
});
