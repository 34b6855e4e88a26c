import { type Browser, chromium } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explainer } from '#shared/brand/recruitment.ts';
import { buildEntry, serveEntry } from '#test/support/buildEntry.ts';
import { chromiumArgs, findTestBrowser } from '#test/support/chromium.ts';
import { meets } from '#test/support/meets.ts';

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="54"><rect width="96" height="54"/></svg>';

let browser: Browser;
let script = '';

beforeAll(async () => {
  script = await buildEntry('test/support/videoEntry.tsx');
  browser = await chromium.launch({ executablePath: findTestBrowser(), args: chromiumArgs });
});
afterAll(() => browser.close());

test('the video loads only after its button is pressed, gets focus and does not start', async () => {
  meets('P2.recruit.06 P2.recruit.08');
  const page = await browser.newPage();
  const asked = await serveEntry(page, script, ({ host }) =>
    host === 'player.example' ? { contentType: 'text/html', body: '<p>Player</p>' } : null,
  );
  await page.goto('http://brand.example/');
  const still = page.getByRole('link', { name: `${explainer.play} How it works` });
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
});

test('the picture of a video that fails to load is hidden, and the button stays', async () => {
  meets('D.copy.20');
  const page = await browser.newPage();
  const asked = await serveEntry(page, script, ({ pathname }) =>
    pathname === '/good.svg' ? { contentType: 'image/svg+xml', body: drawing } : null,
  );
  const still = page.getByRole('link', { name: `${explainer.play} How it works` });
  await page.goto('http://brand.example/?poster=/good.svg');
  await expect.poll(() => still.locator('img').count()).toBe(1);
  await page.goto('http://brand.example/?poster=/broken.jpg');
  await expect.poll(() => asked).toContain('http://brand.example/broken.jpg');
  await expect.poll(() => still.locator('img').count()).toBe(0);
  expect(await still.isVisible()).toBe(true);
  await page.close();
});
