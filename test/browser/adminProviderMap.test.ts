import { expect, test } from 'vitest';
import { tokenValues } from '#client/theme/tokens.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { hasPin, mapPatience } from '#test/support/mapVisit.ts';
import { meets } from '#test/support/meets.ts';

const middle = { latitude: 39.8283, longitude: -98.5795 };
const violet = tokenValues.secondary;
const gray = '#6b6b70';

/** Pixels east of the middle. */
const offset = 60;
/** At zoom 4, the world is 4096 pixels wide. */
const offsetDegrees = (offset / 4096) * 360;

test('at zoom 4, active pins are violet and inactive gray, and a layer can be hidden', async () => {
  meets('P2.admin.62 P2.admin.63');
  await using app = await browserApp();
  await insertProvider(app.db, { name: 'Middle Clinic', ...middle });
  const east = { ...middle, longitude: middle.longitude + offsetDegrees };
  await insertProvider(app.db, { name: 'Closed Clinic', status: 'f', ...east });
  await using visitor = await visitAdmin(app, { path: '/admin?tab=providers' });
  const { page } = visitor;
  await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(mapPatience);
  await page.locator('[data-map]').scrollIntoViewIfNeeded();
  const pins = async (): Promise<Record<string, boolean>> => ({
    active: await hasPin(page, violet),
    inactive: await hasPin(page, gray, offset),
  });
  await expect.poll(pins, patience).toEqual({ active: true, inactive: true });
  const layer = (name: string) => page.getByRole('checkbox', { name, exact: true });
  await layer('Active Providers').uncheck();
  await expect.poll(pins, patience).toEqual({ active: false, inactive: true });
  await layer('Active Providers').check();
  await layer('Inactive Providers').uncheck();
  await expect.poll(pins, patience).toEqual({ active: true, inactive: false });
});

test('on a phone, a pin at the edge opens its popup between the sides of the map', async () => {
  await using app = await browserApp();
  const east = { ...middle, longitude: middle.longitude + offsetDegrees };
  await insertProvider(app.db, { name: 'Eastern Clinic', email: 'reception@eastern.example', ...east });
  await using visitor = await visitAdmin(app, { path: '/admin?tab=providers', width: 360, touch: true });
  const { page } = visitor;
  await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(mapPatience);
  await page.locator('[data-map]').scrollIntoViewIfNeeded();
  for (const layer of await page.locator('[data-map] label').all())
    expect((await layer.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  const map = await page.locator('canvas').boundingBox();
  if (map === null) throw new Error('the map has no canvas');
  await page.touchscreen.tap(map.x + map.width / 2 + offset, map.y + map.height / 2 - 16);
  const popup = page.locator('.maplibregl-popup');
  await popup.getByText('Eastern Clinic').waitFor(patience);
  const cutOff = async (): Promise<number> => {
    const shown = await popup.boundingBox();
    return shown === null ? Infinity : Math.max(map.x - shown.x, shown.x + shown.width - map.x - map.width);
  };
  await expect.poll(cutOff, patience).toBeLessThanOrEqual(0);
});
