import type { WithdrawalWay } from '#shared/leads/suppression.ts';
import type { Queryable } from '#server/db/connect.ts';
import { inArray } from 'drizzle-orm';
import { leads } from '#server/db/schema/index.ts';
import { insertWithdrawals } from '../consent/consentWithdrawals.ts';
import { consentRevoked } from '../leads/leadEvents.ts';
import { recordEvents } from '../webhooks/recordEvents.ts';

/** Records the events, with the leads' current providers; a purged lead has none. */
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
  if (left.length > 0) await recordRevocations(tx, left);
}
