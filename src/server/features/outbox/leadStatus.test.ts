import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DeliveryInsert } from '#server/db/schema/index.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { updateCrmStatus } from './leadStatus.ts';

let database: TestDb;
beforeAll(async () => {
  database = await testDb();
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
});

const early = new Date('2026-06-10T12:00:00Z');
const late = new Date('2026-06-10T12:00:01Z');

/** The status of a lead whose status was `success`, after an update from these deliveries. */
async function statusOf(...rows: Partial<DeliveryInsert>[]): Promise<unknown> {
  const { id: leadId } = await insertLead(database.db, { crmSyncStatus: 'success' });
  for (const row of rows) await insertDelivery(database, { leadId, ...row });
  await updateCrmStatus(database.db, [leadId]);
  const [lead] = await database.sql`select crm_sync_status as status from leads where id = ${leadId}`;
  return lead?.['status'];
}

describe('the CRM status of a lead', () => {
  test.each([
    ['queued', 'pending'],
    ['held', 'pending'],
    ['failed', 'failed'],
    ['delivered', 'success'],
    ['cancelled', 'success'],
  ] as const)('follows its newest CRM delivery: %s, %s', async (state, status) => {
    const older = { state: state === 'failed' ? 'queued' : 'failed', createdAt: early } as const;
    expect(await statusOf(older, { state, createdAt: late })).toBe(status);
  });

  test('ignores deliveries by other channels', async () => {
    const email = { channel: 'lead-email', state: 'failed', createdAt: late } as const;
    expect(await statusOf({ state: 'delivered', createdAt: early }, email)).toBe('success');
  });

  test('follows the unfinished one of deliveries created at the same time', async () => {
    expect(await statusOf({ createdAt: early }, { state: 'delivered', createdAt: early })).toBe('pending');
  });
});
