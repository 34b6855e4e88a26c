import { asc, inArray } from 'drizzle-orm';
import { namedMax } from '#shared/admin/alerts.ts';
import type { Queryable } from '#server/db/connect.ts';
import { providers } from '#server/db/schema/index.ts';
import { adoptAccessChanges, manyProviders } from '../ledger/accessChanges.ts';
import type { NotedAccessChange } from '../ledger/ledgerNotes.ts';

/** Providers of a restored database whose address, domain, status or CRM key changed after the backup. */
export interface RestoredProviders {
  /** Names and ids, some. */
  named: string[];
  /** Others, at least; null: a whole network may have changed. */
  others: number | null;
}

/** After a restore, returns the providers whose noted changes the database lacks. A second call returns none. */
export function restoredProviders(
  db: Queryable,
  changes: readonly NotedAccessChange[],
): Promise<RestoredProviders> {
  return db.transaction(async (tx) => {
    const adopted = await adoptAccessChanges(tx, changes, ['provider-changed']);
    const ids = [...new Set(adopted.map(({ targetId }) => targetId))];
    const { id, name } = providers;
    const rows = await tx.select({ id, name }).from(providers).where(inArray(id, ids)).orderBy(asc(id));
    return {
      named: rows.slice(0, namedMax).map((row) => `${row.name} (${row.id})`),
      others: ids.includes(manyProviders) ? null : Math.max(rows.length - namedMax, 0),
    };
  });
}
