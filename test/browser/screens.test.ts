import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserApp, patience, useBrowser, type Visit, visit } from '#test/support/browser.ts';
import { layoutShift, observeLayoutShift, shiftLayout } from '#test/support/layoutShift.ts';
import { insertProvider } from '#test/support/factories.ts';
import type { TestApp } from '#test/support/testApp.ts';
import { waitUntil } from '#test/support/waitFor.ts';

useBrowser();

const screens = [
  '/',
  '/homev2',
  '/start',
  '/find',
  '/clinics',
  '/clinics?applied=true',
  '/success?noProvider=true',
  '/success?providerId=1',
  '/success?providerId=999999',
  '/privacy',
  '/terms',
  '/map',
  '/refunds',
  '/no-such-page',
  '/?providerId=1',
  '/?providerId=999999',
];

/** What runs over the side of the window, and what is too small to be hit (WCAG 2.2 target size: 24 px at least, links inside sentences apart). */
const misfits = (page: Page) =>
  page.evaluate(() => ({
    scrolls: document.documentElement.scrollWidth > innerWidth,
    small: [...document.querySelectorAll('button, summary, input:not([type=hidden]), [role=slider]')]
      .filter((element) => element.checkVisibility() && element.closest('[aria-hidden=true]') === null)
      .map((element) => ({ html: element.outerHTML.slice(0, 80), box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width < 24 || box.height < 24)
      .map(({ html }) => html),
  }));

// One site for all, who only look at it.
let app: TestApp;
beforeAll(async () => {
  app = await browserApp();
  await insertProvider(app.db, { id: 1, practiceName: 'Screen Practice', acceptsFinancing: true });
  await waitUntil(async () => (await app.get('/?providerId=1')).status === 200, patience);
});
afterAll(() => app[Symbol.asyncDispose]());

describe('every screen', () => {
  // One browser profile for all: to make one costs more than to draw a screen. What a screen logs or asks fails the end, with its address.
  let visitor: Visit;
  beforeAll(async () => {
    visitor = await visit(app, { expectedConsole: /status of 404/ });
  });
  afterAll(() => visitor[Symbol.asyncDispose]());

  test.each(screens)('%s is accessible, fits at every width and requests no other host', async (screen) => {
    const { page } = visitor;
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(screen);
    if (screen === '/map') await page.locator('[data-map=drawn] [aria-busy=false]').waitFor();
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: width < 600 ? 740 : 900 });
      expect({ width, ...(await misfits(page)) }).toEqual({ width, scrolls: false, small: [] });
      await visitor.expectAccessible();
    }
    // What is loaded late would be asked, and say what is wrong, only now.
    await visitor.settled();
  });
});

test.each(['/', '/homev2', '/start', '/find'])('%s has no layout shift while it loads', async (path) => {
  for (const width of [360, 1280]) {
    await using visitor = await visit(app, { width });
    const { page } = visitor;
    await observeLayoutShift(page);
    await page.goto(path);
    await visitor.settled();
    expect(await layoutShift(page)).toBeLessThan(0.005);
    await shiftLayout(page);
    await expect.poll(() => layoutShift(page), patience).toBeGreaterThan(0.005);
  }
});

test('the banner and the calls to action link to the form', async () => {
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/?success=1&utm_source=test&error=2');
  await expect.poll(() => new URL(page.url()).search, patience).toBe('?utm_source=test');
  for (const name of ['Get Started Today!', 'Claim Your FREE Consult Now!', 'Find Out If You Qualify!']) {
    expect(await page.getByRole('link', { name }).first().getAttribute('href')).toBe('#provider-form');
  }
  await page.getByText('Increase Size!').first().click();
  await expect.poll(() => new URL(page.url()).hash, patience).toBe('#provider-form');
  for (const anchor of ['how-it-works', 'what-is', 'size-calculator', 'faq', 'provider-form'])
    expect(await page.locator(`#${anchor}`).count()).toBe(1);
});

test('every screen is readable without scripts', async () => {
  await using visitor = await visit(app, { javaScript: false, expectedConsole: /status of 404/ });
  const { page } = visitor;
  for (const [path, text] of [
    ['/', 'Free Consultation'],
    ['/homev2', 'Limited Spots Available!'],
    ['/start', 'Tell us about you:'],
    ['/find', 'Complete Your Information'],
    ['/success?providerId=1', 'Screen Practice'],
    ['/success?noProvider=true', 'No Provider Found Yet'],
    ['/clinics', 'Train & Get Certified'],
    ['/terms', 'February 2025'],
    ['/map', 'Provider Network'],
    ['/no-such-page', '404 Page Not Found'],
    ['/?providerId=999999', 'Provider not found'],
  ] as const) {
    await page.goto(path);
    expect(await page.getByText(text).first().isVisible()).toBe(true);
  }
});
