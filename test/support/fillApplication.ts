import type { Locator, Page } from 'playwright';
import { type ApplicationField, applicationFields } from '#shared/applications/applicationFields.ts';
import { applicationInput } from './applicationInput.ts';

/** The application form of the open page. */
export function applicationForm(page: Page): Locator {
  return page.locator('form[data-application-form]');
}

export function applicationButton(page: Page): Locator {
  return applicationForm(page).locator('[type=submit]');
}

/** Types the application of a fictional practice and checks the consent box. Returns the typed values. */
export async function fillApplication(
  page: Page,
  overrides: Partial<Record<ApplicationField, string>> = {},
): Promise<Map<ApplicationField, string>> {
  const input = applicationInput(overrides);
  const typed = new Map(applicationFields.map((name) => [name, String(input[name])]));
  const form = applicationForm(page);
  for (const [name, value] of typed) await form.locator(`[name=${name}]`).fill(value);
  await form.getByRole('checkbox').check();
  return typed;
}
