import { and, count, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import {
  type DisabledReason,
  disabledReasons,
  failingHoursToDisable,
  failuresToDisable,
  failuresToWarn,
  testType,
  type WebhookEndpoint,
} from '#shared/admin/webhooks.ts';
import { hourMs } from '#shared/formats/time.ts';
import type { Queryable } from '#server/db/connect.ts';
import { webhookEndpoints, type WebhookEndpointRow } from '#server/db/schema/index.ts';
import { recordAudit, system } from '../audit/audit.ts';
import { recordAccessChange } from '../ledger/accessChanges.ts';
import { cancelEndpointDeliveries, deleteEndpointDeliveries } from '../outbox/cancelDeliveries.ts';
import type { EndedAttempt, WebhookInput } from '../outbox/types.ts';

// An endpoint is on or off, and fails or not. The functions below are the only ones that change it.

/** The state that staff see. `failing` is an endpoint that is on and fails. */
export function endpointState({
  disabledAt,
  failures,
}: Pick<WebhookEndpointRow, 'disabledAt' | 'failures'>): WebhookEndpoint['state'] {
  if (disabledAt !== null) return 'off';
  return failures >= failuresToWarn ? 'failing' : 'on';
}

/** Numbers of disabled endpoints, for every reason. */
export async function countDisabled(
  db: Queryable,
): Promise<readonly { reason: DisabledReason; count: number }[]> {
  const { disabledReason } = webhookEndpoints;
  const rows = await db
    .select({ reason: disabledReason, count: count() })
    .from(webhookEndpoints)
    .where(isNotNull(webhookEndpoints.disabledAt))
    .groupBy(disabledReason);
  return disabledReasons.map((reason) => ({
    reason,
    count: rows.find((row) => row.reason === reason)?.count ?? 0,
  }));
}

/** Enables an endpoint and resets its failures. One that is on stays as it is. Returns whether it was off. */
export async function enableEndpoint(tx: Queryable, endpointId: string): Promise<boolean> {
  const { count: changed } = await tx
    .update(webhookEndpoints)
    .set({ disabledAt: null, disabledReason: null, failures: 0, firstFailedAt: null })
    .where(and(eq(webhookEndpoints.id, endpointId), isNotNull(webhookEndpoints.disabledAt)));
  return changed > 0;
}

/**
 * Turns an endpoint off, then cancels its deliveries (lock order); one already off stays. Returns whether it was on.
 */
export async function disableEndpoint(
  tx: Queryable,
  { endpointId, reason, now }: { endpointId: string; reason: DisabledReason; now: Date },
): Promise<boolean> {
  const { count: changed } = await tx
    .update(webhookEndpoints)
    .set({ disabledAt: now, disabledReason: reason })
    .where(and(eq(webhookEndpoints.id, endpointId), isNull(webhookEndpoints.disabledAt)));
  if (changed === 0) return false;
  await recordAccessChange(tx, { kind: 'endpoint-changed', endpointId });
  await cancelEndpointDeliveries(tx, endpointId, now);
  return true;
}

/** Deletes an endpoint, on or off, with its deliveries. */
export async function deleteEndpoint(tx: Queryable, endpointId: string): Promise<void> {
  await tx.delete(webhookEndpoints).where(eq(webhookEndpoints.id, endpointId));
  await recordAccessChange(tx, { kind: 'endpoint-removed', endpointId });
  await deleteEndpointDeliveries(tx, endpointId);
}

/** Counts a failure. Returns why the endpoint must be disabled now: 410, or failures for too long; null: it isn't. */
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
  const isFailing = (row?.failures ?? 0) >= failuresToDisable && failingMs >= failingHoursToDisable * hourMs;
  return isFailing ? 'failing' : null;
}

/** Counts an attempt's result. Disables an endpoint that fails too long or returns 410, audited. Skips failed tests. */
export async function recordEndpointHealth(
  tx: Queryable,
  { input: { endpoint, event }, result, now, failuresBefore }: EndedAttempt<WebhookInput>,
): Promise<void> {
  const endpointId = endpoint.id;
  if (result.outcome === 'delivered') {
    // A success resets the count of failures in a row.
    const reset = { failures: 0, firstFailedAt: null };
    if (failuresBefore > 0)
      await tx.update(webhookEndpoints).set(reset).where(eq(webhookEndpoints.id, endpointId));
    return;
  }
  const { isGone: gone = false } = result;
  if (event.type === testType && !gone) return;
  const reason = await countFailure(tx, { endpointId, gone, now });
  if (reason === null || !(await disableEndpoint(tx, { endpointId, reason, now }))) return;
  const subject = { kind: 'endpoint', id: endpointId };
  await recordAudit(tx, { actor: system, ip: null, action: 'endpoint.disable', subject, detail: { reason } });
}
