import type { Page } from 'playwright';
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

export const rows = (page: Page) => page.locator('tr[data-lead]');
export const row = (page: Page, id: number) => page.locator(`tr[data-lead="${id}"]`);
/** The link that opens a lead. */
export const getName = (page: Page, id: number) => row(page, id).getByRole('link', { name: /^Open / });
export const toast = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });

/** Waits for a toast and points at it: its timer pauses, so its action can be used later. */
export async function keepToast(page: Page, text: string): Promise<void> {
  await toast(page, text).hover(patience);
}

export const isFocused = (element: Element) => element === document.activeElement;
