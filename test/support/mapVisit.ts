import type { Page } from 'playwright';
import { network, sortedText } from '#shared/brand/map.ts';
import { insertProvider } from './factories.ts';
import { patience, type Visit } from './browser.ts';
import type { TestApp } from './testApp.ts';

/** The middle of the map's first view. A test can click a pin there without knowing the projection. */
export const middle = { latitude: 39.83, longitude: -98.58 };
export const denver = { latitude: 39.7392, longitude: -104.9903 };

/** Timeout for a megabyte of code and a first rendering in software, while other tests run. */
export const mapPatience = { timeout: 45_000 };

export async function openMap({ page }: Visit): Promise<void> {
  await page.goto('/map');
  await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(mapPatience);
}

/** Clicks a little above the map's middle, on the pin whose tip is the middle. */
export async function pressMiddle(page: Page): Promise<void> {
  const box = await page.locator('canvas').boundingBox();
  if (box === null) throw new Error('the map has no canvas');
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2 - 16);
}

/** The number of colors in the map's lower left, which nothing covers. One color is land without a basemap. */
export async function basemapColors(page: Page): Promise<number> {
  const box = await page.locator('[data-map]').boundingBox();
  if (box === null) throw new Error('there is no map');
  const clip = { x: box.x + 20, y: box.y + box.height * 0.55, width: box.width * 0.4, height: 120 };
  const picture = (await page.screenshot({ clip })).toString('base64');
  return page.evaluate(async (address) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: image.width, height: image.height });
    const context = canvas.getContext('2d');
    context?.drawImage(image, 0, 0);
    const pixels = context?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    const colors = new Set<string>();
    for (let at = 0; at < pixels.length; at += 4) colors.add(pixels.slice(at, at + 3).join());
    return colors.size;
  }, `data:image/png;base64,${picture}`);
}

export async function sortFrom(page: Page, zip: string): Promise<void> {
  await page.getByLabel(network.zip.label).fill(zip);
  await page.keyboard.press('Enter');
  await page.getByText(sortedText(zip, null)).waitFor(patience);
}

export const namesOf = (page: Page): Promise<string[]> =>
  page.getByRole('listitem').locator('h3').allInnerTexts();
export const popupOf = (page: Page) => page.locator('.maplibregl-popup');

export async function threeProviders(app: TestApp): Promise<void> {
  await insertProvider(app.db, {
    name: 'Middle Clinic',
    practiceName: 'Middle Practice',
    website: 'middle.example.com',
    address: '1 Middle Street',
    ...middle,
  });
  await insertProvider(app.db, { name: 'Alpine Clinic', zipCode: '80202', ...denver });
  await insertProvider(app.db, { name: 'Eastern Clinic', zipCode: '10016', website: 'javascript:alert(1)' });
}
