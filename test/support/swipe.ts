import type { Locator } from 'playwright';
import { patience, type Visit } from './browser.ts';

/** Swipes upwards with one finger, from inside a map on a touch device. How far the page followed, and what the map said meanwhile. */
export async function swipeOver(
  { page, context }: Visit,
  map: Locator,
): Promise<{ scrolled: number; said: string }> {
  await map.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
  const box = await map.boundingBox();
  if (box === null) throw new Error('the map is not drawn');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const before = await page.evaluate(() => window.scrollY);
  const screen = map.locator('.maplibregl-cooperative-gesture-screen');
  // Shown for a moment only, so it is waited for meanwhile.
  const shown = map
    .locator('.maplibregl-cooperative-gesture-screen.maplibregl-show')
    .waitFor({ state: 'attached', ...patience });
  const session = await context.newCDPSession(page);
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  for (let moved = 10; moved <= 120; moved += 10)
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x, y: y - moved }] });
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await shown;
  await page.waitForFunction((top) => window.scrollY > top + 50, before, patience);
  return { scrolled: (await page.evaluate(() => window.scrollY)) - before, said: await screen.innerText() };
}
