import { expect, test } from 'vitest';
import { consentRecords, leads } from '#server/db/schema/index.ts';
import { callToAction, studyNote } from '#shared/brand/calls.ts';
import { leadMessages } from '#shared/brand/leadMessages.ts';
import { chrome } from '#shared/brand/chrome.ts';
import { protocolStudy, studyTexts } from '#shared/brand/trust/study.ts';
import { pressStrip, variantForm, variantHero } from '#shared/brand/variant.ts';
import { listMissingFacts } from '#shared/claims/claim.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { fillLeadForm, leadForm, submitButton } from '#test/support/fillLeadForm.ts';
import { meets } from '#test/support/meets.ts';

const adverse = variantHero.benefits
  .flatMap(({ claim, text }) => (claim === 'no-adverse-effects' ? [text.replace('¹', '')] : []))
  .join('');

function person() {
  const { first_name, last_name, email, phone } = leadInput();
  return { first_name, last_name, email, phone, zip_code: '80202' };
}

test('the variant’s call to action leads to its form, which stores a landing lead', async () => {
  meets('D.routes.04 P2.variant.03 P2.variant.05');
  await using app = await browserApp();
  const provider = await insertProvider(app.db, { zipCode: '80202' });
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/homev2');
  await page.getByText(variantForm.banner, { exact: true }).waitFor();
  await page.getByRole('link', { name: callToAction.qualify }).click();
  await expect.poll(() => new URL(page.url()).hash, patience).toBe('#provider-form');
  expect(await page.locator('#provider-form form').count()).toBe(1);
  expect(
    await page
      .getByRole('banner')
      .getByRole('link', { name: chrome.nav.findProvider })
      .first()
      .getAttribute('href'),
  ).toBe('#provider-form');
  await fillLeadForm(page, person());
  await submitButton(page).click();
  await page.waitForURL(`**/success?providerId=${provider.id}`);
  const [evidence] = await app.db.select().from(consentRecords);
  expect(evidence).toMatchObject({ formKey: 'landing', pageUrl: `${visitor.origin}/homev2` });
});

test('a study mark opens what is known in a dialog, and gets the focus back', async () => {
  meets('D.copy.08 P2.variant.08');
  await using app = await browserApp();
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/homev2');
  const mark = page.getByRole('link', { name: `${studyNote.markLabel}: ${adverse}` });
  await page.locator('html[data-live]').waitFor({ state: 'attached' });
  await mark.click();
  const dialog = page.getByRole('dialog', { name: studyNote.more });
  await dialog.getByText(studyTexts.labels.participants).waitFor();
  if (listMissingFacts(protocolStudy).length > 0) await dialog.getByText(studyTexts.notPublished).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => mark.evaluate((link) => link === document.activeElement), patience).toBe(true);
  expect(await page.getByText(pressStrip.title).count()).toBe(0);
  await page.getByRole('heading', { name: pressStrip.credential.title }).waitFor();
});

test('without scripts each study mark leads to its place on the study page', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app, { javaScript: false });
  const { page } = visitor;
  await page.goto('/homev2');
  const targets = await page
    .getByRole('link', { name: studyNote.markLabel })
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  expect(targets.length).toBeGreaterThan(1);
  await page.getByRole('link', { name: `${studyNote.markLabel}: ${adverse}` }).click();
  await page.getByText(studyTexts.claims).first().waitFor();
  for (const target of targets) expect(await page.locator(`[id="${target.split('#')[1]}"]`).count()).toBe(1);
});

test('without scripts a failed form shows the variant again with the typed values', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app, { javaScript: false, expectedConsole: /422/ });
  const { page } = visitor;
  await page.goto('/homev2');
  const typed = { ...person(), phone: '555' };
  await fillLeadForm(page, typed);
  await submitButton(page).click();
  await leadForm(page).getByText(leadMessages.fields.phone.invalid).first().waitFor();
  await page.getByText(variantForm.banner, { exact: true }).waitFor();
  for (const [name, value] of Object.entries(typed))
    expect(await leadForm(page).locator(`[name=${name}]`).inputValue()).toBe(value);
  expect(await app.db.$count(leads)).toBe(0);
});
