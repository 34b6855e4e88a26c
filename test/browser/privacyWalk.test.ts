import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adConsent } from '#shared/brand/consent.ts';
import { paths } from '#shared/pages/paths.ts';
import { adEnv, adHost, adProvider, consentBar, missingLogo } from '#test/support/adSite.ts';
import { browserApp, patience, type Visit, visit } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import type { TestApp } from '#test/support/testApp.ts';

const screens = [
  ...Object.values(paths),
  '/success?noProvider=true',
  '/success?providerId=1',
  '/success?providerId=999999',
  '/?providerId=1',
  '/?providerId=999999',
  '/no-such-page',
  '/withdraw/x',
  '/outcome/x',
];

let app: TestApp;
beforeAll(async () => {
  app = await browserApp({ env: adEnv });
  await insertProvider(app.db, adProvider);
  await app.knows(adHost);
});
afterAll(() => app[Symbol.asyncDispose]());

/** The page with the form, the confirmation, and the page that loads most. The choice changes these. */
const answeredScreens = [paths.home, paths.map, '/success?providerId=1'];

/**
 * Opens screens, three at a time, and scrolls to their end so that lazy parts load. `visit` fails on any foreign
 * request.
 */
async function see(
  { context, settled }: Visit,
  shown: readonly string[],
  isSeen: (page: Page) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const left = [...shown];
  const look = async (): Promise<void> => {
    const page = await context.newPage();
    for (let screen = left.shift(); screen !== undefined; screen = left.shift()) {
      await page.goto(screen);
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      await settled(page);
      await isSeen(page);
    }
    await page.close();
  };
  await Promise.all([look(), look(), look()]);
}

async function hasNoBar(page: Page): Promise<void> {
  expect([page.url(), await consentBar(page).count()]).toEqual([page.url(), 0]);
}

describe.each(['localhost', adHost])('on %s with ad ids', (host) => {
  test('no screen sends a request to another host without consent', async () => {
    meets('D.people.06 D.privacy.01 D.privacy.02 D.privacy.09');
    {
      await using visitor = await visit(app, { host, expectedConsole: missingLogo });
      // A provider's host redirects this one to the main site.
      const own = host === adHost ? screens.filter((screen) => screen !== paths.recruitment) : screens;
      await see(visitor, own);
      await visitor.page.goto('/');
      await consentBar(visitor.page).getByRole('button', { name: adConsent.decline }).click();
      await consentBar(visitor.page).waitFor({ state: 'detached', ...patience });
      await see(visitor, answeredScreens, hasNoBar);
    }
    for (const optOut of ['header', 'script'] as const) {
      await using visitor = await visit(app, { host, expectedConsole: missingLogo, optOut });
      await see(visitor, answeredScreens, hasNoBar);
    }
  });
});
