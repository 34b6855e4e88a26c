import { afterAll, beforeAll, expect, test } from 'vitest';
import { mapCopy, network, sortedText } from '#shared/brand/map.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { mapPatience, listNames, sortFrom, startMap, threeProviders } from '#test/support/mapVisit.ts';
import { meets } from '#test/support/meets.ts';
import type { TestApp } from '#test/support/testApp.ts';

// One site for all tests that only read it.
let app: TestApp;
beforeAll(async () => {
  app = await browserApp();
  await threeProviders(app);
});
afterAll(() => app[Symbol.asyncDispose]());

test('providers that fail to load are reported, and the button retries', async () => {
  meets('P8.error.14 P8.error.15');
  await using visitor = await visit(app, { expectedConsole: /Failed to load resource/ });
  const { page } = visitor;
  await page.route('**/api/providers', (route) => route.fulfill({ status: 503, body: '{}' }), { times: 1 });
  await page.goto('/map');
  await startMap(page);
  await page.getByText(network.failed).waitFor(patience);
  await page.getByRole('button', { name: mapCopy.tryAgain }).click();
  await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(mapPatience);
  await expect.poll(() => page.getByText(network.failed).count(), patience).toBe(0);
});

test('a ZIP code sent while another is looked up is looked up too, and wins', async () => {
  await using visitor = await visit(app);
  const { page } = visitor;
  const sent = Promise.withResolvers<void>();
  await page.route(
    '**/trpc/places.locateZip*',
    async (route) => {
      await sent.promise;
      await route.continue();
    },
    { times: 1 },
  );
  await page.goto('/map');
  const field = page.getByLabel(network.zip.label);
  await field.fill('10016');
  await field.press('Enter');
  await page.getByRole('button', { name: network.zip.searching }).waitFor();
  await field.fill('80202');
  await field.press('Enter');
  await page.getByText(sortedText('80202', null)).waitFor(patience);
  const late = page.waitForResponse(/locateZip/);
  sent.resolve();
  await late;
  await visitor.settled();
  expect(new URL(page.url()).hash).toBe('#zip=80202');
  await page.getByRole('button', { name: network.zip.submit }).waitFor();
});

test('without WebGL a message replaces the map and the list works', async () => {
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
  });
  await page.goto('/map');
  await sortFrom(page, '80202');
  await page.getByText(mapCopy.unsupported).waitFor(patience);
  await expect
    .poll(() => listNames(page), patience)
    .toEqual(['Alpine Clinic', 'Middle Clinic', 'Eastern Clinic']);
  await visitor.expectAccessible();
});

test('if WebGL works only for the probe, a message replaces the map', async () => {
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
  await sortFrom(page, '80202');
  await page.getByText(mapCopy.unsupported).waitFor(mapPatience);
  await expect.poll(() => page.getByText(network.loading).count(), patience).toBe(0);
  await expect
    .poll(() => listNames(page), patience)
    .toEqual(['Alpine Clinic', 'Middle Clinic', 'Eastern Clinic']);
});

test.each([
  ['during the start', false],
  ['after the start', true],
])('if the drawing context is lost %s, the list works and the map can be retried', async (_, later) => {
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
  await sortFrom(page, '80202');
  await page.getByText(mapCopy.failed).waitFor(mapPatience);
  await expect
    .poll(() => listNames(page), patience)
    .toEqual(['Alpine Clinic', 'Middle Clinic', 'Eastern Clinic']);
  await page.evaluate(() => Object.assign(window, { losesContexts: false }));
  await page.getByRole('button', { name: mapCopy.tryAgain }).click();
  await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(mapPatience);
});

test('if the map’s workers never respond, a message appears; a retry starts new ones', async () => {
  await using visitor = await visit(app);
  const { page } = visitor;
  let isHung = true;
  await visitor.context.route(/maplibre-gl-worker/, async (route) => {
    if (!isHung) await route.continue();
  });
  await page.clock.install();
  await page.goto('/map');
  await sortFrom(page, '80202');
  await page.locator('canvas').waitFor({ state: 'attached', ...mapPatience });
  // From here on only the test moves the clock.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
  await page.clock.runFor(20_000);
  expect(await page.getByText(network.loading).count()).toBe(1);
  expect(await page.getByText(mapCopy.failed).count()).toBe(0);
  await page.clock.runFor(15_000);
  await page.getByText(mapCopy.failed).waitFor(patience);
  await expect.poll(() => page.getByText(network.loading).count(), patience).toBe(0);
  await expect
    .poll(() => listNames(page), patience)
    .toEqual(['Alpine Clinic', 'Middle Clinic', 'Eastern Clinic']);
  // Earlier requests stay without a response.
  isHung = false;
  await page.clock.resume();
  await page.getByRole('button', { name: mapCopy.tryAgain }).click();
  await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(mapPatience);
});
