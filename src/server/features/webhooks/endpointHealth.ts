import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { type DisabledReason, failingHoursToDisable, failuresToDisable } from '#shared/admin/webhooks.ts';
import type { Queryable } from '#server/db/connect.ts';
import { webhookEndpoints, webhookMessages } from '#server/db/schema/index.ts';

const hourMs = 3_600_000;
const cancelledReason = 'The endpoint was switched off.';

/** A success ends the count of failures in a row. An endpoint that had none isn't written. */
export async function endFailures(tx: Queryable, endpointId: string): Promise<void> {
  await tx
    .update(webhookEndpoints)
    .set({ failures: 0, firstFailedAt: null })
    .where(and(eq(webhookEndpoints.id, endpointId), gt(webhookEndpoints.failures, 0)));
}

/** Counts a failure. Returns why the endpoint is to be switched off now: it wants nothing any more, or has failed too often for too long. */
export async function countFailure(
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

/**
 * Switches an endpoint off and cancels what is queued for it; one that is off stays as it is. Returns whether it was on. The endpoint's row is always
 * locked before its messages', so that two processes never wait for each other.
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
    .update(webhookMessages)
    .set({ state: 'cancelled', nextAttemptAt: null, reason: cancelledReason })
    .where(and(eq(webhookMessages.endpointId, endpointId), eq(webhookMessages.state, 'queued')));
  return true;
}
