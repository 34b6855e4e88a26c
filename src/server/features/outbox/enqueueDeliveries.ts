import type { Queryable } from '#server/db/connect.ts';
import { deliveries, type DeliveryInsert } from '#server/db/schema/index.ts';
import { clearFailureFlags } from './leadStatus.ts';

/** Few enough for the parameters of one statement. */
const rowsMax = 2_000;

/** Inserts deliveries in the transaction of the change that causes them. Call `services.outbox.wake()` after its commit. */
export async function enqueueDeliveries(tx: Queryable, rows: readonly DeliveryInsert[]): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsMax)
    await tx.insert(deliveries).values(rows.slice(start, start + rowsMax));
  await clearFailureFlags(tx, [...new Set(rows.flatMap(({ leadId }) => leadId ?? []))]);
}
