import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import {
  type DisabledReason,
  failingHoursToDisable,
  failuresToDisable,
  testType,
} from '#shared/admin/webhooks.ts';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries, webhookEndpoints } from '#server/db/schema/index.ts';
import { recordAudit, system } from '../audit/audit.ts';
import { endpointOffReason } from '../outbox/cancelDeliveries.ts';
import type { EndedAttempt, WebhookInput } from '../outbox/types.ts';

const hourMs = 3_600_000;

/** A success ends the count of failures in a row. An endpoint without failures isn't written. */
async function endFailures(tx: Queryable, endpointId: string): Promise<void> {
  await tx
    .update(webhookEndpoints)
    .set({ failures: 0, firstFailedAt: null })
    .where(and(eq(webhookEndpoints.id, endpointId), gt(webhookEndpoints.failures, 0)));
}

/** Counts a failure. Returns why the endpoint must be disabled now: it is gone, or has failed too often for too long; null: it mustn't. */
async function countFailure(
  tx: Queryable,
  { endpointId, gone, now }: { endpointId: string; gone: boolean; now: Date },
): Promise<DisabledReason | null> {
  const [row] = await tx
    .update(webhookEndpoints)
    .set({
      failures: sql`${webhookEndpoints.failures} + 1`,
      firstFailedAt: sql`coalesce(${webhookEndpoints.firstFailedAt}, ${now.toISOString()}::timestamptz)`,
    })
    .where(eq(webhookEndpoints.id, endpointId))
    .returning({ failures: webhookEndpoints.failures, firstFailedAt: webhookEndpoints.firstFailedAt });
  if (gone) return 'gone';
  const failingMs = now.getTime() - (row?.firstFailedAt?.getTime() ?? now.getTime());
  const isHopeless = (row?.failures ?? 0) >= failuresToDisable && failingMs >= failingHoursToDisable * hourMs;
  return isHopeless ? 'failing' : null;
}

/** Counts an attempt's result, and disables an endpoint that fails for too long or is gone, with an audit entry. A failed test isn't counted. */
export async function recordEndpointHealth(
  tx: Queryable,
  { input: { endpoint, event }, result, now }: EndedAttempt<WebhookInput>,
): Promise<void> {
  const endpointId = endpoint.id;
  if (result.outcome === 'delivered') return endFailures(tx, endpointId);
  const { isGone: gone = false } = result;
  if (event.type === testType && !gone) return;
  const reason = await countFailure(tx, { endpointId, gone, now });
  if (reason === null || !(await disableEndpoint(tx, { endpointId, reason, now }))) return;
  const subject = { kind: 'endpoint', id: endpointId };
  await recordAudit(tx, { actor: system, ip: null, action: 'endpoint.disable', subject, detail: { reason } });
}

/**
 * Disables an endpoint and cancels its queued deliveries; one that is off stays as it is. Returns whether it was on. The endpoint's row is always
 * locked before its deliveries, so that two processes never wait for each other.
 */
export async function disableEndpoint(
  tx: Queryable,
  { endpointId, reason, now }: { endpointId: string; reason: DisabledReason; now: Date },
): Promise<boolean> {
  const switched = await tx
    .update(webhookEndpoints)
    .set({ disabledAt: now, disabledReason: reason })
    .where(and(eq(webhookEndpoints.id, endpointId), isNull(webhookEndpoints.disabledAt)))
    .returning({ id: webhookEndpoints.id });
  if (switched.length === 0) return false;
  await tx
    .update(deliveries)
    .set({ state: 'cancelled', nextAttemptAt: null, finishedAt: now, reason: endpointOffReason })
    .where(and(eq(deliveries.queue, endpointId), eq(deliveries.state, 'queued')));
  return true;
}
