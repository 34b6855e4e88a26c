import { readdirSync, readFileSync } from 'node:fs';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DeliveryState, deliveryStates } from '#shared/admin/deliveries.ts';
import { deliveries } from '#server/db/schema/index.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { changeDeliveries, type DeliveryChange, allowedChanges, stateColumns } from './deliveryStates.ts';

let database: TestDb;
let leadId: number;
beforeAll(async () => {
  database = await testDb();
  leadId = (await insertLead(database.db)).id;
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
});

const at = new Date('2026-06-11T08:00:00Z');
const reason = 'For a test.';
const changes: Record<DeliveryState, DeliveryChange> = {
  queued: { state: 'queued', nextAttemptAt: at, reason: null },
  held: { state: 'held', reason },
  delivered: { state: 'delivered', finishedAt: at },
  failed: { state: 'failed', reason, finishedAt: at },
  cancelled: { state: 'cancelled', reason, finishedAt: at },
};

/** Changes a new delivery in one state to another. Returns its row before and after, and how many were returned. */
async function change(from: DeliveryState, to: DeliveryState) {
  const { db } = database;
  const id = await insertDelivery(database, { leadId, state: from });
  const isRequested = eq(deliveries.id, id);
  const [before] = await db.select().from(deliveries).where(isRequested);
  const changed = await changeDeliveries(db, isRequested, changes[to]);
  const [after] = await db.select().from(deliveries).where(isRequested);
  return { id, before, after, changed };
}

const pairs = deliveryStates.flatMap((from) => deliveryStates.map((to) => [from, to] as const));
const allowed = [
  'queued → queued',
  'queued → delivered',
  'queued → failed',
  'queued → held',
  'queued → cancelled',
  'held → queued',
  'held → cancelled',
  'delivered → queued',
  'delivered → failed',
  'delivered → held',
  'failed → queued',
  'failed → cancelled',
  'failed → held',
  'cancelled → queued',
];

test('the table of transitions has fourteen', () => {
  const listed = pairs.filter(([from, to]) => allowedChanges[from].includes(to));
  expect(listed.map(([from, to]) => `${from} → ${to}`).toSorted()).toEqual(allowed.toSorted());
});

describe('a delivery', () => {
  test.each(pairs.filter((pair) => allowed.includes(pair.join(' → '))))(
    'may change: %s → %s',
    async (from, to) => {
      const { id, before, after, changed } = await change(from, to);
      expect(changed).toEqual([{ id, channel: 'crm', leadId, endpointId: null }]);
      expect(after).toEqual({ ...before, ...stateColumns(changes[to]) });
    },
  );

  test.each(pairs.filter((pair) => !allowed.includes(pair.join(' → '))))(
    'stays as it is: %s → %s',
    async (from, to) => {
      const { before, after, changed } = await change(from, to);
      expect(changed).toEqual([]);
      expect(before).toBeDefined();
      expect(after).toEqual(before);
    },
  );

  test('changes only with a condition', async () => {
    await expect(changeDeliveries(database.db, undefined, changes.queued)).rejects.toThrow('condition');
  });
});

test('no other file of the server sets the state of a delivery', () => {
  const folder = 'src/server';
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  const setsState =
    /update\(deliveries\)\s*\.set\(\{[^}]*(?:\bstate\b|stateColumns)|update deliveries\s+set(?:(?!where)[^`])*\bstate\s*=/;
  const found = files.filter((file) => setsState.test(readFileSync(`${folder}/${file}`, 'utf8')));
  expect(found).toEqual(['features/outbox/deliveryStates.ts']);
});
