import { expect, test } from 'vitest';
import { formCopy, leadFormTexts } from '#shared/brand/leadForm.ts';
import { messages } from '#shared/brand/messages.ts';
import { success } from '#shared/brand/success.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { fillLeadForm, submitButton } from '#test/support/fillLeadForm.ts';
import { meets } from '#test/support/meets.ts';
import { enterZip, toast } from '#test/support/stepForm.ts';
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

test('a mistyped email is questioned, not refused, and a phone is grouped once left', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app, { width: 360 });
  const { page } = visitor;
  for (const path of ['/start', '/clinics']) {
    await page.goto(path);
    if (path === '/start') await enterZip(page, '80202', 'quiz');
    const email = page.locator('[name=email]');
    const phone = page.locator('[name=phone]');
    await email.fill('marco@gmial.con');
    await email.press('Tab');
    const suggestion = page.getByRole('button', { name: leadFormTexts.didYouMean('marco@gmail.com') });
    await suggestion.waitFor(patience);
    await visitor.expectAccessible();
    await suggestion.focus();
    await page.keyboard.press('Enter');
    await suggestion.waitFor({ state: 'detached', ...patience });
    expect(await email.inputValue()).toBe('marco@gmail.com');
    await expect.poll(() => email.evaluate((input) => input === document.activeElement), patience).toBe(true);
    await phone.pressSequentially('3035550142');
    expect(await phone.inputValue()).toBe('3035550142');
    await phone.press('Tab');
    await expect.poll(() => phone.inputValue(), patience).toBe('(303) 555-0142');
    await phone.fill('+44 20 7946 0958');
    await phone.press('Tab');
    expect(await phone.inputValue()).toBe('+44 20 7946 0958');
  }
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
