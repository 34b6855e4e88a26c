import { desc, eq } from 'drizzle-orm';
import { asksToStop, type InboundReply } from '#shared/leads/inboundMail.ts';
import type { Queryable } from '#server/db/connect.ts';
import { writeWithTimeout } from '#server/db/withTimeout.ts';
import { leads } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { identityOf } from '../identity/identity.ts';
import { findLinkedLead } from '../leads/detail/linkedLead.ts';
import { readStopAddress } from '../mail/linkTokens.ts';
import { openReplyTask } from '../suppression/staffTasks.ts';
import { mayBeFromFormer } from './formerAddress.ts';
import { reportLostReply, reportLostWithdrawal } from './lostLeads.ts';
import { withdrawEmail } from './withdrawByLink.ts';

type ReplyServices = Pick<Services, 'config' | 'dataKeys' | 'db' | 'health' | 'now'>;

/** The lead whose token one of the recipients' addresses has; null if none has one of ours. */
async function leadOfRecipients(
  { config, db }: ReplyServices,
  to: readonly string[],
): Promise<{ leadId: number } | { leadId: null; lostId: string } | null> {
  const publicIds = to.flatMap((address) => readStopAddress(config.secretKeys, address) ?? []);
  for (const publicId of publicIds) {
    const leadId = await findLinkedLead(db, publicId);
    if (leadId !== null) return { leadId };
  }
  const [lostId] = publicIds;
  return lostId === undefined ? null : { leadId: null, lostId };
}

/** The address of a From header, in its normal form. */
function senderOf(from: string): string {
  const [, bracketed] = /<([^<>]+)>\s*$/.exec(from) ?? [];
  return identityOf({ email: (bracketed ?? from).trim() }).emailNorm;
}

/** The newest lead with the sender's address, which may be forged. */
async function leadOfSender(db: Queryable, emailNorm: string): Promise<number | null> {
  const [lead] = await db
    .select({ id: leads.id })
    .from(leads)
    .where(eq(leads.emailNorm, emailNorm))
    .orderBy(desc(leads.id))
    .limit(1);
  return lead?.id ?? null;
}

/** `handleReply` within a change's deadline. Throws SERVICE_UNAVAILABLE. */
export function receiveReply(services: ReplyServices, reply: InboundReply): Promise<void> {
  return writeWithTimeout(services.health, () => handleReply(services, reply));
}

/**
 * Handles a reply to a message. STOP to an address with a lead's token withdraws: only that message's recipient knows
 * the token. STOP of another sender after staff corrected the address, any other reply with a token, and STOP from the address of a lead without one, is a task for staff. A token
 * of a lead that isn't in the database, because it was restored, is an alert. The text isn't stored. The same reply again
 * changes nothing.
 */
async function handleReply(services: ReplyServices, { to, from, text }: InboundReply): Promise<void> {
  const { dataKeys, db, now } = services;
  const proved = await leadOfRecipients(services, to);
  const isStop = asksToStop(text);
  if (proved !== null && proved.leadId === null)
    await (isStop ? reportLostWithdrawal : reportLostReply)(services, proved.lostId);
  const provedId = proved?.leadId ?? null;
  const sender = senderOf(from);
  if (provedId !== null && isStop && !(await mayBeFromFormer(db, provedId, sender)))
    return withdrawEmail(services, { leadId: provedId, how: 'reply', ip: null });
  const leadId = provedId ?? (isStop ? await leadOfSender(db, sender) : null);
  if (leadId === null) return undefined;
  const { key: identityKey } = await dataKeys.current('identity');
  return openReplyTask(db, leadId, { identityKey, now: now() });
}
