import type { Page } from 'playwright';

/**
 * The page's code starts after its first paint, later than `load`, and the code of its deferred parts once the
 * visitor does anything. Opening a page does, and waits for all of it, unless only `commit` was requested. Other sites'
 * pages are not waited for.
 */
export function waitForHydration(page: Page): void {
  const live = page.locator('html[data-live], html:not(:has(#boot))');
  const complete = page.locator('html:not([data-waiting])');
  const open = page.goto.bind(page);
  const openAgain = page.reload.bind(page);

  async function wait(): Promise<void> {
    await live.waitFor({ state: 'attached' });
    if ((await complete.count()) === 1) return;
    await page.evaluate(() => window.dispatchEvent(new Event('pointermove')));
    await complete.waitFor({ state: 'attached' });
  }

  page.goto = async (url, options) => {
    const response = await open(url, options);
    if (options?.waitUntil !== 'commit') await wait();
    return response;
  };
  page.reload = async (options) => {
    const response = await openAgain(options);
    if (options?.waitUntil !== 'commit') await wait();
    return response;
  };
}
