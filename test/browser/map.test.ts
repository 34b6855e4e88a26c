import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { providers } from '#server/db/schema/index.ts';
import { browserApp, patience, useBrowser, visit } from '#test/support/browser.ts';
import { providerRow } from '#test/support/factories.ts';
import { denver, namesOf, openMap, popupOf, pressMiddle, threeProviders } from '#test/support/mapVisit.ts';
import { swipeOver } from '#test/support/swipe.ts';
import type { TestApp } from '#test/support/testApp.ts';

useBrowser();

// One site for all who only look at it.
let app: TestApp;
beforeAll(async () => {
  app = await browserApp({ env: { PROVIDER_SIGNUP_URL: 'https://join.example/now' } });
  await threeProviders(app);
});
afterAll(() => app[Symbol.asyncDispose]());

describe('the provider network', () => {
  test('preloads its providers and basemap, and requests each once', async () => {
    await using visitor = await visit(app);
    const { page } = visitor;
    await openMap(visitor);
    const asked = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter((entry) => entry instanceof PerformanceResourceTiming)
        .map(({ name, initiatorType }) => [new URL(name).pathname, initiatorType]),
    );
    const initiators = (path: RegExp): unknown[] =>
      asked.filter(([name = '']) => path.test(name)).map(([, initiator]) => initiator);
    expect(initiators(/^\/api\/providers$/)).toEqual(['link']);
    expect(initiators(/basemap.*\.json$/)).toEqual(['link']);
  });

  test('shows title, links, every provider as a pin and in the list, and no menu', async () => {
    await using visitor = await visit(app);
    await openMap(visitor);
    const { page } = visitor;
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Provider Network');
    const main = page.getByRole('main');
    const hrefOf = (name: string) => main.getByRole('link', { name }).getAttribute('href');
    expect([await hrefOf('Find a Provider'), await hrefOf('Become a Provider')]).toEqual([
      '/',
      'https://join.example/now',
    ]);
    expect(await page.getByRole('banner').getByRole('navigation').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Zoom in' }).isVisible()).toBe(true);
    expect(await page.getByText('Your location stays in this browser.').isVisible()).toBe(true);
    expect(await page.getByText('Several close together').isVisible()).toBe(true);
    expect(await namesOf(page)).toEqual(['Alpine Clinic', 'Eastern Clinic', 'Middle Clinic']);
  });

  test('a pin opens a popup and marks its provider in the list until it closes', async () => {
    await using visitor = await visit(app);
    await openMap(visitor);
    const { page } = visitor;
    await pressMiddle(page);
    const popup = popupOf(page);
    await popup.waitFor(patience);
    for (const text of ['Middle Clinic', 'Middle Practice', '1 Middle Street'])
      expect(await popup.getByText(text).isVisible()).toBe(true);
    const link = popup.getByRole('link', { name: 'Website' });
    expect(await link.getAttribute('href')).toBe('https://middle.example.com/');
    expect(await link.getAttribute('rel')).toContain('noopener');
    await expect
      .poll(() => page.locator('[aria-current=true] h3').innerText(), patience)
      .toBe('Middle Clinic');
    await visitor.expectAccessible();
    await popup.getByRole('button', { name: 'Close' }).click();
    await popup.waitFor({ state: 'detached', ...patience });
    await expect.poll(() => page.locator('li[aria-current=true]').count(), patience).toBe(0);
  });

  test('the keyboard shows a provider on the map, and the focus stays in the list', async () => {
    await using visitor = await visit(app);
    await openMap(visitor);
    const { page } = visitor;
    const button = page.getByRole('button', { name: 'Show on map Eastern Clinic' });
    await button.focus();
    await page.keyboard.press('Enter');
    await popupOf(page).getByText('Eastern Clinic').waitFor(patience);
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
    // Its record holds a script for a website: no link is made of it.
    expect(await popupOf(page).getByRole('link').count()).toBe(0);
  });

  test('a ZIP code sorts the list by distance, marks the place, and is in no URL', async () => {
    await using visitor = await visit(app);
    const { page, context } = visitor;
    const addresses: string[] = [];
    context.on('request', (request) => addresses.push(request.url()));
    await openMap(visitor);
    await page.getByLabel('ZIP code').fill('1001');
    await page.keyboard.press('Enter');
    await page.getByText('Please enter a valid 5-digit zip code').waitFor(patience);
    await page.getByLabel('ZIP code').fill('10016');
    await page.keyboard.press('Enter');
    await page.getByText('Sorted by distance from 10016. Nearest: Eastern Clinic').waitFor(patience);
    expect(await namesOf(page)).toEqual(['Eastern Clinic', 'Middle Clinic', 'Alpine Clinic']);
    expect(await page.locator('.maplibregl-marker').innerText()).toBe('ZIP 10016');
    expect(addresses.filter((address) => address.includes('10016'))).toEqual([]);
    await visitor.expectAccessible();
  });

  test('the location is requested only by the button, sorts the list, and is not sent', async () => {
    await using visitor = await visit(app);
    const { page, context } = visitor;
    await context.grantPermissions(['geolocation']);
    await context.setGeolocation(denver);
    const sent: string[] = [];
    context.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
    await page.addInitScript(() => {
      const { geolocation } = navigator;
      const ask = geolocation.getCurrentPosition.bind(geolocation);
      Object.assign(window, { asked: 0 });
      geolocation.getCurrentPosition = (...args) => {
        Object.assign(window, { asked: Number(Reflect.get(window, 'asked')) + 1 });
        ask(...args);
      };
    });
    await openMap(visitor);
    expect(await page.evaluate(() => Number(Reflect.get(window, 'asked')))).toBe(0);
    await page.getByRole('link', { name: 'Find Providers Near Me' }).click();
    await page.getByText('Sorted by distance from your location. Nearest: Alpine Clinic').waitFor(patience);
    expect(await page.locator('.maplibregl-marker').innerText()).toBe('Your Location');
    expect(sent.filter((request) => /39\.7|104\.9/.test(request))).toEqual([]);
  });

  test('a denied location changes nothing and shows nothing', async () => {
    await using visitor = await visit(app);
    const { page, context } = visitor;
    await context.clearPermissions();
    await openMap(visitor);
    const logged = page.waitForEvent('console', (message) => message.text().startsWith('No location:'));
    await page.getByRole('link', { name: 'Find Providers Near Me' }).click();
    expect((await logged).type()).toBe('debug');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await namesOf(page)).toEqual(['Alpine Clinic', 'Eastern Clinic', 'Middle Clinic']);
  });

  test('a long list has pages, and the focus stays on the button', async () => {
    await using crowded = await browserApp();
    await crowded.db.insert(providers).values(Array.from({ length: 45 }, () => providerRow()));
    await using visitor = await visit(crowded);
    const { page } = visitor;
    await openMap(visitor);
    await page.getByText('1–20 of 45').waitFor(patience);
    const next = page.getByRole('button', { name: 'Next' });
    await next.press('Enter');
    await page.getByText('21–40 of 45').waitFor(patience);
    await next.press('Enter');
    await page.getByText('41–45 of 45').waitFor(patience);
    await next.press('Enter');
    expect(await page.getByText('41–45 of 45').isVisible()).toBe(true);
    await expect.poll(() => next.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test('one finger scrolls the page over the map and shows the two-finger hint', async () => {
    await using visitor = await visit(app, { width: 360, touch: true });
    await openMap(visitor);
    const { scrolled, said } = await swipeOver(visitor, visitor.page.locator('[data-map]'));
    expect(scrolled).toBeGreaterThan(50);
    expect(said).toBe('Two fingers move the map');
  });

  test('its height follows the window’s width', async () => {
    await using visitor = await visit(app, { width: 360 });
    await openMap(visitor);
    for (const [width, height] of [
      [360, 400],
      [768, 500],
      [1280, 600],
    ] as const) {
      await visitor.page.setViewportSize({ width, height: 900 });
      const box = () => visitor.page.locator('[data-map]').boundingBox();
      await expect.poll(async () => [width, (await box())?.height]).toEqual([width, height]);
    }
  });
});
