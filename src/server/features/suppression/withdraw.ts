import { desc, eq } from 'drizzle-orm';
import type { WithdrawalWay } from '#shared/suppression.ts';
import { phoneE164 } from '#shared/phone.ts';
import type { Queryable } from '../../db/connect.ts';
import { consentRecords, consentWithdrawals, leads } from '../../db/schema/index.ts';
import { notFound } from '../../errors.ts';
import type { Services } from '../../trpc/context.ts';
import { plainAddress } from '../leads/consentHash.ts';
import { type Person, suppress } from './suppressions.ts';
import { recordWithdrawals } from './withdrawal.ts';
import { readWithdrawal } from './withdrawToken.ts';

export type WithdrawServices = Pick<Services, 'config' | 'db' | 'now'>;

interface Withdrawing {
  /** Of the link in a message. */
  token: string;
  how: Extract<WithdrawalWay, 'page' | 'one-click'>;
  ip: string;
}

/**
 * Withdraws for whoever has the link of one of their messages, and does nothing more the second time. Works as long as evidence of the consent is
 * kept, longer than the lead itself. Throws NOT_FOUND 'Link not found' for a token that isn't ours.
 */
export async function withdrawByLink(
  { config, db, now }: WithdrawServices,
  { token, how, ip }: Withdrawing,
): Promise<void> {
  const leadId = readWithdrawal(config.secretKeys, token);
  if (leadId === null) throw notFound('Link');
  const said = { how, by: 'Visitor', ip: plainAddress(ip), now: now() };
  const person = await findPerson(db, leadId);
  // Purged, and its evidence gone: there is nobody left to contact, but that they said so is kept.
  if (person === null) await recordWithdrawals(db, [leadId], said);
  else await suppress(db, { person, leadId, reason: how === 'page' ? 'withdrawn' : 'unsubscribed', ...said });
}

/** What the page behind a link is to say. */
export async function withdrawalState(
  { config, db }: WithdrawServices,
  token: string,
): Promise<'ask' | 'done' | 'unknown'> {
  const leadId = readWithdrawal(config.secretKeys, token);
  if (leadId === null) return 'unknown';
  const [row] = await db
    .select({ id: consentWithdrawals.id })
    .from(consentWithdrawals)
    .where(eq(consentWithdrawals.leadId, leadId))
    .limit(1);
  return row === undefined ? 'ask' : 'done';
}

/** The lead's author: by the lead, or by the evidence that outlives it. Null when neither is left. */
export async function findPerson(db: Queryable, leadId: number): Promise<Person | null> {
  const [lead] = await db
    .select({ emailNorm: leads.emailNorm, phoneE164: leads.phoneE164 })
    .from(leads)
    .where(eq(leads.id, leadId));
  if (lead !== undefined) return lead;
  const [evidence] = await db
    .select({ email: consentRecords.email, phone: consentRecords.phone })
    .from(consentRecords)
    .where(eq(consentRecords.leadId, leadId))
    .orderBy(desc(consentRecords.id))
    .limit(1);
  const number = evidence === undefined ? null : phoneE164(evidence.phone);
  return evidence === undefined || number === null
    ? null
    : { emailNorm: evidence.email.toLowerCase(), phoneE164: number };
}
