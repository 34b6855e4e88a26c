import type { AdminDelivery } from '#shared/admin/adminDeliveries.ts';
import type { InnerContext } from '#server/caller.ts';
import { AppError } from '#server/errors.ts';
import { recordAudit } from '../audit/audit.ts';
import type { StaffActor } from '../auth/actor.ts';
import { plainAddress } from '../consent/consentHash.ts';
import { channelRules } from '../outbox/channelRules.ts';
import { retryNow } from '../outbox/retryNow.ts';
import { getDelivery, type Visibility } from './deliveryList.ts';

/**
 * Makes one attempt of a delivery for staff and returns the delivery as it is then: a failure is not an error. While
 * another attempt is in progress, waits for its result. Audited. Throws NOT_FOUND 'Delivery not found', and CONFLICT for
 * one that can't be retried.
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
