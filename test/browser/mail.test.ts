import { chromium, type Browser, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadBundle, mailRenderer } from '#server/render/bundle.ts';
import type { RenderMail } from '#shared/mail/mail.ts';
import { violationsOn, wcagTags } from '#test/support/accessibility.ts';
import { chromiumArgs, findTestBrowser } from '#test/support/chromium.ts';
import { longMailSamples, mailSamples } from '#test/support/mailSamples.ts';

const names = ['leadWelcome', 'leadNoProvider', 'providerLead', 'leadWithdrawn', 'leadErased'] as const;
type Scheme = 'light' | 'dark';
const views = [360, 600].flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => [width, scheme] as const),
);

let browser: Browser;
let renderMail: RenderMail;
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: findTestBrowser(), args: chromiumArgs });
  renderMail = mailRenderer(await loadBundle());
});
afterAll(() => browser.close());

interface View extends AsyncDisposable {
  /** Shows a message as a mail program does: without scripts, and with no other picture than the ones asked for. */
  show: (html: string) => Promise<Page>;
  asked: string[];
}

async function openView(width: number, scheme: Scheme): Promise<View> {
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
  return {
    asked,
    show: async (html) => {
      await page.setContent(html);
      return page;
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}

const readWidth = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

describe.each(views)('at %i px, %s', (width, scheme) => {
  let view: View;
  beforeAll(async () => {
    view = await openView(width, scheme);
  });
  afterAll(() => view[Symbol.asyncDispose]());

  test.each(names)('%s fits, is accessible, and loads nothing', async (name) => {
    const page = await view.show((await renderMail(name, mailSamples[name])).html);
    expect(await readWidth(page)).toBeLessThanOrEqual(width);
    expect(await violationsOn(page, wcagTags)).toEqual([]);
    expect(view.asked).toEqual([]);
  });

  test.each(names)('%s fits with long names', async (name) => {
    const page = await view.show((await renderMail(name, longMailSamples[name])).html);
    expect(await readWidth(page)).toBeLessThanOrEqual(width);
  });
});

test('the provider’s email begins with the call, and every button is large enough', async () => {
  const { html } = await renderMail('providerLead', mailSamples.providerLead);
  await using view = await openView(360, 'light');
  const page = await view.show(html);
  const links = page.getByRole('link');
  expect(await links.first().getAttribute('href')).toBe('tel:+13035550101');
  const call = await links.first().boundingBox();
  expect((call?.y ?? 1_000) + (call?.height ?? 0)).toBeLessThan(400);
  expect(call?.height).toBeGreaterThanOrEqual(48);
  for (const outcome of await page.locator('a[href*="/outcome/"]').all())
    expect((await outcome.boundingBox())?.height).toBeGreaterThanOrEqual(42);
});
