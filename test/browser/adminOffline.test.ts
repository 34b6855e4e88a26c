import { expect, test } from 'vitest';
import { correctionCopy } from '#client/admin/leads/copy.ts';
import { gateCopy } from '#client/admin/signIn/copy.ts';
import { adminCopy } from '#shared/admin/copy.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { insertLead, insertLeads } from '#test/support/leadRows.ts';
import { row, rows } from '#test/support/leadList.ts';
import { insertAccount, getSession } from '#test/support/staff.ts';

test('offline, a deletion keeps its row and says so, and the next page is an error', async () => {
  await using app = await browserApp();
  const leads = await insertLeads(
    app.db,
    Array.from({ length: 41 }, () => ({})),
  );
  await using visitor = await visitAdmin(app, {
    expectedConsole: /ERR_INTERNET_DISCONNECTED|Failed to fetch|Failed to load resource/,
  });
  const { page, context } = visitor;
  const id = leads.at(-1)?.id ?? 0;
  await row(page, id).waitFor(patience);
  await context.setOffline(true);
  await page.getByText(adminCopy.offline).waitFor(patience);
  await row(page, id).getByRole('button', { name: 'Delete' }).click(patience);
  await page.getByText('Failed to delete lead').first().waitFor(patience);
  expect(await row(page, id).count()).toBe(1);
  await page.getByRole('button', { name: 'Next' }).click(patience);
  await page.getByRole('button', { name: adminCopy.retry }).first().waitFor(patience);
  await context.setOffline(false);
  await page.getByRole('button', { name: adminCopy.retry }).first().click(patience);
  await expect.poll(() => rows(page).count(), patience).toBe(1);
  expect(await page.getByText(adminCopy.offline).count()).toBe(0);
  expect(await app.sql`select 1 from leads where deleted_at is not null`).toHaveLength(0);
});

test('after another account signed in, a change is refused, and what was typed stays', async () => {
  await using app = await browserApp();
  const lead = await insertLead(app.db, { email: 'kit@exmaple.com' });
  await using visitor = await visitAdmin(app, {
    path: `/admin?lead=${lead.id}`,
    expectedConsole: /status of 409/,
  });
  const { page, context, origin } = visitor;
  const correct = page.getByRole('button', { name: correctionCopy.actionOf('Email') });
  await correct.click(patience);
  const form = page.getByRole('dialog', { name: correctionCopy.titles.email });
  const field = form.getByLabel(correctionCopy.labels.email);
  await field.fill('kit@example.com');
  const second = await insertAccount(app, 'manager');
  const [name = '', value = ''] = (await getSession(app, second)).cookie.split('=');
  await context.addCookies([{ name, value, url: origin }]);
  const otherTab = await context.newPage();
  await otherTab.goto('/admin');
  await otherTab.getByText(gateCopy.signedInAs(second.name, 'manager')).waitFor(patience);

  const submit = form.getByRole('button', { name: correctionCopy.action });
  await submit.click();
  await form.getByText(`You are signed in as ${second.name}. Nothing was changed.`).waitFor(patience);
  await page.getByText(gateCopy.otherAccount(second.name)).waitFor({ state: 'attached', ...patience });
  expect(await field.inputValue()).toBe('kit@example.com');
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached', ...patience });
  await page.keyboard.press('Escape');
  await row(page, lead.id).getByRole('button', { name: 'Delete' }).click(patience);
  const refusal = page.getByRole('alert').filter({ hasText: `You are signed in as ${second.name}.` });
  await refusal.waitFor(patience);
  await row(page, lead.id).waitFor(patience);
  await visitor.expectAccessible();
  expect(await app.sql`select email from leads where deleted_at is null`).toEqual([
    { email: 'kit@exmaple.com' },
  ]);

  await page.getByRole('button', { name: gateCopy.continueAs(second.name) }).click();
  await page.getByText(gateCopy.signedInAs(second.name, 'manager')).waitFor(patience);
  await row(page, lead.id).getByRole('button', { name: 'Delete' }).click(patience);
  await expect
    .poll(async () => [
      ...(await app.sql`select actor_name as by from audit_log where action = 'lead.delete'`),
    ])
    .toEqual([{ by: second.name }]);
  expect(await page.getByText(gateCopy.otherAccount(second.name)).count()).toBe(0);
});
