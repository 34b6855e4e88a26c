import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { mailReceipts } from '#server/features/applications/applicationMail.ts';
import { providerApplications } from '#server/db/schema/index.ts';
import { applicationConsent, applicationTexts } from '#shared/brand/application.ts';
import { mail } from '#shared/brand/mail.ts';
import { areaQuestion, recruitmentHero } from '#shared/brand/recruitment.ts';
import { applicationFields } from '#shared/applications/applicationFields.ts';
import { setUpApplications } from '#test/support/applicationMail.ts';
import { applicationInput } from '#test/support/applicationInput.ts';
import { patience, visit } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { applicationButton, applicationForm, fillApplication } from '#test/support/fillApplication.ts';
import { insertLeads } from '#test/support/leadRows.ts';
import { expectNothingOffScreen } from '#test/support/offScreen.ts';

const focusedName = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() => document.activeElement?.getAttribute('name'));

test('at 360 px a physician asks about an area, applies, and gets a receipt', async () => {
  await using given = await setUpApplications({}, { formMinAgeMs: 100 });
  const { app } = given;
  const nearest = {
    practiceName: 'Nearest Practice',
    address: '7 Front Street, Boulder, CO',
    zipCode: '80302',
  };
  await app.knows(await insertProvider(app.db, nearest));
  const asked = { zipCode: '80202', createdAt: new Date() };
  await insertLeads(
    app.db,
    Array.from({ length: 10 }, () => asked),
  );
  await using visitor = await visit(app, { width: 360, touch: true });
  const { page } = visitor;
  await page.goto('/clinics');
  await page.getByText(recruitmentHero.eyebrow).waitFor();
  expect(await page.getByText(recruitmentHero.fromVisitor).count()).toBe(0);
  await expectNothingOffScreen(page);

  const area = page.locator(`#${areaQuestion.id}`);
  await area.getByText(areaQuestion.title).scrollIntoViewIfNeeded();
  await area.getByLabel(areaQuestion.label).tap();
  await page.keyboard.type('80203');
  await area.getByRole('button', { name: areaQuestion.submit }).tap();
  await area.getByText('Nearest Practice, Boulder, CO').waitFor();
  await area.getByText(areaQuestion.taken('80203')).waitFor();
  await area.getByText(areaQuestion.people(10, '802')).waitFor();
  await expectNothingOffScreen(page);

  await area.getByLabel(areaQuestion.label).fill('59301');
  await area.getByRole('button', { name: areaQuestion.submit }).tap();
  await area.getByText(areaQuestion.open('59301')).waitFor();
  expect(await area.getByText(areaQuestion.taken('59301')).count()).toBe(0);
  await area.getByText(/Nearest Practice, Boulder, CO, about \d{3}\smiles away/).waitFor();
  await area.getByLabel(areaQuestion.label).fill('80203');
  await area.getByRole('button', { name: areaQuestion.submit }).tap();
  await area.getByText(areaQuestion.taken('80203')).waitFor();
  await expectNothingOffScreen(page);

  await area.getByRole('link', { name: areaQuestion.apply }).tap();
  await expect.poll(() => focusedName(page), patience).toBe('practice_name');
  const form = applicationForm(page);
  expect(await form.locator('[name=zip_code]').inputValue()).toBe('80203');
  const typed = applicationInput({ contact_name: 'Kit Elmsworth', email: 'kit@practice.example' });
  for (const name of applicationFields.filter((field) => field !== 'zip_code'))
    await form.locator(`[name=${name}]`).fill(String(typed[name]));
  await form.getByRole('checkbox').tap();
  await expectNothingOffScreen(page);
  await applicationButton(page).tap();
  const thanks = page.getByRole('heading', { name: applicationTexts.applied.title, exact: true });
  await thanks.waitFor();
  const isInView = () =>
    thanks.evaluate((heading) => {
      const { top, bottom } = heading.getBoundingClientRect();
      return (
        top >= (document.querySelector('header')?.getBoundingClientRect().bottom ?? 0) &&
        bottom <= innerHeight
      );
    });
  await expect.poll(isInView, patience).toBe(true);
  await page.getByText(applicationTexts.applied.text).waitFor();
  await expectNothingOffScreen(page);

  const [row] = await app.db.select().from(providerApplications);
  expect(row).toMatchObject({ email: typed.email, zipCode: '80203', quarantineReason: null });
  const shown = applicationTexts.receipt;
  const receipt = page.getByText(`${shown.number(row?.id ?? 0)} ${shown.sent('kit@practice.example')}`);
  await receipt.waitFor();
  await page.reload();
  await receipt.waitFor(patience);
  expect(page.url()).not.toContain('kit');
  expect(await form.count()).toBe(0);
  await expectNothingOffScreen(page);
  await page.getByRole('link', { name: applicationTexts.applied.again }).tap();
  await expect.poll(() => focusedName(page), patience).toBe('practice_name');
  expect(await form.locator('[name=practice_name]').inputValue()).toBe('');
  expect(await mailReceipts(app.services)).toBe(1);
  const [message] = given.receivedBy(typed.email);
  const text = (await message?.email)?.text ?? '';
  const { heading, received, next } = mail.applicationReceipt;
  for (const line of [heading('Kit'), received(row?.id ?? 0, '80203'), next, applicationConsent.text])
    expect(text).toContain(line);
});

test.each(['practice_name', 'role', 'zip_code', 'website'] as const)(
  'at 360 px the label and the message of a wrong %s are in view',
  async (name) => {
    await using given = await setUpApplications();
    await using visitor = await visit(given.app, { width: 360, touch: true });
    const { page } = visitor;
    await page.goto('/clinics');
    const wrong = { practice_name: '', role: '', zip_code: '8020', website: 'our clinic' };
    await fillApplication(page, { [name]: wrong[name] });
    const form = applicationForm(page);
    const field = form.locator(`div:has(> [name=${name}])`);
    // The header covers half of the control: the browser then scrolls no further than to its edge.
    await form.locator(`[name=${name}]`).evaluate((input) => {
      const { top, height } = input.getBoundingClientRect();
      const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
      window.scrollBy({ top: top + height / 2 - header, behavior: 'instant' });
    });
    await form.evaluate((element) => element instanceof HTMLFormElement && element.requestSubmit());
    await expect.poll(() => focusedName(page), patience).toBe(name);
    await field.locator('p[aria-live]').filter({ hasText: /./ }).waitFor();
    const isInView = () =>
      field.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
        return top >= header && bottom <= innerHeight;
      });
    await expect.poll(isInView, patience).toBe(true);
    expect(await given.app.db.$count(providerApplications)).toBe(0);
  },
);

test('a physician sent by a visitor is greeted, with a link to ask about the area', async () => {
  await using given = await setUpApplications();
  for (const javaScript of [true, false]) {
    await using visitor = await visit(given.app, { width: 360, touch: true, javaScript });
    const { page } = visitor;
    await page.goto('/clinics?from=visitor');
    const line = page.getByText(recruitmentHero.fromVisitor);
    expect(await line.evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight)).toBe(
      true,
    );
    expect(await page.getByText(recruitmentHero.eyebrow).count()).toBe(0);
    const question = line.getByRole('link', { name: areaQuestion.title });
    expect(await question.getAttribute('href')).toBe(`#${areaQuestion.id}`);
    await expectNothingOffScreen(page);
  }
  expect((await given.app.get('/clinics')).text).not.toContain(recruitmentHero.fromVisitor);
});
