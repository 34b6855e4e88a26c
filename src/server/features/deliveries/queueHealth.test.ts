import { expect, test } from 'vitest';
import { z } from 'zod';
import { queueHealth, type QueueHealth } from '#shared/admin/adminDeliveries.ts';
import type { StaffRole } from '#shared/admin/staff.ts';
import type { DeliveryInsert } from '#server/db/schema/index.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import { signedIn } from '#test/support/staff.ts';
import { type TestApp, testApp } from '#test/support/testApp.ts';
import { insertEndpoint, insertWebhook } from '#test/support/webhookRows.ts';

const dayMs = 86_400_000;
const now = () => new Date('2026-06-10T12:00:00Z');
const answer = z.object({ result: z.object({ data: queueHealth }) });

/** The figures as a member of this role sees them. */
async function readHealth(app: TestApp, role: StaffRole): Promise<QueueHealth> {
  const { json } = await app.get('/trpc/admin.deliveries.queueHealth', await signedIn(app, role));
  return answer.parse(json()).result.data;
}

test('queue figures count what waits, failed and is held in all channels, and workers', async () => {
  await using app = await testApp({ now });
  const health = () => readHealth(app, 'owner');
  const empty = { queued: 0, oldestDueSeconds: null, failedIn24Hours: 0, overHourlyLimit: 0, held: [] };
  expect(await health()).toEqual({ ...empty, workers: 0 });
  const lead = await insertLead(app.db);
  const of = (row: Partial<DeliveryInsert>) => insertDelivery(app, { leadId: lead.id, ...row });
  const endpointId = await insertEndpoint(app);
  const ago = (ms: number) => new Date(now().getTime() - ms);
  await of({ nextAttemptAt: ago(90_000) });
  await of({ nextAttemptAt: new Date(now().getTime() + 1000) });
  await insertWebhook(app, { endpointId, event: {}, nextAttemptAt: ago(120_000) });
  await of({ state: 'held' });
  await of({ state: 'held', channel: 'lead-email', reason: 'Email is not configured.' });
  await of({ state: 'failed', finishedAt: ago(dayMs + 1) });
  await of({ state: 'failed', finishedAt: ago(dayMs - 1) });
  await insertWebhook(app, { endpointId, event: {}, state: 'failed', finishedAt: ago(1) });
  const held = [
    { channel: 'crm', reason: 'Because.', count: 1 },
    { channel: 'lead-email', reason: 'Email is not configured.', count: 1 },
  ];
  expect(await health()).toEqual({
    ...{ queued: 3, oldestDueSeconds: 120, failedIn24Hours: 2, overHourlyLimit: 0, held, workers: 0 },
  });
  expect(await readHealth(app, 'manager')).toMatchObject({
    queued: 2,
    oldestDueSeconds: 90,
    failedIn24Hours: 1,
  });
  await using worker = await testApp({ now, database: app.database, worker: true });
  expect(worker.port).not.toBe(app.port);
  expect(await health()).toMatchObject({ workers: 1 });
});
