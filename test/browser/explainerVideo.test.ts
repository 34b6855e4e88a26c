import { type Browser, chromium } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildEntry, serveEntry } from '#test/support/buildEntry.ts';
import { chromiumArgs, findTestBrowser } from '#test/support/chromium.ts';

let browser: Browser;
let script = '';

beforeAll(async () => {
  script = await buildEntry('test/support/videoEntry.tsx');
  browser = await chromium.launch({ executablePath: findTestBrowser(), args: chromiumArgs });
}, 120_000);
afterAll(() => browser.close());

test('the video loads only after its button is pressed, gets focus and does not start', async () => {
  const page = await browser.newPage();
  const asked = await serveEntry(page, script, ({ host }) =>
    host === 'player.example' ? { contentType: 'text/html', body: '<p>Player</p>' } : null,
  );
  await page.goto('http://brand.example/');
  const still = page.getByRole('link', { name: 'Play video: How it works' });
  await still.waitFor();
  expect(asked).toEqual(['http://brand.example/', 'http://brand.example/entry.js']);
  await still.press('Enter');
  await page.frameLocator('iframe').getByText('Player').waitFor();
  expect(asked.slice(2)).toEqual(['https://player.example/embed/1']);
  await expect.poll(() => new URL(page.url()).host).toBe('brand.example');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('title')))
    .toBe('How it works');
  expect(await page.locator('iframe').getAttribute('allow')).not.toContain('autoplay');
  await page.close();
}, 60_000);
