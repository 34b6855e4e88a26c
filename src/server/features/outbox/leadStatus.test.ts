import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DeliveryInsert } from '#server/db/schema/index.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { cancelLeadDeliveries } from './cancelDeliveries.ts';
import { clearFailureFlags, flagFailedDeliveries, updateCrmStatus } from './leadStatus.ts';

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
async function getStatus(...rows: Partial<DeliveryInsert>[]): Promise<unknown> {
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
    meets('D.deliveries.29 D.deliveries.31');
    const older = { state: state === 'failed' ? 'queued' : 'failed', createdAt: early } as const;
    expect(await getStatus(older, { state, createdAt: late })).toBe(status);
  });

  test('ignores deliveries by other channels', async () => {
    const email = { channel: 'lead-email', state: 'failed', createdAt: late } as const;
    expect(await getStatus({ state: 'delivered', createdAt: early }, email)).toBe('success');
  });

  test('follows the unfinished one of deliveries created at the same time', async () => {
    expect(await getStatus({ createdAt: early }, { state: 'delivered', createdAt: early })).toBe('pending');
  });
});

describe('a lead that its provider doesn’t get', () => {
  const email = { channel: 'provider-email', createdAt: early } as const;
  const newer = { ...email, createdAt: late };

  async function getFlags(leadId: number): Promise<unknown> {
    const [flags] = await database.sql`
      select clinic_not_reached as clinic, delivery_failed as failed from leads where id = ${leadId}`;
    return flags;
  }

  /** A lead with these deliveries and its flags. */
  async function flagged(...rows: Partial<DeliveryInsert>[]): Promise<{ leadId: number; flags: unknown }> {
    const { id: leadId } = await insertLead(database.db);
    for (const row of rows) await insertDelivery(database, { leadId, ...row });
    await flagFailedDeliveries(database.db, [leadId]);
    return { leadId, flags: await getFlags(leadId) };
  }

  test.each<[string, boolean, boolean, Partial<DeliveryInsert>[]]>([
    ['its email failed', true, true, [{ ...email, state: 'failed' }]],
    ['a refusal holds its email', true, false, [{ ...email, state: 'held', holdCause: 'later' }]],
    ['its address is marked', true, false, [{ ...email, state: 'held', holdCause: 'unreachable' }]],
    ['email isn’t configured', false, false, [{ ...email, state: 'held' }]],
    ['only the CRM refused it', false, true, [{ state: 'failed' }]],
    ['only the person’s email failed', false, true, [{ channel: 'lead-email', state: 'failed' }]],
    ['only a notice to it failed', false, true, [{ ...email, template: 'erased', state: 'failed' }]],
    ['the email is queued again', false, false, [{ ...email, state: 'failed' }, newer]],
    [
      'a later email arrived',
      false,
      false,
      [
        { ...email, state: 'failed' },
        { ...newer, state: 'delivered' },
      ],
    ],
    [
      'a later one failed',
      true,
      true,
      [
        { ...email, state: 'delivered' },
        { ...newer, state: 'failed' },
      ],
    ],
    [
      'the CRM got it',
      true,
      true,
      [
        { ...email, state: 'failed' },
        { state: 'delivered', createdAt: late },
      ],
    ],
  ])('is flagged by its newest email: %s', async (_, clinic, failed, rows) => {
    expect((await flagged(...rows)).flags).toEqual({ clinic, failed });
  });

  test('isn’t one anymore once its email is queued again or canceled', async () => {
    const held = { ...email, state: 'held', holdCause: 'later' } as const;
    const [queued, cancelled] = [await flagged(held), await flagged(held)];
    expect([queued.flags, cancelled.flags]).toEqual(Array(2).fill({ clinic: true, failed: false }));
    await database.sql`update deliveries set state = 'queued', hold_cause = null, next_attempt_at = now() where lead_id = ${queued.leadId}`;
    await clearFailureFlags(database.db, [queued.leadId]);
    await cancelLeadDeliveries(database.db, [cancelled.leadId], { reason: 'Because.', now: late });
    for (const { leadId } of [queued, cancelled])
      expect(await getFlags(leadId)).toEqual({ clinic: false, failed: false });
  });
});

test('the leads of an earlier version are flagged by its failed emails to providers', async () => {
  const failed = { channel: 'provider-email', createdAt: early, state: 'failed' } as const;
  const rowsByName = {
    refused: [failed],
    reached: [failed, { ...failed, createdAt: late, state: 'delivered' }, { state: 'failed' }],
    refusedByCrm: [{ state: 'failed' }],
  } satisfies Record<string, Partial<DeliveryInsert>[]>;
  const flagged: Record<string, unknown> = {};
  const ids = new Map<string, number>();
  for (const [name, rows] of Object.entries(rowsByName)) {
    const { id: leadId } = await insertLead(database.db, { deliveryFailed: true });
    ids.set(name, leadId);
    for (const row of rows) await insertDelivery(database, { leadId, ...row });
  }
  await database.sql.unsafe(readFileSync('migrations/0013_clinic_not_reached_rows.sql', 'utf8'));
  for (const [name, id] of ids)
    flagged[name] = (await database.sql`select clinic_not_reached as is from leads where id = ${id}`)[0]?.[
      'is'
    ];
  expect(flagged).toEqual({ refused: true, reached: false, refusedByCrm: false });
});
