import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience, useBrowser } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { row, sendLead } from '#test/support/leadList.ts';
import { mailServer } from '#test/support/mailServer.ts';
import { crmEnvironment } from '#test/support/outboxSetup.ts';
import { answers, startReceiver, takes } from '#test/support/receiver.ts';

useBrowser();

const lines = async (toast: Locator): Promise<string[]> => (await toast.innerText()).split(/\n+/);

/** Waits for the toast of a success, which replaces any other. */
async function expectSuccess(page: Page, text: string): Promise<void> {
  const toast = page.getByRole('status').filter({ hasText: text });
  await toast.waitFor(patience);
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(await lines(toast)).toEqual(['Success', text]);
}

/** Waits for the toast of a failure, which replaces any other. */
async function expectFailure(page: Page, text: string): Promise<void> {
  const toast = page.getByRole('alert').filter({ hasText: text });
  await toast.waitFor(patience);
  expect(await page.getByRole('alert').count()).toBe(1);
  expect(await lines(toast)).toEqual(['Error', text]);
}

async function selectAll(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
}

async function assignFirst(page: Page, id: number): Promise<void> {
  await row(page, id).getByRole('button', { name: 'Match with provider...' }).click();
  await page.getByRole('dialog', { name: 'Select Provider' }).getByRole('option').first().click(patience);
}

test('actions that succeed are reported, and the list shows the new status', async () => {
  await using receiver = await startReceiver(answers(400));
  await using mail = await mailServer();
  const smtp = { SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: 'We <us@main.example>' };
  await using app = await browserApp({ env: { ...crmEnvironment(receiver), ...smtp }, worker: true });
  const id = await sendLead(app, { zip_code: '99501' });
  await insertProvider(app.db, { name: 'Far Clinic', zipCode: '33131' });
  const failed = () => app.sql`select id::int from leads where crm_sync_status = 'failed'`;
  await expect.poll(failed, patience).toEqual([{ id }]);
  await using visitor = await visitAdmin(app);
  const { page } = visitor;
  const lead = row(page, id);
  const crmStatus = lead.getByText(/^(success|failed|Pending)$/);
  await expect.poll(() => crmStatus.innerText(), patience).toBe('failed');

  await lead.getByRole('button', { name: 'Retry CRM Sync' }).click();
  await expectFailure(page, 'The CRM returned HTTP 400.');
  receiver.become(takes);
  await lead.getByRole('button', { name: 'Retry CRM Sync' }).click();
  await expectSuccess(page, 'Successfully retried CRM sync');
  await expect.poll(() => crmStatus.innerText(), patience).toBe('success');

  await lead.getByRole('button', { name: 'Resend Email' }).click();
  await expectSuccess(page, 'Successfully retried email');
  expect(mail.received.map(({ to }) => to)).toHaveLength(1);

  await assignFirst(page, id);
  await expectSuccess(page, 'Lead provider updated successfully');

  receiver.become(answers(400));
  const other = await sendLead(app);
  await expect.poll(failed, patience).toContainEqual({ id: other });
  await page.reload();
  await lead.waitFor(patience);
  await selectAll(page);
  await page
    .getByRole('region', { name: 'Selected leads' })
    .getByRole('button', { name: 'Retry CRM Sync' })
    .click();
  await expectSuccess(page, 'Successfully retried sync');
});

test('actions without a response show the default of each, one toast at a time', async () => {
  await using app = await browserApp({ env: crmEnvironment({ url: 'http://127.0.0.1:9/hook' }) });
  const id = await sendLead(app, { zip_code: '99501' });
  await insertProvider(app.db, { name: 'Far Clinic', zipCode: '33131' });
  await using visitor = await visitAdmin(app, { expectedConsole: /Failed to load resource/ });
  const { page } = visitor;
  await page.route(/\/trpc\/adminLeads\.(retry|assign|bulk)/, (route) => route.abort());
  const lead = row(page, id);
  await lead.getByRole('button', { name: 'Retry CRM Sync' }).click(patience);
  await expectFailure(page, 'Failed to retry CRM sync');
  await lead.getByRole('button', { name: 'Resend Email' }).click();
  await expectFailure(page, 'Failed to retry email');
  await assignFirst(page, id);
  await expectFailure(page, 'Failed to update lead provider');
  await selectAll(page);
  await page
    .getByRole('region', { name: 'Selected leads' })
    .getByRole('button', { name: 'Retry CRM Sync' })
    .click();
  await expectFailure(page, 'Failed to retry sync');
  expect(await app.sql`select provider_id from leads`).toEqual([{ provider_id: null }]);
});
