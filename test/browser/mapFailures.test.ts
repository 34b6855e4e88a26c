import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserApp, patience, useBrowser, visit } from '#test/support/browser.ts';
import { mapPatience, namesOf, threeProviders } from '#test/support/mapVisit.ts';
import type { TestApp } from '#test/support/testApp.ts';

useBrowser();

// One site for all who only look at it.
let app: TestApp;
beforeAll(async () => {
  app = await browserApp();
  await threeProviders(app);
});
afterAll(() => app[Symbol.asyncDispose]());

test('providers that fail to load are reported, and a button requests them again', async () => {
  await using visitor = await visit(app, { expectedConsole: /Failed to load resource/ });
  const { page } = visitor;
  await page.route('**/api/providers', (route) => route.fulfill({ status: 503, body: '{}' }), { times: 1 });
  await page.goto('/map');
  await page.getByText('Failed to fetch active providers').waitFor(patience);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Alpine Clinic' }).waitFor(patience);
  await expect.poll(() => page.getByText('Failed to fetch active providers').count(), patience).toBe(0);
});

test('without WebGL, a message replaces the map and the list works', async () => {
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

test('WebGL that fails after the probe shows the message, and the list works', async () => {
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
  await expect.poll(() => page.getByText('Loading providers...').count(), patience).toBe(0);
  await expect
    .poll(() => namesOf(page), patience)
    .toEqual(['Alpine Clinic', 'Eastern Clinic', 'Middle Clinic']);
});

test.each([
  ['during creation', false],
  ['after creation', true],
])('after a context lost %s, the list works and the map can be retried', async (_, later) => {
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
});

test('map workers that never respond end in a message, and a retry uses new ones', async () => {
  await using visitor = await visit(app);
  const { page } = visitor;
  let isHung = true;
  await page.context().route(/maplibre-gl-worker/, async (route) => {
    if (!isHung) await route.continue();
  });
  await page.clock.install();
  await page.goto('/map');
  await page.locator('canvas').waitFor({ state: 'attached', ...mapPatience });
  // From here on only the test moves the clock.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
  await page.clock.runFor(20_000);
  expect(await page.getByText('Loading providers...').count()).toBe(1);
  expect(await page.getByText('The map couldn’t be loaded.').count()).toBe(0);
  await page.clock.runFor(15_000);
  await page.getByText('The map couldn’t be loaded.').waitFor(patience);
  await expect.poll(() => page.getByText('Loading providers...').count(), patience).toBe(0);
  await expect
    .poll(() => namesOf(page), patience)
    .toEqual(['Alpine Clinic', 'Eastern Clinic', 'Middle Clinic']);
  // Those asked for so far go on hanging.
  isHung = false;
  await page.clock.resume();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(mapPatience);
});
