import { expect, test } from 'vitest';
import { runFromWordPress } from '#server/features/sync/wordpressRun.ts';
import { alertsCopy } from '#shared/admin/alerts.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { toast } from '#test/support/leadList.ts';
import { meets } from '#test/support/meets.ts';
import { feedRecord, wordpressFeed } from '#scripts/demo/wordpressFeed.ts';

test('the sync button shows that a sync runs, then its success or its failure', async () => {
  meets('P2.admin.03 P5.valid.29 P5.valid.31 P8.error.25 P8.error.39');
  await using feed = await wordpressFeed([feedRecord(1)]);
  await using app = await browserApp({ env: { WORDPRESS_URL: feed.url } });
  await using visitor = await visitAdmin(app, { expectedConsole: /Failed to load resource/ });
  const { page } = visitor;
  const button = page.getByRole('button', { name: 'Sync Providers' });
  const calls = /\/trpc\/sync\.run(\?|$)/;
  const busySeen = Promise.withResolvers<void>();
  await page.route(calls, async (route) => {
    await busySeen.promise;
    await route.continue();
  });
  await button.click();
  await page.getByRole('button', { name: 'Syncing...' }).waitFor(patience);
  busySeen.resolve();
  const done = page.getByRole('status').filter({ hasText: 'Successfully synced providers' });
  await done.waitFor(patience);
  expect((await done.innerText()).split(/\n+/)).toEqual(['Success', 'Successfully synced providers']);
  await page.unroute(calls);

  feed.instead = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<form>Log in</form>');
    return true;
  };
  const answered = page.waitForResponse(calls);
  await button.click();
  expect((await answered).status()).toBe(200);
  const alert = page.getByRole('alert');
  await alert.waitFor(patience);
  expect(await alert.innerText()).toMatch(/^Error\n+\S/);
  expect(await done.count()).toBe(0);

  await page.route(calls, (route) => route.abort());
  await button.click();
  await alert.getByText('Failed to sync providers', { exact: true }).waitFor(patience);
});

test('staff say by keyboard whether a provider of the sync is one that is only here', async () => {
  const { same, another, sameDone, anotherDone } = alertsCopy.confirm;
  await using feed = await wordpressFeed([feedRecord(1), feedRecord(2)]);
  await using app = await browserApp({ env: { WORDPRESS_URL: feed.url } });
  for (const id of [1, 2])
    await insertProvider(app.db, { name: `Own ${id}`, email: `clinic-${id}@example.com`, zipCode: '80202' });
  const sync = () =>
    runFromWordPress(app.services, { kind: 'full', dryRun: false, force: false, startedBy: 'Test' });
  expect(await sync()).toMatchObject({ success: true, run: { created: 2 } });
  await using visitor = await visitAdmin(app, { width: 360 });
  const { page } = visitor;
  const alerts = page.getByRole('list', { name: alertsCopy.label }).getByRole('listitem');
  await expect.poll(() => alerts.count(), patience).toBe(2);
  await visitor.expectAccessible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  for (const part of [alerts.locator('p').first(), alerts.getByRole('group').first()])
    expect((await part.boundingBox())?.width).toBeGreaterThan(200);

  const answer = async (name: RegExp, button: string, done: string): Promise<void> => {
    const choices = page.getByRole('group', { name });
    await choices.getByRole('button', { name: same }).focus(patience);
    if (button === another) await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent), patience).toBe(button);
    await page.keyboard.press('Enter');
    await toast(page, done).waitFor(patience);
    await choices.waitFor({ state: 'detached', ...patience });
    // Not on the page itself: the pressed button is gone.
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
  };
  await answer(/^Clinic 1 of the provider sync/, same, sameDone);
  await expect.poll(() => alerts.count(), patience).toBe(1);
  await answer(/^Clinic 2 of the provider sync/, another, anotherDone);
  await expect.poll(() => alerts.count(), patience).toBe(0);
  expect(await sync()).toMatchObject({ success: true });
  expect(
    await app.sql`select name, wordpress_id::int as id, status from providers order by name`,
  ).toMatchObject([
    { name: 'Clinic 1', id: 1, status: 't' },
    { name: 'Clinic 2', id: 2, status: 't' },
    { name: 'Own 2', id: null, status: 't' },
  ]);
});
