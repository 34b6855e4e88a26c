import { randomUUID } from 'node:crypto';
import { testType, type AttemptResult } from '#shared/admin/webhooks.ts';
import { webhookEvents, webhookMessages } from '#server/db/schema/index.ts';
import { auditEndpoint, type WebhookAction, getEndpoint } from './endpoints.ts';
import { leaseFrom, readMessages } from './messageQueue.ts';
import { recordAttempt } from './recordAttempt.ts';
import { sendMessage } from './sendMessage.ts';

/** Sends `webhook.test` to one endpoint now, on or off, and tells how it ended. Throws NOT_FOUND. */
export async function testEndpoint(staffAction: WebhookAction, endpointId: string): Promise<AttemptResult> {
  const { db, now } = staffAction.services;
  const messageId = await db.transaction(async (tx) => {
    await getEndpoint(tx, endpointId);
    const event = { id: randomUUID(), type: testType, at: now(), data: { endpoint_id: endpointId } };
    await tx.insert(webhookEvents).values(event);
    // In hand already: no sender takes it.
    const [message] = await tx
      .insert(webhookMessages)
      .values({ eventId: event.id, endpointId, nextAttemptAt: leaseFrom(now()), createdAt: now() })
      .returning({ id: webhookMessages.id });
    await auditEndpoint(tx, staffAction, { action: 'endpoint.test', id: endpointId });
    return message?.id ?? 0;
  });
  const [taken] = await readMessages(db, [messageId]);
  if (taken === undefined) throw new Error('the test message is gone');
  const attempt = await sendMessage(staffAction.services, taken, { signal: new AbortController().signal });
  await recordAttempt(db, { message: taken.message, attempt, now: now(), isTest: true });
  return {
    delivered: attempt.delivered,
    status: attempt.status,
    duration_ms: attempt.durationMs,
    reason: attempt.reason,
  };
}
