import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { providerApplications } from '#server/db/schema/index.ts';
import { applicationConsent, applicationTexts } from '#shared/brand/application.ts';
import { leadFormTexts } from '#shared/brand/leadForm.ts';
import { messages } from '#shared/brand/messages.ts';
import { offerEndText, recruitmentCalls, specialOffer, timeLeftSentence } from '#shared/brand/recruitment.ts';
import { applicationConsentRequired } from '#shared/applications/applicationFields.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { applicationButton, applicationForm, fillApplication } from '#test/support/fillApplication.ts';
import { meets } from '#test/support/meets.ts';
import { reachCeiling } from '#test/support/reachCeiling.ts';
import type { TestApp } from '#test/support/testApp.ts';

// One site for all tests that only read it.
let plain: TestApp;
beforeAll(async () => {
  plain = await browserApp();
});
afterAll(() => plain[Symbol.asyncDispose]());

describe('the recruitment page', () => {
  test('has its sections, anchors and calls to action in order', async () => {
    meets(`
      D.routes.01 P1.what.04 P2.recruit.02 P2.recruit.03 P2.recruit.04 P2.recruit.21 P2.recruit.22
      P2.recruit.23 P2.recruit.24 P2.recruit.25 P2.recruit.26 P2.recruit.27 P2.recruit.28
      P2.recruit.29 P2.recruit.30 P2.recruit.31 P2.recruit.32
    `);
    await using visitor = await visit(plain);
    const { page } = visitor;
    await page.goto('/clinics');
    const expected = [
      'video-section',
      'key-points',
      'testimonials',
      'research',
      'provider-network',
      'what-is',
      'get-started',
      'special-offer',
      'faq',
      'provider-form',
    ];
    const anchors = await page
      .locator(expected.map((id) => `main #${id}`).join())
      .evaluateAll((elements) => elements.map((element) => element.id));
    expect(anchors).toEqual(expected);
    // Without a testimonial, its anchor leads to the section after it.
    expect(await page.locator('#testimonials').getByRole('region').getAttribute('id')).toBe('research');
    const hrefs = (name: string) =>
      page
        .getByRole('main')
        .getByRole('link', { name, exact: true })
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(await hrefs(recruitmentCalls.viewMap)).toEqual(['/map']);
    for (const name of [recruitmentCalls.become, recruitmentCalls.apply, recruitmentCalls.start])
      expect(new Set(await hrefs(name))).toEqual(new Set(['#provider-form']));
    await page.getByRole('main').getByRole('link', { name: recruitmentCalls.start }).click();
    await expect.poll(() => new URL(page.url()).hash, patience).toBe('#provider-form');
  });

  test('opens one answer at a time and closes it again', async () => {
    meets('P2.recruit.20');
    await using visitor = await visit(plain);
    const { page } = visitor;
    await page.goto('/clinics');
    const questions = page.locator('#faq [aria-expanded]');
    expect(await questions.count()).toBe(5);
    await questions.nth(1).click();
    await questions.nth(4).click();
    const open = () =>
      questions.evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-expanded')));
    await expect.poll(open).toEqual(['false', 'false', 'false', 'false', 'true']);
    await visitor.expectAccessible();
    await questions.nth(4).click();
    await expect.poll(open).not.toContain('true');
  });
});

describe('the countdown', () => {
  const shown = '[role=timer] strong';

  test('ticks every second, stops at zero and restarts with the next load', async () => {
    meets('P4.state.39 P4.state.41 P4.state.42 P9.const.11 D.copy.18 P2.recruit.19');
    await using visitor = await visit(plain);
    const { page } = visitor;
    await page.clock.install({ time: new Date('2027-01-01T00:00:00Z') });
    await page.goto('/clinics');
    await page.clock.pauseAt(new Date('2027-01-01T01:00:00Z'));
    const digits = async (): Promise<string> => (await page.locator(shown).allTextContents()).join(' ');
    const toSeconds = async (): Promise<number> => {
      const [days = 0, hours = 0, minutes = 0, seconds = 0] = (await digits()).split(' ').map(Number);
      return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
    };
    await expect.poll(toSeconds).toBeLessThan(1_295_992 - 3500);
    const before = await toSeconds();
    await page.clock.runFor(1000);
    await expect.poll(toSeconds).toBe(before - 1);
    await page.clock.runFor(60_000);
    await expect.poll(toSeconds).toBe(before - 61);
    await page.clock.fastForward(15 * 24 * 3_600_000);
    await expect.poll(digits).toBe('00 00 00 00');
    await page.clock.runFor(5000);
    await expect.poll(digits).toBe('00 00 00 00');
    expect(
      await page.locator('#special-offer').getByRole('link', { name: recruitmentCalls.apply }).isVisible(),
    ).toBe(true);
    await page.reload();
    await expect.poll(digits, patience).toMatch(/^14 23 59 5\d$/);
  });

  test('is not announced, and has the time left as a sentence', async () => {
    await using visitor = await visit(plain);
    const { page } = visitor;
    await page.goto('/clinics');
    const timer = page.getByRole('timer', { name: specialOffer.timerLabel });
    expect(await timer.getAttribute('aria-live')).toBe('off');
    expect(await timer.textContent()).toContain(timeLeftSentence(14, 23, 59));
  });

  test('to a real deadline uses the server’s clock; the offer hides at its end', async () => {
    meets('D.copy.19');
    const endsAt = new Date(Date.now() + 2 * 24 * 3_600_000);
    await using app = await browserApp({ env: { OFFER_ENDS_AT: endsAt.toISOString() } });
    await using visitor = await visit(app);
    const { page } = visitor;
    // This visitor's clock is ten days fast: by that clock, the offer is over.
    await page.clock.install({ time: new Date(Date.now() + 10 * 24 * 3_600_000) });
    await page.goto('/clinics');
    await expect.poll(() => page.locator(shown).first().textContent(), patience).toBe('01');
    await page.clock.fastForward(3 * 24 * 3_600_000);
    await page.getByRole('timer').waitFor({ state: 'detached' });
    expect(await page.locator('#special-offer').count()).toBe(1);
  });

  test('shows without scripts its start, or the date of a real deadline', async () => {
    meets('P4.state.38 P9.const.10 D.copy.18');
    await using visitor = await visit(plain, { javaScript: false });
    await visitor.page.goto('/clinics');
    expect(await visitor.page.locator(shown).allTextContents()).toEqual(['14', '23', '59', '52']);
    await using dated = await browserApp({ env: { OFFER_ENDS_AT: '2999-03-01T17:00:00Z' } });
    await using other = await visit(dated, { javaScript: false });
    await other.page.goto('/clinics');
    expect(await other.page.getByText(offerEndText('2999-03-01T17:00:00.000Z')).isVisible()).toBe(true);
    expect(await other.page.getByRole('timer').isVisible()).toBe(false);
  });
});

describe('the application with scripts', () => {
  test('is stored once, and the next steps replace the form and get the focus', async () => {
    await using app = await browserApp();
    await using visitor = await visit(app);
    const { page } = visitor;
    await page.goto('/clinics');
    const typed = await fillApplication(page, { message: 'One\nTwo' });
    await applicationButton(page).dblclick();
    const thanks = page.getByRole('heading', { name: applicationTexts.applied.title });
    await thanks.waitFor();
    await expect.poll(() => thanks.evaluate((heading) => heading === document.activeElement)).toBe(true);
    await page.locator('#provider-form').getByText(applicationTexts.applied.text).waitFor();
    await expect.poll(() => applicationForm(page).count(), patience).toBe(0);
    await visitor.expectAccessible();
    const rows = await app.db.select().from(providerApplications);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      email: typed.get('email'),
      message: 'One\nTwo',
      status: 'new',
      quarantineReason: null,
      consentVersion: applicationConsent.version,
    });
  });

  test('shows all messages, focuses the first, and an edit removes its message', async () => {
    await using app = await browserApp();
    await using visitor = await visit(app, { width: 360 });
    const { page } = visitor;
    await page.goto('/clinics');
    await applicationButton(page).click();
    for (const message of [
      'Practice name is required',
      'Your name is required',
      'Role or credential is required',
      'Email is required',
      'Phone number is required',
      'Zip code is required',
      applicationConsentRequired,
    ])
      await applicationForm(page).getByText(message).waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
      .toBe('practice_name');
    await visitor.expectAccessible();
    await applicationForm(page).locator('[name=role]').fill('Owner');
    await applicationForm(page).getByText('Role or credential is required').waitFor({ state: 'detached' });
    await applicationForm(page).locator('[name=website]').fill('not a site');
    await applicationButton(page).click();
    await applicationForm(page).getByText('Website must be a web address').waitFor();
    expect(await app.db.$count(providerApplications)).toBe(0);
  });

  test('keeps the typed values after a lost response, and a retry stores nothing twice', async () => {
    await using app = await browserApp();
    await using visitor = await visit(app, {
      expectedConsole: /ERR_FAILED|ERR_INTERNET_DISCONNECTED|Failed to submit the form: no response/,
    });
    const { page } = visitor;
    await page.goto('/clinics');
    const typed = await fillApplication(page);
    await page.route(
      '**/trpc/applications.create*',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await applicationButton(page).click();
    await page.getByRole('button', { name: applicationTexts.tryAgain }).waitFor();
    expect(await app.db.$count(providerApplications)).toBe(1);
    for (const [name, value] of typed)
      expect(await applicationForm(page).locator(`[name=${name}]`).inputValue()).toBe(value);
    await page.getByRole('button', { name: applicationTexts.tryAgain }).click();
    await page.getByRole('heading', { name: applicationTexts.applied.title }).waitFor();
    expect(await app.db.$count(providerApplications)).toBe(1);
  });

  test('reports a slow response and a lost network, and reduces a pasted ZIP', async () => {
    await using app = await browserApp();
    await using visitor = await visit(app);
    const { page, context } = visitor;
    await page.clock.install();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/clinics');
    await fillApplication(page);
    await page.evaluate(() => navigator.clipboard.writeText('Denver, CO 80202'));
    const zip = applicationForm(page).locator('[name=zip_code]');
    await zip.fill('');
    await zip.press('Control+V');
    await expect.poll(() => zip.inputValue(), patience).toBe('80202');
    await context.setOffline(true);
    await applicationForm(page).getByText(leadFormTexts.offlineNow).waitFor();
    await context.setOffline(false);
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/trpc/applications.create*', async (route) => {
      asked.resolve();
      await answer.promise;
      await route.continue();
    });
    await applicationButton(page).click();
    await page.clock.fastForward(4000);
    await asked.promise;
    await page.clock.fastForward(5000);
    await applicationForm(page).getByText(leadFormTexts.slow).waitFor();
    answer.resolve();
    await page.getByRole('heading', { name: applicationTexts.applied.title }).waitFor();
  });

  test('keeps the typed values without network, and its return clears the message', async () => {
    await using app = await browserApp();
    await using visitor = await visit(app);
    const { page, context } = visitor;
    await page.goto('/clinics');
    const typed = await fillApplication(page);
    await context.setOffline(true);
    await applicationForm(page).getByText(leadFormTexts.offlineNow).waitFor();
    await applicationButton(page).click();
    await page.getByRole('button', { name: applicationTexts.tryAgain }).waitFor();
    await page.getByRole('alert').getByText(applicationTexts.failure).waitFor();
    for (const [name, value] of typed)
      expect(await applicationForm(page).locator(`[name=${name}]`).inputValue()).toBe(value);
    await context.setOffline(false);
    await applicationForm(page).getByText(leadFormTexts.offlineNow).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: applicationTexts.submit }).click();
    await page.getByRole('heading', { name: applicationTexts.applied.title }).waitFor();
    expect(await app.db.$count(providerApplications)).toBe(1);
  });

  test('reports a missing response until the network returns', async () => {
    await using app = await browserApp();
    await using visitor = await visit(app, {
      expectedConsole: /ERR_FAILED|ERR_INTERNET_DISCONNECTED|Failed to submit the form: no response/,
    });
    const { page, context } = visitor;
    await page.goto('/clinics');
    await fillApplication(page);
    await page.route('**/trpc/applications.create*', (route) => route.abort());
    await applicationButton(page).click();
    await applicationForm(page).getByText(applicationTexts.offline).waitFor();
    await context.setOffline(true);
    await context.setOffline(false);
    await applicationForm(page).getByText(applicationTexts.offline).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: applicationTexts.submit }).waitFor();
    expect(await app.db.$count(providerApplications)).toBe(0);
  });

  test('shows the server’s message if it rejects the application', async () => {
    await using app = await browserApp({ env: { RATE_LIMIT_LEADS: '1/1h' } });
    await using visitor = await visit(app, { expectedConsole: /429/ });
    const { page } = visitor;
    await page.goto('/clinics');
    await fillApplication(page);
    await applicationButton(page).click();
    await page.getByRole('heading', { name: applicationTexts.applied.title }).waitFor();
    await reachCeiling(app);
    await page.getByRole('link', { name: applicationTexts.applied.again }).click();
    await fillApplication(page);
    await applicationButton(page).click();
    await applicationForm(page).getByText(messages.tooMany.submissions).waitFor();
    expect(await app.db.$count(providerApplications)).toBe(1);
  });
});

describe('the application without scripts', () => {
  test('is stored, and its page shows the next steps', async () => {
    await using app = await browserApp();
    await using visitor = await visit(app, { javaScript: false });
    const { page } = visitor;
    await page.goto('/clinics');
    const typed = await fillApplication(page);
    await applicationButton(page).click();
    await page.waitForURL('**/clinics?applied=true#provider-form');
    expect(await page.getByRole('heading', { name: applicationTexts.applied.title }).isVisible()).toBe(true);
    expect(await app.db.select().from(providerApplications)).toMatchObject([{ email: typed.get('email') }]);
    await page.getByRole('link', { name: applicationTexts.applied.again }).click();
    await applicationForm(page).waitFor();
  });

  test('shows the message for an invalid field and keeps the typed values', async () => {
    await using app = await browserApp();
    await using visitor = await visit(app, { javaScript: false, expectedConsole: /422/ });
    const { page } = visitor;
    await page.goto('/clinics');
    const typed = await fillApplication(page, { zip_code: '8020', message: 'One\nTwo' });
    await applicationButton(page).click();
    await page.locator('#field-zip_code-error').getByText('Please enter a valid 5-digit zip code').waitFor();
    for (const [name, value] of typed)
      expect(await applicationForm(page).locator(`[name=${name}]`).inputValue()).toBe(value);
    expect(await applicationForm(page).getByRole('checkbox').isChecked()).toBe(true);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
      .toBe('zip_code');
    expect(await app.db.$count(providerApplications)).toBe(0);
  });
});
