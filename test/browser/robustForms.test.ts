import { eq } from 'drizzle-orm';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leads } from '#server/db/schema/index.ts';
import { formCopy, leadFormTexts } from '#shared/brand/leadForm.ts';
import { microsite } from '#shared/brand/microsite.ts';
import { stepForms } from '#shared/brand/stepForms.ts';
import { success } from '#shared/brand/success.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { fillLeadForm, leadForm } from '#test/support/fillLeadForm.ts';
import { meets } from '#test/support/meets.ts';
import { enterZip, matchLine } from '#test/support/stepForm.ts';
import type { TestApp } from '#test/support/testApp.ts';
import { translatePage } from '#test/support/translatePage.ts';
import { waitUntil } from '#test/support/waitFor.ts';

/** Every lead form: its path, its button, and its steps if it has two. */
const forms = [
  { path: '/', submit: formCopy.submit, copy: formCopy, steps: null },
  { path: '/?providerId=1', submit: microsite.submit.qualify, copy: formCopy, steps: null },
  { path: '/start', submit: stepForms.quiz.submit, copy: stepForms.quiz, steps: 'quiz' },
  { path: '/find', submit: stepForms.find.submit, copy: stepForms.find, steps: 'find' },
] as const;
type Form = (typeof forms)[number];

async function fill(page: Page, { path, steps }: Form) {
  await page.goto(path);
  const { first_name, last_name, email, phone } = leadInput();
  const typed = { first_name, last_name, email, phone };
  if (steps === null) await fillLeadForm(page, { ...typed, zip_code: '80202' });
  else {
    await enterZip(page, '80202', steps);
    await matchLine(page, /./);
    await fillLeadForm(page, typed);
  }
  return typed;
}

function send(page: Page, { submit }: Form): Promise<void> {
  return leadForm(page).getByRole('button', { name: submit }).click();
}

async function expectTyped(page: Page, typed: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries({ ...typed, zip_code: '80202' }))
    expect(await page.locator(`[name=${name}]`).inputValue()).toBe(value);
}

// One site for all tests. Each creates its own person.
let app: TestApp;
beforeAll(async () => {
  app = await browserApp();
  await insertProvider(app.db, { id: 1, zipCode: '80202' });
  // The page is a 404 until the process is notified of the provider.
  await waitUntil(async () => (await app.get('/?providerId=1')).status === 200, patience);
});
afterAll(() => app[Symbol.asyncDispose]());

function listLeads({ email }: { email: string }): Promise<number> {
  return app.db.$count(leads, eq(leads.email, email));
}

describe.each(forms)('the form of $path', (form) => {
  test('reports a lost network, keeps the typed values and works after its return', async () => {
    meets('P4.state.19');
    await using visitor = await visit(app);
    const { page, context } = visitor;
    const typed = await fill(page, form);
    // The form asks for the ZIP's provider.
    await visitor.settled();
    await context.setOffline(true);
    await leadForm(page).getByText(leadFormTexts.offlineNow).waitFor();
    await send(page, form);
    await page.getByRole('button', { name: leadFormTexts.tryAgain }).waitFor();
    await page.getByRole('alert').getByText(form.copy.failure).waitFor();
    await expectTyped(page, typed);
    await context.setOffline(false);
    await leadForm(page).getByText(leadFormTexts.offlineNow).waitFor({ state: 'detached' });
    await send(page, form);
    await page.waitForURL('**/success?providerId=1');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await listLeads(typed)).toBe(1);
  });

  test('works while a page translator replaces every text', async () => {
    await using visitor = await visit(app, { expectedConsole: /ERR_FAILED|no response/ });
    const { page } = visitor;
    await page.goto(form.path);
    await calculatorLives(page);
    await translatePage(page);
    await leadForm(page).locator('[type=submit]:visible').click();
    await leadForm(page).locator('[aria-invalid=true]:visible').first().waitFor();
    await translatePage(page);
    const { first_name, last_name, email, phone } = leadInput();
    if (form.steps !== null) {
      await page.locator('[name=zip_code]').fill('80202');
      await translatePage(page);
      await leadForm(page).locator('[type=submit]:visible').click();
      await matchLine(page, /./);
      await translatePage(page);
    } else await page.locator('[name=zip_code]').fill('80202');
    await fillLeadForm(page, { first_name, last_name, email, phone });
    await translatePage(page);
    await page.route('**/trpc/leads.create*', (route) => route.abort(), { times: 1 });
    const button = leadForm(page).locator('[type=submit]:visible');
    await button.click();
    await leadForm(page).getByText(leadFormTexts.offline).waitFor();
    await translatePage(page);
    await button.click();
    await page.waitForURL('**/success?providerId=1');
    await page.getByRole('heading', { name: success.heading }).waitFor();
    expect(await listLeads({ email })).toBe(1);
  });

  test('reports a slow response and disables the button until it arrives', async () => {
    meets('P4.state.13 P4.state.14');
    await using visitor = await visit(app);
    const { page } = visitor;
    await page.clock.install();
    await fill(page, form);
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/trpc/leads.create*', async (route) => {
      asked.resolve();
      await answer.promise;
      await route.continue();
    });
    await send(page, form);
    const button = leadForm(page).locator('[type=submit]:visible');
    await expect.poll(() => button.isDisabled(), patience).toBe(true);
    expect(await button.innerText()).toBe(form.copy.submitting);
    await page.clock.fastForward(4000);
    await asked.promise;
    await page.clock.fastForward(5000);
    await leadForm(page).getByText(leadFormTexts.slow).waitFor();
    answer.resolve();
    await page.waitForURL('**/success?providerId=1');
  });

  test('is complete and its button enabled after going back from the confirmation', async () => {
    await using visitor = await visit(app);
    const { page } = visitor;
    const typed = await fill(page, form);
    await send(page, form);
    await page.getByRole('heading', { name: success.heading }).waitFor();
    await page.goBack();
    await expect.poll(() => page.locator('[name=email]').inputValue(), patience).toBe(typed.email);
    await expectTyped(page, typed);
    await expect
      .poll(() => leadForm(page).getByRole('checkbox', { includeHidden: true }).isChecked(), patience)
      .toBe(false);
    await expect.poll(() => leadForm(page).locator('[type=submit]:visible').isEnabled(), patience).toBe(true);
  });

  test('reduces a pasted text to the five digits of its ZIP', async () => {
    await using visitor = await visit(app);
    const { page, context } = visitor;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(form.path);
    const input = page.locator('[name=zip_code]');
    // Repeated, because pastes are handled only once the page is live.
    const paste = async (): Promise<string> => {
      await input.fill('');
      await page.keyboard.press('Control+V');
      return input.inputValue();
    };
    for (const [pasted, zip] of [
      [' 80202', '80202'],
      ['80203-1234', '80203'],
      ['Denver, CO 80204', '80204'],
    ] as const) {
      await page.evaluate((text) => navigator.clipboard.writeText(text), pasted);
      await expect.poll(paste, patience).toBe(zip);
    }
  });
});

/**
 * Waits until the calculator is live, if the page has one. Its code is loaded after the page's, and texts changed
 * before its hydration would be a mismatch.
 */
async function calculatorLives(page: Page): Promise<void> {
  const slider = page.locator('#size-calculator').getByRole('slider').first();
  if ((await slider.count()) === 0) return;
  const before = await slider.getAttribute('aria-valuetext');
  await slider.press('ArrowRight');
  await expect.poll(() => slider.getAttribute('aria-valuetext'), patience).not.toBe(before);
}
