import type { BrowserContext, Page, Request } from 'playwright';

/** Far longer than any page needs: a page that has not settled by then never does. */
const limitMs = 60_000;

/**
 * Follows the requests of a browser context. The result resolves once a page has none in progress and nothing left to
 * do.
 */
export function followRequests(context: BrowserContext): (page: Page) => Promise<void> {
  const inProgress = new Set<Request>();
  context.on('request', (request) => inProgress.add(request));
  context.on('requestfinished', (request) => inProgress.delete(request));
  context.on('requestfailed', (request) => inProgress.delete(request));

  async function isQuiet(page: Page): Promise<boolean> {
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    return ![...inProgress].some((request) => request.frame().page() === page);
  }

  return async function settle(page) {
    const endsAt = performance.now() + limitMs;
    // Twice: what the last response made the page load has started by the second time.
    while (!((await isQuiet(page)) && (await isQuiet(page))))
      if (performance.now() > endsAt) throw new Error(`${page.url()} does not settle`);
  };
}
