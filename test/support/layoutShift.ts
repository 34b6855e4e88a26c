import type { Page } from 'playwright';

/** Sums the layout shifts that no visitor caused, from the page's start. Call it before opening the page. */
export async function observeLayoutShift(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.assign(window, { shift: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries().filter((shift) => Reflect.get(shift, 'hadRecentInput') !== true))
        Object.assign(window, { shift: Reflect.get(window, 'shift') + Reflect.get(entry, 'value') });
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** The sum so far, after the fonts loaded. */
export async function layoutShift(page: Page): Promise<number> {
  await page.evaluate(() => document.fonts.ready);
  return page.evaluate(() => Number(Reflect.get(window, 'shift')));
}

/** Moves the whole page down, which the observer reports as a shift. */
export async function shiftLayout(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.body.style.marginTop = '300px';
  });
}
