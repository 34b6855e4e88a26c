import { and, eq, isNotNull } from 'drizzle-orm';
import type { MailEvent } from '#shared/leads/inboundMail.ts';
import type { Queryable } from '#server/db/connect.ts';
import { writeWithTimeout } from '#server/db/withTimeout.ts';
import { deliveryAttempts, type DeliveryRow, providers } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { getMailbox } from '../identity/mailbox.ts';
import { readMessageId } from '../mail/message.ts';
import { storeUnreachable } from '../mail/unreachableAddresses.ts';
import { bouncedStart, findEmailDelivery, recordBounce } from '../outbox/bounce.ts';
import { isTo } from '../outbox/channelRules.ts';
import { redact } from '../outbox/redact.ts';
import { parseEnhancedCode } from '../outbox/refusals.ts';
import { openLeadTasks } from '../suppression/staffTasks.ts';
import { complaintReason, markAddress } from '../unreachable/addressMarks.ts';
import {
  type BouncedEmail,
  bounceProvider,
  isAboutMessage,
  isPermanent,
} from '../unreachable/bouncedEmails.ts';
import { listRecipients, searchSentTo } from './sentTo.ts';
import { withdrawSentTo } from './withdrawByLink.ts';

type EventServices = Pick<Services, 'channels' | 'config' | 'dataKeys' | 'db' | 'health' | 'now'>;

/** Long answers of mail servers are cut. */
const reasonLengthMax = 200;

interface Recipient {
  /** A provider's as its record is now, a lead's as it was when the email was sent. */
  address: string;
  /** The email went to another address of the provider: its record was changed since. */
  isCorrected: boolean;
}

/**
 * The recipient that a report names, if the email went there; null otherwise. Earlier versions didn't store a
 * provider's address: if the record changed after the delivery, the reported address counts as its former one.
 */
async function findRecipient(
  db: Queryable,
  delivery: DeliveryRow,
  reported: string,
): Promise<Recipient | null> {
  const { channel, leadId, providerId, finishedAt } = delivery;
  const isReported = (address: string): boolean => getMailbox(address) === getMailbox(reported);
  if (isTo('provider', channel)) {
    if (providerId === null) return null;
    const [provider] = await db
      .select({ address: providers.email, updatedAt: providers.updatedAt })
      .from(providers)
      .where(eq(providers.id, providerId));
    if (provider === undefined) return null;
    const { address, updatedAt } = provider;
    const sentTo = await listAddresses(db, delivery.id);
    const isChanged = finishedAt !== null && updatedAt > finishedAt;
    if (sentTo.length === 0 ? !isReported(address) && !isChanged : !sentTo.some(isReported)) return null;
    return { address, isCorrected: !isReported(address) };
  }
  if (leadId === null) return null;
  const sentTo = await listRecipients(db, { ...delivery, leadId });
  const address = sentTo.find(isReported);
  return address === undefined ? null : { address, isCorrected: false };
}

/** The addresses of a provider that the attempts of a delivery went to. */
async function listAddresses(db: Queryable, deliveryId: string): Promise<string[]> {
  const { address } = deliveryAttempts;
  const rows = await db
    .selectDistinct({ address })
    .from(deliveryAttempts)
    .where(and(eq(deliveryAttempts.deliveryId, deliveryId), isNotNull(address)));
  return rows.flatMap((row) => row.address ?? []);
}

/** `handleEvent` within a change's deadline. Throws SERVICE_UNAVAILABLE. */
export function receiveMailEvent(services: EventServices, event: MailEvent): Promise<void> {
  return writeWithTimeout(services.health, () => handleEvent(services, event));
}

/**
 * Handles what a mail service reports about one of our emails. After a bounce of an unreachable address, or a
 * complaint, nothing more is sent to it by itself: to a lead's for a year, to a provider's until it works again.
 * Another bounce of a provider's email is a failed attempt. A lead's complaint suppresses the address. The event must
 * name an email of ours by its Message-ID and recipient; any other, and a repetition, changes nothing. After a bounce
 * from a provider's former address, the email goes to the new one.
 */
async function handleEvent(services: EventServices, event: MailEvent): Promise<void> {
  const { db } = services;
  const email = readMessageId(event.message_id);
  const delivery = email === null ? null : await findEmailDelivery(db, email.id);
  const recipient = delivery === null ? null : await findRecipient(db, delivery, event.recipient);
  if (email === null || delivery === null || recipient === null || delivery.leadId === null) return;
  const { address, isCorrected } = recipient;
  if (isCorrected && event.type === 'complaint') return;
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
  const redacted = redact(said, { email });
  const answer = redacted.slice(0, reasonLengthMax).toWellFormed();
  const code = parseEnhancedCode(said);
  const start = code === parseEnhancedCode(answer) ? bouncedStart : `${bouncedStart} (${code})`;
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
    const sentTo = await searchSentTo(db, leadId, address);
    return withdrawSentTo(services, sentTo, { leadId, how: 'complaint', ip: null });
  }
  const refusal = { address, cause: 'complaint', code: null, reason: complaintReason, now: now() } as const;
  await db.transaction(async (tx) => {
    await openLeadTasks(tx, { kind: 'not-reached', leadIds: [leadId], now: now() });
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
