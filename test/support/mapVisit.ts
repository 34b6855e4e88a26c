import type { Page } from 'playwright';
import { expect } from 'vitest';
import { mapCopy, network, sortedText } from '#shared/brand/map.ts';
import { insertProvider } from './factories.ts';
import { patience, type Visit } from './browser.ts';
import { waitUntil } from './waitFor.ts';
import { screenPixels } from './screenPixels.ts';
import type { TestApp } from './testApp.ts';

/** The middle of the map's first view. A test can click a pin there without knowing the projection. */
export const middle = { latitude: 39.83, longitude: -98.58 };
export const denver = { latitude: 39.7392, longitude: -104.9903 };

/** Timeout for a megabyte of code and a first rendering in software, while other tests run. */
export const mapPatience = patience;

/** The path of the basemap's data. */
export const basemapFile = /\/basemap-[^/]+\.json$/;

/** Turns to the map as a visitor does, once the page is live. Until then there is only its drawing. */
export async function startMap(page: Page): Promise<void> {
  const map = page.locator('[data-map]');
  await expect
    .poll(async () => {
      await map.dispatchEvent('pointerdown');
      return map.getAttribute('data-map');
    }, mapPatience)
    .not.toBe('still');
}

export async function openMap({ page }: Visit): Promise<void> {
  await page.goto('/map');
  await startMap(page);
  await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(mapPatience);
}

/** Clicks a little above the map's middle, on the pin whose tip is the middle. */
export async function pressMiddle(page: Page): Promise<void> {
  const box = await page.locator('canvas').boundingBox();
  if (box === null) throw new Error('the map has no canvas');
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2 - 16);
}

/**
 * Whether a pin of a color is on the open map, its tip `offset` pixels east of the middle. `color` is `#rrggbb`; the
 * map changes it a little.
 */
export async function hasPin(page: Page, color: string, offset = 0): Promise<boolean> {
  const box = await page.locator('canvas').boundingBox();
  if (box === null) throw new Error('the map has no canvas');
  const tip = { x: box.x + box.width / 2 + offset, y: box.y + box.height / 2 };
  const wanted = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const pixels = await screenPixels(page, { x: tip.x - 10, y: tip.y - 30, width: 20, height: 26 });
  const isOfColor = (pixel: string): boolean =>
    pixel.split(',').every((value, at) => Math.abs(Number(value) - (wanted[at] ?? 0)) < 8);
  return pixels.filter(isOfColor).length > 50;
}

export interface DrawnPins {
  /** As street maps count it. */
  zoom: number;
  /** Ids of the providers whose pins are drawn, in order. */
  pins: number[];
  /** The numbers in the circles, in order. */
  circles: number[];
}

/** The pins and circles that MapLibre has drawn, from its own answer. Null while there is no map. */
export async function drawnPins(page: Page): Promise<DrawnPins | null> {
  const drawn = await page.evaluate((): { zoom: number; properties: unknown[] } | null => {
    const read = (value: unknown, key: string): unknown =>
      typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
    const call = (value: unknown, method: string): unknown => {
      const found = read(value, method);
      return typeof found === 'function' ? Reflect.apply(found, value, []) : undefined;
    };
    // The page keeps no reference to its map: React does, in the state of the component around the map's element.
    const element = document.querySelector('.maplibregl-map');
    const key = Object.keys(element ?? {}).find((name) => name.startsWith('__reactFiber$'));
    for (
      let fiber = read(element, key ?? '');
      fiber !== null && fiber !== undefined;
      fiber = read(fiber, 'return')
    )
      for (let hook = read(fiber, 'memoizedState'); typeof hook === 'object' && hook !== null;) {
        const map = read(read(hook, 'memoizedState'), 'map');
        const features = call(map, 'queryRenderedFeatures');
        const zoom = call(map, 'getZoom');
        if (Array.isArray(features) && typeof zoom === 'number')
          return {
            zoom: zoom + 1,
            properties: features.map((feature) => ({
              ...Object(read(feature, 'properties')),
              at: JSON.stringify(read(read(feature, 'geometry'), 'coordinates')),
            })),
          };
        hook = read(hook, 'next');
      }
    return null;
  });
  if (drawn === null) return null;
  const pins = new Set<number>();
  const circles = new Map<string, number>();
  for (const properties of drawn.properties) {
    const {
      id,
      point_count: count,
      at,
    }: { id?: unknown; point_count?: unknown; at?: unknown } = Object(properties);
    if (typeof count === 'number') circles.set(String(at), count);
    else if (typeof id === 'number') pins.add(id);
  }
  const ascending = (one: number, other: number): number => one - other;
  return {
    zoom: drawn.zoom,
    pins: [...pins].toSorted(ascending),
    circles: [...circles.values()].toSorted(ascending),
  };
}

/** The number of colors in the map's lower left, which nothing covers. One color is land without a basemap. */
export async function basemapColors(page: Page): Promise<number> {
  const box = await page.locator('[data-map]').boundingBox();
  if (box === null) throw new Error('there is no map');
  const clip = { x: box.x + 20, y: box.y + box.height * 0.55, width: box.width * 0.4, height: 120 };
  return new Set(await screenPixels(page, clip)).size;
}

/** The color of one pixel of the page, for what is drawn on a canvas. */
export async function colorAt(page: Page, x: number, y: number): Promise<string> {
  const picture = (await page.screenshot({ clip: { x, y, width: 1, height: 1 } })).toString('base64');
  return page.evaluate(async (address) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    const context = document.createElement('canvas').getContext('2d');
    context?.drawImage(image, 0, 0);
    return `rgb(${context?.getImageData(0, 0, 1, 1).data.slice(0, 3).join(', ') ?? ''})`;
  }, `data:image/png;base64,${picture}`);
}

export async function sortFrom(page: Page, zip: string): Promise<void> {
  await page.getByLabel(network.zip.label).fill(zip);
  await page.keyboard.press('Enter');
  await page.getByText(sortedText(zip, null)).waitFor(patience);
}

/** The listed providers, also those that are folded. */
export const listNames = (page: Page): Promise<string[]> =>
  page.locator('#provider-list [data-provider] h3').allTextContents();
export const getPopup = (page: Page) => page.locator('.maplibregl-popup');

/** By keyboard, from the link before it to what follows the map. */
export async function followSkipLink(page: Page): Promise<void> {
  const skip = page.getByRole('link', { name: network.skipMap });
  await page.getByRole('link', { name: mapCopy.nearMe }).focus();
  await page.keyboard.press('Tab');
  await expect.poll(() => skip.evaluate((link) => link === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('#provider-list') !== null))
    .toBe(true);
}

export async function threeProviders(app: TestApp): Promise<void> {
  await insertProvider(app.db, {
    name: 'Middle Practice',
    practiceName: 'Middle Clinic',
    website: 'middle.example.com',
    address: '1 Middle Street',
    ...middle,
  });
  await insertProvider(app.db, { practiceName: 'Alpine Clinic', zipCode: '80202', ...denver });
  await insertProvider(app.db, {
    practiceName: 'Eastern Clinic',
    zipCode: '10016',
    website: 'javascript:alert(1)',
  });
  // The page has what the site knows.
  await waitUntil(async () => (await app.get('/map')).text.includes('/providers/co'), patience);
}
