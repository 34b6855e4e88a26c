import { and, desc, eq, gte, inArray, notExists, or } from 'drizzle-orm';
import type { WithdrawalLink, WithdrawalWay } from '#shared/leads/suppression.ts';
import type { Queryable } from '#server/db/connect.ts';
import { consentRecords, consentWithdrawals, leads, suppressions } from '#server/db/schema/index.ts';
import { notFound } from '#server/errors.ts';
import type { Services } from '#server/services.ts';
import { findLinkedLead } from '../leads/detail/linkedLead.ts';
import {
  emailOf,
  identityOf,
  isLeadOf,
  type Person,
  type PersonByEmail,
  personColumns,
} from '../identity/identity.ts';
import { openPhoneTasks } from '../suppression/staffTasks.ts';
import { isListed, suppressionsOf } from '../suppression/suppressions.ts';
import { suppress } from './suppress.ts';
import { recordWithdrawals } from './recordWithdrawals.ts';
import { readWithdrawal, type SignedWithdrawal } from '../mail/linkTokens.ts';
import { findFormerAddress, suppressFormerAddress } from './formerAddress.ts';
import { findLeadByHash, isLostLeadEnded, reportLostWithdrawal, suppressLostLead } from './lostLeads.ts';

export type WithdrawServices = Pick<Services, 'config' | 'dataKeys' | 'db' | 'leadLimits' | 'now'>;

type LinkServices = Pick<WithdrawServices, 'config' | 'db'>;

interface Withdrawing {
  /** The signed parts of the link in a message. */
  link: WithdrawalLink;
  how: Extract<WithdrawalWay, 'page' | 'one-click'>;
  ip: string;
  /** Receives the headers of the rate limit. */
  responseHeaders: Map<string, string>;
}

/** What a link contains. Throws NOT_FOUND 'Link not found' for a token with a wrong signature. */
function contentOf({ config }: LinkServices, link: WithdrawalLink): SignedWithdrawal {
  const content = readWithdrawal(config.secretKeys, link);
  if (content === null) throw notFound('Link');
  return content;
}

/**
 * Withdraws consent by the link in a message. A second call changes nothing. A link proves control of its mailbox only,
 * so it lists the email and ends contact with leads that have it. Leads with the same phone get a staff task. Links
 * work as long as evidence of the consent is kept, which is longer than the lead. For a lead that isn't in the database,
 * because it was restored, the link's hash of the address is suppressed; a link without one is reported to staff. A link
 * to an address that staff corrected since lists that address only. Each
 * valid link counts for the network's rate limit. Throws what `contentOf` does, and TOO_MANY_REQUESTS.
 */
export async function withdrawByLink(
  services: WithdrawServices,
  { link, how, ip, responseHeaders }: Withdrawing,
): Promise<'withdrawn' | 'reported'> {
  // A wrong link costs one check of a signature.
  const { publicId, emailHmac } = contentOf(services, link);
  await services.leadLimits.take(ip, how === 'page' ? 'withdrawal' : 'one-click', responseHeaders);
  const linked = await findLinkedLead(services.db, publicId);
  if (linked === null && emailHmac === null) {
    await reportLostWithdrawal(services, publicId);
    return 'reported';
  }
  const former = linked === null ? null : await findFormerAddress(services, linked, emailHmac);
  if (former !== null) {
    await suppressFormerAddress(services, former, how);
    return 'withdrawn';
  }
  const leadId = linked ?? (await findLeadByHash(services, emailHmac ?? ''));
  if (leadId !== null) await withdrawEmail(services, { leadId, how, ip });
  if (linked === null && emailHmac !== null) await suppressLostLead(services, { publicId, emailHmac }, how);
  return 'withdrawn';
}

interface EmailWithdrawal {
  leadId: number;
  how: Extract<WithdrawalWay, 'page' | 'one-click' | 'reply' | 'complaint'>;
  ip: string | null;
}

/** Withdraws consent for the email address of a lead, whose owner was proved by a token that was sent to it. */
export async function withdrawEmail(
  { dataKeys, db, now }: Pick<WithdrawServices, 'dataKeys' | 'db' | 'now'>,
  { leadId, how, ip }: EmailWithdrawal,
): Promise<void> {
  const person = await findPerson(db, leadId);
  const said = { how, by: 'Visitor', ip, now: now() };
  // An erased person can't be contacted, but the withdrawal is recorded.
  if (person === null) return db.transaction((tx) => recordWithdrawals(tx, [leadId], said));
  const { key: identityKey } = await dataKeys.current('identity');
  if (await isWithdrawn(db, { leadId, person, identityKey })) return undefined;
  return db.transaction(async (tx) => {
    // Locks all leads that are used below in one order, to prevent deadlocks.
    const phones = await lockSharing(tx, person);
    const { isNew } = await suppress(tx, {
      person: { emailNorm: person.emailNorm },
      identityKey,
      leadId,
      reason: how === 'page' ? 'withdrawn' : 'unsubscribed',
      ...said,
    });
    // Only once: another click must not repeat a question that staff answered.
    if (isNew) await openPhoneTasks(tx, { emailNorm: person.emailNorm, phones, identityKey, now: said.now });
  });
}

/** Whether a withdrawal would change nothing: the email is listed, and since then all leads with it are withdrawn. */
async function isWithdrawn(
  db: Queryable,
  { leadId, person, identityKey }: { leadId: number; person: PersonByEmail; identityKey: Buffer },
): Promise<boolean> {
  const [listed] = await db
    .select({ at: suppressions.at })
    .from(suppressions)
    .where(suppressionsOf(identityKey, emailOf(person)))
    .orderBy(desc(suppressions.at))
    .limit(1);
  if (listed === undefined) return false;
  const withdrawalsSince = (lead: number | typeof leads.id) =>
    db
      .select({ id: consentWithdrawals.id })
      .from(consentWithdrawals)
      .where(and(eq(consentWithdrawals.leadId, lead), gte(consentWithdrawals.at, listed.at)));
  // The lead may be purged, but its evidence is not.
  const [own] = await withdrawalsSince(leadId).limit(1);
  if (own === undefined) return false;
  const [left] = await db
    .select({ id: leads.id })
    .from(leads)
    .where(and(isLeadOf({ emailNorm: person.emailNorm }), notExists(withdrawalsSince(leads.id))))
    .limit(1);
  return left === undefined;
}

/** Locks every lead with the email, or with a phone of such a lead, against a purge. Returns the phones. */
async function lockSharing(
  tx: Queryable,
  { emailNorm, phoneE164: ownPhone }: Pick<Person, 'emailNorm'> & Partial<Person>,
): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ phone: leads.phoneE164 })
    .from(leads)
    .where(eq(leads.emailNorm, emailNorm));
  const phones = new Set(rows.map(({ phone }) => phone));
  if (ownPhone !== undefined) phones.add(ownPhone);
  await tx
    .select({ id: leads.id })
    .from(leads)
    .where(or(eq(leads.emailNorm, emailNorm), inArray(leads.phoneE164, [...phones])))
    .orderBy(leads.id)
    .for('key share');
  return [...phones];
}

/** Whether the page of a link asks, or says that it is done. It asks again after an owner lifted the suppression. */
export async function withdrawalState(
  services: LinkServices & Pick<WithdrawServices, 'dataKeys'>,
  link: WithdrawalLink,
): Promise<'ask' | 'done'> {
  const { db, dataKeys } = services;
  const content = contentOf(services, link);
  const leadId = await findLinkedLead(db, content.publicId);
  const former = leadId === null ? null : await findFormerAddress(services, leadId, content.emailHmac);
  if (former !== null) return (await isListed(db, { kind: 'email', valueHmac: former })) ? 'done' : 'ask';
  if (leadId === null) return (await isLostLeadEnded(db, content)) ? 'done' : 'ask';
  const [withdrawal] = await db
    .select({ id: consentWithdrawals.id })
    .from(consentWithdrawals)
    .where(eq(consentWithdrawals.leadId, leadId))
    .limit(1);
  if (withdrawal === undefined) return 'ask';
  const person = await findPerson(db, leadId);
  if (person === null) return 'done';
  const { key } = await dataKeys.current('identity');
  const [listed] = await db
    .select({ kind: suppressions.kind })
    .from(suppressions)
    .where(suppressionsOf(key, emailOf(person)));
  return listed === undefined ? 'ask' : 'done';
}

/**
 * The person of a lead, from the lead or from its evidence, which is kept longer and may lack a valid phone. Null if
 * neither is left or the person was erased.
 */
export async function findPerson(db: Queryable, leadId: number): Promise<PersonByEmail | null> {
  const [lead] = await db
    .select({ person: personColumns, erasedAt: leads.erasedAt })
    .from(leads)
    .where(eq(leads.id, leadId));
  if (lead !== undefined) return lead.erasedAt === null ? lead.person : null;
  const [evidence] = await db
    .select({ email: consentRecords.email, phone: consentRecords.phone })
    .from(consentRecords)
    .where(eq(consentRecords.leadId, leadId))
    .orderBy(desc(consentRecords.id))
    .limit(1);
  if (evidence === undefined || evidence.email === '') return null;
  const { phoneE164, ...forms } = identityOf(evidence);
  return { ...forms, ...(phoneE164 === null ? {} : { phoneE164 }) };
}
