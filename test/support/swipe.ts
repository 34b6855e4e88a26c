import type { Locator } from 'playwright';
import { expect } from 'vitest';
import { patience, type Visit } from './browser.ts';

/** Swipes upwards with one finger, from inside a map on a touch device; expects the page to follow and the map to say what moves it. */
export async function swipeOver({ page, context }: Visit, map: Locator): Promise<void> {
  await map.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
  const box = await map.boundingBox();
  if (box === null) throw new Error('the map is not drawn');
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  const scrolled = (): Promise<number> => page.evaluate(() => window.scrollY);
  const before = await scrolled();
  // Shown for a moment only, so it is looked for from within.
  const said = map
    .locator('.maplibregl-cooperative-gesture-screen.maplibregl-show')
    .waitFor({ state: 'attached', ...patience });
  const session = await context.newCDPSession(page);
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  for (let moved = 10; moved <= 120; moved += 10)
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x, y: y - moved }] });
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await said;
  await expect.poll(scrolled, patience).toBeGreaterThan(before + 50);
}
