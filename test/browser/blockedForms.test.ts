import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applicationTexts } from '#shared/brand/application.ts';
import { formCopy, leadFormTexts } from '#shared/brand/leadForm.ts';
import { stepForms } from '#shared/brand/stepForms.ts';
import { browserApp, patience, type Visit, visit } from '#test/support/browser.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { applicationButton, fillApplication } from '#test/support/fillApplication.ts';
import { fillLeadForm, leadForm } from '#test/support/fillLeadForm.ts';
import { enterZip } from '#test/support/stepForm.ts';
import type { TestApp } from '#test/support/testApp.ts';

let app: TestApp;
let visitor: Visit;
beforeAll(async () => {
  app = await browserApp();
  visitor = await visit(app, { expectedConsole: /./ });
});
afterAll(async () => {
  await visitor[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});

const { first_name, last_name, email, phone } = leadInput();
const zip_code = '80202';

function submit(page: Page, name: string): Promise<void> {
  return leadForm(page).getByRole('button', { name }).click();
}

test('a form whose requests are blocked is posted without script, with all it knows', async () => {
  const page = await visitor.context.newPage();
  await page.route('**/trpc/**', (route) => route.abort());
  const provider = await insertProvider(app.db, { zipCode: '33131' });
  await app.knows(provider);
  const blocked = leadInput();
  await page.goto(`/start?providerId=${provider.id}&utm_source=mail`);
  await enterZip(page, '80202', 'quiz');
  const typed = { first_name, last_name, email: blocked.email, phone: blocked.phone };
  await fillLeadForm(page, typed);
  await submit(page, stepForms.quiz.submit);
  await page.getByRole('button', { name: leadFormTexts.tryAgain }).click();
  await page.waitForURL(`**/success?providerId=${provider.id}`, patience);
  const rows = await app.sql`
    select email, utm_source from leads join lead_attribution on lead_id = leads.id and touch = 'last'
    where email = ${blocked.email} and quarantined_at is null`;
  expect(rows).toEqual([{ email: blocked.email, utm_source: 'mail' }]);
  const kept = (): Promise<string> => page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));
  await expect.poll(kept, patience).not.toContain(blocked.phone);
  await page.close();
});

test('a stored lead whose answers are lost and replaced stays one when it is posted', async () => {
  const page = await visitor.context.newPage();
  const stored = leadInput();
  await page.goto('/');
  await fillLeadForm(page, { first_name, last_name, email: stored.email, phone: stored.phone, zip_code });
  let attempts = 0;
  await page.route('**/trpc/leads.create*', async (route) => {
    attempts += 1;
    if (attempts > 1)
      return route.fulfill({ status: 403, contentType: 'text/html', body: '<html>Blocked</html>' });
    await route.fetch();
    return route.abort();
  });
  await submit(page, formCopy.submit);
  await page.getByRole('button', { name: leadFormTexts.tryAgain }).click();
  await page.waitForURL('**/success*', patience);
  expect(attempts).toBe(2);
  expect(await app.sql`select email from leads where email = ${stored.email}`).toHaveLength(1);
  await page.close();
});

test('an application whose requests are blocked is posted without script', async () => {
  const page = await visitor.context.newPage();
  await page.route('**/trpc/**', (route) => route.abort());
  await page.goto('/clinics');
  const typed = await fillApplication(page, { message: 'Two\nlines' });
  await applicationButton(page).click();
  await page.getByRole('button', { name: applicationTexts.tryAgain }).click();
  await page.waitForURL('**/clinics?applied=true*', patience);
  const rows =
    await app.sql`select message, quarantined_at from provider_applications where email = ${String(typed.get('email'))}`;
  expect(rows).toEqual([{ message: 'Two\nlines', quarantined_at: null }]);
  await page.close();
});

test('a page stays if the site doesn’t respond either', async () => {
  const page = await visitor.context.newPage();
  await page.goto('/');
  await fillLeadForm(page, { first_name, last_name, email, phone, zip_code });
  await page.route('**', (route) => route.abort());
  await submit(page, formCopy.submit);
  const again = page.getByRole('button', { name: leadFormTexts.tryAgain });
  await again.click();
  await leadForm(page).getByText(leadFormTexts.offline).waitFor();
  await again.waitFor();
  expect(await page.locator('[name=email]').inputValue()).toBe(email);
  await page.close();
});
