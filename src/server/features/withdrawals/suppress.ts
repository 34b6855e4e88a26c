import type { SuppressionReason, WithdrawalWay } from '#shared/leads/suppression.ts';
import type { Queryable } from '#server/db/connect.ts';
import { leads } from '#server/db/schema/index.ts';
import { isLeadOf, type Person } from '../identity/identity.ts';
import { closeTasks } from '../suppression/staffTasks.ts';
import { insertSuppressions } from '../suppression/suppressions.ts';
import { cancelDeliveries, recordWithdrawals, tellProviders } from './recordWithdrawals.ts';

export interface Suppression {
  /** What goes on the list: an e-mail address, a phone number, or both. */
  person: Partial<Person>;
  /** Of `dataKeys.current('identity')`; load it before a transaction begins, as loading takes a connection. */
  identityKey: Buffer;
  /** Where it is known which leads are theirs: nothing is done to those of others who have the same phone. */
  only?: readonly number[];
  /** Which of the person's leads it came from. */
  leadId: number | null;
  reason: SuppressionReason;
  how: WithdrawalWay;
  /** 'Visitor', a staff member's or token's name. */
  by: string;
  ip: string | null;
  now: Date;
}

/** What a suppression did. */
export interface Suppressed {
  /** Leads with what was listed, deleted ones too, in the order of their numbers. */
  leadIds: number[];
  /** The deliveries, queued now, by which clinics that had the person's details are told. */
  toldBy: string[];
  /** Whether anything of it wasn't on the list before. */
  isNew: boolean;
}

/**
 * Ends all contact by what is listed until an owner lifts it: in one transaction puts e-mail, phone or both on the list, cancels what is queued or
 * held for every lead with either, writes each lead's consent down as withdrawn, and queues a message to every clinic that had their details. Doing it
 * again changes nothing that is done, and catches what came since; after it was lifted it is all done once more.
 */
export function suppress(db: Queryable, suppression: Suppression): Promise<Suppressed> {
  const { person, identityKey, only, leadId, reason, by, now } = suppression;
  return db.transaction(async (tx) => {
    const listed = await insertSuppressions(tx, { identityKey, person }, { reason, leadId, by, at: now });
    const leadIds = (await leadsOf(tx, person)).filter((id) => only?.includes(id) ?? true);
    await cancelDeliveries(tx, leadIds, now);
    await closeTasks(tx, leadIds, { by, now });
    // What was done before the later entry doesn't count: an earlier entry of the same kind may have been lifted since.
    const since = new Date(Math.max(...listed.map(({ at }) => at.getTime())));
    // Of the lead it came from even if that is purged: its evidence isn't.
    const withdrawn = leadId === null ? leadIds : [...new Set([...leadIds, leadId])];
    await recordWithdrawals(tx, withdrawn, { ...suppression, since });
    const toldBy = await tellProviders(tx, leadIds, { now, since });
    return { leadIds, toldBy, isNew: listed.some(({ isNew }) => isNew) };
  });
}

/** Kept from being purged meanwhile: who changes leads and deliveries takes the leads first. */
async function leadsOf(tx: Queryable, person: Partial<Person>): Promise<number[]> {
  const rows = await tx
    .select({ id: leads.id })
    .from(leads)
    .where(isLeadOf(person))
    .orderBy(leads.id)
    .for('key share');
  return rows.map(({ id }) => id);
}
