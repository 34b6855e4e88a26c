import type { Locator, Page } from 'playwright';
import type { LeadField } from '#shared/leads/leadFieldTable.ts';

/** The lead form of the open page. */
export function leadForm(page: Page): Locator {
  return page.locator('form[data-lead-form]');
}

/** Types into the given fields in order and checks the consent box. */
export async function fillLeadForm(
  page: Page,
  values: Partial<Record<LeadField, string>>,
  { consent = true } = {},
): Promise<void> {
  const form = leadForm(page);
  for (const [name, value] of Object.entries(values)) await form.locator(`[name=${name}]`).fill(value);
  if (consent) await form.getByRole('checkbox').check();
}

export function submitButton(page: Page): Locator {
  return leadForm(page).locator('[type=submit]');
}
