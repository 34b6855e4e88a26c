import { afterAll, beforeAll, expect, test } from 'vitest';
import { initialScripts } from '#test/bench/javascript.ts';
import { faq } from '#shared/brand/landing.ts';
import { browserApp, patience, type Visit, visit } from '#test/support/browser.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { fillLeadForm, leadForm, submitButton } from '#test/support/fillLeadForm.ts';
import type { TestApp } from '#test/support/testApp.ts';

let app: TestApp;
beforeAll(async () => {
  app = await browserApp();
  await insertProvider(app.db, { practiceName: 'Near Practice', zipCode: '80202' });
});
afterAll(() => app[Symbol.asyncDispose]());

const restCode = '**/assets/LandingRest-*.js';

/** Opens the landing page and touches nothing. */
async function openUntouched({ page }: Visit): Promise<void> {
  await page.goto('/', { waitUntil: 'commit' });
  await page.locator('html[data-live][data-waiting]').waitFor({ state: 'attached', ...patience });
}

test('an untouched landing page loads its first screen’s code, a pointer the rest', async () => {
  await using visitor = await visit(app);
  const { page } = visitor;
  const loaded = new Set<string>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith('.js')) loaded.add(pathname);
  });
  await openUntouched(visitor);
  await visitor.settled();
  const { files } = await initialScripts(`${visitor.origin}/`);
  expect([...loaded].toSorted()).toEqual(files.toSorted());
  await page.mouse.move(200, 200);
  await page.locator('html:not([data-waiting])').waitFor({ state: 'attached', ...patience });
  expect(loaded.size).toBeGreaterThan(files.length);
  const question = page.getByRole('button', { name: faq.items[0].question });
  await question.click();
  expect(await question.getAttribute('aria-expanded')).toBe('true');
});

test('what is typed before the form’s code arrives stays, and its ZIP counts', async () => {
  await using visitor = await visit(app);
  const { page } = visitor;
  const { promise: typed, resolve: release } = Promise.withResolvers<void>();
  await page.route(restCode, async (route) => {
    await typed;
    await route.continue();
  });
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
  const { promise: clicked, resolve: release } = Promise.withResolvers<void>();
  await page.route(restCode, async (route) => {
    await clicked;
    await route.continue();
  });
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
