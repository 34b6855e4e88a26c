import { type Browser, chromium } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pressStrip } from '#shared/brand/variant.ts';
import { buildEntry, serveEntry } from '#test/support/buildEntry.ts';
import { chromiumArgs, findTestBrowser } from '#test/support/chromium.ts';
import { meets } from '#test/support/meets.ts';

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="32"><rect width="96" height="32"/></svg>';

let browser: Browser;
let script = '';

beforeAll(async () => {
  script = await buildEntry('test/support/logosEntry.tsx');
  browser = await chromium.launch({ executablePath: findTestBrowser(), args: chromiumArgs });
});
afterAll(() => browser.close());

test('a press or partner logo that doesn’t load is hidden, and with the last its title', async () => {
  meets('D.copy.12 D.copy.13 P2.variant.09 P2.variant.10');
  const page = await browser.newPage();
  await serveEntry(page, script, ({ pathname }) =>
    pathname.startsWith('/good-') ? { contentType: 'image/svg+xml', body: drawing } : null,
  );
  await page.goto('http://brand.example/');
  const some = page.locator('#some');
  await expect
    .poll(() =>
      some.getByRole('img').evaluateAll((images) => images.map((image) => image.getAttribute('alt'))),
    )
    .toEqual(['good-press', 'good-partner']);
  expect(await some.getByText(pressStrip.title, { exact: true }).isVisible()).toBe(true);
  const none = page.locator('#none');
  await expect.poll(() => none.locator('img').count()).toBe(0);
  expect(await none.getByText(pressStrip.title, { exact: true }).isVisible()).toBe(false);
  expect(await none.getByLabel('Partners').count()).toBe(0);
  await page.close();
});
