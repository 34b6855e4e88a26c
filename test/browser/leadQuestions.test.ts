import { expect, test } from 'vitest';
import type { Locator, Page } from 'playwright';
import { leadFormTexts } from '#shared/brand/leadForm.ts';
import { questions } from '#shared/brand/questions.ts';
import type { Answer } from '#shared/leads/answers.ts';
import type { PageFormKey } from '#shared/leads/leadForms.ts';
import { answerName, listOptions, type Question } from '#shared/leads/questions.ts';
import { leads } from '#server/db/schema/index.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { leadDetails } from '#test/support/factories.ts';
import { fillLeadForm, leadForm } from '#test/support/fillLeadForm.ts';
import { enterZip } from '#test/support/stepForm.ts';
import type { TestApp } from '#test/support/testApp.ts';

const asked: readonly Question[] = questions;
const typedText = 'Hike <b>again</b>';

function controls(page: Page, { id }: Question): Locator {
  return leadForm(page).locator(`[name="${answerName(id)}"]`);
}

/** Answers each question of a form with its last choice or a text, and returns what is stored of that. */
async function answerAll(page: Page, form: PageFormKey): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const question of asked.filter(({ forms }) => forms.includes(form))) {
    const { id, label } = question;
    if (question.kind === 'text') await leadForm(page).getByLabel(label).fill(typedText);
    const answer =
      question.kind === 'text' ? typedText : (listOptions(question, leadFormTexts.yesNo).at(-1)?.label ?? '');
    if (question.kind !== 'text') {
      const group = leadForm(page).getByRole('group', {
        name: `${label} ${leadFormTexts.optional}`,
        exact: true,
      });
      await group.getByRole('radio', { name: answer, exact: true }).check();
    }
    answers.push({ id, question: label, answer });
  }
  return answers;
}

/** What is chosen and typed, by control. */
function readAnswers(page: Page): Promise<Record<string, string>> {
  return leadForm(page).evaluate((form: HTMLFormElement) =>
    Object.fromEntries(
      [...new FormData(form)].flatMap(([name, value]) =>
        name.startsWith('answers[') && typeof value === 'string' && value !== '' ? [[name, value]] : [],
      ),
    ),
  );
}

/** The first step of a form has a button of its own. */
function sendForm(page: Page): Promise<void> {
  return leadForm(page).locator('[type=submit]:not([formnovalidate])').click();
}

async function readStored(app: TestApp): Promise<unknown[]> {
  return app.db.select({ answers: leads.answers }).from(leads).orderBy(leads.id);
}

test.each(['landing', 'quiz'] as const)('the form %s stores what was answered', async (form) => {
  await using app = await browserApp();
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto(form === 'quiz' ? '/start' : '/');
  if (form === 'quiz') await enterZip(page, '80202', form);
  expect(await readAnswers(page)).toEqual({});
  await fillLeadForm(page, form === 'quiz' ? leadDetails() : { zip_code: '80202', ...leadDetails() });
  const answers = await answerAll(page, form);
  await visitor.expectAccessible();
  const last = leadForm(page)
    .locator(`[name="${answerName(answers.at(-1)?.id ?? '')}"]`)
    .last();
  const below = leadForm(page).locator('[name=acceptance_consent]');
  expect((await last.boundingBox())?.y).toBeLessThan((await below.boundingBox())?.y ?? 0);
  await sendForm(page);
  await page.waitForURL('**/success?**');
  expect(await readStored(app)).toEqual([{ answers }]);
});

test('an answer is chosen, changed and cleared by keyboard and by pointer', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/');
  const question = asked.find(({ kind }) => kind === 'choice');
  if (question?.kind !== 'choice') throw new Error('the brand asks for no choice');
  const [first, second] = question.options;
  const radios = controls(page, question);
  await fillLeadForm(page, { zip_code: '80202', ...leadDetails() }, { consent: false });
  const name = answerName(question.id);
  await radios.first().focus();
  await page.keyboard.press('Space');
  expect(await readAnswers(page)).toMatchObject({ [name]: first?.value });
  await page.keyboard.press('ArrowRight');
  expect(await readAnswers(page)).toMatchObject({ [name]: second?.value });
  await page.keyboard.press('Space');
  expect(await readAnswers(page)).not.toHaveProperty([name]);
  const chip = leadForm(page).getByText(first?.label ?? '', { exact: true });
  const box = await radios.first().boundingBox();
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24);
  await chip.click({ force: true });
  expect(await readAnswers(page)).toMatchObject({ [name]: first?.value });
  await chip.click({ force: true });
  expect(await readAnswers(page)).not.toHaveProperty([name]);
  await radios.last().check({ force: true });
  await page.reload();
  await expect.poll(() => readAnswers(page), patience).toEqual({ [name]: question.options.at(-1)?.value });
});

test('without script the answers are posted, and shown again after an error', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app, { javaScript: false, expectedConsole: /422/ });
  const { page } = visitor;
  await page.goto('/');
  await fillLeadForm(page, { zip_code: '80202', ...leadDetails(), phone: '12' });
  const answers = await answerAll(page, 'landing');
  const entered = await readAnswers(page);
  await sendForm(page);
  await page.waitForURL('**/api/leads');
  expect(await readAnswers(page)).toEqual(entered);
  expect(await leadForm(page).getByRole('checkbox').isChecked()).toBe(true);
  await leadForm(page).locator('[name=phone]').fill(leadDetails().phone);
  await sendForm(page);
  await page.waitForURL('**/success?**');
  expect(await readStored(app)).toEqual([{ answers }]);
});
