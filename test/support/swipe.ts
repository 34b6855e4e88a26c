import type { Locator } from 'playwright';
import { patience, type Visit } from './browser.ts';

/**
 * Swipes up with one finger on a map of a touch device. Returns how far the page scrolled, in CSS pixels, and the map's
 * hint.
 */
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
  // The hint is visible for 100 ms. Polling could miss it; an observer in the page does not.
  const hint = await screen.evaluateHandle((element) => {
    const seen = { shown: false };
    new MutationObserver(() => {
      seen.shown ||= element.classList.contains('maplibregl-show');
    }).observe(element, { attributes: true, attributeFilter: ['class'] });
    return seen;
  });
  const session = await context.newCDPSession(page);
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  for (let moved = 10; moved <= 120; moved += 10)
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x, y: y - moved }] });
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await page.waitForFunction(({ shown }) => shown, hint, patience);
  await page.waitForFunction((top) => window.scrollY > top + 50, before, patience);
  return { scrolled: (await page.evaluate(() => window.scrollY)) - before, said: await screen.innerText() };
}
