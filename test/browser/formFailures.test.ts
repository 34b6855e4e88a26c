import type { Page, Route } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formCopy, leadFormTexts } from '#shared/brand/leadForm.ts';
import { messages } from '#shared/brand/messages.ts';
import { stepForms } from '#shared/brand/stepForms.ts';
import type { StepFormKey } from '#shared/pages/brandContent.ts';
import { leadMessages } from '#shared/brand/leadMessages.ts';
import { browserApp, patience, type Visit, visit } from '#test/support/browser.ts';
import { toHue } from '#test/support/readColor.ts';
import { leadInput } from '#test/support/factories.ts';
import { fillLeadForm, leadForm } from '#test/support/fillLeadForm.ts';
import { meets } from '#test/support/meets.ts';
import { enterZip, toast } from '#test/support/stepForm.ts';
import type { TestApp } from '#test/support/testApp.ts';

let app: TestApp;
/** One browser profile for all failures, each in a tab of its own: creating a profile takes longer than the test. */
let visitor: Visit;
beforeAll(async () => {
  app = await browserApp();
  visitor = await visit(app, { expectedConsole: /./ });
});
afterAll(async () => {
  await visitor[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});

const problem = JSON.stringify({ error: 'A sentence for people.' });

type Failure = 'lost' | 'empty' | 'unreadable' | 'noSentence' | 'sentence' | 'errorPage';

const failures: Record<Failure, (route: Route) => Promise<void>> = {
  lost: (route) => route.abort(),
  empty: (route) => route.fulfill({ status: 200, body: '' }),
  unreadable: (route) => route.fulfill({ status: 200, body: '<html>' }),
  noSentence: (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }),
  sentence: (route) => route.fulfill({ status: 500, contentType: 'application/problem+json', body: problem }),
  errorPage: (route) => route.fulfill({ status: 502, body: `<html>${'x'.repeat(300)}` }),
};

const { first_name, last_name, email, phone } = leadInput();
const person = { first_name, last_name, email, phone };

async function fill(
  page: Page,
  form: StepFormKey | 'landing',
  values: Record<string, string>,
): Promise<void> {
  await page.goto(form === 'landing' ? '/' : form === 'quiz' ? '/start' : '/find');
  if (form === 'landing') await leadForm(page).locator('[name=zip_code]').fill('80202');
  else await enterZip(page, '80202', form);
  await fillLeadForm(page, values);
}

function submit(page: Page, form: StepFormKey | 'landing'): Promise<void> {
  const { submit: name } = form === 'landing' ? formCopy : stepForms[form];
  return leadForm(page).getByRole('button', { name }).click();
}

/** The first 200 characters of the message. */
const cutPage = `502: <html>${'x'.repeat(188)}…`;

const errorTexts: Record<Failure, string> = {
  lost: formCopy.failure,
  empty: messages.noData,
  unreadable: formCopy.failure,
  noSentence: '502: Bad Gateway',
  sentence: 'A sentence for people.',
  errorPage: cutPage,
};
const failureTexts: Record<Failure, string> = {
  lost: stepForms.find.failure,
  empty: stepForms.find.failure,
  unreadable: stepForms.find.failure,
  noSentence: stepForms.find.failure,
  sentence: 'A sentence for people.',
  errorPage: stepForms.find.failure,
};
const expectedTexts = { landing: errorTexts, quiz: errorTexts, find: failureTexts };

const cases = (['landing', 'quiz', 'find'] as const).flatMap((form) =>
  (Object.keys(failures) as Failure[]).map((failure) => [form, failure] as const),
);

test.each(cases)('%s: a failure (%s) shows its toast and is logged', async (form, failure) => {
  meets(`
    P4.state.18 P4.state.19 P8.error.01 P8.error.03 P8.error.04 P8.error.05 P8.error.06
    P8.error.10 P8.error.45
  `);
  const logged: string[] = [];
  const page = await visitor.context.newPage();
  page.on('console', (message) => {
    if (message.text().startsWith('Failed to submit')) logged.push(message.text());
  });
  await fill(page, form, person);
  await page.route('**/trpc/leads.create*', failures[failure]);
  await submit(page, form);
  const copy = form === 'landing' ? formCopy : stepForms[form];
  await toast(page, copy.failureTitle, expectedTexts[form][failure]);
  await page.getByRole('button', { name: leadFormTexts.tryAgain }).waitFor();
  expect(await page.locator('[name=email]').inputValue()).toBe(email);
  const reason = {
    lost: 'no response',
    empty: 'unusable response',
    unreadable: 'unusable response',
    noSentence: '502',
    sentence: '500',
    errorPage: '502',
  }[failure];
  await expect.poll(() => logged).toEqual([`Failed to submit the form: ${reason}`]);
  await page.close();
});

test('on a phone a toast does not repeat the field’s message and goes with it', async () => {
  await using mobile = await visit(app, { width: 360 });
  const { page } = mobile;
  await page.goto('/start');
  const { zipToast, consentToast, submit: label } = stepForms.quiz;
  await enterZip(page, '80', 'quiz');
  const shown = page.getByRole('alert').filter({ hasText: zipToast.title });
  await shown.waitFor();
  expect(await shown.getByText(zipToast.description).isVisible()).toBe(false);
  await leadForm(page).getByText(zipToast.description).waitFor();
  // At the bottom, where it covers neither the title nor the field, its message and the button.
  const toastBox = await shown.boundingBox();
  expect((toastBox?.y ?? 0) + (toastBox?.height ?? 0)).toBeGreaterThan(700);
  const next = page.getByRole('button', { name: stepForms.quiz.zip.next });
  const isClear = async (): Promise<boolean> => {
    const box = await next.boundingBox();
    return box !== null && box.y + box.height <= (toastBox?.y ?? 0);
  };
  await expect.poll(isClear, patience).toBe(true);
  // Its timer pauses.
  await shown.hover();
  await page.locator('[name=zip_code]').fill('80202');
  await shown.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: stepForms.quiz.zip.next }).click();
  await fillLeadForm(page, person, { consent: false });
  await page.getByRole('button', { name: label }).click();
  const missing = page.getByRole('alert').filter({ hasText: consentToast?.title ?? '' });
  await missing.waitFor();
  await leadForm(page).getByText(leadMessages.consentRequired).waitFor();
  await missing.hover();
  await leadForm(page).getByRole('checkbox').focus();
  await page.keyboard.press('Space');
  await missing.waitFor({ state: 'detached', ...patience });
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: label }).click();
  await missing.waitFor();
  await missing.hover();
  // The step with the ZIP has no box.
  await page.getByRole('button', { name: stepForms.quiz.details.back ?? '' }).click();
  await missing.waitFor({ state: 'detached', ...patience });
});

test('a toast is at most 420 px wide and disappears after five seconds', async () => {
  meets('P4.state.18 P8.error.01 P8.error.02 P8.error.07 P8.error.30 P9.const.24 P9.const.25');
  await using timed = await visit(app);
  const { page } = timed;
  await page.clock.install();
  await page.goto('/start');
  // The form’s code is loaded when the form is first touched.
  await enterZip(page, '', 'quiz');
  const shown = page.getByRole('alert').filter({ hasText: stepForms.quiz.zipToast.title });
  await shown.waitFor(patience);
  await shown.waitFor({ state: 'detached', ...patience });
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
  await enterZip(page, '', 'quiz');
  await expect
    .poll(async () => {
      await page.clock.runFor(20);
      return shown.count();
    }, patience)
    .toBe(1);
  expect(await toHue(shown, 'border-inline-start-color')).toBe('red');
  const box = await shown.boundingBox();
  expect(box?.width).toBeGreaterThan(300);
  expect(box?.width).toBeLessThanOrEqual(420);
  await page.clock.runFor(4_800);
  expect(await shown.count()).toBe(1);
  await page.clock.runFor(400);
  await shown.waitFor({ state: 'detached', ...patience });
});
