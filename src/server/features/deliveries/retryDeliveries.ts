import { and, inArray } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries } from '#server/db/schema/index.ts';
import type { InnerContext } from '#server/services.ts';
import { plainAddress } from '../consent/evidenceFields.ts';
import type { Actor, StaffActor } from '../auth/actor.ts';
import { type AuditActor, recordAuditOfEach, recordAudit } from '../audit/audit.ts';
import { replayDeliveries } from '../webhooks/replays.ts';
import { isReady, isVisible, type Visibility, getDelivery } from './deliveryList.ts';
import { channelRules } from '../outbox/channelRules.ts';
import { requeue } from '../outbox/requeue.ts';
import type { AdminDelivery } from '#shared/admin/adminDeliveries.ts';
import { AppError } from '#server/errors.ts';
import { retryNow } from '../outbox/attemptDelivery.ts';

interface Retry<Author extends AuditActor = Actor> {
  actor: Author;
  ip: string | null;
  now: Date;
  identityKey: Buffer;
}

/** Queues deliveries for staff in one transaction, each with an audit entry. Returns the ids of those queued. */
export async function retryDeliveries(
  { services, caller, actor }: InnerContext & { actor: Actor },
  { ids, withWebhooks }: { ids: readonly string[] } & Pick<Visibility, 'withWebhooks'>,
): Promise<string[]> {
  const { key: identityKey } = await services.dataKeys.current('identity');
  const retry = { actor, ip: plainAddress(caller.ip), now: services.now(), identityKey };
  const queued = await services.db.transaction(async (tx) => {
    const found = await tx
      .select({ id: deliveries.id, channel: deliveries.channel })
      .from(deliveries)
      .where(and(inArray(deliveries.id, [...ids]), isVisible({ withWebhooks: true })));
    const isWebhook = ({ channel }: (typeof found)[number]): boolean => channel === 'webhook';
    const webhookIds = found.filter(isWebhook).map(({ id }) => id);
    const ofLeads = found.filter((row) => !isWebhook(row) && isReady(services.channels, row.channel));
    const leadIds = ofLeads.map(({ id }) => id);
    return [
      ...(await retryLeadDeliveries(tx, retry, leadIds)),
      ...(withWebhooks ? await replayDeliveries(tx, retry, webhookIds) : []),
    ].toSorted();
  });
  services.wakeSignal.wake();
  return queued;
}

/** The same for deliveries of leads, in a transaction of the caller's. */
export async function retryLeadDeliveries(
  tx: Queryable,
  { actor, ip, ...requeueOptions }: Retry<AuditActor>,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const queued = await requeue(tx, ids, requeueOptions);
  const found = await tx
    .select({ leadId: deliveries.leadId, channel: deliveries.channel })
    .from(deliveries)
    .where(inArray(deliveries.id, queued));
  const rows = found.flatMap(({ leadId, channel }) =>
    leadId === null || channel === 'webhook' ? [] : [{ leadId, channel }],
  );
  const entries = rows.map(({ leadId, channel }) => ({
    subject: { kind: 'lead', id: leadId },
    detail: { what: channelRules[channel].retryKind, channel, queued: true },
  }));
  await recordAuditOfEach(tx, { actor, ip, action: 'lead.retry' }, entries);
  return queued;
}

/**
 * Makes one attempt of a delivery for staff, or waits for the one in progress, and returns the delivery: a failure is
 * not an error. Audited. Throws NOT_FOUND 'Delivery not found', and CONFLICT for one that can't be retried.
 */
export async function retryDelivery(
  { services, caller, actor }: InnerContext & { actor: StaffActor },
  { id, ...visibility }: { id: string } & Visibility,
): Promise<AdminDelivery> {
  const before = await getDelivery(services, { id, ...visibility });
  if (!before.isRetryable && !before.isInProgress)
    throw new AppError('CONFLICT', notRetried(before, services.channels[before.channel].heldReason()));
  await retryNow(services, id);
  const after = await getDelivery(services, { id, ...visibility });
  const by = { actor, ip: plainAddress(caller.ip) };
  if (before.channel === 'webhook') {
    const subject = { kind: 'endpoint', id: before.endpoint?.id ?? '' };
    await recordAudit(services.db, { ...by, action: 'endpoint.replay', subject, detail: { delivery: id } });
  } else if (before.lead !== null) {
    const outcome =
      after.state === 'delivered' ? { success: true } : { success: false, error: after.reason ?? '' };
    const detail = { what: channelRules[before.channel].retryKind, channel: before.channel, ...outcome };
    const subject = { kind: 'lead', id: before.lead.id };
    await recordAudit(services.db, { ...by, action: 'lead.retry', subject, detail });
  }
  return after;
}

function notRetried({ state, reason }: AdminDelivery, heldReason: string | null): string {
  const why = heldReason ?? (state === 'delivered' ? 'it was delivered.' : (reason ?? 'it was canceled.'));
  return `Not retried: ${why}`;
}
