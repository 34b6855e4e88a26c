import type { Page } from 'playwright';
import { callToAction } from '#shared/brand/calls.ts';
import { hero } from '#shared/brand/hero.ts';
import { stepForms } from '#shared/brand/stepForms.ts';
import type { StepFormKey } from '#shared/pages/brandContent.ts';
import { leadDetails } from './factories.ts';
import { fillLeadForm } from './fillLeadForm.ts';

/** Types the ZIP into the first step of a two-step form and submits it. */
export async function enterZip(page: Page, zip: string, form: StepFormKey): Promise<void> {
  await page.locator('[name=zip_code]').fill(zip);
  await page.getByRole('button', { name: stepForms[form].zip.next }).click();
}

/** Sends a new person's request by the quiz. */
export async function sendQuiz(page: Page, zip: string): Promise<void> {
  await page.goto('/start');
  await enterZip(page, zip, 'quiz');
  await fillLeadForm(page, leadDetails());
  await page.getByRole('button', { name: stepForms.quiz.submit }).click();
}

/** Resolves once the line beside the consent box contains the text. */
export function matchLine(page: Page, text: string | RegExp): Promise<void> {
  return page.locator('[data-match]').filter({ hasText: text }).waitFor();
}

/** Resolves once a toast with this title and sentence is visible. */
export async function toast(page: Page, title: string, description: string): Promise<void> {
  const shown = page.getByRole('alert').filter({ hasText: title });
  await shown.waitFor();
  await shown.getByText(description, { exact: true }).waitFor();
}

/** The ZIP field of the hero. */
export function heroZip(page: Page) {
  return page.getByLabel(hero.zipLabel);
}

/** Presses the hero's button. */
export function start(page: Page): Promise<void> {
  return page.getByRole('link', { name: callToAction.start }).first().click();
}
