import { randomUUID } from 'node:crypto';
import { testType, type AttemptResult } from '#shared/admin/webhooks.ts';
import { webhookEvents } from '#server/db/schema/index.ts';
import { attemptDelivery, startAttempts } from '../outbox/attemptDelivery.ts';
import { enqueueDeliveries } from '../outbox/enqueueDeliveries.ts';
import { leaseEnd } from '../outbox/lease.ts';
import type { Subject } from '../outbox/subject.ts';
import { auditEndpoint, type WebhookAction, getEndpoint } from './endpoints.ts';

/** Sends `webhook.test` to one endpoint now, on or off, and returns the result. Throws NOT_FOUND. */
export async function testEndpoint(staffAction: WebhookAction, endpointId: string): Promise<AttemptResult> {
  const { services } = staffAction;
  const now = services.now();
  const leasedUntil = leaseEnd(now);
  const [id, eventId] = [randomUUID(), randomUUID()];
  await services.db.transaction(async (tx) => {
    await getEndpoint(tx, endpointId);
    await tx
      .insert(webhookEvents)
      .values({ id: eventId, type: testType, at: now, data: { endpoint_id: endpointId } });
    // Leased from the start: no worker takes it.
    await enqueueDeliveries(tx, [
      {
        ...{ id, channel: 'webhook', template: 'event', eventId, endpointId },
        ...{ attempts: 1, leasedUntil, nextAttemptAt: leasedUntil, createdAt: now },
      },
    ]);
    await auditEndpoint(tx, staffAction, { action: 'endpoint.test', id: endpointId });
  });
  const lease = { id, queue: endpointId, leasedUntil, deliveredAt: null };
  const subjects: Subject[] = [];
  await startAttempts(services, [lease], (_, subject) => subjects.push(subject));
  const [subject] = subjects;
  if (subject === undefined) throw new Error('the test is gone');
  const stopping = new AbortController().signal;
  const { reason, result, durationMs } = await attemptDelivery(services, { lease, subject }, { stopping });
  return {
    delivered: result?.outcome === 'delivered',
    status: result !== null && 'status' in result ? result.status : null,
    duration_ms: Math.round(durationMs),
    reason,
  };
}
