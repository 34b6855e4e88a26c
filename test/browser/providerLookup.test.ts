import type { Route } from 'playwright';
import { expect, test } from 'vitest';
import { success } from '#shared/brand/success.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { fillLeadForm, submitButton } from '#test/support/fillLeadForm.ts';
import { meets } from '#test/support/meets.ts';

test.each<[failure: string, answer: (route: Route) => Promise<void>]>([
  ['fails', (route) => route.fulfill({ status: 500, body: 'broken' })],
  ['has no id', (route) => route.fulfill({ json: { result: { data: {} } } })],
])('a provider lookup that %s is logged, and the confirmation names no provider', async (_, answer) => {
  meets('P5.valid.33 P7.call.06 P7.call.43 P2.success.20');
  await using app = await browserApp();
  const provider = await insertProvider(app.db, { practiceName: 'Unseen Practice', zipCode: '80202' });
  await app.knows(provider);
  await using visitor = await visit(app, { expectedConsole: /Failed to load resource|provider/i });
  const { page } = visitor;
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  await page.route('**/trpc/providers.get*', answer);
  await page.goto('/');
  const { first_name, last_name, email, phone } = leadInput();
  const typed = { first_name, last_name, email, phone, zip_code: '80202' };
  await fillLeadForm(page, typed);
  await submitButton(page).click();
  await page.waitForURL(`**/success?providerId=${provider.id}`);
  await page.getByText(success.notAvailable).waitFor(patience);
  expect(await page.getByText('Unseen Practice').count()).toBe(0);
  const ours = logged.filter((line) => /provider/i.test(line) && !line.startsWith('Failed to load resource'));
  // At the ZIP code, and again for the confirmation.
  expect(ours).toHaveLength(2);
  for (const value of Object.values(typed)) expect(ours.join()).not.toContain(value);
});
