import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { callToAction } from '#shared/brand/calls.ts';
import { hero } from '#shared/brand/hero.ts';
import { matchPreviewTexts, stepForms } from '#shared/brand/stepForms.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { leadForm } from '#test/support/fillLeadForm.ts';
import { meets } from '#test/support/meets.ts';
import { matchLine } from '#test/support/stepForm.ts';

function heroZip(page: Page) {
  return page.getByLabel(hero.zipLabel);
}

/** Polls the name of the focused field. */
function expectFocus(page: Page, name: string): Promise<void> {
  return expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')), patience)
    .toBe(name);
}

function start(page: Page): Promise<void> {
  return page.getByRole('link', { name: callToAction.start }).first().click();
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

test.each(['/', '/homev2'])('the call to action of %s moves the focus to the ZIP', async (path) => {
  await using app = await browserApp();
  await using visitor = await visit(app, { width: 360 });
  const { page } = visitor;
  await page.goto(path);
  const label = path === '/' ? callToAction.start : callToAction.qualify;
  await page.getByRole('main').getByRole('link', { name: label }).first().click();
  await expectFocus(page, 'zip_code');
  await expect.poll(() => new URL(page.url()).hash).toBe('#provider-form');
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
  await leadForm(page).locator('[name=zip_code]').fill('80202');
  await matchLine(page, `${matchPreviewTexts.found('80202')} Near Practice`);
  const tops = await leadForm(page).evaluate((form) =>
    ['[name=zip_code]', '[data-match]', '[name=first_name]', '[name=acceptance_consent]'].map(
      (selector) => form.querySelector(selector)?.getBoundingClientRect().top ?? Number.NaN,
    ),
  );
  expect(tops).toEqual(tops.toSorted((one, other) => one - other));
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
});
