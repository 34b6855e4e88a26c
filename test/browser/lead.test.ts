import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { deliveries, consentRecords, leads } from '#server/db/schema/index.ts';
import { formCopy, leadFormTexts } from '#shared/brand/leadForm.ts';
import { success } from '#shared/brand/success.ts';
import { leadMessages } from '#shared/brand/leadMessages.ts';
import { honeypotName } from '#shared/leads/quarantine.ts';
import { browserApp, visit } from '#test/support/browser.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { fillLeadForm, leadForm, submitButton } from '#test/support/fillLeadForm.ts';
import { meets } from '#test/support/meets.ts';
import { reachCeiling } from '#test/support/reachCeiling.ts';

/** The five contact fields of a made-up person. */
function person(zip = '80202') {
  const { first_name, last_name, email, phone } = leadInput();
  return { first_name, last_name, email, phone, zip_code: zip };
}

describe('the landing page with scripts', () => {
  test('stores a lead, matches it with the nearest provider and shows its card', async () => {
    meets(`
      P4.state.16 P6.role.02 P7.call.24 P7.call.40 D.leads.39 D.leads.41 P1.what.01 P1.people.08
      P2.success.10 P2.success.15
    `);
    await using app = await browserApp();
    const near = await insertProvider(app.db, {
      name: 'Near Clinic',
      practiceName: 'Near Practice',
      zipCode: '80202',
      latitude: 39.75,
      longitude: -104.99,
    });
    await insertProvider(app.db, {
      name: 'Far Clinic',
      zipCode: '80301',
      latitude: 40.02,
      longitude: -105.25,
    });
    await app.knows(near);
    await using visitor = await visit(app);
    const { page } = visitor;
    await page.goto('/');
    const typed = person();
    await fillLeadForm(page, typed);
    await submitButton(page).click();
    await page.waitForURL(`**/success?providerId=${near.id}`);
    await page.getByRole('heading', { name: success.cardTitle }).waitFor();
    await page.getByText('Near Practice', { exact: true }).waitFor();
    const [lead, ...more] = await app.db.select().from(leads);
    expect(more).toEqual([]);
    expect(lead).toMatchObject({
      email: typed.email,
      providerId: near.id,
      matchMethod: 'nearest',
      acceptanceConsent: true,
      quarantinedAt: null,
      acceptanceIp: '127.0.0.1',
    });
    const [evidence] = await app.db.select().from(consentRecords);
    expect(evidence).toMatchObject({
      leadId: lead?.id,
      formKey: 'landing',
      textKnown: true,
      firstName: typed.first_name,
    });
    expect(evidence?.formSha256).toMatch(/^[0-9a-f]{64}$/);
    expect(evidence?.pageUrl).toBe(`${visitor.origin}/`);
  });

  test('shows all missing fields, announces them and focuses the first', async () => {
    meets('P5.valid.01 P5.valid.02 P5.valid.03 P5.valid.04 P5.valid.05 P5.valid.06');
    await using app = await browserApp();
    await using visitor = await visit(app);
    const { page } = visitor;
    await page.goto('/');
    await submitButton(page).click();
    for (const message of [
      leadMessages.fields.first_name.required,
      leadMessages.fields.last_name.required,
      leadMessages.fields.email.required,
      leadMessages.fields.phone.required,
      leadMessages.fields.zip_code.required,
    ]) {
      await leadForm(page).getByText(message).waitFor();
    }
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
      .toBe('zip_code');
    await visitor.expectAccessible();
    await leadForm(page).locator('[name=email]').fill('not an address');
    await submitButton(page).click();
    await leadForm(page).getByText(leadMessages.fields.email.invalid).waitFor();
    expect(await app.db.$count(leads)).toBe(0);
  });

  test('sends nothing without consent and gives the reason', async () => {
    meets('P5.valid.08');
    await using app = await browserApp();
    await using visitor = await visit(app);
    const { page } = visitor;
    await page.goto('/');
    await fillLeadForm(page, person(), { consent: false });
    // Also once the form's script is there.
    const box = leadForm(page).locator('input[type=checkbox][name=acceptance_consent]');
    expect(await box.getAttribute('required')).not.toBeNull();
    await submitButton(page).click();
    await page.getByText(leadMessages.consentRequired).first().waitFor();
    expect(await box.evaluate((input) => input.matches(':required:invalid'))).toBe(true);
    expect(await app.db.$count(leads)).toBe(0);
  });

  test('stores one lead after a double click', async () => {
    meets('D.people.03 D.leads.65');
    await using app = await browserApp();
    await insertProvider(app.db, { zipCode: '80202' });
    await using visitor = await visit(app);
    const { page } = visitor;
    await page.goto('/');
    await fillLeadForm(page, person());
    await submitButton(page).dblclick();
    await page.waitForURL('**/success?providerId=*');
    expect(await app.db.$count(leads)).toBe(1);
  });

  test('keeps the typed values after a lost response, and a retry stores no second lead', async () => {
    meets('D.people.03 D.leads.66 D.conformity.31');
    await using app = await browserApp();
    await insertProvider(app.db, { zipCode: '80202' });
    await using visitor = await visit(app, { expectedConsole: /ERR_FAILED|no response/ });
    const { page } = visitor;
    await page.goto('/');
    const typed = person();
    await fillLeadForm(page, typed);
    await page.route(
      '**/trpc/leads.create*',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await submitButton(page).click();
    await page.getByRole('button', { name: leadFormTexts.tryAgain }).waitFor();
    expect(await app.db.$count(leads)).toBe(1);
    expect(await leadForm(page).locator('[name=email]').inputValue()).toBe(typed.email);
    await page.getByRole('button', { name: leadFormTexts.tryAgain }).click();
    await page.waitForURL('**/success?providerId=*');
    expect(await app.db.$count(leads)).toBe(1);
  });

  test('stores a lead with an unknown ZIP unmatched and promises a search', async () => {
    meets('P4.state.17 D.leads.28 P2.success.23');
    await using app = await browserApp();
    await insertProvider(app.db, { zipCode: '80202' });
    await using visitor = await visit(app);
    const { page } = visitor;
    await page.goto('/');
    await fillLeadForm(page, person('00001'));
    await submitButton(page).click();
    await page.waitForURL('**/success?noProvider=true');
    await page.getByText(success.noProvider.title).waitFor();
    const [lead] = await app.db.select().from(leads);
    expect(lead).toMatchObject({ providerId: null, matchMethod: 'none', zipCode: '00001' });
  });

  test('shows a failure of the server and keeps the typed values', async () => {
    await using app = await browserApp({ env: { RATE_LIMIT_LEADS: '1/1h' } });
    await insertProvider(app.db, { zipCode: '80202' });
    await using visitor = await visit(app, { expectedConsole: /429/ });
    const { page } = visitor;
    await page.goto('/');
    await fillLeadForm(page, person());
    await submitButton(page).click();
    await page.waitForURL('**/success*');
    await reachCeiling(app);
    await page.goto('/');
    const typed = person();
    await fillLeadForm(page, typed);
    await submitButton(page).click();
    await page.getByText(formCopy.failureTitle, { exact: true }).first().waitFor();
    await page.getByRole('button', { name: leadFormTexts.tryAgain }).waitFor();
    expect(await leadForm(page).locator('[name=phone]').inputValue()).toBe(typed.phone);
    expect(await app.db.$count(leads)).toBe(1);
  });
});

test('on a phone the toast of a failure does not cover the retry button', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app, { width: 360, expectedConsole: /ERR_FAILED|no response/ });
  const { page } = visitor;
  await page.goto('/');
  await fillLeadForm(page, person());
  await page.route('**/trpc/leads.create*', (route) => route.abort());
  await submitButton(page).click();
  const toast = await page.getByRole('alert').boundingBox();
  const button = await page.getByRole('button', { name: leadFormTexts.tryAgain }).boundingBox();
  if (toast === null || button === null) throw new Error('Toast or button is not drawn');
  expect(toast.y + toast.height <= button.y || button.y + button.height <= toast.y).toBe(true);
});

describe('the landing page without scripts', () => {
  test('stores a lead by the plain form and shows the confirmation with the provider', async () => {
    meets('D.leads.02');
    await using app = await browserApp();
    const provider = await insertProvider(app.db, { practiceName: 'Plain Practice', zipCode: '80202' });
    await app.knows(provider);
    await using visitor = await visit(app, { javaScript: false });
    const { page } = visitor;
    await page.goto('/');
    await fillLeadForm(page, person());
    await submitButton(page).click();
    await page.waitForURL(`**/success?providerId=${provider.id}`);
    await page.getByText('Plain Practice', { exact: true }).waitFor();
    const [lead] = await app.db.select().from(leads);
    expect(lead).toMatchObject({ providerId: provider.id, acceptanceConsent: true });
  });

  test('shows the message for an invalid field and keeps the typed values', async () => {
    await using app = await browserApp();
    await using visitor = await visit(app, { javaScript: false, expectedConsole: /422/ });
    const { page } = visitor;
    await page.goto('/');
    const typed = { ...person(), phone: '555' };
    await fillLeadForm(page, typed);
    await submitButton(page).click();
    await leadForm(page).getByText(leadMessages.fields.phone.invalid).first().waitFor();
    for (const [name, value] of Object.entries(typed))
      expect(await leadForm(page).locator(`[name=${name}]`).inputValue()).toBe(value);
    expect(await leadForm(page).getByRole('checkbox').isChecked()).toBe(true);
    expect(await app.db.$count(leads)).toBe(0);
  });
});

test('a hidden field that software fills in for a person doesn’t stop the lead', async () => {
  meets('D.leads.74 D.leads.81');
  await using app = await browserApp();
  const { id } = await insertProvider(app.db, { zipCode: '80202' });
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/');
  const typed = person();
  await fillLeadForm(page, typed);
  const honeypot = leadForm(page).locator(`[name=${honeypotName}]`);
  // What each password manager honors.
  for (const attribute of ['data-1p-ignore', 'data-bwignore', 'data-form-type', 'data-lpignore'])
    expect(await honeypot.getAttribute(attribute)).not.toBeNull();
  await honeypot.evaluate((input: HTMLInputElement) => {
    input.value = 'https://clinic.example';
  });
  await submitButton(page).click();
  await page.waitForURL(`**/success?providerId=${id}`);
  const [lead] = await app.db.select().from(leads).where(eq(leads.email, typed.email));
  expect(lead).toMatchObject({ quarantineReason: null, filledHoneypot: true });
  const rows = await app.db
    .select()
    .from(deliveries)
    .where(eq(deliveries.leadId, lead?.id ?? 0));
  // Under eight seconds after the form was touched.
  const waits = rows.flatMap(({ nextAttemptAt, createdAt }) =>
    nextAttemptAt === null ? [] : [nextAttemptAt.getTime() - createdAt.getTime()],
  );
  expect(new Set(waits)).toEqual(new Set([30 * 60_000]));
});
