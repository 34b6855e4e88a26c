import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { providers } from '#server/db/schema/index.ts';
import { fromYourLocation, mapCopy, network, sortedText, zipLabel } from '#shared/brand/map.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { insertProvider, providerRow } from '#test/support/factories.ts';
import {
  denver,
  followSkipLink,
  mapPatience,
  middle,
  listNames,
  openMap,
  getPopup,
  pressMiddle,
  sortFrom,
  threeProviders,
} from '#test/support/mapVisit.ts';
import { meets } from '#test/support/meets.ts';
import { swipeOver } from '#test/support/swipe.ts';
import type { TestApp } from '#test/support/testApp.ts';

/** The announcement up to the nearest provider's name. */
function sortedFrom(from: string, name: string): string {
  const text = sortedText(from, { name, miles: 1 });
  return text.slice(0, text.indexOf(name) + name.length);
}

/** By how many pixels the map's frame cuts off the popup. */
async function cutOff(page: Page): Promise<number> {
  const map = await page.locator('[data-map]').boundingBox();
  const popup = await getPopup(page).boundingBox();
  if (map === null || popup === null) return Infinity;
  const below = popup.y + popup.height - map.y - map.height;
  return Math.max(0, map.y - popup.y, below);
}

// One site for all tests that only read it.
let app: TestApp;
beforeAll(async () => {
  app = await browserApp({ env: { PROVIDER_SIGNUP_URL: 'https://join.example/now' } });
  await threeProviders(app);
});
afterAll(() => app[Symbol.asyncDispose]());

describe('the provider network', () => {
  test('shows states with counts at once, and loads a map only for who turns to it', async () => {
    await using visitor = await visit(app, { width: 360 });
    const { page, context } = visitor;
    const asked: string[] = [];
    context.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto('/map');
    await visitor.settled();
    const loads = (): string[] => asked.filter((path) => /ProviderMap|maplibre|basemap|^\/api\//.test(path));
    expect(loads()).toEqual([]);
    expect(await page.locator('[data-map=still] use').count()).toBe(4);
    const colorado = page.getByRole('link', { name: 'Colorado' });
    expect(await colorado.getAttribute('href')).toBe('/providers/co');
    await visitor.expectAccessible();
    const start = page.getByRole('button', { name: mapCopy.start });
    await start.focus();
    await page.keyboard.press('Enter');
    await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(mapPatience);
    expect(loads()).not.toEqual([]);
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('CANVAS');
  });

  test('a link with a ZIP in its fragment shows the nearest, with the rest folded', async () => {
    await using visitor = await visit(app, { width: 360 });
    const { page } = visitor;
    await page.goto('/map#zip=10016');
    await page.getByText(sortedFrom('10016', 'Eastern Clinic')).waitFor(patience);
    const items = page.locator('#provider-list [data-provider]');
    expect(await items.first().innerText()).toContain('Eastern Clinic');
    expect(await items.nth(1).isVisible()).toBe(false);
    await page.locator('#provider-list summary').click();
    const request = `${network.list.request} ${network.list.requestWith} Middle Clinic`;
    expect(await items.nth(1).getByRole('link', { name: request }).isVisible()).toBe(true);
    // On a phone, the list or the map.
    expect(await page.locator('[data-map]').isVisible()).toBe(false);
    await items
      .nth(1)
      .getByRole('button', { name: `${network.list.showOnMap} Middle Clinic` })
      .click();
    await getPopup(page).getByText('Middle Clinic').waitFor(patience);
    expect(await items.first().isVisible()).toBe(false);
    await page.getByRole('button', { name: network.view.list, exact: true }).click();
    await items.first().waitFor(patience);
    await page.evaluate(() => (location.hash = '#zip=80202'));
    await page.getByText(sortedFrom('80202', 'Alpine Clinic')).waitFor(patience);
    await visitor.expectAccessible();
  });

  test('has its title, links and buttons, a link past it, and a height for each width', async () => {
    meets(`
      P9.const.22 P2.nav.08 P2.map.01 P2.map.02 P2.map.03 P2.map.04 P2.map.07 P2.map.08 P2.map.22
      P2.map.23 P2.map.24
    `);
    await using visitor = await visit(app);
    await openMap(visitor);
    const { page } = visitor;
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe(network.title);
    const main = page.getByRole('main');
    const getHref = (name: string) => main.getByRole('link', { name }).getAttribute('href');
    expect([await getHref(network.findProvider), await getHref(network.becomeProvider)]).toEqual([
      '/',
      'https://join.example/now',
    ]);
    expect(await page.getByRole('banner').getByRole('navigation').count()).toBe(0);
    expect(await page.getByRole('button', { name: mapCopy.zoomIn }).isVisible()).toBe(true);
    expect(await page.getByText(network.nearMePrivacy.basemapOnly).isVisible()).toBe(true);
    expect(await page.getByText(mapCopy.cluster).isVisible()).toBe(true);
    expect(await listNames(page)).toEqual([]);
    const box = await page.locator('[data-map]').boundingBox();
    const button = await page.getByRole('button', { name: mapCopy.zoomOut }).boundingBox();
    if (box === null || button === null) throw new Error('map or button is not drawn');
    expect(box.x + box.width - (button.x + button.width)).toBeLessThan(40);
    expect(box.y + box.height - (button.y + button.height)).toBeLessThan(40);
    await followSkipLink(page);
    // The list scrolls with the page.
    const scrolls = await page
      .locator('#provider-list *')
      .evaluateAll(
        (elements) =>
          elements.filter(
            ({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 4 && clientHeight > 200,
          ).length,
      );
    expect(scrolls).toBe(0);
    for (const [width, height] of [
      [1280, 600],
      [768, 500],
      [360, 400],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      const map = () => page.locator('[data-map]').boundingBox();
      await expect.poll(async () => [width, (await map())?.height], patience).toEqual([width, height]);
    }
    // On a phone, the legend is below the map.
    await expect
      .poll(async () => {
        const map = await page.locator('[data-map]').boundingBox();
        const legend = await page.getByText(mapCopy.cluster).boundingBox();
        return (legend?.y ?? 0) >= (map?.y ?? Infinity) + (map?.height ?? 0);
      }, patience)
      .toBe(true);
  });

  test('opens a pin’s popup and marks the provider in the list until it is closed', async () => {
    meets('P9.const.14 P2.map.13 P2.map.15 P2.map.17 P2.map.18 P2.map.19 P2.map.20 P2.map.21');
    await using visitor = await visit(app);
    await openMap(visitor);
    const { page } = visitor;
    await pressMiddle(page);
    const popup = getPopup(page);
    await popup.waitFor(patience);
    for (const text of ['Middle Clinic', 'Middle Practice', '1 Middle Street'])
      expect(await popup.getByText(text).isVisible()).toBe(true);
    const link = popup.getByRole('link', { name: network.list.website });
    expect(await link.getAttribute('href')).toBe('https://middle.example.com/');
    expect(await link.getAttribute('rel')).toContain('noopener');
    await expect
      .poll(() => page.locator('[aria-current=true] h3').innerText(), patience)
      .toBe('Middle Clinic');
    await visitor.expectAccessible();
    await popup.getByRole('button', { name: mapCopy.closePopup }).click();
    await popup.waitFor({ state: 'detached', ...patience });
    await expect.poll(() => page.locator('li[aria-current=true]').count(), patience).toBe(0);
  });

  test('shows a listed provider by keyboard and keeps the focus in the list', async () => {
    await using visitor = await visit(app);
    await openMap(visitor);
    const { page } = visitor;
    await sortFrom(page, '10016');
    const button = page.getByRole('button', { name: `${network.list.showOnMap} Eastern Clinic` });
    await button.focus();
    await page.keyboard.press('Enter');
    await getPopup(page).getByText('Eastern Clinic').waitFor(patience);
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
    // Its record has a script for a website, which must not become a link.
    expect(await getPopup(page).getByRole('link', { name: network.list.website }).count()).toBe(0);
  });

  test('sorts the list from a ZIP, which gets a marker and is in no URL', async () => {
    await using visitor = await visit(app);
    const { page, context } = visitor;
    const addresses: string[] = [];
    context.on('request', (request) => addresses.push(request.url()));
    await openMap(visitor);
    await page.getByLabel(network.zip.label).fill('1001');
    await page.keyboard.press('Enter');
    await page.getByText(network.zip.invalid).waitFor(patience);
    await page.getByLabel(network.zip.label).fill('10016');
    await page.keyboard.press('Enter');
    await page.getByText(sortedFrom('10016', 'Eastern Clinic')).waitFor(patience);
    expect(await listNames(page)).toEqual(['Eastern Clinic', 'Middle Clinic', 'Alpine Clinic']);
    expect(await page.locator('.maplibregl-marker').innerText()).toBe(zipLabel('10016'));
    expect(addresses.filter((address) => address.includes('10016'))).toEqual([]);
    await visitor.expectAccessible();
  });

  test('forgets the order of the ZIP before an unknown one', async () => {
    await using visitor = await visit(app);
    const { page } = visitor;
    await openMap(visitor);
    await sortFrom(page, '10016');
    await page.getByLabel(network.zip.label).fill('00000');
    await page.keyboard.press('Enter');
    await page.getByText(network.zip.unknown).waitFor(patience);
    expect(await page.getByText(sortedText('10016', null)).count()).toBe(0);
    await expect.poll(() => listNames(page)).toEqual([]);
    expect(await page.locator('.maplibregl-marker').count()).toBe(0);
    const [error, field] = [page.getByText(network.zip.unknown), page.getByLabel(network.zip.label)];
    const [errorBox, fieldBox] = [await error.boundingBox(), await field.boundingBox()];
    expect(errorBox?.width).toBeGreaterThan(1.5 * (fieldBox?.width ?? Infinity));
  });

  test('offers a consultation with each provider, in the list and in the popup', async () => {
    await using offering = await browserApp({ env: { MAIN_DOMAINS: 'brand.example' } });
    const free = { acceptsFreeConsultation: true, acceptsFinancing: true };
    const { id } = await insertProvider(offering.db, {
      practiceName: 'Free Clinic',
      domain: null,
      ...middle,
      ...free,
    });
    // Farther away: only the nearest has a large card.
    const own = await insertProvider(offering.db, {
      ...{ practiceName: 'Own Clinic', domain: 'own.example', zipCode: '10016' },
    });
    await offering.knows('own.example');
    await using visitor = await visit(offering, { width: 360, host: 'brand.example' });
    const { page } = visitor;
    await openMap(visitor);
    await sortFrom(page, '80202');
    await page.locator('#provider-list summary').click();
    const card = page.locator(`[data-provider="${id}"]`);
    const request = `${network.list.request} ${network.list.requestWith} Free Clinic`;
    const form = `/?providerId=${id}#provider-form`;
    expect(await card.getByRole('link', { name: request }).getAttribute('href')).toBe(form);
    for (const tag of [network.list.freeConsultation, network.list.financing])
      await card.getByText(tag).waitFor(patience);
    const findHref = (name: string) =>
      page.getByRole('heading', { name }).getByRole('link').getAttribute('href');
    expect(await findHref('Free Clinic')).toMatch(new RegExp(`/[?]providerId=${id}$`));
    expect(await findHref('Own Clinic')).toMatch(/^https?:\/\/own\.example(:\d+)?\/$/);
    const other = page.locator(`[data-provider="${own.id}"]`);
    expect(await other.getByText(network.list.financing).count()).toBe(0);
    await card.getByRole('button', { name: network.list.showOnMap }).click();
    await getPopup(page).waitFor(patience);
    await expect.poll(() => cutOff(page), patience).toBe(0);
    const inPopup = getPopup(page).getByRole('link', { name: network.list.request });
    expect(await inPopup.getAttribute('href')).toBe(form);
    await visitor.expectAccessible();
    await inPopup.click();
    await page.waitForURL(`**${form}`);
    await page.getByText('Free Clinic').first().waitFor(patience);
  });

  test('moves on a phone so that the popup of a pressed pin is whole', async () => {
    await using visitor = await visit(app, { width: 360 });
    const { page } = visitor;
    await openMap(visitor);
    await page.locator('[data-map]').scrollIntoViewIfNeeded();
    await pressMiddle(page);
    await getPopup(page).getByText('Middle Clinic').waitFor(patience);
    await expect.poll(() => cutOff(page), patience).toBe(0);
  });

  test('asks for the location only on request, and sends it nowhere', async () => {
    meets('P2.map.06 P2.map.10');
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
    await page.getByRole('link', { name: mapCopy.nearMe }).click();
    await page.getByText(sortedFrom(fromYourLocation, 'Alpine Clinic')).waitFor(patience);
    // By distance: the names in order have the last two the other way round.
    await expect.poll(() => listNames(page)).toEqual(['Alpine Clinic', 'Middle Clinic', 'Eastern Clinic']);
    expect(await page.locator('.maplibregl-marker').innerText()).toBe(mapCopy.yourLocation);
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('provider-list');
    expect(sent.filter((request) => /39\.7|104\.9/.test(request))).toEqual([]);
  });

  test('moves the focus to the ZIP field if the location is refused, without a message', async () => {
    meets('P8.error.21');
    await using visitor = await visit(app);
    const { page, context } = visitor;
    await context.clearPermissions();
    await openMap(visitor);
    const logged = page.waitForEvent('console', (message) => message.text().startsWith('No location:'));
    await page.getByRole('link', { name: mapCopy.nearMe }).click();
    expect((await logged).type()).toBe('debug');
    expect(await page.getByRole('alert').count()).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('map-zip');
    expect(await listNames(page)).toEqual([]);
  });

  test('pages through a long list, each page from its title', async () => {
    await using crowded = await browserApp();
    const rows = Array.from({ length: 45 }, (_, at) =>
      providerRow({ zipCode: at === 0 ? '80202' : '60601' }),
    );
    await crowded.db.insert(providers).values(rows);
    await using visitor = await visit(crowded);
    const { page } = visitor;
    await openMap(visitor);
    await sortFrom(page, '80202');
    // Only what is shown is counted.
    await page.getByText('1 of 45').waitFor(patience);
    await page.getByText(network.list.far(44, 100)).click();
    await page.getByText('1–20 of 45').waitFor(patience);
    const next = page.getByRole('button', { name: network.list.next });
    await next.press('Enter');
    await page.getByText('21–40 of 45').waitFor(patience);
    const title = page.getByRole('heading', { name: network.list.title });
    await expect.poll(() => title.evaluate((element) => element === document.activeElement)).toBe(true);
    await next.focus();
    await next.press('Enter');
    await page.getByText('41–45 of 45').waitFor(patience);
    await next.press('Enter');
    expect(await page.getByText('41–45 of 45').isVisible()).toBe(true);
    await expect.poll(() => next.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test('scrolls the page with one finger on a phone and shows the hint to use two', async () => {
    await using visitor = await visit(app, { width: 360, touch: true });
    await openMap(visitor);
    const { scrolled, said } = await swipeOver(visitor, visitor.page.locator('[data-map]'));
    expect(scrolled).toBeGreaterThan(50);
    expect(said).toBe(mapCopy.twoFingers);
  });
});
