import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { initialScripts } from '#test/bench/javascript.ts';
import { faq } from '#shared/brand/landing.ts';
import { fromYourLocation, mapCopy, network, sortedText } from '#shared/brand/map.ts';
import { stepForms } from '#shared/brand/stepForms.ts';
import { paths } from '#shared/pages/paths.ts';
import { browserApp, patience, type Visit, visit } from '#test/support/browser.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { fillLeadForm, leadForm, submitButton } from '#test/support/fillLeadForm.ts';
import { enterZip } from '#test/support/stepForm.ts';
import type { TestApp } from '#test/support/testApp.ts';

let app: TestApp;
beforeAll(async () => {
  app = await browserApp();
  await insertProvider(app.db, { id: 1, practiceName: 'Near Practice', zipCode: '80202' });
});
afterAll(() => app[Symbol.asyncDispose]());

const restCode = '**/assets/LandingRest-*.js';

/** Opens a page and touches nothing. */
async function openUntouched({ page }: Visit, path = '/'): Promise<void> {
  await page.goto(path, { waitUntil: 'commit' });
  await page.locator('html[data-live][data-waiting]').waitFor({ state: 'attached', ...patience });
}

/** Lets the matching code arrive when `release` is called. */
async function hold(page: Page, code: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(code, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

test.each([
  paths.home,
  paths.variant,
  paths.quiz,
  paths.find,
  paths.recruitment,
  paths.map,
  paths.study,
  '/?providerId=1',
])('an untouched %s loads its first code, a pointer the rest', async (path) => {
  await using visitor = await visit(app);
  const { page } = visitor;
  const loaded = new Set<string>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith('.js')) loaded.add(pathname);
  });
  await openUntouched(visitor, path);
  await visitor.settled();
  const { files } = await initialScripts(`${visitor.origin}${path}`);
  expect([...loaded].toSorted()).toEqual(files.toSorted());
  await page.mouse.move(200, 200);
  await page.locator('html:not([data-waiting])').waitFor({ state: 'attached', ...patience });
  expect(loaded.size).toBeGreaterThan(files.length);
});

test('a page that is loaded again has all its code, with what was typed', async () => {
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto(paths.quiz);
  await enterZip(page, '80202', 'quiz');
  await page.locator('[name=first_name]').fill('Ada');
  await page.reload({ waitUntil: 'commit' });
  await page.locator('html[data-live]:not([data-waiting])').waitFor({ state: 'attached', ...patience });
  await page.getByRole('heading', { name: stepForms.quiz.details.heading }).waitFor(patience);
  expect(await page.locator('[name=first_name]').inputValue()).toBe('Ada');
});

test('a first tap before the code arrives is repeated once it has', async () => {
  await using visitor = await visit(app, { touch: true, width: 390 });
  const { page, context } = visitor;
  await context.grantPermissions(['geolocation']);
  await context.setGeolocation({ latitude: 39.75, longitude: -104.99 });
  const release = await hold(page, '**/assets/MapPage-*.js');
  await openUntouched(visitor, paths.map);
  await page.getByRole('link', { name: mapCopy.nearMe }).tap();
  const sorted = page.getByText(sortedText(fromYourLocation, null));
  expect(await sorted.count()).toBe(0);
  release();
  await sorted.waitFor(patience);
});

test('a first tap without a location moves to the ZIP field, in view', async () => {
  await using visitor = await visit(app, { touch: true, width: 360 });
  const { page, context } = visitor;
  await context.clearPermissions();
  await openUntouched(visitor, paths.map);
  await page.getByRole('link', { name: mapCopy.nearMe }).tap();
  await expect.poll(() => page.evaluate(() => document.activeElement?.id), patience).toBe('map-zip');
  await visitor.settled();
  const isInView = () =>
    page.getByLabel(network.zip.label).evaluate((input) => {
      const { top, bottom } = input.getBoundingClientRect();
      const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? Infinity;
      return top >= header && bottom <= innerHeight;
    });
  await expect.poll(isInView, patience).toBe(true);
});

test.each([paths.variant, '/?providerId=1'])(
  'a first tap on a call leads to the first field of %s',
  async (path) => {
    await using visitor = await visit(app, { touch: true, width: 360 });
    const { page } = visitor;
    await openUntouched(visitor, path);
    const call = page.locator('main a[href="#provider-form"]:visible').first();
    await call.tap();
    const first = leadForm(page).locator('input[required]').first();
    const isShown = () =>
      first.evaluate((input) => {
        const { top, bottom } = input.getBoundingClientRect();
        return input === document.activeElement && top >= 0 && bottom <= innerHeight;
      });
    await expect.poll(isShown, patience).toBe(true);
  },
);

test('what is typed before the form’s code arrives stays, and its ZIP counts', async () => {
  await using visitor = await visit(app);
  const { page } = visitor;
  const release = await hold(page, restCode);
  await openUntouched(visitor);
  await leadForm(page).locator('[name=zip_code]').fill('80202');
  await leadForm(page).locator('[name=first_name]').pressSequentially('Ada');
  release();
  await leadForm(page).locator('[data-match=found]').getByText('Near Practice').waitFor(patience);
  const name = leadForm(page).locator('[name=first_name]');
  expect(await name.inputValue()).toBe('Ada');
  expect(await name.evaluate((input) => input === document.activeElement)).toBe(true);
});

test('a question clicked before its code arrives opens once it has, and only that one', async () => {
  await using visitor = await visit(app);
  const { page } = visitor;
  const release = await hold(page, restCode);
  await openUntouched(visitor);
  const question = page.getByRole('button', { name: faq.items[1].question });
  await question.click();
  expect(await question.getAttribute('aria-expanded')).toBe('false');
  release();
  await page.getByText(faq.items[1].answer[0]).waitFor(patience);
  expect(await page.locator('#faq [aria-expanded="true"]').allInnerTexts()).toEqual([faq.items[1].question]);
  await question.click();
  await expect.poll(() => question.getAttribute('aria-expanded')).toBe('false');
});

test('a form whose code can’t be loaded is sent by the browser', async () => {
  await using visitor = await visit(app, { expectedConsole: /Failed to load resource/ });
  const { page } = visitor;
  await page.route(restCode, (route) => route.abort());
  await openUntouched(visitor);
  const { first_name, last_name, email, phone } = leadInput();
  await fillLeadForm(page, { first_name, last_name, email, phone, zip_code: '80202' });
  await submitButton(page).click();
  await page.waitForURL('**/success*', patience);
  expect(await app.sql`select email from leads`).toEqual([{ email }]);
});
