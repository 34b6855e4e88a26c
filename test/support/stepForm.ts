import type { Page } from 'playwright';

/** Types the ZIP into the first step of a two-step form and goes on. */
export async function enterZip(
  page: Page,
  zip: string,
  button: 'Continue' | 'Find Providers',
): Promise<void> {
  await page.locator('[name=zip_code]').fill(zip);
  await page.getByRole('button', { name: button }).click();
}

/** Resolves once the line beside the consent box says so. */
export function matchLine(page: Page, text: string | RegExp): Promise<void> {
  return page.locator('[data-match]').filter({ hasText: text }).waitFor();
}

/** The toast on the screen: its title and its sentence. */
export async function toast(page: Page, title: string, description: string): Promise<void> {
  const shown = page.getByRole('alert').filter({ hasText: title });
  await shown.waitFor();
  await shown.getByText(description, { exact: true }).waitFor();
}
