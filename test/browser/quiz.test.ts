import { expect, test } from 'vitest';
import { consentRecords, formSteps, leads } from '#server/db/schema/index.ts';
import { quiz } from '#shared/brand/quiz.ts';
import { matchPreviewTexts } from '#shared/brand/matchPreview.ts';
import { stepCounts, stepForms } from '#shared/brand/stepForms.ts';
import { messages } from '#shared/brand/messages.ts';
import { leadMessages } from '#shared/brand/leadMessages.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { insertProvider, leadDetails } from '#test/support/factories.ts';
import { fillLeadForm, leadForm } from '#test/support/fillLeadForm.ts';
import { meets } from '#test/support/meets.ts';
import { enterZip, matchLine, sendQuiz, toast } from '#test/support/stepForm.ts';

const copy = stepForms.quiz;
const send = copy.submit;

test('the quiz names the provider for the ZIP and stores the lead with its evidence', async () => {
  meets('P5.valid.12 D.leads.62 D.leads.63 D.routes.02 D.conformity.35 P2.quiz.03 P2.quiz.04 P2.quiz.05');
  await using app = await browserApp();
  const provider = await insertProvider(app.db, { practiceName: 'Near & Dear Practice', zipCode: '80202' });
  await app.knows(provider);
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/start');
  await page.getByText(stepCounts.zip).waitFor();
  expect(await page.getByRole('heading', { name: copy.details.heading }).isVisible()).toBe(false);
  await enterZip(page, '80202', 'quiz');
  const heading = page.getByRole('heading', { name: copy.details.heading });
  await expect
    .poll(() => heading.evaluate((element) => element === document.activeElement), patience)
    .toBe(true);
  await page.getByText(stepCounts.details).waitFor();
  await matchLine(page, `${matchPreviewTexts.found('80202')} Near & Dear Practice`);
  await page.getByRole('img', { name: matchPreviewTexts.distance(0) }).waitFor();
  expect(await page.locator('[data-match]').textContent()).not.toMatch(/@|555/);
  await expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).search).toBe('/start');
  await visitor.expectAccessible();
  const tops = await leadForm(page).evaluate((form) =>
    ['[data-match]', '[name=first_name]', '[name=acceptance_consent]'].map(
      (selector) => form.querySelector(selector)?.getBoundingClientRect().top ?? Number.NaN,
    ),
  );
  expect(tops).toEqual(tops.toSorted((one, other) => one - other));
  const described = await heading.getAttribute('aria-describedby');
  const ids = await page.locator('[data-match]').getAttribute('id');
  expect(described?.split(' ')).toContain(ids);
  const typed = leadDetails();
  await fillLeadForm(page, typed);
  await page.getByRole('button', { name: send }).click();
  await page.waitForURL(`**/success?providerId=${provider.id}`);
  const [lead, ...more] = await app.db.select().from(leads);
  expect(more).toEqual([]);
  expect(lead).toMatchObject({
    email: typed.email,
    zipCode: '80202',
    providerId: provider.id,
    quarantinedAt: null,
  });
  const [evidence] = await app.db.select().from(consentRecords);
  expect(evidence).toMatchObject({
    formKey: 'quiz',
    textKnown: true,
    sellerProviderId: provider.id,
    sellerName: 'Near & Dear Practice',
  });
  expect(evidence?.formSha256).toMatch(/^[0-9a-f]{64}$/);
  await app.services.submissions.formSteps.store();
  const steps = await app.db.select().from(formSteps).orderBy(formSteps.step);
  expect(steps.map(({ form, step, count }) => [form, step, count])).toEqual([
    ['quiz', 'sent', 1],
    ['quiz', 'started', 1],
    ['quiz', 'zip', 1],
  ]);
});

test.each([
  ['/start', 'quiz'],
  ['/find', 'find'],
] as const)(
  '%s names the provider above the contact fields and again above the consent',
  async (path, form) => {
    meets('D.leads.91 D.conformity.36 P2.quiz.06 P2.find.16');
    await using app = await browserApp();
    const provider = await insertProvider(app.db, { practiceName: 'Near Practice', zipCode: '80202' });
    await app.knows(provider);
    await using visitor = await visit(app);
    const { page } = visitor;
    await page.goto(path);
    await enterZip(page, '80202', form);
    const names = leadForm(page).getByText('Near Practice', { exact: true });
    await expect.poll(() => names.count(), patience).toBe(2);
    const order = await leadForm(page).evaluate((element) =>
      [...element.querySelectorAll('*')]
        .map((part) => part.getAttribute('name') ?? (part.childElementCount === 0 ? part.textContent : null))
        .filter(
          (part) => part !== null && /^(Near Practice|first_name|phone|acceptance_consent)$/.test(part),
        ),
    );
    expect(order).toEqual(['Near Practice', 'first_name', 'phone', 'Near Practice', 'acceptance_consent']);
    for (const name of await names.all()) expect(await name.isVisible()).toBe(true);
  },
);

test('a ZIP without five characters gets a toast and a message at the field', async () => {
  meets('P4.state.08 P5.valid.13 P5.valid.14 P8.error.43');
  await using app = await browserApp();
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/start');
  for (const zip of ['', '8020', '    ']) {
    await enterZip(page, zip, 'quiz');
    await toast(page, copy.zipToast.title, copy.zipToast.description);
    // Its timer pauses.
    await page.getByRole('alert').filter({ hasText: copy.zipToast.title }).hover();
    await leadForm(page).getByText(copy.zipToast.description).waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
      .toBe('zip_code');
    await page.getByRole('button', { name: messages.dismiss }).click();
  }
  await visitor.expectAccessible();
  await enterZip(page, 'abcde', 'quiz');
  await page.getByRole('heading', { name: copy.details.heading }).waitFor();
  await matchLine(page, matchPreviewTexts.unplaced('abcde'));
});

test('without consent nothing is sent and a toast gives the reason', async () => {
  meets('P5.valid.09 P5.valid.10 P5.valid.11 P8.error.43');
  await using app = await browserApp();
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/start');
  await enterZip(page, '80202', 'quiz');
  await fillLeadForm(page, leadDetails(), { consent: false });
  await page.getByRole('button', { name: send }).click();
  await toast(page, copy.consentToast?.title ?? '', leadMessages.consentRequired);
  expect(await app.db.$count(leads)).toBe(0);
});

test('back shows the first step, forward the second, both with the typed values', async () => {
  meets('D.conformity.34');
  await using app = await browserApp();
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/start');
  await enterZip(page, '80202', 'quiz');
  const typed = leadDetails();
  await fillLeadForm(page, typed, { consent: false });
  const [zip, email] = [page.locator('[name=zip_code]'), page.locator('[name=email]')];
  for (const goBack of [
    () => page.getByRole('button', { name: copy.details.back ?? '' }).click(),
    () => page.goBack(),
  ]) {
    await goBack();
    await zip.waitFor();
    expect([await zip.inputValue(), await email.isVisible()]).toEqual(['80202', false]);
    await expect.poll(() => zip.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.goForward();
    await email.waitFor();
    expect(await email.inputValue()).toBe(typed.email);
  }
  // A link to an anchor is not a step back.
  await page.locator('a[href="#main"]').focus();
  await page.keyboard.press('Enter');
  expect(await email.isVisible()).toBe(true);
});

test('back from the confirmation leads to the second step, then to the first', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app);
  const { page } = visitor;
  await sendQuiz(page, '80202');
  await page.waitForURL('**/success?noProvider=true');
  await page.goBack();
  const email = page.locator('[name=email]');
  await email.waitFor();
  await page.goBack();
  await email.waitFor({ state: 'hidden' });
  await expect.poll(() => page.locator('[name=zip_code]').inputValue(), patience).toBe('80202');
});

test('a failure shows a toast and keeps the typed values', async () => {
  meets('P4.state.14 P8.error.05');
  await using app = await browserApp();
  await using visitor = await visit(app, { expectedConsole: /500/ });
  const { page } = visitor;
  await page.goto('/start');
  await enterZip(page, '80202', 'quiz');
  const typed = leadDetails();
  await fillLeadForm(page, typed);
  const busySeen = Promise.withResolvers<void>();
  await page.route('**/trpc/leads.create*', async (route) => {
    await busySeen.promise;
    await route.fulfill({ status: 500, body: 'broken' });
  });
  await page.getByRole('button', { name: send }).click();
  await page.getByRole('button', { name: copy.submitting }).waitFor();
  busySeen.resolve();
  await toast(page, copy.failureTitle, '500: broken');
  expect(await page.locator('[name=email]').inputValue()).toBe(typed.email);
});

test('without scripts both steps are one plain form, which a failed post shows again', async () => {
  meets('D.leads.02');
  await using app = await browserApp();
  const provider = await insertProvider(app.db, { zipCode: '80202' });
  await using visitor = await visit(app, { javaScript: false, expectedConsole: /422/ });
  const { page } = visitor;
  await page.goto('/start');
  // It says that the provider is shown before the details are asked for.
  expect(await page.getByText(quiz.lead).isVisible()).toBe(false);
  const typed = { ...leadDetails(), zip_code: '80202' };
  await fillLeadForm(page, { ...typed, phone: '555' });
  expect(await page.getByRole('button', { name: copy.zip.next }).isVisible()).toBe(false);
  await page.getByRole('button', { name: send }).click();
  await leadForm(page).getByText(leadMessages.fields.phone.invalid).first().waitFor();
  await page.getByRole('heading', { name: copy.zip.heading }).waitFor();
  expect(await page.locator('[name=zip_code]').inputValue()).toBe('80202');
  await page.locator('[name=phone]').fill(typed.phone);
  await page.getByRole('button', { name: send }).click();
  await page.waitForURL(`**/success?providerId=${provider.id}`);
});

test('if scripts fail to load, the first step’s button gets the second step', async () => {
  await using app = await browserApp();
  const provider = await insertProvider(app.db, { zipCode: '80202' });
  await using visitor = await visit(app, { expectedConsole: /422|ERR_FAILED/ });
  const { page } = visitor;
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto('/start', { waitUntil: 'commit' });
  await enterZip(page, '80202', 'quiz');
  await page.getByRole('heading', { name: copy.details.heading }).waitFor();
  expect(await page.locator('[aria-invalid=true]').count()).toBe(0);
  await fillLeadForm(page, leadDetails());
  await page.getByRole('button', { name: send }).click();
  await page.waitForURL(`**/success?providerId=${provider.id}`);
});
