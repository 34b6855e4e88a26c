import { expect, test } from 'vitest';
import { syncMessages } from '#client/admin/providers/sync/copy.ts';
import { runMessages } from '#server/features/sync/messages.ts';
import { adminCopy } from '#shared/admin/copy.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp } from '#test/support/browser.ts';
import { meets } from '#test/support/meets.ts';
import { feedRecord, wordpressFeed } from '#scripts/demo/wordpressFeed.ts';

const path = '/admin?tab=providers';

test('a preview and a sync are listed with their runs and the reason for each provider', async () => {
  meets('P2.admin.49 P7.call.29 D.sync.16 D.sync.22');
  await using feed = await wordpressFeed([
    feedRecord(1),
    feedRecord(2),
    feedRecord(3, { acf: { zip_code: 'none' } }),
  ]);
  await using app = await browserApp({ env: { WORDPRESS_URL: feed.url } });
  await using visitor = await visitAdmin(app, { path });
  const { page } = visitor;
  await page.getByText('Providers have never been synced.').waitFor();
  await page.getByRole('button', { name: 'Sync details' }).click();
  const dialog = page.getByRole('dialog', { name: 'Provider sync' });
  await dialog.getByText('No runs yet.').waitFor();
  await dialog.getByRole('button', { name: 'Preview changes' }).click();
  await dialog.getByText('2 would be new').waitFor();
  expect(await app.sql`select 1 from providers`).toHaveLength(0);
  await dialog.getByRole('button', { name: 'Run full sync', exact: true }).click();
  await dialog.getByText('3 providers read · 2 new').waitFor();
  const rows = dialog.getByRole('region', { name: 'Providers in this run' }).last();
  await rows.getByRole('row', { name: /Skipped.*3.*Clinic 3/ }).waitFor();
  await visitor.expectAccessible();
  await page.keyboard.press('Escape');
  await page.getByText('Practice 1').first().waitFor();
  // Once, because the dialog's content goes a moment after the dialog.
  await expect.poll(() => page.getByText('3 providers read · 2 new').count()).toBe(1);
  await visitor.expectAccessible();
});

test('runs, and the details of one, offer a retry if they fail to load', async () => {
  await using feed = await wordpressFeed([feedRecord(1)]);
  await using app = await browserApp({ env: { WORDPRESS_URL: feed.url } });
  await using visitor = await visitAdmin(app, { path, expectedConsole: /ERR_FAILED/ });
  const { page } = visitor;
  const dialog = page.getByRole('dialog', { name: 'Provider sync' });
  const retry = dialog.getByRole('button', { name: 'Try again' });
  const lists = '**/trpc/*sync.lastRuns*';
  await page.getByText('Providers have never been synced.').waitFor();
  await page.route(lists, (route) => route.abort());
  await page.getByRole('button', { name: 'Sync details' }).click();
  await retry.waitFor();
  await page.unroute(lists);
  await retry.click();
  await retry.waitFor({ state: 'detached' });

  const details = '**/trpc/*sync.runDetail*';
  await page.route(details, (route) => route.abort());
  await dialog.getByRole('button', { name: 'Preview changes' }).click();
  await retry.waitFor();
  await page.unroute(details);
  await retry.click();
  await dialog.getByText('1 would be new').first().waitFor();
  await dialog.getByRole('region', { name: 'Providers in this run' }).last().waitFor();
  expect(await retry.count()).toBe(0);
});

test('the header’s button reports that providers were synced, or why not', async () => {
  meets('P2.admin.02 P5.valid.31 P6.role.07 P7.call.29 P8.error.34');
  await using feed = await wordpressFeed([feedRecord(1)]);
  await using app = await browserApp({ env: { WORDPRESS_URL: feed.url } });
  await using visitor = await visitAdmin(app, { path });
  const { page } = visitor;
  const button = page.getByRole('button', { name: 'Sync Providers' });
  await button.click();
  await page.getByText('Successfully synced providers').waitFor();
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.getByText('Practice 1').first().waitFor();
  feed.records = [feedRecord(1, { acf: { zip_code: 'none' } })];
  await page.getByRole('button', { name: 'Sync details' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Run full sync', exact: true }).click();
  // In the line of the last sync: the toast says exactly the specified sentence.
  await page.getByText('The only row was skipped: “none” isn’t a five-digit US ZIP code.').first().waitFor();
  await page.keyboard.press('Escape');
  feed.instead = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<form>Log in</form>');
    return true;
  };
  await button.click();
  await page.getByText('Failed', { exact: true }).waitFor();
  expect(await app.sql`select 1 from providers where status = 't'`).toHaveLength(1);
});

test('a run that would lose most providers is stopped, and only a manager can force it', async () => {
  await using feed = await wordpressFeed([1, 2, 3, 4].map((id) => feedRecord(id)));
  await using app = await browserApp({ env: { WORDPRESS_URL: feed.url } });
  await using visitor = await visitAdmin(app, { path });
  const { page } = visitor;
  await page.getByRole('button', { name: 'Sync details' }).click();
  const dialog = page.getByRole('dialog', { name: 'Provider sync' });
  const all = dialog.getByRole('button', { name: 'Run full sync', exact: true });
  await all.click();
  await dialog.getByText('4 new').waitFor();
  feed.records = feed.records.slice(0, 1);
  await all.click();
  const force = dialog.getByRole('button', { name: 'Run full sync and ignore the limit' });
  await force.waitFor();
  // A preview, which staff should check first, does not remove the button that forces the run.
  await dialog.getByRole('button', { name: 'Preview changes' }).click();
  await dialog.getByText('3 would be deactivated').waitFor();
  await force.waitFor();
  expect(await app.sql`select 1 from providers where status = 't'`).toHaveLength(4);
  await force.click();
  await dialog.getByText('3 deactivated').waitFor();
  expect(await app.sql`select 1 from providers where status = 't'`).toHaveLength(1);
  await using viewer = await visitAdmin(app, { path, role: 'viewer' });
  await viewer.page.getByRole('button', { name: 'Sync details' }).click();
  await viewer.page.getByRole('dialog').getByRole('button', { name: 'Show the sync run' }).first().waitFor();
  expect(await viewer.page.getByRole('button', { name: 'Run full sync', exact: true }).count()).toBe(0);
});

test('without WordPress, the outlined header button says why, and reports the failure', async () => {
  await using app = await browserApp();
  await using visitor = await visitAdmin(app, { path });
  const { page } = visitor;
  await page.getByText(syncMessages.notConfigured).waitFor();
  const button = page.getByRole('button', {
    name: adminCopy.sync.start,
    description: adminCopy.sync.notConfigured,
  });
  const background = await button.evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(background).toBe('rgba(0, 0, 0, 0)');
  await button.press('Enter');
  await page.getByText(runMessages.notConfigured).waitFor();
  await visitor.expectAccessible();
});
