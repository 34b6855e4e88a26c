import { desc, eq } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { consentRecords, deliveryAttempts, type DeliveryRow, leads } from '#server/db/schema/index.ts';
import { minuteMs } from '#shared/formats/time.ts';
import type { Services } from '#server/services.ts';
import { getEmail, listForms, getIdentity, type PersonByEmail, personColumns } from '../identity/identity.ts';
import { listFormerEmails } from '../leads/changes/leadCorrections.ts';
import type { SignedWithdrawal } from '../mail/linkTokens.ts';
import { hashed } from '../suppression/suppressions.ts';

/**
 * The address that a message about a lead went to: all that an answer proves. `present`: the lead's own. `former`: one
 * that staff corrected (`until`), maybe a stranger's. `unknown`: the lead was purged or erased.
 */
export type SentTo =
  | { kind: 'present' }
  | { kind: 'former'; person: PersonByEmail; until?: Date }
  | { kind: 'unknown'; emailHmac: string };

export function personByEmail(email: string): PersonByEmail {
  const { emailNorm, firstEmailNorm } = getIdentity({ email });
  return { emailNorm, firstEmailNorm };
}

/** Keyed hashes of an email address, in each form. */
export function emailHashes(identityKey: Buffer, person: PersonByEmail): string[] {
  return listForms(getEmail(person)).map((form) => hashed(identityKey, form).valueHmac);
}

/** The address that a message went to, by what is signed in its link or its address for STOP. */
export async function findSentTo(
  { db, dataKeys }: Pick<Services, 'db' | 'dataKeys'>,
  leadId: number,
  { sentTo, emailHmac }: Pick<SignedWithdrawal, 'sentTo' | 'emailHmac'>,
): Promise<SentTo> {
  const present = await findPerson(db, leadId);
  const former = (await listFormerEmails(db, leadId)).map(({ email, until }) => ({
    person: personByEmail(email),
    until,
  }));
  const { key } = await dataKeys.current('identity');
  const isTo = (person: PersonByEmail, hmac: string | null): boolean =>
    hmac !== null && emailHashes(key, person).includes(hmac);
  if (present !== null && isTo(present, emailHmac)) return { kind: 'present' };
  const [first] = former;
  if (sentTo === null) {
    if (first === undefined || first.person.emailNorm === present?.emailNorm) return { kind: 'present' };
    return { kind: 'former', ...first };
  }
  const known = former.find(({ person }) => isTo(person, sentTo));
  return known === undefined ? { kind: 'unknown', emailHmac: sentTo } : { kind: 'former', ...known };
}

/** The same by one of the addresses that a lead has or had, as typed. */
export async function searchSentTo(db: Queryable, leadId: number, email: string): Promise<SentTo> {
  const [lead] = await db
    .select({ email: leads.email, emailNorm: leads.emailNorm })
    .from(leads)
    .where(eq(leads.id, leadId));
  const person = personByEmail(email);
  const isPresent = lead === undefined || lead.email === email || lead.emailNorm === person.emailNorm;
  return isPresent ? { kind: 'present' } : { kind: 'former', person };
}

/** What an attempt read may be this much older: a correction has its time before it is stored. */
const slackMs = minuteMs;

/**
 * The addresses that the attempts of a lead's email went to, as typed: those that the lead had at the time. What staff
 * corrected while an attempt was in progress counts on both sides.
 */
export async function listRecipients(
  db: Queryable,
  { id, leadId, createdAt, finishedAt }: DeliveryRow & { leadId: number },
): Promise<string[]> {
  const [lead] = await db.select({ email: leads.email }).from(leads).where(eq(leads.id, leadId));
  if (lead === undefined) return [];
  const former = await listFormerEmails(db, leadId);
  if (former.length === 0) return [lead.email];
  const attempts = await db
    .select({ end: deliveryAttempts.at, ms: deliveryAttempts.durationMs })
    .from(deliveryAttempts)
    .where(eq(deliveryAttempts.deliveryId, id));
  const spans = attempts.map(({ end, ms }) => ({ start: end.getTime() - ms - slackMs, end: end.getTime() }));
  // An attempt of which nothing is left.
  const ended = finishedAt ?? createdAt;
  if (spans.length === 0) spans.push({ start: ended.getTime() - slackMs, end: ended.getTime() });
  const held = [...former, { email: lead.email, until: null }].map(({ email, until }, index) => ({
    email,
    since: former[index - 1]?.until.getTime() ?? Number.NEGATIVE_INFINITY,
    until: until?.getTime() ?? Number.POSITIVE_INFINITY,
  }));
  const sent = held.filter(({ since, until }) =>
    spans.some(({ start, end }) => since <= end && start <= until),
  );
  return [...new Set(sent.map(({ email }) => email))];
}

/** A lead's person, by the lead or its evidence, which may lack a valid phone. Null: neither is left, or erased. */
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
  const { phoneE164, ...forms } = getIdentity(evidence);
  return { ...forms, ...(phoneE164 === null ? {} : { phoneE164 }) };
}
