import type { Page } from 'playwright';

/**
 * The page's code starts after its first paint, later than `load`. Opening a page waits for it too, unless only
 * `commit` was requested. Other sites' pages are not waited for.
 */
export function waitForHydration(page: Page): void {
  const live = page.locator('html[data-live], html:not(:has(#boot))');
  const open = page.goto.bind(page);
  const openAgain = page.reload.bind(page);
  page.goto = async (url, options) => {
    const response = await open(url, options);
    if (options?.waitUntil !== 'commit') await live.waitFor({ state: 'attached' });
    return response;
  };
  page.reload = async (options) => {
    const response = await openAgain(options);
    if (options?.waitUntil !== 'commit') await live.waitFor({ state: 'attached' });
    return response;
  };
}
