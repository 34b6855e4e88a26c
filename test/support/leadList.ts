import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';
import type { LeadCreateInput } from '#shared/leads/leads.ts';
import { leadInput } from './factories.ts';
import { patience } from './browser.ts';
import type { TestApp } from './testApp.ts';

/** Sends a lead like a script and returns its id. */
export async function sendLead(
  app: TestApp,
  input: Partial<LeadCreateInput> = {},
  headers: Record<string, string> = {},
): Promise<number> {
  const answer = await app.post('/api/leads', leadInput(input), headers);
  expect(answer.status).toBe(201);
  const { id }: { id: number } = Object(answer.json());
  return id;
}

/** The rows of the table; on a phone, the cards. */
export const rows = (page: Page) => page.locator('[data-lead]');
export const row = (page: Page, id: number) => page.locator(`[data-lead="${id}"]`);
/** The link that opens a lead. */
export const getName = (page: Page, id: number) => row(page, id).getByRole('link', { name: /^Open / });

/** Sets a filter in the menu above the list. */
export async function addFilter(page: Page, filter: string, choice: string): Promise<void> {
  await page.getByRole('button', { name: 'Add filter' }).click(patience);
  for (const name of [filter, choice])
    await page.getByRole('option', { name: new RegExp(`^${name}`) }).click(patience);
}

/** The days of the list, in the menu above it. */
export async function openDays(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add filter' }).click(patience);
  await page.getByRole('option', { name: /^Date/ }).click(patience);
  return page.getByRole('dialog', { name: 'Date' });
}

/** Opens a view in the line above the list, or in its menu. `name` has the number: 'Quarantined 1'. */
export async function openView(page: Page, name: string, isInMenu = false): Promise<void> {
  const views = page.getByRole('navigation', { name: 'Views' });
  if (!isInMenu) return views.getByRole('link', { name, exact: true }).click(patience);
  await views.getByRole('button', { name: /^More/ }).click(patience);
  await page.getByRole('menuitem', { name, exact: true }).click(patience);
}

/** Chooses from the menu of a lead's row. */
export async function chooseInRow(page: Page, id: number, name: string): Promise<void> {
  await row(page, id)
    .getByRole('button', { name: /^More for / })
    .press('Enter', patience);
  await page.getByRole('menuitem', { name, exact: true }).press('Enter', patience);
}

export const toast = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });

/** Waits for a toast and points at it: its timer pauses, so its action can be used later. */
export async function keepToast(page: Page, text: string): Promise<void> {
  await toast(page, text).hover(patience);
}

export const isFocused = (element: Element) => element === document.activeElement;
