import type { Page } from 'playwright';
import { expect } from 'vitest';

/**
 * Checks that a page doesn't scroll sideways, and that none of its texts and controls is cut at a side. What people don't
 * see is left out: a form has a field for bots.
 */
export async function expectNothingOffScreen(
  page: Page,
  selector = 'main :is(h1, h2, h3, p, li, dt, dd, a, button, input, label)',
): Promise<void> {
  const [scrolls, cut] = await page.evaluate(
    (selected) => [
      document.documentElement.scrollWidth > innerWidth,
      [...document.querySelectorAll(selected)]
        .filter((element) => element.checkVisibility({ visibilityProperty: true }))
        .filter((element) => element.closest('[aria-hidden=true]') === null)
        .filter((element) => {
          const { left, right, width } = element.getBoundingClientRect();
          return width > 1 && (left < -1 || right > innerWidth + 1);
        })
        .map((element) => element.outerHTML.slice(0, 120)),
    ],
    selector,
  );
  expect({ scrolls, cut }).toEqual({ scrolls: false, cut: [] });
}
