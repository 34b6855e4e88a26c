import { desc, eq } from 'drizzle-orm';
import { asksToStop, type InboundReply } from '#shared/leads/inboundMail.ts';
import type { Queryable } from '#server/db/connect.ts';
import { writeWithTimeout } from '#server/db/withTimeout.ts';
import { leads } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { getIdentity } from '../identity/identity.ts';
import { listFormerEmails } from '../leads/changes/leadCorrections.ts';
import { findLeadOfEvidence, findLinkedLead } from '../leads/detail/linkedLead.ts';
import { leadNamedBy, readStopAddress } from '../mail/linkTokens.ts';
import { openReplyTask } from '../suppression/staffTasks.ts';
import { reportLostReply, reportLostWithdrawal } from './lostLeads.ts';
import { emailHashes, findPerson, findSentTo, personByEmail, type SentTo } from './sentTo.ts';
import { withdrawSentTo } from './withdrawByLink.ts';

type ReplyServices = Pick<Services, 'config' | 'dataKeys' | 'db' | 'health' | 'now'>;

/** The lead that a reply's address names, and the address that the message went to. */
interface Proof {
  leadId: number;
  sentTo: SentTo;
}

/** What one of the recipients' addresses proves; null: none is ours. `sender` counts if our address is bound to it. */
async function findProof(
  services: ReplyServices,
  to: readonly string[],
  sender: string,
): Promise<Proof | { leadId: null; lostId: string } | null> {
  const { config, db } = services;
  let lostId: string | undefined;
  for (const address of to) {
    const publicId = leadNamedBy(address);
    if (publicId === null) continue;
    // Until the signature is checked, anybody may have written the address.
    const ofEvidence = await findLeadOfEvidence(db, publicId);
    const hashes = [null, ...(await listPossibleHashes(services, ofEvidence, sender))];
    const sentTo = hashes.find((hash) => readStopAddress(config.secretKeys, address, hash) !== null);
    if (sentTo === undefined) continue;
    const leadId = ofEvidence ?? (await findLinkedLead(db, publicId));
    if (leadId !== null)
      return { leadId, sentTo: await findSentTo(services, leadId, { sentTo, emailHmac: sentTo }) };
    lostId ??= publicId;
  }
  return lostId === undefined ? null : { leadId: null, lostId };
}

/** Hashes of the addresses that a message about a lead may have gone to. */
async function listPossibleHashes(
  { db, dataKeys }: ReplyServices,
  leadId: number | null,
  sender: string,
): Promise<string[]> {
  const present = leadId === null ? null : await findPerson(db, leadId);
  const former = leadId === null ? [] : await listFormerEmails(db, leadId);
  const persons = [...former.map(({ email }) => email), sender].map(personByEmail);
  const { key } = await dataKeys.current('identity');
  return [...(present === null ? [] : [present]), ...persons].flatMap((person) => emailHashes(key, person));
}

/** The address of a From header, in its normal form. */
function getSender(from: string): string {
  const [, bracketed] = /<([^<>]+)>\s*$/.exec(from) ?? [];
  return getIdentity({ email: (bracketed ?? from).trim() }).emailNorm;
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
 * Handles a reply to a message. STOP to an address with a lead's token withdraws for the address that the message went
 * to: only its owner knows the token. Any other reply with a token, and STOP from the address of a lead without one, is
 * a task for staff. A token of a lead that isn't in the database, because it was restored, is an alert. The text isn't
 * stored. The same reply again changes nothing.
 */
async function handleReply(services: ReplyServices, { to, from, text }: InboundReply): Promise<void> {
  const { dataKeys, db, now } = services;
  const sender = getSender(from);
  const proof = await findProof(services, to, sender);
  const isStop = asksToStop(text);
  if (proof !== null && proof.leadId === null)
    await (isStop ? reportLostWithdrawal : reportLostReply)(services, proof.lostId);
  if (proof !== null && proof.leadId !== null && isStop)
    return withdrawSentTo(services, proof.sentTo, { leadId: proof.leadId, how: 'reply', ip: null });
  const leadId = proof?.leadId ?? (isStop ? await leadOfSender(db, sender) : null);
  if (leadId === null) return undefined;
  const { key: identityKey } = await dataKeys.current('identity');
  const sentTo = proof !== null && proof.leadId !== null ? proof.sentTo : null;
  const until = sentTo?.kind === 'former' ? sentTo.until : undefined;
  // A decision is about the address that the lead had when its task was opened: here the former one, which replied.
  const openedAt = until === undefined ? now() : new Date(until.getTime() - 1);
  return openReplyTask(db, leadId, { identityKey, now: openedAt });
}
