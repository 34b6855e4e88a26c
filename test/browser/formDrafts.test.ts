import { expect, test } from 'vitest';
import { formCopy, leadFormTexts } from '#shared/brand/leadForm.ts';
import { matchPreviewTexts } from '#shared/brand/matchPreview.ts';
import { success } from '#shared/brand/success.ts';
import { stepForms } from '#shared/brand/stepForms.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { insertProvider, leadDetails } from '#test/support/factories.ts';
import { fillLeadForm, leadForm, submitButton } from '#test/support/fillLeadForm.ts';
import { enterZip, matchLine } from '#test/support/stepForm.ts';

test.each(['quiz', 'find'] as const)(
  'a reload of the second step of %s keeps what was typed',
  async (form) => {
    await using app = await browserApp();
    const provider = await insertProvider(app.db, { practiceName: 'Kept Practice', zipCode: '80202' });
    await app.knows(provider);
    await using visitor = await visit(app);
    const { page } = visitor;
    await page.goto(form === 'quiz' ? '/start' : '/find');
    await enterZip(page, '80202', form);
    const typed = leadDetails();
    await fillLeadForm(page, typed);
    await page.reload();
    await page.getByRole('heading', { name: stepForms[form].details.heading }).waitFor();
    await matchLine(page, `${matchPreviewTexts.found('80202')} Kept Practice`);
    for (const [name, value] of Object.entries({ ...typed, zip_code: '80202' }))
      await expect.poll(() => page.locator(`[name=${name}]`).inputValue(), patience).toBe(value);
    expect(await leadForm(page).getByRole('checkbox').isChecked()).toBe(false);
    expect(new URL(page.url()).search).toBe('');
    await leadForm(page).getByRole('checkbox').check();
    await page.getByRole('button', { name: stepForms[form].submit }).click();
    await page.waitForURL(`**/success?providerId=${provider.id}`);
    const stored = await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));
    for (const value of [...Object.values(typed), '80202']) expect(stored).not.toContain(value);
  },
);

test('a reload of the landing page keeps what was typed', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/');
  const typed = { zip_code: '80202', ...leadDetails() };
  await fillLeadForm(page, typed, { consent: false });
  await page.reload();
  for (const [name, value] of Object.entries(typed))
    await expect.poll(() => leadForm(page).locator(`[name=${name}]`).inputValue(), patience).toBe(value);
});

test('after a lead the form says so, and its quiet button works', async () => {
  await using app = await browserApp();
  const provider = await insertProvider(app.db, { practiceName: 'Asked Practice', zipCode: '80202' });
  await app.knows(provider);
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/');
  await fillLeadForm(page, { zip_code: '80202', ...leadDetails() });
  await matchLine(page, /Asked Practice/);
  await submitButton(page).click();
  await page.waitForURL(`**/success?providerId=${provider.id}`);
  await page.goBack();
  await leadForm(page).getByText(leadFormTexts.alreadySent('Asked Practice')).waitFor();
  // axe takes a field that the fixed header half covers for a small target.
  await page.evaluate(() => scrollTo(0, 0));
  await visitor.expectAccessible();
  await leadForm(page).getByRole('checkbox').check();
  const button = leadForm(page).getByRole('button', { name: formCopy.submit });
  expect(await button.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(
    'rgba(0, 0, 0, 0)',
  );
  await button.click();
  await page.waitForURL(`**/success?providerId=${provider.id}`);
});

test('the finder’s second step leads back to the ZIP', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/find');
  await enterZip(page, '80203', 'find');
  await page.getByRole('button', { name: matchPreviewTexts.change('80203') }).click();
  const zip = page.locator('[name=zip_code]');
  await zip.waitFor();
  await expect.poll(() => zip.evaluate((element) => element === document.activeElement), patience).toBe(true);
  expect(await zip.inputValue()).toBe('80203');
});

test('another provider’s form gets what was sent last, not what was opened last', async () => {
  await using app = await browserApp();
  const far = await insertProvider(app.db, { practiceName: 'Far Practice', zipCode: '80202' });
  await app.knows(far);
  await using visitor = await visit(app);
  const { page } = visitor;
  // All in one document, which remembers each of its forms.
  const show = async (path: string, form: 'find' | 'quiz'): Promise<void> => {
    await page.evaluate((to) => history.pushState(null, '', to), path);
    await page.locator(`[data-lead-form=${form}]`).waitFor();
  };
  await page.goto('/find');
  await enterZip(page, '99501', 'find');
  const sent = leadDetails();
  await fillLeadForm(page, sent);
  await show('/start', 'quiz');
  await enterZip(page, '99501', 'quiz');
  await fillLeadForm(page, { ...leadDetails(), first_name: 'Opened' }, { consent: false });
  await show('/find', 'find');
  await enterZip(page, '99501', 'find');
  await expect.poll(() => page.locator('[name=email]').inputValue(), patience).toBe(sent.email);
  await leadForm(page).getByRole('checkbox').check();
  await page.getByRole('button', { name: stepForms.find.submit }).click();
  await page.getByRole('link', { name: success.noProvider.request }).click();
  await page.waitForURL(`**/?providerId=${far.id}#provider-form`);
  for (const [name, value] of Object.entries(sent))
    await expect.poll(() => page.locator(`[name=${name}]`).inputValue(), patience).toBe(value);
});
