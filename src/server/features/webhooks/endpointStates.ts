import { and, count, eq, isNotNull, isNull } from 'drizzle-orm';
import {
  type DisabledReason,
  disabledReasons,
  failuresToWarn,
  type WebhookEndpoint,
} from '#shared/admin/webhooks.ts';
import type { Queryable } from '#server/db/connect.ts';
import { webhookEndpoints, type WebhookEndpointRow } from '#server/db/schema/index.ts';
import { recordAccessChange } from '../ledger/accessChanges.ts';
import { cancelEndpointDeliveries, deleteEndpointDeliveries } from '../outbox/cancelDeliveries.ts';

// An endpoint is on or off. The functions below are the only ones that change it.

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
  const changed = await tx
    .update(webhookEndpoints)
    .set({ disabledAt: null, disabledReason: null, failures: 0, firstFailedAt: null })
    .where(and(eq(webhookEndpoints.id, endpointId), isNotNull(webhookEndpoints.disabledAt)))
    .returning({ id: webhookEndpoints.id });
  return changed.length > 0;
}

/**
 * Disables an endpoint and cancels its queued deliveries. One that is off stays as it is, with its reason. Returns
 * whether it was on. The endpoint is locked before its deliveries, so that two processes never wait for each other.
 */
export async function disableEndpoint(
  tx: Queryable,
  { endpointId, reason, now }: { endpointId: string; reason: DisabledReason; now: Date },
): Promise<boolean> {
  const changed = await tx
    .update(webhookEndpoints)
    .set({ disabledAt: now, disabledReason: reason })
    .where(and(eq(webhookEndpoints.id, endpointId), isNull(webhookEndpoints.disabledAt)))
    .returning({ id: webhookEndpoints.id });
  if (changed.length === 0) return false;
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
