import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { disabledReasons, failuresToWarn } from '#shared/admin/webhooks.ts';
import { webhookEndpoints } from '#server/db/schema/index.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { insertEndpoint, insertWebhook } from '#test/support/webhookRows.ts';
import { disableEndpoint, enableEndpoint, endpointState } from './endpointStates.ts';

let database: TestDb;
beforeAll(async () => {
  database = await testDb();
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
});

const now = new Date('2026-06-11T08:00:00Z');
const earlier = new Date('2026-06-10T08:00:00Z');

async function read(id: string): Promise<unknown> {
  const { disabledAt, disabledReason, failures, firstFailedAt } = webhookEndpoints;
  const [row] = await database.db
    .select({ at: disabledAt, reason: disabledReason, failures, since: firstFailedAt })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.id, id));
  return row;
}

test.each(disabledReasons)('an endpoint that is on turns off with the reason %s', async (reason) => {
  const id = await insertEndpoint(database);
  const deliveryId = await insertWebhook(database, { endpointId: id, event: {} });
  expect(await disableEndpoint(database.db, { endpointId: id, reason, now })).toBe(true);
  expect(await read(id)).toEqual({ at: now, reason, failures: 0, since: null });
  const [delivery] = await database.sql`select state, reason from deliveries where id = ${deliveryId}`;
  expect(delivery).toEqual({ state: 'cancelled', reason: 'The endpoint was switched off.' });
});

test('an endpoint that is off keeps its reason when it is disabled again', async () => {
  const off = { at: earlier, reason: 'gone', failures: 0, since: null };
  const id = await insertEndpoint(database, { disabledAt: earlier, disabledReason: 'gone' });
  expect(await disableEndpoint(database.db, { endpointId: id, reason: 'staff', now })).toBe(false);
  expect(await read(id)).toEqual(off);
});

test('an endpoint that is off turns on without failures', async () => {
  const failing = { failures: 3, firstFailedAt: earlier };
  const id = await insertEndpoint(database, { disabledAt: now, disabledReason: 'failing', ...failing });
  expect(await enableEndpoint(database.db, id)).toBe(true);
  expect(await read(id)).toEqual({ at: null, reason: null, failures: 0, since: null });
});

test('an endpoint that is on keeps its failures when it is enabled again', async () => {
  const id = await insertEndpoint(database, { failures: 3, firstFailedAt: earlier });
  expect(await enableEndpoint(database.db, id)).toBe(false);
  expect(await read(id)).toEqual({ at: null, reason: null, failures: 3, since: earlier });
});

test('an unknown endpoint changes in neither direction', async () => {
  expect(await enableEndpoint(database.db, randomUUID())).toBe(false);
  expect(await disableEndpoint(database.db, { endpointId: randomUUID(), reason: 'gone', now })).toBe(false);
});

test.each([
  [null, failuresToWarn - 1, 'on'],
  [null, failuresToWarn, 'failing'],
  [now, failuresToWarn, 'off'],
])('an endpoint disabled at %s with %d failures is shown as it is', (disabledAt, failures, state) => {
  expect(endpointState({ disabledAt, failures })).toBe(state);
});
