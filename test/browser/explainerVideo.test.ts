import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build } from 'vite';
import { chromiumArgs, findTestBrowser } from '#test/support/chromium.ts';

let browser: Browser;
let script = '';

beforeAll(async () => {
  const outDir = await mkdtemp(join(tmpdir(), 'explainer-video-'));
  try {
    const input = 'test/support/videoEntry.tsx';
    await build({
      logLevel: 'warn',
      build: { outDir, emptyOutDir: true, rolldownOptions: { input }, manifest: false },
    });
    const [file = ''] = (await readdir(join(outDir, 'assets'))).filter((name) => name.endsWith('.js'));
    script = await readFile(join(outDir, 'assets', file), 'utf8');
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
  browser = await chromium.launch({ executablePath: findTestBrowser(), args: chromiumArgs });
}, 120_000);
afterAll(() => browser.close());

test('the video loads only after its button is pressed, gets focus and does not start', async () => {
  const page = await browser.newPage();
  const asked: string[] = [];
  await page.route('**/*', (route) => {
    const { href, host, pathname } = new URL(route.request().url());
    asked.push(href);
    if (host === 'player.example') return route.fulfill({ contentType: 'text/html', body: '<p>Player</p>' });
    return pathname === '/entry.js'
      ? route.fulfill({ contentType: 'text/javascript', body: script })
      : route.fulfill({
          contentType: 'text/html',
          body: '<!doctype html><link rel="icon" href="data:,"><div id="root"></div><script type="module" src="/entry.js"></script>',
        });
  });
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
