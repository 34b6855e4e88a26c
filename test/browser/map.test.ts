import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { providers } from '#server/db/schema/index.ts';
import { patience, useBrowser, visit, type Visit } from '#test/support/browser.ts';
import { clinicRow, insertClinic } from '#test/support/factories.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';
import { swipeOver } from '#test/support/swipe.ts';
import { startTiles } from '#test/support/tiles.ts';

useBrowser();

/** The middle of the map's first view: a pin there can be pressed without knowing how the map projects. */
const middle = { latitude: 39.83, longitude: -98.58 };
const denver = { latitude: 39.7392, longitude: -104.9903 };

/** Its megabyte of code and a first picture without a graphics card, while other tests run. */
const mapPatience = { timeout: 45_000 };

async function openMap({ page }: Visit): Promise<void> {
  await page.goto('/map');
  await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(mapPatience);
}

/** Presses the point a little above the map's middle, where the body of a pin stands whose tip is the middle. */
async function pressMiddle(page: Page): Promise<void> {
  const box = await page.locator('canvas').boundingBox();
  if (box === null) throw new Error('the map has no canvas');
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2 - 16);
}

/** How many colours there are in the map's lower left, where nothing lies over it: one is bare land. */
async function groundColours(page: Page): Promise<number> {
  const box = await page.locator('[data-map]').boundingBox();
  if (box === null) throw new Error('there is no map');
  const clip = { x: box.x + 20, y: box.y + box.height * 0.55, width: box.width * 0.4, height: 120 };
  const picture = (await page.screenshot({ clip })).toString('base64');
  return page.evaluate(async (address) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: image.width, height: image.height });
    const context = canvas.getContext('2d');
    context?.drawImage(image, 0, 0);
    const pixels = context?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    const colours = new Set<string>();
    for (let at = 0; at < pixels.length; at += 4) colours.add(pixels.slice(at, at + 3).join());
    return colours.size;
  }, `data:image/png;base64,${picture}`);
}

async function sortFrom(page: Page, zip: string): Promise<void> {
  await page.getByLabel('ZIP code').fill(zip);
  await page.keyboard.press('Enter');
  await page.getByText(`Sorted by distance from ${zip}.`).waitFor(patience);
}

const namesOf = (page: Page): Promise<string[]> => page.getByRole('listitem').locator('h3').allInnerTexts();
const popupOf = (page: Page) => page.locator('.maplibregl-popup');

async function threeClinics(app: TestApp): Promise<void> {
  await insertClinic(app.db, {
    name: 'Middle Clinic',
    practiceName: 'Middle Practice',
    website: 'middle.example.com',
    address: '1 Middle Street',
    ...middle,
  });
  await insertClinic(app.db, { name: 'Alpine Clinic', zipCode: '80202', ...denver });
  await insertClinic(app.db, { name: 'Eastern Clinic', zipCode: '10016', website: 'javascript:alert(1)' });
}

// One site for all who only look at it.
let app: TestApp;
beforeAll(async () => {
  app = await testApp({ env: { PROVIDER_SIGNUP_URL: 'https://join.example/now' } });
  await threeClinics(app);
});
afterAll(() => app[Symbol.asyncDispose]());

describe('the provider network', () => {
  test('asks for its clinics and its ground before its scripts do, and for each once', async () => {
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

  test('shows its title and links, no menu, and every clinic as a pin and in the list', async () => {
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

  test('a pin opens a popup and marks the clinic in the list until it is closed', async () => {
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
    expect(await page.locator('li[aria-current=true]').count()).toBe(0);
  });

  test('with the keyboard alone a clinic of the list is shown on the map, and the focus stays in the list', async () => {
    await using visitor = await visit(app);
    await openMap(visitor);
    const { page } = visitor;
    const button = page.getByRole('button', { name: 'Show on map Eastern Clinic' });
    await button.focus();
    await page.keyboard.press('Enter');
    await popupOf(page).getByText('Eastern Clinic').waitFor(patience);
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    // Its record holds a script for a website: no link is made of it.
    expect(await popupOf(page).getByRole('link').count()).toBe(0);
  });

  test('a ZIP code sorts the list by distance, marks the place, and never stands in an address', async () => {
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

  test('the location is asked for on the button alone, sorts the list, and leaves the browser in no request', async () => {
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

  test('a location that is refused changes nothing and says nothing', async () => {
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

  test('when the clinics can’t be had it says so, and asks again on the button', async () => {
    await using visitor = await visit(app, { expectedConsole: /Failed to load resource/ });
    const { page } = visitor;
    await page.route('**/api/providers', (route) => route.fulfill({ status: 503, body: '{}' }), { times: 1 });
    await page.goto('/map');
    await page.getByText('Failed to fetch active providers').waitFor(patience);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Alpine Clinic' }).waitFor(patience);
    expect(await page.getByText('Failed to fetch active providers').count()).toBe(0);
  });

  test('without WebGL a message stands in the map’s place and the list works', async () => {
    await using visitor = await visit(app);
    const { page } = visitor;
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
    });
    await page.goto('/map');
    await page.getByText('This browser can’t draw the map.').waitFor(patience);
    await expect
      .poll(() => namesOf(page), patience)
      .toEqual(['Alpine Clinic', 'Eastern Clinic', 'Middle Clinic']);
    await visitor.expectAccessible();
  });

  test('when WebGL is there for the probe and gone for the map, the message stands there and the list works', async () => {
    await using visitor = await visit(app);
    const { page } = visitor;
    await page.addInitScript(() => {
      const getContext = Reflect.get(HTMLCanvasElement.prototype, 'getContext');
      let isGone = false;
      Object.assign(HTMLCanvasElement.prototype, {
        getContext(this: HTMLCanvasElement, ...args: unknown[]): unknown {
          if (args[0] !== 'webgl2') return Reflect.apply(getContext, this, args);
          if (isGone) return null;
          isGone = true;
          return Reflect.apply(getContext, this, args);
        },
      });
    });
    await page.goto('/map');
    await page.getByText('This browser can’t draw the map.').waitFor(mapPatience);
    expect(await page.getByText('Loading providers...').count()).toBe(0);
    await expect
      .poll(() => namesOf(page), patience)
      .toEqual(['Alpine Clinic', 'Eastern Clinic', 'Middle Clinic']);
  });

  test.each([
    ['while the map is made', false],
    ['once it is made', true],
  ])(
    'when the drawing context is lost %s, the list works and the map can be tried again',
    async (_, later) => {
      await using visitor = await visit(app);
      const { page } = visitor;
      await page.addInitScript((isLater) => {
        const getContext = Reflect.get(HTMLCanvasElement.prototype, 'getContext');
        Object.assign(window, { losesContexts: true });
        Object.assign(HTMLCanvasElement.prototype, {
          getContext(this: HTMLCanvasElement, ...args: unknown[]): unknown {
            const context: unknown = Reflect.apply(getContext, this, args);
            if (context instanceof WebGL2RenderingContext && Reflect.get(window, 'losesContexts') === true) {
              const lose = (): void => context.getExtension('WEBGL_lose_context')?.loseContext();
              if (isLater) queueMicrotask(lose);
              else lose();
            }
            return context;
          },
        });
      }, later);
      await page.goto('/map');
      await page.getByText('The map couldn’t be loaded.').waitFor(mapPatience);
      await expect
        .poll(() => namesOf(page), patience)
        .toEqual(['Alpine Clinic', 'Eastern Clinic', 'Middle Clinic']);
      await page.evaluate(() => Object.assign(window, { losesContexts: false }));
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(mapPatience);
    },
  );

  test('when the map’s workers never answer, the wait ends with a message, the list works, and the next try has new ones', async () => {
    await using visitor = await visit(app);
    const { page } = visitor;
    let isHung = true;
    await page.context().route(/maplibre-gl-worker/, async (route) => {
      if (!isHung) await route.continue();
    });
    await page.clock.install();
    await page.goto('/map');
    await page.locator('canvas').waitFor({ state: 'attached', ...mapPatience });
    await page.clock.runFor(25_000);
    expect(await page.getByText('Loading providers...').count()).toBe(1);
    expect(await page.getByText('The map couldn’t be loaded.').count()).toBe(0);
    await page.clock.runFor(10_000);
    await page.getByText('The map couldn’t be loaded.').waitFor(patience);
    expect(await page.getByText('Loading providers...').count()).toBe(0);
    await expect
      .poll(() => namesOf(page), patience)
      .toEqual(['Alpine Clinic', 'Eastern Clinic', 'Middle Clinic']);
    // Those asked for so far go on hanging.
    isHung = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(mapPatience);
  });

  test('a list of many is turned page by page, and the focus stays on the button', async () => {
    await using crowded = await testApp();
    await crowded.db.insert(providers).values(Array.from({ length: 45 }, () => clinicRow()));
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
    expect(await next.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test('one finger on a phone scrolls the page over the map, and is told that two move the map', async () => {
    await using visitor = await visit(app, { width: 360, touch: true });
    await openMap(visitor);
    const { scrolled, said } = await swipeOver(visitor, visitor.page.locator('[data-map]'));
    expect(scrolled).toBeGreaterThan(50);
    expect(said).toBe('Two fingers move the map');
  });

  test('its height goes by the width of the window', async () => {
    await using visitor = await visit(app, { width: 360 });
    await openMap(visitor);
    for (const [width, height] of [
      [360, 400],
      [768, 500],
      [1280, 600],
    ] as const) {
      await visitor.page.setViewportSize({ width, height: 900 });
      const box = await visitor.page.locator('[data-map]').boundingBox();
      expect([width, box?.height]).toEqual([width, height]);
    }
  });
});

describe('the bare ground', () => {
  test('shows counties once the map is brought near, and loads nothing of them before', async () => {
    await using visitor = await visit(app);
    const { page, context } = visitor;
    const counties: string[] = [];
    context.on('request', (request) => {
      if (request.url().includes('countyLines')) counties.push(request.url());
    });
    await openMap(visitor);
    await page.waitForLoadState('networkidle');
    expect(counties).toEqual([]);
    await sortFrom(page, '80202');
    // Denver's state fills the map: no border of another is in view.
    await expect.poll(() => groundColours(page), mapPatience).toBeGreaterThan(5);
    expect(counties).toHaveLength(1);
  });

  test('goes on without counties when they can’t be had, and asks again', async () => {
    await using visitor = await visit(app, { expectedConsole: /Failed to load resource/ });
    const { page } = visitor;
    await page.route(/countyLines/, (route) => route.fulfill({ status: 503, body: '' }), { times: 1 });
    await openMap(visitor);
    const missed = page.waitForEvent('console', (message) => message.text().startsWith('No counties:'));
    await sortFrom(page, '80202');
    await missed;
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(() => groundColours(page), mapPatience).toBeGreaterThan(5);
  });
});

describe('street tiles', () => {
  test('are loaded from the configured server alone, with their attribution, against no rule of the page', async () => {
    await using tiles = await startTiles();
    await using site = await testApp({ env: { MAP_TILES_URL: tiles.url } });
    await threeClinics(site);
    await using visitor = await visit(site, { expectedHosts: [tiles.host] });
    const { page } = visitor;
    await openMap(visitor);
    await expect.poll(() => tiles.asked.length, patience).toBeGreaterThan(3);
    // The whole country at once is what street maps call zoom 4.
    expect(new Set(tiles.asked.map((path) => path.split('/')[1]))).toEqual(new Set(['4']));
    await page.getByRole('link', { name: 'OpenStreetMap' }).waitFor(patience);
    // Their server is told the area: the page claims no more than that the exact place is kept.
    expect(await page.getByText('Your location stays in this browser.').count()).toBe(0);
    await page.getByText('The server of the street map sees which area you look at.').waitFor(patience);
  });

  test('that fail are said to be away, and the map goes on without them', async () => {
    await using tiles = await startTiles({ status: 500 });
    await using site = await testApp({ env: { MAP_TILES_URL: tiles.url } });
    await threeClinics(site);
    await using visitor = await visit(site, {
      expectedHosts: [tiles.host],
      expectedConsole: /Failed to load resource/,
    });
    const { page } = visitor;
    await openMap(visitor);
    await page.getByText('Street detail can’t be loaded right now.').waitFor(patience);
    await pressMiddle(page);
    await expect.poll(() => popupOf(page).innerText(), patience).toContain('Middle Clinic');
    // A clinic is shown from where its state can be made out, as there are no streets to see from nearer.
    await page.getByRole('button', { name: 'Show on map Alpine Clinic' }).click();
    const zooms = (): number[] => tiles.asked.map((path) => Number(path.split('/')[1]));
    await expect.poll(() => Math.max(...zooms()), patience).toBeGreaterThan(4);
    await page.locator('.maplibregl-popup').getByText('Alpine Clinic').waitFor(patience);
    await page.locator('[data-map] [aria-busy=false]').waitFor(patience);
    expect(Math.max(...zooms())).toBe(7);
    await sortFrom(page, '80202');
    await expect.poll(() => groundColours(page), mapPatience).toBeGreaterThan(5);
  });

  test('are allowed by the policy of screens with a map and of no other', async () => {
    await using site = await testApp({ env: { MAP_TILES_URL: 'https://tiles.example/{z}/{x}/{y}.png' } });
    const policyOf = async (path: string): Promise<string> =>
      String((await site.get(path)).headers['content-security-policy']);
    expect(await policyOf('/map')).toContain("img-src 'self' data: https://tiles.example;");
    for (const path of ['/', '/privacy', '/success?noProvider=true', '/no-such-page'])
      expect(await policyOf(path)).not.toContain('tiles.example');
  });
});
