import { afterAll, beforeAll, expect, test } from 'vitest';
import { chrome } from '#shared/brand/chrome.ts';
import { network } from '#shared/brand/map.ts';
import { areaQuestion, recruitmentCalls } from '#shared/brand/recruitment.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { meets } from '#test/support/meets.ts';
import type { TestApp } from '#test/support/testApp.ts';

// One site for all tests, which only read it.
let app: TestApp;
beforeAll(async () => {
  app = await browserApp();
});
afterAll(() => app[Symbol.asyncDispose]());

test('applicants have a header whose button stays in view on a phone', async () => {
  meets('P2.frame.01');
  await using visitor = await visit(app, { width: 360 });
  const { page } = visitor;
  await page.goto('/clinics');
  const header = page.getByRole('banner');
  await page.locator('#research').scrollIntoViewIfNeeded();
  const apply = header.getByRole('link', { name: recruitmentCalls.apply, exact: true });
  await expect.poll(() => apply.first().isVisible()).toBe(true);
  const box = await apply.first().boundingBox();
  expect(box?.y).toBeLessThan(100);
  await page.setViewportSize({ width: 1280, height: 800 });
  const links = header.getByRole('navigation').getByRole('link');
  await expect
    .poll(() => links.evaluateAll((all) => all.map((link) => link.getAttribute('href'))))
    .toEqual(['#key-points', '#research', '#get-started', '#faq', '#provider-form']);
  await header.getByRole('link', { name: chrome.nav.recruitment.research }).click();
  await expect.poll(() => new URL(page.url()).hash, patience).toBe('#research');
  await visitor.expectAccessible();
});

test('without a configured page, applicants are led to our own', async () => {
  meets('P2.map.03');
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/map');
  const links = page.getByRole('link', { name: chrome.footer.becomeProvider });
  expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
    '/clinics',
    '/clinics',
  ]);
});

test('an area is asked about by keyboard, announced, and begins the application', async () => {
  await using visitor = await visit(app, { width: 360 });
  const { page } = visitor;
  await page.goto('/clinics');
  const question = page.locator(`#${areaQuestion.id}`);
  const input = question.getByLabel(areaQuestion.label);
  await input.fill('8020');
  await input.press('Enter');
  await question.getByText(network.zip.invalid).waitFor(patience);
  await input.fill('80202');
  await input.press('Enter');
  await question.getByRole('link', { name: areaQuestion.apply }).waitFor(patience);
  expect(await question.locator('div[aria-live=polite]').innerText()).toContain('80202');
  expect(new URL(page.url()).search).toBe('');
  const zipOfForm = page.locator('[data-application-form] [name=zip_code]');
  expect(await zipOfForm.inputValue()).toBe('80202');
  await visitor.expectAccessible();
  // The next question's, also after one that has no answer, but not over what the visitor typed.
  const ask = async (zip: string): Promise<void> => {
    await input.fill(zip);
    await input.press('Enter');
  };
  await ask('5971');
  await question.getByText(network.zip.invalid).waitFor(patience);
  await ask('59715');
  await expect.poll(() => zipOfForm.inputValue(), patience).toBe('59715');
  await zipOfForm.fill('99501');
  await ask('10016');
  await question.getByText(/10016/).first().waitFor(patience);
  expect(await zipOfForm.inputValue()).toBe('99501');
});
