import { expect, test } from 'vitest';
import { browserApp, type Visit, visit } from './browser.ts';

test('a page that was returned has nothing of the earlier test', async () => {
  await using app = await browserApp();
  const earlier = await visit(app, { width: 777, cookie: 'kept=1' });
  const { page } = earlier;
  await page.goto('/privacy');
  await page.route('**/favicon.svg', (route) => route.abort());
  await page.evaluate(() => {
    localStorage.setItem('kept', '1');
    sessionStorage.setItem('kept', '1');
    document.cookie = 'written=1';
  });
  await page.setViewportSize({ width: 400, height: 300 });
  await earlier[Symbol.asyncDispose]();
  await using later = await visit(app, { width: 777 });
  expect(later.page).toBe(page);
  await page.goto('/privacy');
  const found = await page.evaluate(async () => ({
    stored: localStorage.getItem('kept') ?? sessionStorage.getItem('kept'),
    cookie: document.cookie,
    width: innerWidth,
    icon: (await fetch('/favicon.svg')).ok,
  }));
  expect(found).toEqual({ stored: null, cookie: '', width: 777, icon: true });
});

const changes: Record<string, (visited: Visit) => Promise<unknown>> = {
  clock: ({ page }) => page.clock.install(),
  listener: async ({ page }) => page.on('request', () => undefined),
  script: ({ page }) => page.addInitScript(() => undefined),
  media: ({ page }) => page.emulateMedia({ media: 'print' }),
  profile: ({ context }) => context.grantPermissions(['geolocation']),
  'second page': ({ page }) =>
    Promise.all([page.waitForEvent('popup'), page.evaluate(() => void open('/terms'))]),
};

test.each(Object.entries(changes))('a page is not used again after a change of its %s', async (_, change) => {
  await using app = await browserApp();
  const earlier = await visit(app, { width: 778 });
  const { page } = earlier;
  await page.goto('/privacy');
  await change(earlier);
  await earlier[Symbol.asyncDispose]();
  await using later = await visit(app, { width: 778 });
  expect(later.page).not.toBe(page);
});
