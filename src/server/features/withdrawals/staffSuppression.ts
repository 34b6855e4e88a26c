import { eq } from 'drizzle-orm';
import type { SuppressionLiftInput } from '#shared/leads/suppression.ts';
import type { Queryable } from '#server/db/connect.ts';
import { leads } from '#server/db/schema/index.ts';
import { AppError, notFound } from '#server/errors.ts';
import type { LeadAction } from '../leads/changes/leadChanges.ts';
import { type AuditActor, recordAudit, recordAuditOfEach } from '../audit/audit.ts';
import {
  getEmail,
  listForms,
  hasMailbox,
  type IdentityKind,
  isLeadOf,
  type Person,
  personColumns,
  getPhone,
  toPerson,
} from '../identity/identity.ts';
import { getMailbox } from '../identity/mailbox.ts';
import { recordLedgerEntry } from '../ledger/recordLedgerEntry.ts';
import { releaseHeldForMailbox } from '../outbox/refused/holds.ts';
import { dropOpenTasks, listUndecided } from '../suppression/staffTasks.ts';
import { deleteSuppressions } from '../suppression/suppressions.ts';
import { suppress } from './suppress.ts';
import { findPerson } from './sentTo.ts';

const notListed: Record<IdentityKind, string> = {
  email: 'The email address isn’t on the list.',
  phone: 'The phone number isn’t on the list.',
};

interface Lift {
  kind: IdentityKind;
  /** With the email or the phone. */
  person: Partial<Person>;
  identityKey: Buffer;
  reason: string;
  actor: AuditActor;
  /** Null for a command. */
  ip: string | null;
  now: Date;
}

/**
 * Removes an email address or a phone number from the suppression list, with an audit entry for each lead that has it,
 * or one entry if no lead has it, and with one in the erasure ledger. The entries contain no contact details.
 * Withdrawals stay, and cancelled deliveries stay cancelled until staff retry them. Returns the leads. Throws NOT_FOUND
 * if it isn't listed.
 */
export async function liftSuppression(
  tx: Queryable,
  { kind, person, identityKey, reason, actor, ip, now }: Lift,
): Promise<number[]> {
  if (!(await deleteSuppressions(tx, identityKey, person))) throw new AppError('NOT_FOUND', notListed[kind]);
  const rows = await tx.select({ id: leads.id }).from(leads).where(isLeadOf(person)).orderBy(leads.id);
  const ids = rows.map(({ id }) => id);
  if (kind === 'email' && person.emailNorm !== undefined) {
    // What waited because of this entry. If another entry has the mailbox, staff are asked again.
    const waiting = await listUndecided(tx, hasMailbox(getMailbox(person.emailNorm)));
    await releaseHeldForMailbox(tx, waiting, now);
    await dropOpenTasks(tx, ['mailbox-withdrawn'], waiting);
  }
  for (const form of listForms(person)) {
    const lifted = { kind: 'suppression-lifted', person: toPerson(form), identityKey } as const;
    await recordLedgerEntry(tx, { ...lifted, leadIds: [], at: now });
  }
  const entry = { actor, ip, action: 'suppression.lift', detail: { kind, reason } } as const;
  if (ids.length === 0) await recordAudit(tx, { ...entry, subject: null });
  else {
    const lines = ids.map((id) => ({ subject: { kind: 'lead', id }, detail: entry.detail }));
    await recordAuditOfEach(tx, entry, lines);
  }
  return ids;
}

/** For owners, by a lead. Throws NOT_FOUND 'Lead not found', and what `liftSuppression` throws. */
export async function liftOfLead(
  { services: { db, dataKeys, now }, actor, ip }: LeadAction,
  { id, kind, reason }: SuppressionLiftInput,
): Promise<number[]> {
  const { key: identityKey } = await dataKeys.current('identity');
  return db.transaction(async (tx) => {
    const [lead] = await tx.select(personColumns).from(leads).where(eq(leads.id, id));
    if (lead === undefined) throw notFound('Lead');
    const person = kind === 'email' ? getEmail(lead) : getPhone(lead);
    return liftSuppression(tx, { kind, person, identityKey, reason, actor, ip, now: now() });
  });
}

/**
 * Lists email and phone because staff decided so. Returns every lead with either. Throws NOT_FOUND 'Lead not found'.
 */
export async function markDoNotContact(
  { services: { db, dataKeys, now }, actor, ip }: LeadAction,
  leadId: number,
): Promise<{ leadIds: number[] }> {
  const { key: identityKey } = await dataKeys.current('identity');
  return db.transaction(async (tx) => {
    const person = await findPerson(tx, leadId);
    if (person === null) throw notFound('Lead');
    const { leadIds } = await suppress(tx, {
      ...{ person, identityKey, leadId, reason: 'do-not-contact', how: 'staff' },
      ...{ by: actor.name, ip, now: now() },
    });
    const lines = leadIds.map((id) => ({ subject: { kind: 'lead', id } }));
    await recordAuditOfEach(tx, { actor, ip, action: 'lead.suppress' }, lines);
    return { leadIds };
  });
}
