import type { BrowserContext, Page, Request } from 'playwright';

/** Far longer than any page needs to settle. */
const limitMs = 60_000;

/**
 * Follows the requests of a browser context. The result resolves once a page has none in progress and nothing left to
 * do.
 */
export function followRequests(context: BrowserContext): (page: Page) => Promise<void> {
  const inProgress = new Set<Request>();
  context.on('request', (request) => {
    // The dashboard's stream never ends.
    if (request.resourceType() !== 'eventsource') inProgress.add(request);
  });
  context.on('requestfinished', (request) => inProgress.delete(request));
  context.on('requestfailed', (request) => inProgress.delete(request));

  async function isQuiet(page: Page): Promise<boolean> {
    // With a timeout: a browser that draws nothing may never call back.
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 })));
    return ![...inProgress].some((request) => request.frame().page() === page);
  }

  return async function settle(page) {
    const endsAt = performance.now() + limitMs;
    // Twice: requests that the last response caused have started by the second time.
    while (!((await isQuiet(page)) && (await isQuiet(page))))
      if (performance.now() > endsAt) throw new Error(`${page.url()} does not settle`);
  };
}
