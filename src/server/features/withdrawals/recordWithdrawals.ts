import { and, gte, inArray, isNull } from 'drizzle-orm';
import type { WithdrawalWay } from '#shared/leads/suppression.ts';
import type { Queryable } from '#server/db/connect.ts';
import { consentWithdrawals, leads, staffTasks } from '#server/db/schema/index.ts';
import { consentRevoked } from '../leads/leadEvents.ts';
import { recordEvents } from '../webhooks/recordEvents.ts';

/** Ends what staff were to decide about leads that nobody may contact any more. */
export async function closeTasks(
  tx: Queryable,
  leadIds: readonly number[],
  { by, now }: { by: string; now: Date },
): Promise<void> {
  if (leadIds.length === 0) return;
  const open = tx
    .select({ id: staffTasks.id })
    .from(staffTasks)
    .where(and(inArray(staffTasks.leadId, [...leadIds]), isNull(staffTasks.doneAt)))
    .orderBy(staffTasks.id)
    .for('update');
  await tx.update(staffTasks).set({ doneAt: now, doneBy: by }).where(inArray(staffTasks.id, open));
}

/** As the leads are now; a purged one has no provider that is known. */
async function recordRevocations(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  const rows = await tx
    .select({ id: leads.id, providerId: leads.providerId, quarantinedAt: leads.quarantinedAt })
    .from(leads)
    .where(inArray(leads.id, [...leadIds]));
  const known = new Map(rows.map((lead) => [lead.id, lead]));
  await recordEvents(
    tx,
    leadIds.flatMap((id) => consentRevoked(known.get(id) ?? { id, providerId: null, quarantinedAt: null })),
  );
}

interface Withdrawal {
  how: WithdrawalWay;
  by: string;
  ip: string | null;
  now: Date;
  /** Earlier withdrawals don't count: the suppression they led to was lifted. Left out, every one counts. */
  since?: Date;
}

/** Records, once for each lead, that its consent was withdrawn, in the caller's transaction. */
export async function recordWithdrawals(
  tx: Queryable,
  leadIds: readonly number[],
  { how, by, ip, now, since }: Withdrawal,
): Promise<void> {
  if (leadIds.length === 0) return;
  const done = await tx
    .select({ leadId: consentWithdrawals.leadId })
    .from(consentWithdrawals)
    .where(
      and(
        inArray(consentWithdrawals.leadId, [...leadIds]),
        since === undefined ? undefined : gte(consentWithdrawals.at, since),
      ),
    );
  const withdrawn = new Set(done.map(({ leadId }) => leadId));
  const left = leadIds.filter((id) => !withdrawn.has(id));
  if (left.length === 0) return;
  await tx.insert(consentWithdrawals).values(left.map((leadId) => ({ leadId, at: now, how, by, ip })));
  await recordRevocations(tx, left);
}
