import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callToAction, studyNote } from '#shared/brand/calls.ts';
import { chrome } from '#shared/brand/chrome.ts';
import { hero, promoBanner } from '#shared/brand/hero.ts';
import { directory } from '#shared/brand/directory.ts';
import { closingBand } from '#shared/brand/landing.ts';
import { network } from '#shared/brand/map.ts';
import { messages } from '#shared/brand/messages.ts';
import { getStarted } from '#shared/brand/recruitment.ts';
import { stepForms } from '#shared/brand/stepForms.ts';
import { success } from '#shared/brand/success.ts';
import { comparison, variantForm } from '#shared/brand/variant.ts';
import { browserApp, patience, type Visit, visit } from '#test/support/browser.ts';
import { layoutShift, observeLayoutShift, shiftLayout } from '#test/support/layoutShift.ts';
import { insertProvider } from '#test/support/factories.ts';
import { readLook } from '#test/support/look.ts';
import { meets } from '#test/support/meets.ts';
import type { TestApp } from '#test/support/testApp.ts';
import { waitUntil } from '#test/support/waitFor.ts';

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
  '/study',
  '/privacy',
  '/terms',
  '/map',
  '/providers',
  '/providers/wa/seattle',
  '/refunds',
  '/no-such-page',
  '/?providerId=1',
  '/?providerId=999999',
];

/** Horizontal overflow, and targets that are too small (WCAG 2.2: at least 24 px, except links in sentences). */
const misfits = (page: Page) =>
  page.evaluate(() => ({
    scrolls: document.documentElement.scrollWidth > innerWidth,
    small: [...document.querySelectorAll('button, summary, input:not([type=hidden]), [role=slider]')]
      .filter((element) => element.checkVisibility() && element.closest('[aria-hidden=true]') === null)
      .map((element) => ({ html: element.outerHTML.slice(0, 80), box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width < 24 || box.height < 24)
      .map(({ html }) => html),
  }));

/** In CSS pixels. NaN without such an element, which meets no limit. */
async function heightOf(page: Page, selector: string): Promise<number> {
  return (await page.locator(selector).last().boundingBox())?.height ?? Number.NaN;
}

/** Where a form closes the page, it is on the one violet band. */
const closedByForm = ['/', '/clinics'];

// One site for all tests, which only read it.
let app: TestApp;
beforeAll(async () => {
  app = await browserApp();
  await insertProvider(app.db, {
    id: 1,
    practiceName: 'Screen Practice',
    address: '100 Sample Street, Seattle, WA',
    zipCode: '98101',
    acceptsFinancing: true,
  });
  await waitUntil(async () => (await app.get('/?providerId=1')).status === 200, patience);
});
afterAll(() => app[Symbol.asyncDispose]());

describe('every screen', () => {
  // One browser profile for all: creating one takes longer than rendering a screen. What a screen logs or requests
  // fails the end of the test.
  let visitor: Visit;
  beforeAll(async () => {
    visitor = await visit(app, { expectedConsole: /status of 404/ });
  });
  afterAll(() => visitor[Symbol.asyncDispose]());

  test.each(screens)('%s is accessible at every width and hydrates without warnings', async (screen) => {
    meets('D.people.05');
    const { page } = visitor;
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(screen);
    if (screen === '/map') await page.locator('[data-map=still]').waitFor();
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: width < 600 ? 740 : 900 });
      expect({ width, ...(await misfits(page)) }).toEqual({ width, scrolls: false, small: [] });
      expect(await heightOf(page, 'footer')).toBeLessThanOrEqual(900);
      await visitor.expectAccessible();
    }
    const { bands, ...plain } = await readLook(page);
    expect(plain).toEqual({ seen: true, decorated: [] });
    expect(closedByForm.includes(screen) ? [1] : [0, 1]).toContain(bands);
    // Late requests and errors appear only now.
    await visitor.settled();
  });
});

test('the landing page is short, and its first screen has the promise', async () => {
  await using visitor = await visit(app, { width: 360 });
  const { page } = visitor;
  await page.goto('/');
  const box = async (selector: string) =>
    (await page.locator(selector).first().boundingBox()) ?? { y: NaN, height: 0 };
  expect((await box('h1')).y).toBeLessThan(150);
  for (const control of ['#start-zip', 'form:has(#start-zip) a']) {
    const { y, height } = await box(control);
    expect(y + height).toBeLessThan(640);
    expect(height).toBeGreaterThanOrEqual(44);
  }
  // The whole page, with the contact fields still folded.
  expect(await heightOf(page, 'body')).toBeLessThanOrEqual(7_000);
  await page.setViewportSize({ width: 1280, height: 800 });
  expect((await box('h1')).y).toBeLessThan(150);
});

test.each(['/', '/homev2', '/clinics'])(
  '%s has its notes in the margin of wide screens only',
  async (path) => {
    await using visitor = await visit(app, { width: 1024 });
    const { page } = visitor;
    await page.goto(path);
    const noteText = studyNote.text;
    const places = () =>
      page.evaluate((text) => {
        const box = (element: Element | undefined | null) => element?.getBoundingClientRect();
        const [note, ...others] = [...document.querySelectorAll('main p')].filter((p) =>
          p.textContent?.includes(text),
        );
        const caption = document.querySelector('main figcaption');
        const spans = document.querySelector('main figure svg[height]');
        return {
          count: others.length + 1,
          note: box(note),
          beside: box(note?.closest('section')?.querySelector('ul, ol')),
          caption: box(caption),
          spans: box(spans),
        };
      }, noteText);
    const wide = await places();
    expect(wide.count).toBe(1);
    const isBeside = ({ note, beside }: typeof wide): boolean =>
      note !== undefined &&
      beside !== undefined &&
      (note.left >= beside.right || note.right <= beside.left) &&
      note.top < beside.bottom;
    expect(isBeside(wide)).toBe(true);
    expect(wide.caption?.left).toBeGreaterThanOrEqual(wide.spans?.right ?? NaN);
    await page.setViewportSize({ width: 1023, height: 800 });
    const narrow = await places();
    expect(isBeside(narrow)).toBe(false);
    expect(narrow.caption?.top).toBeGreaterThanOrEqual(narrow.spans?.bottom ?? NaN);
  },
);

test.each([
  ['/', closingBand.title],
  ['/homev2', comparison.title],
  ['/clinics', getStarted.title],
])('%s has a ruler whose ticks lead to its sections', async (path, title) => {
  await using visitor = await visit(app, { width: 1024 });
  const { page } = visitor;
  await page.goto(path);
  const ruler = page.getByRole('navigation', { name: chrome.ruler });
  const targets = await ruler
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')?.slice(1) ?? ''));
  expect(targets.length).toBeGreaterThan(3);
  for (const id of targets) expect(await page.locator(`[id='${id}']`).count()).toBe(1);
  const section = await page
    .getByRole('heading', { name: title })
    .evaluate((found) => found.closest('section')?.id);
  await ruler.locator(`a[href='#${section}']`).press('Enter');
  await expect.poll(() => page.getByRole('heading', { name: title }).isVisible(), patience).toBe(true);
  await expect.poll(() => new URL(page.url()).hash, patience).toBe(`#${section}`);
  await page.setViewportSize({ width: 1023, height: 800 });
  expect(await ruler.isVisible()).toBe(false);
});

/** Delays the page's font until text has been drawn without it for longer than a browser waits. */
async function delayFont(page: Page): Promise<void> {
  await page.route('**/*.woff2', async (route) => {
    await page.waitForFunction(() => {
      const [paint] = performance.getEntriesByType('paint');
      return paint !== undefined && performance.now() - paint.startTime > 500;
    });
    await route.continue();
  });
}

test.each(['/', '/homev2', '/start', '/find'])(
  '%s has no layout shift, also by a late font',
  async (path) => {
    for (const width of [360, 1280]) {
      await using visitor = await visit(app, { width });
      const { page } = visitor;
      await observeLayoutShift(page);
      await delayFont(page);
      await page.goto(path);
      await visitor.settled();
      expect(await layoutShift(page)).toBeLessThan(0.005);
      await shiftLayout(page);
      await expect.poll(() => layoutShift(page), patience).toBeGreaterThan(0.005);
    }
  },
);

test('the banner and the calls to action link to the form', async () => {
  meets(`
    P2.landing.01 P2.landing.02 P2.landing.03 P2.landing.04 P2.landing.05 P2.landing.08
    P2.landing.09 P2.cta.01 P2.cta.02 P2.cta.03
  `);
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/?success=1&utm_source=test&error=2');
  await expect.poll(() => new URL(page.url()).search, patience).toBe('?utm_source=test');
  for (const name of Object.values(callToAction)) {
    expect(await page.getByRole('link', { name }).first().getAttribute('href')).toBe('#provider-form');
  }
  await page.getByText(promoBanner.line).first().click();
  await expect.poll(() => new URL(page.url()).hash, patience).toBe('#provider-form');
  for (const anchor of ['how-it-works', 'what-is', 'size-calculator', 'faq', 'provider-form'])
    expect(await page.locator(`#${anchor}`).count()).toBe(1);
});

test('every screen shows its text without scripts', async () => {
  await using visitor = await visit(app, { javaScript: false, expectedConsole: /status of 404/ });
  const { page } = visitor;
  for (const [path, text] of [
    ['/', hero.title],
    ['/homev2', variantForm.banner],
    ['/start', stepForms.quiz.details.heading],
    ['/find', stepForms.find.details.heading],
    ['/success?providerId=1', 'Screen Practice'],
    ['/success?noProvider=true', success.noProvider.title],
    ['/clinics', getStarted.title],
    ['/terms', messages.lastUpdated],
    ['/map', network.title],
    ['/providers', directory.states],
    ['/no-such-page', messages.notFound.title],
    ['/?providerId=999999', messages.providerNotFound.title],
  ] as const) {
    await page.goto(path);
    expect(await page.getByText(text).first().isVisible()).toBe(true);
  }
});
