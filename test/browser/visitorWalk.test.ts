import type { Locator } from 'playwright';
import { expect, test } from 'vitest';
import { callToAction } from '#shared/brand/calls.ts';
import { hero } from '#shared/brand/hero.ts';
import { leadFormTexts } from '#shared/brand/leadForm.ts';
import { success } from '#shared/brand/success.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { leadForm, submitButton } from '#test/support/fillLeadForm.ts';
import { layoutShift, observeLayoutShift } from '#test/support/layoutShift.ts';

/** Resolves once an element is seen whole, below the header. */
function waitInView(element: Locator): Promise<void> {
  const isInView = () =>
    element.evaluate((box) => {
      const { top, bottom } = box.getBoundingClientRect();
      const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
      return top >= header && bottom <= innerHeight;
    });
  return expect.poll(isInView, { ...patience, message: String(element) }).toBe(true);
}

test('on slow 4G at 360 px, eight taps lead from the ZIP to the call', async () => {
  await using app = await browserApp();
  const provider = await insertProvider(app.db, {
    practiceName: 'Near Practice',
    phone: '(303) 555-0142',
    zipCode: '80202',
  });
  await app.knows(provider);
  await using visitor = await visit(app, { width: 360, touch: true });
  const { page } = visitor;
  await observeLayoutShift(page);
  const network = await visitor.context.newCDPSession(page);
  const bytesPerSecond = 1_400_000 / 8;
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  const asked: string[] = [];
  page.on('request', (request) => {
    const [, procedure] = /\/trpc\/(leads\.create|providers\.get)\b/.exec(request.url()) ?? [];
    if (procedure !== undefined) asked.push(procedure);
  });
  let taps = 0;
  const tap = async (element: Locator): Promise<void> => {
    await waitInView(element);
    await element.tap();
    taps += 1;
  };
  const field = (name: string) => leadForm(page).locator(`[name=${name}]`);
  const next = async (name: string): Promise<void> => {
    await page.keyboard.press('Tab');
    taps += 1;
    await waitInView(field(name));
  };
  await page.goto('/');
  await tap(page.getByLabel(hero.zipLabel));
  await page.keyboard.type('80202');
  await tap(page.getByRole('link', { name: callToAction.start }).first());
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')), patience)
    .toBe('first_name');
  await waitInView(page.locator('[data-match=found]').filter({ hasText: 'Near Practice' }));
  await waitInView(field('first_name'));
  await page.keyboard.type('Marco');
  await next('last_name');
  await page.keyboard.type('Quill');
  await next('email');
  await page.keyboard.type('marco@example.com');
  await next('phone');
  await page.keyboard.type('3035550199');
  await leadForm(page)
    .getByText(leadFormTexts.caller({ clock: null, opening: null }).slice(0, 20))
    .waitFor(patience);
  // A thumb scrolls to what comes next.
  await leadForm(page).getByRole('checkbox').scrollIntoViewIfNeeded();
  expect(await layoutShift(page)).toBeLessThan(0.01);
  await tap(leadForm(page).getByRole('checkbox'));
  await submitButton(page).scrollIntoViewIfNeeded();
  await tap(submitButton(page));
  await page.waitForURL(`**/success?providerId=${provider.id}`);
  await waitInView(page.getByRole('link', { name: `${success.call} Near Practice` }));
  expect(taps).toBeLessThanOrEqual(8);
  // The browser knew the provider before it sent the lead.
  expect(asked).toEqual(['providers.get', 'leads.create']);
});
