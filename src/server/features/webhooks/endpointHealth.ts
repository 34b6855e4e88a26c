import { eq, sql } from 'drizzle-orm';
import {
  type DisabledReason,
  failingHoursToDisable,
  failuresToDisable,
  testType,
} from '#shared/admin/webhooks.ts';
import { hourMs } from '#shared/formats/time.ts';
import type { Queryable } from '#server/db/connect.ts';
import { webhookEndpoints } from '#server/db/schema/index.ts';
import { recordAudit, system } from '../audit/audit.ts';
import type { EndedAttempt, WebhookInput } from '../outbox/types.ts';
import { disableEndpoint } from './endpointStates.ts';

/** A success resets the count of failures in a row. */
async function endFailures(tx: Queryable, endpointId: string): Promise<void> {
  await tx
    .update(webhookEndpoints)
    .set({ failures: 0, firstFailedAt: null })
    .where(eq(webhookEndpoints.id, endpointId));
}

/**
 * Counts a failure. Returns why the endpoint must be disabled now: it responded 410, or failed too often for too long;
 * null: it stays on.
 */
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

/**
 * Counts an attempt's result, and disables an endpoint that fails for too long or responds 410, with an audit entry. A
 * failed test isn't counted.
 */
export async function recordEndpointHealth(
  tx: Queryable,
  { input: { endpoint, event }, result, now, failuresBefore }: EndedAttempt<WebhookInput>,
): Promise<void> {
  const endpointId = endpoint.id;
  if (result.outcome === 'delivered') return failuresBefore === 0 ? undefined : endFailures(tx, endpointId);
  const { isGone: gone = false } = result;
  if (event.type === testType && !gone) return;
  const reason = await countFailure(tx, { endpointId, gone, now });
  if (reason === null || !(await disableEndpoint(tx, { endpointId, reason, now }))) return;
  const subject = { kind: 'endpoint', id: endpointId };
  await recordAudit(tx, { actor: system, ip: null, action: 'endpoint.disable', subject, detail: { reason } });
}
