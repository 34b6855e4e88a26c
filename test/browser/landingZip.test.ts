import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { callToAction } from '#shared/brand/calls.ts';
import { matchPreviewTexts } from '#shared/brand/matchPreview.ts';
import { stepForms } from '#shared/brand/stepForms.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { leadForm, submitButton } from '#test/support/fillLeadForm.ts';
import { meets } from '#test/support/meets.ts';
import { heroZip, matchLine, start } from '#test/support/stepForm.ts';
import { waitFor } from '#test/support/waitFor.ts';

/** Polls the name of the focused field. */
function expectFocus(page: Page, name: string): Promise<void> {
  return expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')), patience)
    .toBe(name);
}

/** Resolves once the contact fields are folded, or have their whole height. */
function waitForFold(page: Page, isFolded: boolean): Promise<void> {
  const state = () =>
    leadForm(page)
      .locator('[name=first_name]')
      .evaluate((input) => {
        const fold = input.closest('form > div > div');
        const inner = fold?.firstElementChild;
        if (!fold || !inner) return 'missing';
        return fold.clientHeight === 0
          ? 'folded'
          : inner.clientHeight < inner.scrollHeight
            ? 'moving'
            : 'open';
      });
  return expect.poll(state, patience).toBe(isFolded ? 'folded' : 'open');
}

test('on a phone the hero’s ZIP names the provider and leads to the form', async () => {
  await using app = await browserApp();
  const provider = await insertProvider(app.db, { practiceName: 'Hero Practice', zipCode: '80202' });
  await app.knows(provider);
  await using visitor = await visit(app, { width: 360 });
  const { page } = visitor;
  await page.goto('/');
  await heroZip(page).fill('80');
  await start(page);
  await page.getByText(stepForms.quiz.zipToast.description).waitFor();
  await expect
    .poll(() => heroZip(page).evaluate((input) => input === document.activeElement), patience)
    .toBe(true);
  await visitor.expectAccessible();
  // The field has room for five characters. A live one drops the blank.
  await heroZip(page).fill('');
  await heroZip(page).press('Space');
  await expect.poll(() => heroZip(page).inputValue(), patience).toBe('');
  await heroZip(page).pressSequentially('CO 80202');
  expect(await heroZip(page).inputValue()).toBe('80202');
  await page.getByText(stepForms.quiz.zipToast.description).waitFor({ state: 'detached' });
  await heroZip(page).press('Enter');
  const chip = page.locator('[data-chip=found]');
  await chip.filter({ hasText: `${matchPreviewTexts.found('80202')} Hero Practice` }).waitFor();
  await expectFocus(page, 'first_name');
  expect(await leadForm(page).locator('[name=zip_code]').inputValue()).toBe('80202');
  await matchLine(page, `${matchPreviewTexts.found('80202')} Hero Practice`);
  await expect
    .poll(
      () =>
        leadForm(page)
          .locator('[name=first_name]')
          .evaluate((input) => input.getBoundingClientRect().top < innerHeight),
      patience,
    )
    .toBe(true);
  const counts = async () => {
    await app.services.submissions.formSteps.store();
    return app.sql`select form, step, count::int from form_steps order by step`;
  };
  await expect.poll(counts, patience).toEqual([
    { form: 'landing', step: 'started', count: 1 },
    { form: 'landing', step: 'zip', count: 1 },
  ]);
});

test.each([740, 400])(
  'the hero’s ZIP leads to provider and next field in view, at 360×%i',
  async (height) => {
    await using app = await browserApp();
    const practiceName = 'The Rather Long Name of a Practice for Regenerative Medicine of Colorado';
    await app.knows(await insertProvider(app.db, { practiceName, zipCode: '80202' }));
    await using visitor = await visit(app, { width: 360, touch: true });
    const { page } = visitor;
    await page.setViewportSize({ width: 360, height });
    await page.goto('/');
    await heroZip(page).fill('80202');
    await heroZip(page).press('Enter');
    await expectFocus(page, 'first_name');
    await matchLine(page, practiceName);
    const hidden = () =>
      page.evaluate(() => {
        const { offsetTop = 0, height: visible = 0 } = window.visualViewport ?? {};
        const header = document.querySelector('header')?.getBoundingClientRect();
        const top = Math.max(offsetTop, header?.bottom ?? 0);
        const boxes = [document.activeElement, document.querySelector('[data-match=found]')].map((element) =>
          element?.getBoundingClientRect(),
        );
        return boxes.map((box) =>
          box === undefined ? Infinity : Math.max(0, top - box.top, box.bottom - offsetTop - visible),
        );
      });
    await expect.poll(hidden, patience).toEqual([0, 0]);
  },
);

test('a visitor who types before the provider is named keeps the field', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app);
  const { page } = visitor;
  const held: Promise<void>[] = [];
  const { promise: moved, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/trpc/matching.preview*', (route) => {
    held.push(moved.then(() => route.continue()));
  });
  await page.goto('/');
  await heroZip(page).fill('80202');
  await start(page);
  await leadForm(page).locator('[name=first_name]').pressSequentially('Q');
  release();
  await Promise.all(held);
  await page.locator('[data-chip]:not([data-chip=asking])').waitFor();
  await visitor.settled();
  await page.keyboard.type('uinn');
  expect(await leadForm(page).locator('[name=first_name]').inputValue()).toBe('Quinn');
});

test('the hero says if no provider is near, and the form names the nearest one', async () => {
  meets('D.leads.64');
  await using app = await browserApp();
  const far = await insertProvider(app.db, { practiceName: 'Far Practice', zipCode: '80202' });
  await app.knows(far);
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/');
  await heroZip(page).fill('99501');
  await start(page);
  await page.locator('[data-chip=beyond]').getByText(matchPreviewTexts.none('99501')).waitFor();
  await matchLine(page, `${matchPreviewTexts.closest} Far Practice`);
  // Its name is no evidence: it gets no lead.
  expect(await leadForm(page).locator('[name=seller_shown]').count()).toBe(0);
});

test('the ZIP just entered in the hero replaces one from a draft or typed before', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/');
  const zipOfLead = () => leadForm(page).locator('[name=zip_code]').inputValue();
  await heroZip(page).fill('59430');
  await start(page);
  await expect.poll(zipOfLead, patience).toBe('59430');
  await page.reload();
  await expect.poll(zipOfLead, patience).toBe('59430');
  await heroZip(page).fill('80202');
  await start(page);
  await expect.poll(zipOfLead, patience).toBe('80202');
  await leadForm(page).locator('[name=zip_code]').fill('10016');
  await heroZip(page).fill('33131');
  await start(page);
  await expect.poll(zipOfLead, patience).toBe('33131');
});

/** The form's top and the focused field, by how many pixels each is out of what is seen of the window. */
function hiddenPixels(page: Page): Promise<number[]> {
  return page.evaluate(() => {
    const { offsetTop = 0, height = 0 } = window.visualViewport ?? {};
    const bar = document.querySelector('header');
    const isStuck = bar !== null && getComputedStyle(bar).position === 'sticky';
    const top = Math.max(offsetTop, isStuck ? bar.getBoundingClientRect().bottom : 0);
    const form = document.querySelector('#provider-form form')?.getBoundingClientRect();
    const field = document.activeElement?.closest('form input')?.getBoundingClientRect();
    const edges = [form?.top, form && Math.min(form.bottom, form.top + 1), field?.top, field?.bottom];
    return edges.map((edge) =>
      edge === undefined ? Infinity : Math.round(Math.max(0, top - edge, edge - offsetTop - height)),
    );
  });
}

// The height of a phone above its keyboard is stricter than the whole one.
test.each([
  [360, 400],
  [1280, 800],
])('each call to action shows the form’s top and first field, at %i×%i', async (width, height) => {
  await using app = await browserApp();
  const provider = await insertProvider(app.db, { zipCode: '80202', acceptsFinancing: true });
  await app.knows(provider);
  await using visitor = await visit(app, { width, touch: width < 600 });
  const { page } = visitor;
  await page.setViewportSize({ width, height });
  const site = `/microsite?providerId=${provider.id}`;
  let followed = 0;
  for (const path of ['/', '/homev2', '/clinics', site]) {
    const links = page.locator('a[href="#provider-form"]');
    await page.goto(path);
    const count = await links.count();
    for (let index = 0; index < count; index += 1) {
      const link = links.nth(index);
      const menu = page.locator('header button[aria-expanded=false]');
      // A bar that stays in view follows a scroll a few frames late, and may hide under the pointer.
      const isFollowed = await waitFor(async () => {
        await page.evaluate(() => {
          if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
          window.scrollTo(0, 0);
        });
        if (!(await link.isVisible()) && (await menu.isVisible())) await menu.click();
        if (!(await link.isVisible())) return false;
        await link.click({ timeout: 5000 });
        return true;
      });
      if (!isFollowed) continue;
      await expect
        .poll(() => hiddenPixels(page), { ...patience, message: `${path} ${index}` })
        .toEqual([0, 0, 0, 0]);
      followed += 1;
    }
  }
  expect(followed).toBeGreaterThan(15);
  for (const path of ['/privacy', '/success?noProvider=true']) {
    await page.goto(path);
    const menu = page.locator('header button[aria-expanded=false]');
    if (await menu.isVisible()) await menu.click();
    await page.locator('a[href="/#provider-form"]:visible').first().click();
    await page.waitForURL('**/#provider-form');
    await expect.poll(() => hiddenPixels(page), patience).toEqual([0, 0, 0, 0]);
  }
});

test.each(['/', '/homev2'])('%s asks for the ZIP first and names the provider below it', async (path) => {
  meets('D.conformity.37 D.conformity.38 D.conformity.39 D.conformity.40 P2.landing.11 P2.landing.12');
  await using app = await browserApp();
  const provider = await insertProvider(app.db, { practiceName: 'Near Practice', zipCode: '80202' });
  await app.knows(provider);
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto(path);
  await page.locator('[data-match]').waitFor({ state: 'detached' });
  await waitForFold(page, true);
  const zip = leadForm(page).locator('[name=zip_code]');
  await zip.pressSequentially('8020');
  await waitForFold(page, true);
  await zip.pressSequentially('2');
  await waitForFold(page, false);
  await matchLine(page, `${matchPreviewTexts.found('80202')} Near Practice`);
  const tops = await leadForm(page).evaluate((form) =>
    ['[name=zip_code]', '[data-match]', '[name=first_name]', '[name=acceptance_consent]'].map(
      (selector) => form.querySelector(selector)?.getBoundingClientRect().top ?? Number.NaN,
    ),
  );
  expect(tops).toEqual(tops.toSorted((one, other) => one - other));
});

const waysToUnfold: [string, (page: Page) => Promise<void>][] = [
  [
    'leaving the ZIP',
    async (page) => {
      await leadForm(page).locator('[name=zip_code]').fill('K1');
      await page.getByRole('heading').first().click();
    },
  ],
  ['the keyboard', (page) => leadForm(page).locator('[name=zip_code]').press('Tab')],
  ['the button', (page) => submitButton(page).click()],
  [
    'autofill without an event',
    (page) =>
      leadForm(page)
        .locator('[name=email]')
        .evaluate((input: HTMLInputElement) => void (input.value = 'ada@example.com')),
  ],
  [
    'coming back to a filled page',
    async (page) => {
      await leadForm(page).locator('[name=first_name]').fill('Ada');
      await page.goto('/privacy');
      await page.goBack();
      await expect.poll(() => leadForm(page).locator('[name=first_name]').inputValue(), patience).toBe('Ada');
    },
  ],
];

test.each(waysToUnfold)('contact fields appear by %s, not before', async (_, act) => {
  await using app = await browserApp();
  await using visitor = await visit(app, { width: 360 });
  const { page } = visitor;
  await page.goto('/');
  await waitForFold(page, true);
  await visitor.expectAccessible();
  await act(page);
  await waitForFold(page, false);
  expect(await leadForm(page).getByRole('checkbox').isVisible()).toBe(true);
});

test('a slow answer fills the provider’s card and moves nothing', async () => {
  await using app = await browserApp();
  const practiceName = 'Near Practice of Colorado';
  const address = '1 Main Street, Denver, CO';
  await app.knows(await insertProvider(app.db, { practiceName, address, zipCode: '80202' }));
  await using visitor = await visit(app, { width: 360, touch: true });
  const { page } = visitor;
  const { promise: moved, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/trpc/matching.preview*', async (route) => {
    await moved;
    await route.continue();
  });
  await page.goto('/#provider-form');
  await leadForm(page).locator('[name=zip_code]').fill('80202');
  await waitForFold(page, false);
  const top = () =>
    leadForm(page)
      .locator('[name=first_name]')
      .evaluate((input) => input.getBoundingClientRect().top + window.scrollY);
  const before = await top();
  release();
  await matchLine(page, /Near Practice/);
  expect(await top()).toBe(before);
});

test('without scripts the landing form asks for the ZIP first too', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app, { javaScript: false });
  const { page } = visitor;
  await page.goto('/');
  const inputs = leadForm(page).locator('input[required]');
  expect(await inputs.first().getAttribute('name')).toBe('zip_code');
  const consent = leadForm(page).getByRole('checkbox');
  expect(await consent.getAttribute('required')).not.toBeNull();
  expect(await page.getByText(matchPreviewTexts.prompt).isVisible()).toBe(false);
  // Nobody could carry it to the form.
  expect(await heroZip(page).isVisible()).toBe(false);
  expect(await page.getByRole('link', { name: callToAction.start }).first().isVisible()).toBe(true);
  await waitForFold(page, false);
});
