import { and, desc, eq, gte, inArray, notExists, or } from 'drizzle-orm';
import type { WithdrawalLink, WithdrawalWay } from '#shared/leads/suppression.ts';
import type { Queryable } from '#server/db/connect.ts';
import { consentWithdrawals, leads, suppressions } from '#server/db/schema/index.ts';
import { notFound } from '#server/errors.ts';
import type { Services } from '#server/services.ts';
import { findLinkedLead } from '../leads/detail/linkedLead.ts';
import { getEmail, isLeadOf, type Person, type PersonByEmail } from '../identity/identity.ts';
import { openPhoneTasks } from '../suppression/staffTasks.ts';
import { isListed, listSuppressions } from '../suppression/suppressions.ts';
import { emailHashes, findPerson, findSentTo, type SentTo } from './sentTo.ts';
import { suppress, type Suppression, recordWithdrawals } from './suppress.ts';
import { readWithdrawal, type SignedWithdrawal } from '../mail/linkTokens.ts';
import {
  findLeadByHash,
  isLostLeadEnded,
  listHash,
  reportLostWithdrawal,
  suppressLostLead,
  toReason,
} from './lostLeads.ts';

export type WithdrawServices = Pick<Services, 'config' | 'dataKeys' | 'db' | 'now'> & {
  limits: Pick<Services['limits'], 'leads'>;
};

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
function getContent({ config }: LinkServices, link: WithdrawalLink): SignedWithdrawal {
  const content = readWithdrawal(config.secretKeys, link);
  if (content === null) throw notFound('Link');
  return content;
}

/**
 * Withdraws consent by the link in a message. A second call changes nothing. A link proves control of the mailbox that
 * its message went to, so it lists that address and ends contact with leads that have it. Leads with the same phone get
 * a staff task. Links work as long as evidence of the consent is kept, which is longer than the lead. For a lead that
 * isn't in the database, because it was restored, the link's hash of the address is suppressed; a link without one is
 * reported to staff. Each valid link counts for the network's rate limit. Throws what `getContent` does, and
 * TOO_MANY_REQUESTS.
 */
export async function withdrawByLink(
  services: WithdrawServices,
  { link, how, ip, responseHeaders }: Withdrawing,
): Promise<'withdrawn' | 'reported'> {
  // A wrong link costs one check of a signature.
  const content = getContent(services, link);
  await services.limits.leads.take(ip, how === 'page' ? 'withdrawal' : 'one-click', responseHeaders);
  const { publicId, emailHmac } = content;
  const linked = await findLinkedLead(services.db, publicId);
  if (linked !== null) {
    await withdrawSentTo(services, await findSentTo(services, linked, content), { leadId: linked, how, ip });
    return 'withdrawn';
  }
  if (emailHmac === null) {
    await reportLostWithdrawal(services, publicId);
    return 'reported';
  }
  const leadId = await findLeadByHash(services, emailHmac);
  if (leadId !== null) await withdrawEmail(services, { leadId, how, ip });
  await suppressLostLead(services, { publicId, emailHmac }, how);
  return 'withdrawn';
}

type EmailServices = Pick<WithdrawServices, 'dataKeys' | 'db' | 'now'>;

interface EmailWithdrawal {
  /** The lead whose message was answered. */
  leadId: number;
  how: Extract<WithdrawalWay, 'page' | 'one-click' | 'reply' | 'complaint'>;
  ip: string | null;
}

/** Withdraws consent for the address that a message went to. Unless it is the lead's own, the lead stays as it is. */
export async function withdrawSentTo(
  services: EmailServices,
  sentTo: SentTo,
  withdrawal: EmailWithdrawal,
): Promise<void> {
  if (sentTo.kind === 'present') return withdrawEmail(services, withdrawal);
  if (sentTo.kind === 'former')
    return withdrawPerson(services, sentTo.person, { ...withdrawal, leadId: null });
  const { emailHmac } = sentTo;
  // Only once: the search reads all leads.
  if (await isListed(services.db, { kind: 'email', valueHmac: emailHmac })) return undefined;
  const leadId = await findLeadByHash(services, emailHmac);
  if (leadId !== null) return withdrawEmail(services, { ...withdrawal, leadId });
  // A second call changes nothing. Without the lead: a restore must not end contact with its person.
  const { how } = withdrawal;
  const { db, now } = services;
  await db.transaction((tx) => listHash(tx, { emailHmac, leadPublicIds: [], how, at: now() }, true));
  return undefined;
}

/** Withdraws consent for the email address of a lead, whose owner was proved by a token that was sent to it. */
async function withdrawEmail(services: EmailServices, withdrawal: EmailWithdrawal): Promise<void> {
  const { db, now } = services;
  const { leadId, how, ip } = withdrawal;
  const person = await findPerson(db, leadId);
  if (person !== null) return withdrawPerson(services, person, withdrawal);
  // An erased person can't be contacted, but the withdrawal is recorded.
  return db.transaction((tx) => recordWithdrawals(tx, [leadId], { how, by: 'Visitor', ip, now: now() }));
}

/** The same for an email address. `leadId`: the lead that has it, or had it if only its evidence is left. */
async function withdrawPerson(
  { dataKeys, db, now }: EmailServices,
  person: PersonByEmail,
  { leadId, how, ip }: Omit<EmailWithdrawal, 'leadId'> & { leadId: number | null },
): Promise<void> {
  const { key: identityKey } = await dataKeys.current('identity');
  if (await isWithdrawn(db, { leadId, person, identityKey })) return undefined;
  const reason = toReason(how);
  return db.transaction(async (tx) => {
    await stopEmail(tx, person, { identityKey, leadId, reason, how, by: 'Visitor', ip, now: now() });
  });
}

/** Lists an email and ends contact with its leads, which it returns. Staff decide about leads with their phones. */
export async function stopEmail(
  tx: Queryable,
  person: PersonByEmail,
  said: Omit<Suppression, 'person'>,
): Promise<number[]> {
  const { emailNorm } = person;
  const { identityKey, now } = said;
  // Locks all leads that are used below in one order, to prevent deadlocks.
  const phones = await lockSharing(tx, person);
  const { isNew, leadIds } = await suppress(tx, { ...said, person: { emailNorm } });
  // Only once: another click must not repeat a question that staff answered.
  if (isNew) await openPhoneTasks(tx, { emailNorm, phones, identityKey, now });
  return leadIds;
}

/** Whether a withdrawal would change nothing: the email is listed, and since then all leads with it are withdrawn. */
async function isWithdrawn(
  db: Queryable,
  { leadId, person, identityKey }: { leadId: number | null; person: PersonByEmail; identityKey: Buffer },
): Promise<boolean> {
  const [listed] = await db
    .select({ at: suppressions.at })
    .from(suppressions)
    .where(listSuppressions(identityKey, getEmail(person)))
    .orderBy(desc(suppressions.at))
    .limit(1);
  if (listed === undefined) return false;
  const withdrawalsSince = (lead: number | typeof leads.id) =>
    db
      .select({ id: consentWithdrawals.id })
      .from(consentWithdrawals)
      .where(and(eq(consentWithdrawals.leadId, lead), gte(consentWithdrawals.at, listed.at)));
  // The lead may be purged, but its evidence is not.
  const [own] = leadId === null ? [listed] : await withdrawalsSince(leadId).limit(1);
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
  const content = getContent(services, link);
  const leadId = await findLinkedLead(db, content.publicId);
  if (leadId === null) return (await isLostLeadEnded(db, content)) ? 'done' : 'ask';
  const sentTo = await findSentTo(services, leadId, content);
  if (sentTo.kind !== 'present') return (await isSentToListed(services, sentTo)) ? 'done' : 'ask';
  const withdrawals = await db.$count(consentWithdrawals, eq(consentWithdrawals.leadId, leadId));
  if (withdrawals === 0) return 'ask';
  const person = await findPerson(db, leadId);
  if (person === null) return 'done';
  const { key } = await dataKeys.current('identity');
  const listed = await db.$count(suppressions, listSuppressions(key, getEmail(person)));
  return listed === 0 ? 'ask' : 'done';
}

async function isSentToListed(
  { db, dataKeys }: Pick<WithdrawServices, 'db' | 'dataKeys'>,
  sentTo: Exclude<SentTo, { kind: 'present' }>,
): Promise<boolean> {
  const { key } = await dataKeys.current('identity');
  const hashes = sentTo.kind === 'unknown' ? [sentTo.emailHmac] : emailHashes(key, sentTo.person);
  for (const valueHmac of hashes) if (await isListed(db, { kind: 'email', valueHmac })) return true;
  return false;
}
