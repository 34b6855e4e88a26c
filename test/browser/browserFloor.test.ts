import { expect, test } from 'vitest';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { startMap } from '#test/support/mapVisit.ts';

/** What browsers have learned since those the code is built for (vite.config.ts). */
const learnedSince: Record<string, string[]> = {
  URL: ['parse', 'canParse'],
  Object: ['groupBy'],
  Map: ['groupBy'],
  Promise: ['withResolvers', 'try'],
  Array: ['fromAsync'],
};

test('pages and maps work in the oldest supported browser', async () => {
  await using app = await browserApp();
  await insertProvider(app.db, { id: 1, latitude: 39.7, longitude: -105 });
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.addInitScript((learned) => {
    for (const [owner, names] of Object.entries(learned))
      for (const name of names) Reflect.deleteProperty(Reflect.get(globalThis, owner), name);
  }, learnedSince);
  for (const path of ['/', '/homev2', '/start', '/find', '/clinics', '/terms']) {
    await page.goto(path);
    expect(await page.evaluate(() => typeof Reflect.get(URL, 'parse'))).toBe('undefined');
  }
  await page.goto('/map');
  await startMap(page);
  await expect.poll(() => page.locator('[data-map=drawn] [aria-busy=false]').count(), patience).toBe(1);
  await page.locator('#provider-list').getByRole('heading', { level: 3 }).first().waitFor();
});
