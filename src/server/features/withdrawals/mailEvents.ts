import { eq } from 'drizzle-orm';
import type { UnreachableCause } from '#shared/admin/adminLeads.ts';
import type { MailEvent } from '#shared/leads/inboundMail.ts';
import type { Queryable } from '#server/db/connect.ts';
import { writeWithTimeout } from '#server/db/withTimeout.ts';
import { type DeliveryRow, leads, providers } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { mailboxOf } from '../identity/identity.ts';
import { storeUnreachable } from '../mail/unreachableAddresses.ts';
import { failBounced, findEmailDelivery } from '../outbox/bounce.ts';
import { isTo } from '../outbox/channelRules.ts';
import { redact } from '../outbox/redact.ts';
import { withdrawEmail } from './withdrawByLink.ts';

type EventServices = Pick<Services, 'channels' | 'config' | 'dataKeys' | 'db' | 'health' | 'now'>;

/** Of our Message-IDs: `<delivery id@domain of the sender>`. */
const messageIdPattern = /^<?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})@[^<>\s]+>?$/i;

/** Long answers of mail servers are cut. */
const reasonLengthMax = 200;

/** The address that a delivery went to; null if it is gone. */
async function recipientOf(
  db: Queryable,
  { channel, leadId, providerId }: Pick<DeliveryRow, 'channel' | 'leadId' | 'providerId'>,
): Promise<string | null> {
  if (isTo('provider', channel)) {
    if (providerId === null) return null;
    const [provider] = await db
      .select({ email: providers.email })
      .from(providers)
      .where(eq(providers.id, providerId));
    return provider?.email ?? null;
  }
  if (leadId === null) return null;
  const [lead] = await db.select({ email: leads.email }).from(leads).where(eq(leads.id, leadId));
  return lead?.email ?? null;
}

/** `handleEvent` within a change's deadline. Throws SERVICE_UNAVAILABLE. */
export function receiveMailEvent(services: EventServices, event: MailEvent): Promise<void> {
  return writeWithTimeout(services.health, () => handleEvent(services, event));
}

/**
 * Handles what a mail service reports about one of our emails. A permanent bounce makes its delivery fail, and nothing
 * more is sent to that address by itself. After a complaint of a lead, the address is suppressed. The event must name
 * an email of ours by its Message-ID and the address that it went to; any other changes nothing, and so does a
 * repetition.
 */
async function handleEvent(services: EventServices, event: MailEvent): Promise<void> {
  const { db, dataKeys, now, channels } = services;
  const [, id] = messageIdPattern.exec(event.message_id.trim()) ?? [];
  const delivery = id === undefined ? null : await findEmailDelivery(db, id.toLowerCase());
  const address = delivery === null ? null : await recipientOf(db, delivery);
  if (delivery === null || address === null || delivery.leadId === null) return;
  if (mailboxOf(address) !== mailboxOf(event.recipient)) return;
  const { leadId } = delivery;
  const { key: identityKey } = await dataKeys.current('identity');
  const unreachable = (cause: UnreachableCause) => ({ address, cause, identityKey, now: now() });
  if (event.type === 'complaint') {
    if (isTo('person', delivery.channel))
      await withdrawEmail(services, { leadId, how: 'complaint', ip: null });
    else await storeUnreachable(db, unreachable('complaint'));
    return;
  }
  if (!event.permanent) return;
  const answer = redact(event.reason, { firstName: '', lastName: '', email: address, phone: '' });
  const reason = `The email bounced${answer === '' ? '' : `: ${answer.slice(0, reasonLengthMax)}`}`;
  const { onLeadFailure } = channels;
  await db.transaction(async (tx) => {
    await failBounced(tx, { delivery: { ...delivery, leadId }, reason, now: now(), onLeadFailure });
    await storeUnreachable(tx, unreachable('bounce'));
  });
}
