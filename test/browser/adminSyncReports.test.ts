import { expect, test } from 'vitest';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { feedRecord, wordpressFeed } from '#test/support/wordpressFeed.ts';

test('the sync button shows that a sync runs, then its success or its failure', async () => {
  await using feed = await wordpressFeed([feedRecord(1)]);
  await using app = await browserApp({ env: { WORDPRESS_URL: feed.url } });
  await using visitor = await visitAdmin(app, { expectedConsole: /Failed to load resource/ });
  const { page } = visitor;
  const button = page.getByRole('button', { name: 'Sync Providers' });
  const calls = /\/trpc\/sync\.run(\?|$)/;
  const busySeen = Promise.withResolvers<void>();
  await page.route(calls, async (route) => {
    await busySeen.promise;
    await route.continue();
  });
  await button.click();
  await page.getByRole('button', { name: 'Syncing...' }).waitFor(patience);
  busySeen.resolve();
  const done = page.getByRole('status').filter({ hasText: 'Successfully synced providers' });
  await done.waitFor(patience);
  expect(await done.innerText()).toMatch(/^Success\n+Successfully synced providers/);
  await page.unroute(calls);

  feed.instead = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<form>Log in</form>');
    return true;
  };
  const answered = page.waitForResponse(calls);
  await button.click();
  expect((await answered).status()).toBe(200);
  const alert = page.getByRole('alert');
  await alert.waitFor(patience);
  expect(await alert.innerText()).toMatch(/^Error\n+\S/);
  expect(await done.count()).toBe(0);

  await page.route(calls, (route) => route.abort());
  await button.click();
  await alert.getByText('Failed to sync providers', { exact: true }).waitFor(patience);
});
