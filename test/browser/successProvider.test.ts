import { expect, test } from 'vitest';
import { stepForms } from '#shared/brand/stepForms.ts';
import { success } from '#shared/brand/success.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { insertProvider, leadDetails } from '#test/support/factories.ts';
import { fillLeadForm } from '#test/support/fillLeadForm.ts';
import { enterZip, sendQuiz } from '#test/support/stepForm.ts';

const calling = { practiceName: 'Calling Practice', phone: '(303) 555-0142', zipCode: '80202' };

test.each(['before the request is sent', 'while the confirmation waits'])(
  'a provider is loaded again after one failure %s',
  async (when) => {
    await using app = await browserApp();
    const provider = await insertProvider(app.db, calling);
    await app.knows(provider);
    await using visitor = await visit(app, { expectedConsole: /Failed to load/ });
    const { page } = visitor;
    const isEarly = when.startsWith('before');
    const confirmed = Promise.withResolvers<void>();
    await page.route(
      '**/trpc/providers.get*',
      async (route) => {
        if (!isEarly) await confirmed.promise;
        await route.abort();
      },
      { times: 1 },
    );
    const logged = page.waitForEvent('console', (message) => message.text().startsWith('Failed to load the'));
    await page.goto('/start');
    await enterZip(page, '80202', 'quiz');
    if (isEarly) await logged;
    await fillLeadForm(page, leadDetails());
    await page.getByRole('button', { name: stepForms.quiz.submit }).click();
    await page.getByText(success.lead).waitFor();
    confirmed.resolve();
    await logged;
    await page.getByRole('link', { name: `${success.call} Calling Practice` }).waitFor();
    expect(await page.getByText(success.notAvailable).count()).toBe(0);
  },
);

test('a provider that fails to load is logged without its response', async () => {
  await using app = await browserApp();
  const provider = await insertProvider(app.db, calling);
  await app.knows(provider);
  const logged: string[] = [];
  await using visitor = await visit(app, { expectedConsole: /500/ });
  const { page } = visitor;
  page.on('console', (message) => {
    if (message.text().startsWith('Failed to load the provider')) logged.push(message.text());
  });
  await page.route('**/trpc/providers.get*', (route) => route.fulfill({ status: 500, body: 'secret' }));
  await sendQuiz(page, '80202');
  await page.getByText(success.notAvailable).waitFor();
  expect(await page.getByText(success.callNow).count()).toBe(0);
  // At the ZIP code, and again for the confirmation.
  const failure = 'Failed to load the provider: 500';
  await expect.poll(() => logged, patience).toEqual([failure, failure]);
});
