import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { mapCopy, network, recruitmentMap } from '#shared/brand/map.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { nameOfColor } from '#test/support/readColor.ts';
import { insertProvider } from '#test/support/factories.ts';
import {
  colorAt,
  denver,
  drawnPins,
  mapPatience,
  middle,
  openMap,
  getPopup,
} from '#test/support/mapVisit.ts';
import { meets } from '#test/support/meets.ts';
import type { TestApp } from '#test/support/testApp.ts';

/** Degrees of longitude of a pixel at a zoom. */
const pixel = (zoom: number): number => 360 / (256 * 2 ** zoom);

/** Providers around a point, each so many pixels of zoom 9 east of it. Returns their ids. */
async function insertAround(
  app: TestApp,
  point: typeof denver,
  pixels: readonly number[],
): Promise<number[]> {
  const ids: number[] = [];
  for (const [at, east] of pixels.entries()) {
    const place = { ...point, longitude: point.longitude + east * pixel(9) };
    ids.push((await insertProvider(app.db, { practiceName: `Clinic ${at}`, ...place })).id);
  }
  return ids;
}

async function isDrawn(page: Page): Promise<void> {
  await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(mapPatience);
}

/** Presses a zoom button until the map is at a zoom. */
async function zoomTo(page: Page, zoom: number): Promise<void> {
  const shown = (await drawnPins(page))?.zoom ?? Number.NaN;
  const name = shown < zoom ? mapCopy.zoomIn : mapCopy.zoomOut;
  for (let at = 1; at <= Math.round(Math.abs(zoom - shown)); at += 1) {
    await page.getByRole('button', { name }).click();
    await expect
      .poll(async () => (await drawnPins(page))?.zoom, patience)
      .toBeCloseTo(shown + (shown < zoom ? at : -at), 5);
  }
}

test('near the visitor each provider has a pin, and the blue dot is on top of them', async () => {
  meets('P2.map.11 P2.map.15 P2.map.26');
  await using app = await browserApp();
  // The drop of the second covers the visitor's place.
  const south = { ...denver, latitude: denver.latitude - 8 * pixel(9) };
  const ids = [...(await insertAround(app, denver, [20, -30])), ...(await insertAround(app, south, [0]))];
  await using visitor = await visit(app);
  const { page, context } = visitor;
  await context.grantPermissions(['geolocation']);
  await context.setGeolocation(denver);
  await openMap(visitor);
  await expect.poll(() => drawnPins(page), patience).toMatchObject({ zoom: 4, pins: [], circles: [3] });
  await page.getByRole('link', { name: mapCopy.nearMe }).click();
  await expect.poll(() => drawnPins(page), patience).toMatchObject({ zoom: 9, pins: ids, circles: [] });
  await page.locator('[data-map]').scrollIntoViewIfNeeded();
  const colorOfDot = async (): Promise<string> => {
    const map = await page.locator('canvas').boundingBox();
    if (map === null) throw new Error('the map has no canvas');
    return nameOfColor(await colorAt(page, map.x + map.width / 2, map.y + map.height / 2));
  };
  await expect.poll(colorOfDot, patience).toBe('blue');
});

test('on the recruitment map each provider near the visitor has a pin', async () => {
  meets('P2.map.26');
  await using app = await browserApp();
  const ids = await insertAround(app, denver, [0, 10, 30]);
  await using visitor = await visit(app);
  const { page, context } = visitor;
  await context.grantPermissions(['geolocation']);
  await context.setGeolocation(denver);
  await page.goto('/clinics');
  await page.getByText(recruitmentMap.question).scrollIntoViewIfNeeded();
  await isDrawn(page);
  await expect.poll(() => drawnPins(page), patience).toMatchObject({ zoom: 8, pins: ids, circles: [] });
});

test('the dashboard’s map has circles up to zoom 7 and a pin for each provider from 8', async () => {
  meets('P2.map.26');
  await using app = await browserApp();
  const ids = await insertAround(app, { latitude: 39.8283, longitude: -98.5795 }, [0, 12, 24]);
  await using visitor = await visitAdmin(app, { path: '/admin?tab=providers' });
  const { page } = visitor;
  await isDrawn(page);
  await expect.poll(() => drawnPins(page), patience).toMatchObject({ zoom: 4, pins: [], circles: [3] });
  await zoomTo(page, 7);
  await expect.poll(() => drawnPins(page), patience).toMatchObject({ pins: [], circles: [3] });
  await zoomTo(page, 8);
  await expect.poll(() => drawnPins(page), patience).toMatchObject({ pins: ids, circles: [] });
});

test('the chosen provider’s pin is in no circle, also after zooming out', async () => {
  meets('P2.map.27');
  await using app = await browserApp();
  const ids = await insertAround(app, middle, [0, 12, 24]);
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/map#zip=66952');
  await isDrawn(page);
  await zoomTo(page, 5);
  await page.getByRole('button', { name: `${network.list.showOnMap} Clinic 1` }).click();
  await getPopup(page).getByText('Clinic 1').waitFor(patience);
  const unclustered = { pins: [ids[1]], circles: [2] };
  await expect.poll(() => drawnPins(page), patience).toMatchObject({ zoom: 7, ...unclustered });
  await zoomTo(page, 5);
  await expect.poll(() => drawnPins(page), patience).toMatchObject(unclustered);
  await getPopup(page).getByRole('button', { name: mapCopy.closePopup }).click();
  await expect.poll(() => drawnPins(page), patience).toMatchObject({ pins: [], circles: [3] });
});
