import { expect, test } from 'vitest';
import { consentRecords, leads } from '#server/db/schema/index.ts';
import { browserApp, patience, useBrowser, visit } from '#test/support/browser.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { fillLeadForm, leadForm, submitButton } from '#test/support/fillLeadForm.ts';

useBrowser();

function person() {
  const { first_name, last_name, email, phone } = leadInput();
  return { first_name, last_name, email, phone, zip_code: '80202' };
}

test('the variant’s call to action links to its form, which stores a lead', async () => {
  await using app = await browserApp();
  const provider = await insertProvider(app.db, { zipCode: '80202' });
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/homev2');
  await page.getByText('Limited Spots Available!', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Find Out If You Qualify!' }).click();
  await expect.poll(() => new URL(page.url()).hash, patience).toBe('#provider-form');
  expect(await page.locator('#provider-form form').count()).toBe(1);
  expect(
    await page
      .getByRole('banner')
      .getByRole('link', { name: 'Find a Provider' })
      .first()
      .getAttribute('href'),
  ).toBe('#provider-form');
  await fillLeadForm(page, person());
  await submitButton(page).click();
  await page.waitForURL(`**/success?providerId=${provider.id}`);
  const [evidence] = await app.db.select().from(consentRecords);
  expect(evidence).toMatchObject({ formKey: 'landing', pageUrl: `${visitor.origin}/homev2` });
});

test('every study mark links to its note, and no empty logo strip is shown', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/homev2');
  const targets = await page
    .getByRole('link', { name: 'Study note 1' })
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  expect(targets.length).toBeGreaterThan(1);
  for (const target of new Set(targets)) expect(await page.locator(target ?? '').count()).toBe(1);
  expect(await page.getByText('As Seen On').count()).toBe(0);
  await page.getByRole('heading', { name: 'Who stands behind it' }).waitFor();
});

test('without scripts, a form with errors is shown again on the variant', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app, { javaScript: false, expectedConsole: /422/ });
  const { page } = visitor;
  await page.goto('/homev2');
  const typed = { ...person(), phone: '555' };
  await fillLeadForm(page, typed);
  await submitButton(page).click();
  await leadForm(page).getByText('Phone number must have 10 to 15 digits').first().waitFor();
  await page.getByText('Limited Spots Available!', { exact: true }).waitFor();
  for (const [name, value] of Object.entries(typed))
    expect(await leadForm(page).locator(`[name=${name}]`).inputValue()).toBe(value);
  expect(await app.db.$count(leads)).toBe(0);
});
