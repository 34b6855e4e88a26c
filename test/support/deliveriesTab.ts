import type { Page } from 'playwright';
import { expect } from 'vitest';

export const deliveriesPath = '/admin?tab=deliveries';

export const hourMs = 3_600_000;

export const rows = (page: Page) => page.locator('tr[data-delivery]');

export const toRow = (page: Page, name: string) => rows(page).filter({ hasText: name });

export const states = (page: Page) => rows(page).locator('td:has(svg)').allInnerTexts();

export const queue = (page: Page) => page.getByRole('region', { name: 'Queue' });

export const warning = (page: Page) => queue(page).locator('[aria-live]');

export const params = (page: Page) => new URL(page.url()).searchParams;

export async function expectNoSideways(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

/** The queue's figures by their names. */
export async function figures(page: Page): Promise<Record<string, string>> {
  const parts = await queue(page).locator('dl > div').all();
  const pairs = await Promise.all(
    parts.map(async (part) => [
      await part.locator('dt').innerText(),
      (await part.locator('dd').innerText()).replaceAll(/\s+/g, ' '),
    ]),
  );
  return Object.fromEntries(pairs) as Record<string, string>;
}
