import { eq } from 'drizzle-orm';
import type { MailEvent } from '#shared/leads/inboundMail.ts';
import type { Queryable } from '#server/db/connect.ts';
import { writeWithTimeout } from '#server/db/withTimeout.ts';
import { type DeliveryRow, leads, providers } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { mailboxOf } from '../identity/mailbox.ts';
import { readMessageId } from '../mail/message.ts';
import { storeUnreachable } from '../mail/unreachableAddresses.ts';
import { bouncedStart, findEmailDelivery, recordBounce } from '../outbox/bounce.ts';
import { isTo } from '../outbox/channelRules.ts';
import { redact } from '../outbox/redact.ts';
import { enhancedCodeOf } from '../outbox/refusals.ts';
import { openDeliveryTasks } from '../suppression/staffTasks.ts';
import { complaintReason, markAddress } from '../unreachable/addressMarks.ts';
import {
  type BouncedEmail,
  bounceProvider,
  isAboutMessage,
  isPermanent,
} from '../unreachable/bouncedEmails.ts';
import { withdrawEmail } from './withdrawByLink.ts';

type EventServices = Pick<Services, 'channels' | 'config' | 'dataKeys' | 'db' | 'health' | 'now'>;

/** Long answers of mail servers are cut. */
const reasonLengthMax = 200;

interface Recipient {
  address: string;
  /** The record of the provider was changed after the delivery: it may have had another address. */
  isChanged: boolean;
}

/** The recipient of a delivery as its record is now; null if it is gone. */
async function recipientOf(
  db: Queryable,
  { channel, leadId, providerId, finishedAt }: DeliveryRow,
): Promise<Recipient | null> {
  if (isTo('provider', channel)) {
    if (providerId === null) return null;
    const [provider] = await db
      .select({ address: providers.email, updatedAt: providers.updatedAt })
      .from(providers)
      .where(eq(providers.id, providerId));
    if (provider === undefined) return null;
    const { address, updatedAt } = provider;
    return { address, isChanged: finishedAt !== null && updatedAt > finishedAt };
  }
  if (leadId === null) return null;
  const [lead] = await db.select({ address: leads.email }).from(leads).where(eq(leads.id, leadId));
  return lead === undefined ? null : { ...lead, isChanged: false };
}

/** `handleEvent` within a change's deadline. Throws SERVICE_UNAVAILABLE. */
export function receiveMailEvent(services: EventServices, event: MailEvent): Promise<void> {
  return writeWithTimeout(services.health, () => handleEvent(services, event));
}

/**
 * Handles what a mail service reports about one of our emails. After a bounce that says that the address can't be
 * reached, or a complaint, nothing more is sent to it by itself: to a lead's for a year, to a provider's until it works
 * again. Another bounce of an email to a provider is a failed attempt. After a complaint of a lead, the address is
 * suppressed. The event must name an email of ours by its Message-ID and the address that it went to; any other changes
 * nothing, and so does a repetition. A bounce from another address than the provider's counts if its record was changed
 * since: the email goes to the new address.
 */
async function handleEvent(services: EventServices, event: MailEvent): Promise<void> {
  const { db } = services;
  const email = readMessageId(event.message_id);
  const delivery = email === null ? null : await findEmailDelivery(db, email.id);
  const recipient = delivery === null ? null : await recipientOf(db, delivery);
  if (email === null || delivery === null || recipient === null || delivery.leadId === null) return;
  const { address, isChanged } = recipient;
  const isCorrected = mailboxOf(address) !== mailboxOf(event.recipient);
  if (isCorrected && (!isChanged || event.type === 'complaint')) return;
  const { leadId } = delivery;
  const bounced = { ...delivery, leadId };
  if (event.type === 'complaint') return receiveComplaint(services, bounced, address);
  // A repeated report about an email that was sent again since.
  if (email.bounces !== delivery.bounces) return;
  const bounce = { delivery: bounced, address, isCorrected, reason: bounceReason(event), event };
  await (isTo('person', delivery.channel) ? bounceLead(services, bounce) : bounceProvider(services, bounce));
}

/** With the enhanced code, wherever it stands in the server's answer: what follows depends on it. */
function bounceReason({ reason: said, recipient: email }: MailEvent): string {
  const redacted = redact(said, { firstName: '', lastName: '', email, phone: '' });
  const answer = redacted.slice(0, reasonLengthMax).toWellFormed();
  const code = enhancedCodeOf(said);
  const start = code === enhancedCodeOf(answer) ? bouncedStart : `${bouncedStart} (${code})`;
  return answer === '' ? start : `${start}: ${answer}`;
}

/** A lead's complaint is a withdrawal of its address. A provider's marks its address, with a task about the lead. */
async function receiveComplaint(
  services: EventServices,
  { channel, leadId }: BouncedEmail['delivery'],
  address: string,
): Promise<void> {
  const { db, now } = services;
  if (isTo('person', channel)) {
    await withdrawEmail(services, { leadId, how: 'complaint', ip: null });
    return;
  }
  const refusal = { address, cause: 'complaint', code: null, reason: complaintReason, now: now() } as const;
  await db.transaction(async (tx) => {
    await openDeliveryTasks(tx, { kind: 'not-reached', leadIds: [leadId], now: now() });
    await markAddress(tx, refusal);
  });
}

/** A lead's email fails, and its address is listed for a year. A bounce that isn't permanent changes nothing. */
async function bounceLead(
  { db, dataKeys, now, channels: { onLeadFailure } }: EventServices,
  { delivery, address, reason, event }: BouncedEmail,
): Promise<void> {
  if (!isPermanent(event)) return;
  const { key: identityKey } = await dataKeys.current('identity');
  const at = now();
  await db.transaction(async (tx) => {
    const next = { state: 'failed', reason, finishedAt: at } as const;
    await recordBounce(tx, { delivery, reason, next, now: at, onLeadFailure });
    if (!isAboutMessage(event))
      await storeUnreachable(tx, { address, cause: 'bounce', identityKey, now: at });
  });
}
