import { chromium, type Browser, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadBundle, mailRenderer } from '#server/render/bundle.ts';
import type { RenderMail } from '#shared/mail/mail.ts';
import { violationsOn, wcagTags } from '#test/support/accessibility.ts';
import { chromiumArgs, findTestBrowser } from '#test/support/chromium.ts';
import { longMailSamples, mailSamples } from '#test/support/mailSamples.ts';

const names = ['leadWelcome', 'leadNoProvider', 'providerLead', 'leadWithdrawn', 'leadErased'] as const;
type Scheme = 'light' | 'dark';
const cases = names.flatMap((name) =>
  [360, 600].flatMap((width) => (['light', 'dark'] as const).map((scheme) => [name, width, scheme] as const)),
);

let browser: Browser;
let renderMail: RenderMail;
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: findTestBrowser(), args: chromiumArgs });
  renderMail = mailRenderer(await loadBundle());
});
afterAll(() => browser.close());

/** A message as a mail program shows it: without scripts, and with no other picture than the ones asked for. */
async function opened(
  html: string,
  width: number,
  scheme: Scheme,
): Promise<{ page: Page; asked: string[]; close: () => Promise<void> }> {
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    colorScheme: scheme,
    isMobile: width < 600,
  });
  const asked: string[] = [];
  await context.route('**/*', (route) => {
    asked.push(route.request().url());
    return route.fulfill({ status: 204 });
  });
  const page = await context.newPage();
  await page.setContent(html);
  return { page, asked, close: () => context.close() };
}

describe.each(cases)('%s at %i px, %s', (name, width, scheme) => {
  test('fits, is accessible, and loads nothing', async () => {
    const { html } = await renderMail(name, mailSamples[name]);
    const { page, asked, close } = await opened(html, width, scheme);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(await violationsOn(page, wcagTags)).toEqual([]);
    expect(asked).toEqual([]);
    await close();
  });

  test('fits with long names', async () => {
    const { html } = await renderMail(name, longMailSamples[name]);
    const { page, close } = await opened(html, width, scheme);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await close();
  });
});

test('the provider’s email begins with the call, and every button is large enough', async () => {
  const { html } = await renderMail('providerLead', mailSamples.providerLead);
  const { page, close } = await opened(html, 360, 'light');
  const links = page.getByRole('link');
  expect(await links.first().getAttribute('href')).toBe('tel:+13035550101');
  const call = await links.first().boundingBox();
  expect((call?.y ?? 1_000) + (call?.height ?? 0)).toBeLessThan(400);
  expect(call?.height).toBeGreaterThanOrEqual(48);
  for (const outcome of await page.locator('a[href*="/outcome/"]').all())
    expect((await outcome.boundingBox())?.height).toBeGreaterThanOrEqual(42);
  await close();
});
