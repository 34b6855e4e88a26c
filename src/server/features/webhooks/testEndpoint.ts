import type { AttemptResult } from '#shared/admin/webhooks.ts';
import { attemptDelivery, startAttempts } from '../outbox/attemptDelivery.ts';
import { enqueueLeased } from '../outbox/lease.ts';
import type { Subject } from '../outbox/subject.ts';
import { auditEndpoint, type WebhookAction, getEndpoint } from './endpoints.ts';
import { recordTestEvent } from './recordEvents.ts';

/** Sends `webhook.test` to one endpoint now, on or off, and returns the result. Throws NOT_FOUND. */
export async function testEndpoint(staffAction: WebhookAction, endpointId: string): Promise<AttemptResult> {
  const { services } = staffAction;
  const now = services.now();
  const lease = await services.db.transaction(async (tx) => {
    await getEndpoint(tx, endpointId);
    const eventId = await recordTestEvent(tx, { endpointId, now });
    const leased = await enqueueLeased(tx, { eventId, endpointId, now });
    await auditEndpoint(tx, staffAction, { action: 'endpoint.test', id: endpointId });
    return leased;
  });
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
