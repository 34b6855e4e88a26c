import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leads } from '#server/db/schema/index.ts';
import { chrome, policyLabels } from '#shared/brand/chrome.ts';
import { averageGain, type Dimension, dimensions, sliders } from '#shared/brand/measures.ts';
import { messages } from '#shared/brand/messages.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import type { TestApp } from '#test/support/testApp.ts';

/** Presses Tab until an element of the selector has the focus. Fails if it is never reached. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)) return;
  }
  throw new Error(`Tab never reached ${selector}`);
}

// One site for all tests that only read it.
let app: TestApp;
beforeAll(async () => {
  app = await browserApp();
});
afterAll(() => app[Symbol.asyncDispose]());

test('the skip link moves the focus past the header', async () => {
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/');
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe('#main');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('header') === null)).toBe(true);
});

test('a button that gets the focus by keyboard keeps its round corners', async () => {
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/start');
  const button = page.locator('main button[type=submit]').first();
  const corners = () => button.evaluate((element) => getComputedStyle(element).borderRadius);
  const before = await corners();
  await tabTo(page, 'main button[type=submit]');
  expect(await corners()).toBe(before);
});

test('a lead can be sent with the keyboard only', async () => {
  await using own = await browserApp();
  const provider = await insertProvider(own.db, { zipCode: '80202' });
  await using visitor = await visit(own);
  const { page } = visitor;
  await page.goto('/');
  const { first_name, last_name, email, phone } = leadInput();
  await tabTo(page, 'form[data-lead-form] [name=zip_code]');
  await page.keyboard.type('80202');
  for (const value of [first_name, last_name, email, phone]) {
    await page.keyboard.press('Tab');
    await page.keyboard.type(value);
  }
  await tabTo(page, 'form[data-lead-form] [type=checkbox]');
  await page.keyboard.press('Space');
  await tabTo(page, 'form[data-lead-form] [type=submit]');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/success?providerId=${provider.id}`);
  expect(await own.db.$count(leads)).toBe(1);
});

test('the phone menu closes with Escape, which restores the focus, and on a choice', async () => {
  meets('P4.state.01 P2.nav.09 P2.nav.11');
  await using visitor = await visit(app, { width: 360 });
  const { page } = visitor;
  await page.goto('/');
  const toggle = page.getByRole('banner').locator('[aria-expanded]');
  await tabTo(page, 'header [aria-expanded]');
  await page.keyboard.press('Enter');
  await expect.poll(() => toggle.getAttribute('aria-expanded')).toBe('true');
  await page.getByRole('link', { name: chrome.nav.howItWorks }).first().waitFor();
  await visitor.expectAccessible();
  await page.keyboard.press('Escape');
  await expect.poll(() => toggle.getAttribute('aria-expanded')).toBe('false');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.hasAttribute('aria-expanded')))
    .toBe(true);
  await page.keyboard.press('Enter');
  await tabTo(page, 'header a[href$="#faq"]');
  await page.keyboard.press('Enter');
  await expect.poll(() => toggle.getAttribute('aria-expanded')).toBe('false');
  await expect.poll(() => new URL(page.url()).hash).toBe('#faq');
  const menu = page.getByRole('banner').getByRole('navigation');
  await menu.getByRole('link', { name: chrome.nav.faqs }).waitFor({ state: 'hidden', ...patience });
});

test('one answer of the FAQ is open at a time and can be closed', async () => {
  meets('P4.state.04 P4.state.05 P2.faq.08 P2.faq.09');
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/');
  const items = page.locator('#faq [id^="item-"]');
  expect(await items.count()).toBeGreaterThanOrEqual(5);
  const openCount = () =>
    page
      .locator('#faq')
      .evaluate((faq) => faq.querySelectorAll('details[open], [aria-expanded="true"]').length);
  const before = await openCount();
  expect(before).toBeLessThanOrEqual(1);
  const questions = page.locator('#faq summary, #faq [aria-expanded]');
  await questions.nth(1).focus();
  await page.keyboard.press('Enter');
  await expect.poll(openCount, patience).toBe(1);
  await questions.nth(3).focus();
  await page.keyboard.press('Space');
  await expect.poll(openCount, patience).toBe(1);
  await visitor.expectAccessible();
  await page.keyboard.press('Space');
  await expect.poll(openCount, patience).toBe(0);
});

test.each(Object.values(policyLabels))(
  '%s opens in a dialog; Escape closes it and restores the focus',
  async (name) => {
    meets('P4.state.02 P4.state.03 P2.footer.01 P2.footer.02 P2.footer.03 P2.footer.04');
    await using visitor = await visit(app);
    const { page } = visitor;
    await page.goto('/');
    const link = page.getByRole('contentinfo').getByRole('link', { name, exact: true }).first();
    await link.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name }).first().waitFor();
    expect(await dialog.evaluate((element) => element.matches(':modal'))).toBe(true);
    expect((await dialog.innerText()).length).toBeGreaterThan(500);
    await visitor.expectAccessible();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => link.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: messages.close }).first().click();
    await dialog.waitFor({ state: 'hidden' });
  },
);

test('the calculator’s sliders follow the keyboard and show projected values', async () => {
  meets('P4.state.07 D.people.02 P1.people.02 P2.calc.03 P2.calc.04');
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/');
  const calculator = page.locator('#size-calculator');
  const shows = async (text: string): Promise<void> => {
    await expect.poll(() => calculator.getByText(text).first().isVisible(), patience).toBe(true);
  };
  const projected = (dimension: Dimension, value: number) => (value + averageGain[dimension]).toFixed(2);
  for (const dimension of dimensions) await shows(projected(dimension, sliders[dimension].initial));
  for (const [at, dimension] of dimensions.entries()) {
    await calculator.getByRole('slider').nth(at).focus();
    await page.keyboard.press('Home');
    await shows(projected(dimension, sliders[dimension].min));
    await page.keyboard.press('End');
    await shows(projected(dimension, sliders[dimension].max));
    const exact = calculator.getByRole('spinbutton').nth(at);
    await exact.fill('5.3');
    await shows(projected(dimension, 5.3));
    // Off the scale, nothing changes.
    await exact.fill('93');
    await exact.blur();
    await expect.poll(() => exact.inputValue(), patience).toBe('5.3');
  }
});

test('a slider moved before its code is loaded keeps its value', async () => {
  await using visitor = await visit(app);
  const { page } = visitor;
  const { promise: moved, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/*.js', async (route) => {
    await moved;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'commit' });
  const slider = page.locator('#size-calculator').getByRole('slider').first();
  await slider.focus();
  await page.keyboard.press('Home');
  expect(await slider.getAttribute('aria-valuetext')).toContain(sliders[dimensions[0]].initial.toFixed(2));
  release();
  await expect
    .poll(() => slider.getAttribute('aria-valuetext'), patience)
    .toContain(sliders[dimensions[0]].min.toFixed(2));
});
