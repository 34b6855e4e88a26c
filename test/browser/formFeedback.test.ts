import { expect, test } from 'vitest';
import { formCopy } from '#shared/brand/leadForm.ts';
import { messages } from '#shared/brand/messages.ts';
import { success } from '#shared/brand/success.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { fillLeadForm, submitButton } from '#test/support/fillLeadForm.ts';
import { meets } from '#test/support/meets.ts';
import { toast } from '#test/support/stepForm.ts';
import { reachCeiling } from '#test/support/reachCeiling.ts';

function person(zip = '80202') {
  const { first_name, last_name, email, phone } = leadInput();
  return { first_name, last_name, email, phone, zip_code: zip };
}

test('a lead that fails on the landing form gets an alert with the server’s sentence', async () => {
  meets('P8.error.02');
  await using app = await browserApp({ env: { RATE_LIMIT_LEADS: '1/1h' } });
  await using visitor = await visit(app, { expectedConsole: /429/ });
  const { page } = visitor;
  await page.goto('/');
  await fillLeadForm(page, person());
  await submitButton(page).click();
  await page.waitForURL('**/success*');
  await reachCeiling(app);
  await page.goto('/');
  await fillLeadForm(page, person());
  await submitButton(page).click();
  await toast(page, formCopy.failureTitle, messages.tooMany.submissions);
  const box = await page.getByRole('alert').filter({ hasText: formCopy.failureTitle }).boundingBox();
  expect(box?.width).toBeLessThanOrEqual(420);
});

test('the confirmation’s provider is requested while its lead is sent, once', async () => {
  await using app = await browserApp();
  const provider = await insertProvider(app.db, { practiceName: 'Near Practice', zipCode: '80202' });
  await app.knows(provider);
  await using visitor = await visit(app);
  const { page } = visitor;
  const asked: string[] = [];
  page.on('request', (request) => {
    const [, procedure] = /\/trpc\/(leads\.create|providers\.get)\b/.exec(request.url()) ?? [];
    if (procedure !== undefined) asked.push(procedure);
  });
  const { promise: seen, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/trpc/leads.create*', async (route) => {
    await seen;
    await route.continue();
  });
  await page.goto('/');
  await fillLeadForm(page, person());
  await page.locator('[data-match=found]').waitFor(patience);
  await submitButton(page).click();
  await expect.poll(() => asked.toSorted(), patience).toEqual(['leads.create', 'providers.get']);
  release();
  await page.waitForURL(`**/success?providerId=${provider.id}`);
  await page.getByRole('heading', { name: success.cardTitle }).waitFor(patience);
  expect(asked).toHaveLength(2);
});

test('the confirmation says that it loads the provider; a failed lookup is logged', async () => {
  meets('P2.success.09');
  await using app = await browserApp();
  await insertProvider(app.db, { practiceName: 'Near Practice', zipCode: '80202' });
  await using visitor = await visit(app, { expectedConsole: /500|provider/i });
  const { page } = visitor;
  const { promise: seen, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/trpc/providers.get*', async (route) => {
    await seen;
    await route.fulfill({ status: 500, body: '' });
  });
  await page.goto('/');
  const typed = person();
  await fillLeadForm(page, typed);
  await submitButton(page).click();
  await page.getByText(success.loading, { exact: true }).waitFor(patience);
  const logged = page.waitForEvent('console', (message) => /provider/i.test(message.text()));
  release();
  expect((await logged).text()).not.toMatch(new RegExp(`${typed.email}|${typed.phone}|80202`));
  await page.getByText(success.notAvailable).waitFor(patience);
});
