import { afterAll, beforeAll, expect, test } from 'vitest';
import { chrome, policyLabels } from '#shared/brand/chrome.ts';
import { averageGain, dimensions, sliders } from '#shared/brand/measures.ts';
import { paths } from '#shared/pages/paths.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import type { TestApp } from '#test/support/testApp.ts';

// One site for all tests, which only read it.
let app: TestApp;
beforeAll(async () => {
  app = await browserApp();
  await app.knows(await insertProvider(app.db, { id: 1 }));
});
afterAll(() => app[Symbol.asyncDispose]());

test('the header stays in view while the page scrolls', async () => {
  meets('P2.nav.01');
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/');
  await page.mouse.wheel(0, 1500);
  await expect.poll(() => page.evaluate(() => scrollY), patience).toBeGreaterThan(1000);
  const header = page.getByRole('banner');
  await expect.poll(async () => (await header.boundingBox())?.y, patience).toBe(0);
  expect(await header.getByRole('link', { name: chrome.nav.faqs }).isVisible()).toBe(true);
});

test('on a phone the toggle opens the list of links and closes it again', async () => {
  meets('P2.nav.09 P2.nav.10');
  await using visitor = await visit(app, { width: 360 });
  const { page } = visitor;
  await page.goto('/');
  const menu = page.getByRole('banner').getByRole('navigation');
  const { howItWorks, results, faqs, providerMap, findProvider } = chrome.nav;
  const links = [howItWorks, results, faqs, providerMap, findProvider].map((name) =>
    menu.getByRole('link', { name, exact: true }),
  );
  for (const link of links) expect(await link.isVisible()).toBe(false);
  await page.getByRole('button', { name: chrome.nav.open }).click();
  for (const link of links) await link.waitFor(patience);
  await page.getByRole('button', { name: chrome.nav.close }).click();
  for (const link of links) await link.waitFor({ state: 'hidden', ...patience });
});

test('on a wide touch screen the links of footer, disclosure and header are 44 px high', async () => {
  await using visitor = await visit(app, { touch: true });
  const { page } = visitor;
  await page.goto('/');
  await page.getByRole('banner').getByRole('link', { name: chrome.nav.faqs }).waitFor(patience);
  const links = page.locator('header nav a, footer a, #provider-form a[target]');
  const heights = await links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().height));
  expect(heights.length).toBeGreaterThan(12);
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
});

test('the variant removes success and error from its address', async () => {
  meets('P2.landing.10');
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/homev2?success=1&utm_source=test&error=2');
  await expect.poll(() => new URL(page.url()).search, patience).toBe('?utm_source=test');
});

test.each([
  ['terms', paths.terms],
  ['privacy', paths.privacy],
  ['refunds', paths.refunds],
] as const)('the modal of %s has every paragraph of its page', async (policy, path) => {
  meets('P2.footer.05');
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto(path);
  const paragraphs = await page.getByRole('main').locator('p, section li').allInnerTexts();
  expect(paragraphs.length).toBeGreaterThan(2);
  await page.goto('/');
  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: policyLabels[policy], exact: true })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByText(paragraphs.at(-1) ?? '')
    .first()
    .waitFor(patience);
  const shown = await dialog.locator('p, li').allInnerTexts();
  expect(paragraphs.filter((text) => !shown.includes(text))).toEqual([]);
});

test('a key press moves a slider to the next point of its steps', async () => {
  meets('P5.valid.26 D.conformity.30');
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/');
  const calculator = page.locator('#size-calculator');
  const slider = calculator.getByRole('slider').first();
  const { min, step, initial } = sliders[dimensions[0]];
  const next = Math.floor(Number(((initial - min) / step).toFixed(6))) + 1;
  await slider.focus();
  for (const point of [next, next + 1]) {
    const value = min + point * step;
    await page.keyboard.press('ArrowRight');
    const projected = (value + averageGain[dimensions[0]]).toFixed(2);
    await expect.poll(() => slider.getAttribute('aria-valuetext'), patience).toContain(value.toFixed(2));
    await expect.poll(() => calculator.getByText(projected).first().isVisible(), patience).toBe(true);
  }
});

test.each([
  '/',
  '/homev2',
  '/start',
  '/find',
  '/clinics',
  '/map',
  '/privacy',
  '/microsite?providerId=1',
  '/success?providerId=1',
  '/success?noProvider=true',
])('%s never refreshes itself: an open page sends no request', async (path) => {
  meets('P7.call.49 D.conformity.33');
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.clock.install();
  await page.goto(path);
  await visitor.settled();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  for (let minutes = 0; minutes < 60; minutes += 10) await page.clock.fastForward('10:00');
  await page.evaluate(() => {
    for (const type of ['visibilitychange', 'focus', 'online']) window.dispatchEvent(new Event(type));
  });
  await visitor.settled();
  expect(asked).toEqual([]);
  // The list of requests works.
  await page.evaluate(() => fetch('/favicon.svg'));
  expect(asked).toHaveLength(1);
});
