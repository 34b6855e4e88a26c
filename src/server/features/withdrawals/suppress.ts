import { suppressedReason, type SuppressionReason, type WithdrawalWay } from '#shared/leads/suppression.ts';
import type { Queryable } from '#server/db/connect.ts';
import { leads } from '#server/db/schema/index.ts';
import { isLeadOf, type Person } from '../identity/identity.ts';
import { recordLedgerEntry } from '../ledger/recordLedgerEntry.ts';
import { cancelLeadDeliveries } from '../outbox/cancelDeliveries.ts';
import { enqueueWithdrawalNotices } from '../outbox/notices.ts';
import { closeTasks } from '../suppression/staffTasks.ts';
import { insertSuppressions } from '../suppression/suppressions.ts';
import { inArray } from 'drizzle-orm';
import { insertWithdrawals } from '../consent/recordConsent.ts';
import { consentRevoked } from '../leads/leadEvents.ts';
import { recordEvents } from '../webhooks/recordEvents.ts';

export interface Suppression {
  /** What to list: an email address, a phone number, or both. */
  person: Partial<Person>;
  /** Of `dataKeys.current('identity')`. Load it before the transaction: loading needs another connection. */
  identityKey: Buffer;
  /** The person's leads, if they are known: leads of others with the same phone stay as they are. */
  only?: readonly number[];
  /** The lead that it came from. */
  leadId: number | null;
  reason: SuppressionReason;
  how: WithdrawalWay;
  /** 'Visitor', a staff member's or token's name. */
  by: string;
  ip: string | null;
  now: Date;
  /** The ledger has it: it is part of an erasure, or repeated after a restore. */
  isInLedger?: boolean;
}

export interface Suppressed {
  /** Leads with the listed email or phone, deleted ones included, by ascending id. */
  leadIds: number[];
  /** The new deliveries that notify providers who have the person's details. */
  noticeIds: string[];
  /** Whether at least one of them wasn't listed before. */
  isNew: boolean;
}

/**
 * Ends all contact by email, phone or both until an owner lifts it. In one transaction, lists them, cancels queued and
 * held deliveries of every lead with either, records that each lead's consent was withdrawn, and queues a notice to
 * every provider that has their details. A new suppression is also recorded in the erasure ledger. A repeated call handles only leads and deliveries that are new since. After a
 * lift, everything is done again.
 */
export function suppress(db: Queryable, suppression: Suppression): Promise<Suppressed> {
  const { person, identityKey, only, leadId, reason, how, by, now, isInLedger = false } = suppression;
  return db.transaction(async (tx) => {
    const listed = await insertSuppressions(tx, { identityKey, person }, { reason, leadId, by, at: now });
    const leadIds = (await listLeads(tx, person)).filter((id) => only?.includes(id) ?? true);
    await cancelLeadDeliveries(tx, leadIds, { reason: suppressedReason, now });
    await closeTasks(tx, { leadIds }, { by, now });
    // Withdrawals before the later entry don't count: an earlier entry of the same kind may have been lifted since.
    const since = new Date(Math.max(...listed.map(({ at }) => at.getTime())));
    // Includes a purged lead: its evidence still exists.
    const withdrawn = leadId === null ? leadIds : [...new Set([...leadIds, leadId])];
    await recordWithdrawals(tx, withdrawn, { ...suppression, since });
    const noticeIds = await enqueueWithdrawalNotices(tx, leadIds, { now, since });
    const isNew = listed.some((entry) => entry.isNew);
    if (isNew && !isInLedger) {
      const source = leadId === null ? [] : [leadId];
      const entry = { person, identityKey, leadIds: source, at: now, reason, how } as const;
      await recordLedgerEntry(tx, { kind: 'suppressed', ...entry });
    }
    return { leadIds, noticeIds, isNew };
  });
}

/** Locked against a purge: every change of leads and deliveries locks the leads first. */
async function listLeads(tx: Queryable, person: Partial<Person>): Promise<number[]> {
  const rows = await tx
    .select({ id: leads.id })
    .from(leads)
    .where(isLeadOf(person))
    .orderBy(leads.id)
    .for('key share');
  return rows.map(({ id }) => id);
}

interface Withdrawal {
  how: WithdrawalWay;
  by: string;
  ip: string | null;
  now: Date;
  /** Earlier withdrawals don't count: the suppression that they led to was lifted. Without it, each one counts. */
  since?: Date;
}

/** Records that the consents of these leads were withdrawn, once for each lead, with the events. */
export async function recordWithdrawals(
  tx: Queryable,
  leadIds: readonly number[],
  { how, by, ip, now, since }: Withdrawal,
): Promise<void> {
  const left = await insertWithdrawals(tx, leadIds, { how, by, ip, at: now, since });
  if (left.length === 0) return;
  const { id, providerId, quarantinedAt } = leads;
  const rows = await tx.select({ id, providerId, quarantinedAt }).from(leads).where(inArray(id, left));
  const known = new Map(rows.map((lead) => [lead.id, lead]));
  await recordEvents(
    tx,
    // With the lead's current provider; a purged lead has none.
    left.flatMap((lead) =>
      consentRevoked(known.get(lead) ?? { id: lead, providerId: null, quarantinedAt: null }),
    ),
  );
}
