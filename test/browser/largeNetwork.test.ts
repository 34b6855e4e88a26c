import type { Page, Route } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  certifiedCount,
  fromYourLocation,
  mapCopy,
  network,
  recruitmentMap,
  sortedText,
} from '#shared/brand/map.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import {
  denver,
  mapPatience,
  middle,
  listNames,
  openMap,
  getPopup,
  sortFrom,
  startMap,
} from '#test/support/mapVisit.ts';
import { meets } from '#test/support/meets.ts';
import { waitUntil } from '#test/support/waitFor.ts';
import type { TestApp } from '#test/support/testApp.ts';

const total = 10_003;

// One site with more providers than a browser gets: two single, one without coordinates, all others around Denver.
let app: TestApp;
let single: number;
beforeAll(async () => {
  app = await browserApp();
  single = (await insertProvider(app.db, { practiceName: 'Middle Clinic', ...middle })).id;
  await insertProvider(app.db, { practiceName: 'Eastern Clinic', latitude: 40.75, longitude: -73.98 });
  await insertProvider(app.db, {
    practiceName: 'Nowhere Clinic',
    latitude: null,
    longitude: null,
    zipCode: '00000',
  });
  await app.sql`
    insert into providers (name, email, zip_code, status, latitude, longitude)
    select 'Mountain Clinic ' || n, 'clinic@example.com', '80202', 't', 39.5 + n % 100 / 200.0, -105.2 + n / 20000.0
    from generate_series(1, 10000) n`;
  await waitUntil(async () => (await app.get('/api/providers')).headers['x-total-count'] === String(total));
});
afterAll(() => app[Symbol.asyncDispose]());

/** Paths with queries of the API that the page asks for. */
function recordRequests(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (/^\/(api|trpc)\//.test(pathname)) asked.push(decodeURIComponent(pathname + search));
  });
  return asked;
}

async function clickMap(page: Page, offset: { x: number; y: number }): Promise<void> {
  const box = await page.locator('canvas').boundingBox();
  if (box === null) throw new Error('the map has no canvas');
  await page.mouse.click(box.x + box.width / 2 + offset.x, box.y + box.height / 2 + offset.y);
}

describe('the map of a large network', () => {
  test('asks only for what it shows, and lists the nearest to its middle', async () => {
    await using visitor = await visit(app);
    const { page } = visitor;
    const asked = recordRequests(page);
    await openMap(visitor);
    expect(asked.filter((path) => path.startsWith('/trpc/providers.inView')).length).toBe(1);
    await sortFrom(page, '67554');
    await page.getByText(network.list.nearest(100, total)).waitFor(patience);
    expect((await listNames(page))[0]).toBe('Middle Clinic');
    const lists = asked.filter((path) => path.startsWith('/api/providers'));
    expect(lists[0]).toBe('/api/providers');
    expect(lists.slice(1).every((path) => /\?near=[-\d.,]+&limit=100$/.test(path))).toBe(true);
    expect(await page.getByText(network.nearMePrivacy.largeNetwork).isVisible()).toBe(true);
    await visitor.expectAccessible();
  });

  test('opens the popup of a pin that the list may lack', async () => {
    await using visitor = await visit(app);
    const { page } = visitor;
    await openMap(visitor);
    await clickMap(page, { x: 0, y: -16 });
    await getPopup(page).getByText('Middle Clinic').waitFor(patience);
    await expect
      .poll(() => page.locator('[aria-current=true]').getAttribute('data-provider'), patience)
      .toBe(String(single));
  });

  test('zooms into a pressed cluster, and asks for providers there', async () => {
    await using visitor = await visit(app);
    const { page } = visitor;
    const asked = recordRequests(page);
    await openMap(visitor);
    // Denver is west of the middle: 256 px at zoom 4 are 22.5 degrees.
    await clickMap(page, { x: ((-104.95 - middle.longitude) * 256) / 22.5, y: 0 });
    await expect
      .poll(() => asked.filter((path) => path.includes('inView')).length, patience)
      .toBeGreaterThan(1);
    // What the list will have once there is an order.
    await expect
      .poll(() => asked.filter((path) => path.includes('?near=')).length, patience)
      .toBeGreaterThan(1);
    await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(mapPatience);
  });

  test('shows a listed provider, and keeps the focus and the list', async () => {
    await using visitor = await visit(app);
    const { page } = visitor;
    await openMap(visitor);
    await sortFrom(page, '67554');
    const button = page.getByRole('button', { name: `${network.list.showOnMap} Middle Clinic` });
    await button.focus();
    await page.keyboard.press('Enter');
    await getPopup(page).getByText('Middle Clinic').waitFor(patience);
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
    expect((await listNames(page))[0]).toBe('Middle Clinic');
  });

  test('sorts from the visitor’s location, which is in no request', async () => {
    meets('P2.map.06');
    await using visitor = await visit(app);
    const { page, context } = visitor;
    await context.grantPermissions(['geolocation']);
    await context.setGeolocation(denver);
    const sent: string[] = [];
    context.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
    await openMap(visitor);
    await page.getByRole('link', { name: mapCopy.nearMe }).click();
    const sorted = page.getByText(sortedText(fromYourLocation, null), { exact: false });
    await sorted.waitFor(patience);
    await expect.poll(async () => (await listNames(page))[0] ?? '', patience).toMatch(/^Mountain Clinic/);
    await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(mapPatience);
    expect(sent.filter((request) => request.includes('near='))).not.toEqual([]);
    expect(sent.filter((request) => /39\.73|104\.99/.test(request))).toEqual([]);
  });

  test('reports pins that fail to load, and the button retries', async () => {
    await using visitor = await visit(app, { expectedConsole: /Failed to load resource/ });
    const { page } = visitor;
    let respond = (route: Route): Promise<void> => route.fulfill({ status: 503, body: '{}' });
    await page.route('**/trpc/providers.inView*', (route) => respond(route));
    await page.goto('/map');
    await startMap(page);
    await page.getByText(network.failed).waitFor(mapPatience);
    // The map asks again by itself when it moves. Until the button is pressed, no answer arrives.
    const pressed = Promise.withResolvers<void>();
    respond = async (route) => {
      await pressed.promise;
      await route.continue();
    };
    await page.getByRole('button', { name: mapCopy.tryAgain }).click();
    pressed.resolve();
    await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(mapPatience);
    expect(await page.getByText(network.failed).count()).toBe(0);
  });
});

test('the recruitment map counts a large network and shows its clusters', async () => {
  await using visitor = await visit(app);
  const { page } = visitor;
  const asked = recordRequests(page);
  await page.goto('/clinics');
  await page.getByText(recruitmentMap.question).scrollIntoViewIfNeeded();
  await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(mapPatience);
  await page.getByText(certifiedCount(total)).waitFor(patience);
  await expect.poll(() => asked.filter((path) => path.includes('inView')).length, patience).toBe(1);
});
