import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { adminCopy } from '#shared/admin/copy.ts';
import { row, rows, sendLead, toast } from '#test/support/leadList.ts';
import { meets } from '#test/support/meets.ts';
import { mailServer } from '#scripts/demo/mailServer.ts';
import { crmEnvironment } from '#test/support/outboxSetup.ts';
import { answers, startReceiver, takes } from '#test/support/receiver.ts';

/** Waits for the toast of a failure, which replaces any other. */
async function expectFailure(page: Page, sentence: string): Promise<void> {
  const alerts = async (): Promise<string[]> =>
    (await page.getByRole('alert').allInnerTexts()).map((text) => text.replace(/\n+/, ': '));
  await expect.poll(alerts, patience).toEqual([`Error: ${sentence}`]);
}

/** Waits for the toast of a success, which replaces any other. */
async function expectSuccess(page: Page, sentence: string, ...below: unknown[]): Promise<void> {
  await toast(page, sentence).waitFor(patience);
  expect(await page.getByRole('alert').count()).toBe(0);
  expect((await toast(page, sentence).innerText()).split(/\n+/)).toEqual(['Success', sentence, ...below]);
}

describe('a retry', () => {
  test('that works says so and shows the new status in the list', async () => {
    meets('P6.role.06 P7.call.32 P8.error.31 P8.error.33 P8.error.35 P8.error.36 P8.error.39 D.people.11');
    await using receiver = await startReceiver(answers(400));
    await using mail = await mailServer();
    const smtp = { SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: 'We <us@main.example>' };
    await using app = await browserApp({ env: { ...crmEnvironment(receiver), ...smtp }, worker: true });
    const [id, other] = [
      await sendLead(app, { zip_code: '99501' }),
      await sendLead(app, { zip_code: '99501' }),
    ];
    await insertProvider(app.db, { name: 'Far Clinic', zipCode: '33131' });
    const failed = () => app.sql`select id::int from leads where crm_sync_status = 'failed' order by id`;
    await expect.poll(failed, patience).toEqual([{ id }, { id: other }]);
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    const getStatus = (lead: number): Promise<string> =>
      row(page, lead)
        .getByText(/^(success|failed|Pending)$/)
        .innerText(patience);
    expect(await getStatus(id)).toBe('failed');

    await row(page, id).getByRole('button', { name: 'Retry CRM Sync' }).click();
    await expectFailure(page, 'The CRM returned HTTP 400.');
    receiver.become(takes);
    await row(page, id).getByRole('button', { name: 'Retry CRM Sync' }).click();
    await expectSuccess(page, 'Successfully retried CRM sync');
    await expect.poll(() => getStatus(id), patience).toBe('success');
    expect(await getStatus(other)).toBe('failed');

    await row(page, id).getByRole('button', { name: 'Resend Email' }).click();
    await expectSuccess(page, 'Successfully retried email');
    expect(mail.received.map(({ to }) => to)).toHaveLength(1);

    await row(page, id).getByRole('button', { name: 'Match with provider...' }).click();
    await page.getByRole('dialog', { name: 'Select Provider' }).getByRole('option').first().click(patience);
    const match: unknown = expect.stringMatching(/: Far Clinic, [\d,]+ miles$/);
    await expectSuccess(page, 'Lead provider updated successfully', match, adminCopy.undo);

    await row(page, other).getByRole('checkbox').check();
    const bar = page.getByRole('region', { name: 'Selected leads' });
    await bar.getByRole('button', { name: 'Retry CRM Sync' }).click();
    await expectSuccess(page, 'Successfully retried sync');
  });

  test('that fails shows the server’s sentence, one toast at a time', async () => {
    meets('P5.valid.29 P5.valid.30 P8.error.31 P9.const.23 P9.const.25');
    await using receiver = await startReceiver(answers(400));
    await using app = await browserApp({ env: crmEnvironment(receiver) });
    const id = await sendLead(app);
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    await row(page, id).getByRole('button', { name: 'Retry CRM Sync' }).click(patience);
    await expectFailure(page, 'The CRM returned HTTP 400.');
    // A response with `success: false` is a failure, too. Its toast replaces the first.
    await page.getByRole('button', { name: 'Sync Providers' }).press('Enter');
    await expectFailure(page, 'Provider sync is not configured.');
    const box = await page.getByRole('alert').boundingBox();
    expect(box?.width).toBeLessThanOrEqual(420);
  });

  test('without an error in the response shows the default of each action', async () => {
    meets('P5.valid.29 P5.valid.30');
    await using receiver = await startReceiver(answers(400));
    await using app = await browserApp({ env: crmEnvironment(receiver) });
    const id = await sendLead(app);
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    await rows(page).first().waitFor(patience);
    // As a proxy, or a server of an older version, may answer.
    await page.route(
      /\/trpc\/(?:admin\.leads\.(?:retrySync|retryEmail|bulkRetrySync)|sync\.run)\b/,
      (route) => route.fulfill({ json: { result: { data: { success: false, run: null } } } }),
    );
    await row(page, id).getByRole('button', { name: 'Retry CRM Sync' }).click();
    await expectFailure(page, 'Failed to retry CRM sync');
    await row(page, id).getByRole('button', { name: 'Resend Email' }).click();
    await expectFailure(page, 'Failed to retry email');
    await page.getByRole('button', { name: 'Sync Providers' }).press('Enter');
    await expectFailure(page, 'Failed to sync providers');
    await row(page, id).getByRole('checkbox').check();
    const bar = page.getByRole('region', { name: 'Selected leads' });
    await bar.getByRole('button', { name: 'Retry CRM Sync' }).click();
    await expectFailure(page, 'Failed to retry sync');
    expect(receiver.received).toEqual([]);
  });

  test('without any response shows the default of each action', async () => {
    meets('P8.error.24 P8.error.25 P8.error.26 P8.error.27 P8.error.28 P8.error.30 P9.const.23');
    await using receiver = await startReceiver(answers(400));
    await using app = await browserApp({ env: crmEnvironment(receiver) });
    const id = await sendLead(app, { zip_code: '99501' });
    await insertProvider(app.db, { name: 'Near Clinic', zipCode: '98101' });
    await using visitor = await visitAdmin(app, { expectedConsole: /Failed to load resource/ });
    const { page } = visitor;
    await rows(page).first().waitFor(patience);
    await page.route(
      /\/trpc\/(?:admin\.leads\.(?:retrySync|retryEmail|assign|bulkRetrySync)|sync\.run)\b/,
      (route) => route.abort(),
    );
    await row(page, id).getByRole('button', { name: 'Retry CRM Sync' }).click();
    await expectFailure(page, 'Failed to retry CRM sync');
    await row(page, id).getByRole('button', { name: 'Resend Email' }).click();
    await expectFailure(page, 'Failed to retry email');
    await row(page, id).getByRole('button', { name: 'Match with provider...' }).click();
    await page.getByRole('dialog', { name: 'Select Provider' }).getByRole('option').first().click(patience);
    await expectFailure(page, 'Failed to update lead provider');
    await row(page, id).getByRole('checkbox').check();
    const bar = page.getByRole('region', { name: 'Selected leads' });
    await bar.getByRole('button', { name: 'Retry CRM Sync' }).click();
    await page.setViewportSize({ width: 768, height: 480 });
    await expectFailure(page, 'Failed to retry sync');
    const gap = async (): Promise<number> => {
      const [shown, actions] = [await page.locator('[data-toast]').boundingBox(), await bar.boundingBox()];
      return shown === null || actions === null ? -1 : actions.y - shown.y - shown.height;
    };
    await expect.poll(gap, patience).toBeGreaterThan(0);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('button', { name: 'Sync Providers' }).press('Enter');
    await expectFailure(page, 'Failed to sync providers');
    expect(await app.sql`select 1 from leads where provider_id is not null`).toEqual([]);
  });
});

test('the selection bar assigns several leads to one provider', async () => {
  meets('D.admin.60');
  await using app = await browserApp();
  const ids = [await sendLead(app, { zip_code: '99501' }), await sendLead(app, { zip_code: '99501' })];
  const { id } = await insertProvider(app.db, { name: 'Near Clinic', zipCode: '98101' });
  await using visitor = await visitAdmin(app);
  const { page } = visitor;
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check(patience);
  const bar = page.getByRole('region', { name: 'Selected leads' });
  await bar.getByRole('button', { name: 'Assign provider' }).click();
  const options = page.getByRole('dialog', { name: 'Select Provider' }).getByRole('option');
  await options.filter({ hasText: 'Near Clinic' }).click(patience);
  await page.getByRole('dialog').getByRole('button', { name: 'Assign 2 leads' }).click(patience);
  await toast(page, '2 leads assigned').waitFor(patience);
  for (const lead of ids) await row(page, lead).getByText('Near Clinic').waitFor(patience);
  expect(await app.sql`select distinct provider_id::int as id from leads`).toEqual([{ id }]);
});
