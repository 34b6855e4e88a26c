import { asc, eq, isNull } from 'drizzle-orm';
import { endpointHost } from '#shared/admin/webhooks.ts';
import type { Queryable } from '#server/db/connect.ts';
import { type AccessChangeRow, webhookEndpoints } from '#server/db/schema/index.ts';
import { recordAudit } from '../audit/audit.ts';
import { adoptAccessChanges } from '../ledger/accessChanges.ts';
import type { NotedAccessChange } from '../ledger/ledgerNotes.ts';
import { deleteEndpoint, disableEndpoint } from './endpointStates.ts';

const audit = { actor: { kind: 'command', name: 'npm run restore' }, ip: null } as const;

/** Endpoints of a restored database, by the hosts of their URLs: the rest of a URL may be secret. */
export interface RestoredEndpoints {
  removed: string[];
  /** Turned off. */
  off: string[];
  /** On as in the backup, with what they get. */
  on: string[];
}

/** Returns the endpoint's host; null if there was nothing to end. */
async function repeatChange(
  tx: Queryable,
  { kind, endpointId: id }: { kind: AccessChangeRow['kind']; endpointId: string },
  now: Date,
): Promise<string | null> {
  const [row] = await tx.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id)).for('update');
  if (row === undefined) return null;
  const isRemoved = kind === 'endpoint-removed';
  if (isRemoved) await deleteEndpoint(tx, id);
  else if (!(await disableEndpoint(tx, { endpointId: id, reason: 'staff', now }))) return null;
  const host = endpointHost(row);
  const action = isRemoved ? 'endpoint.remove' : 'endpoint.disable';
  await recordAudit(tx, { ...audit, action, subject: { kind: 'endpoint', id }, detail: { host } });
  return host;
}

/**
 * After a restore, repeats the noted ends of endpoints: a removed one is removed; one switched off or changed is off,
 * because the backup has its former URL and secret. Its events can be replayed. A second call repeats nothing.
 */
export function restoreEndpoints(
  db: Queryable,
  { changes, now }: { changes: readonly NotedAccessChange[]; now: Date },
): Promise<RestoredEndpoints> {
  return db.transaction(async (tx) => {
    const restored: RestoredEndpoints = { removed: [], off: [], on: [] };
    const adopted = await adoptAccessChanges(tx, changes, ['endpoint-removed', 'endpoint-changed']);
    // An endpoint that was removed in the end is named once.
    const removed = new Set(adopted.flatMap((of) => (of.kind === 'endpoint-removed' ? of.endpointId : [])));
    for (const { kind, endpointId } of adopted) {
      if (endpointId === null || (kind !== 'endpoint-removed' && removed.has(endpointId))) continue;
      const host = await repeatChange(tx, { kind, endpointId }, now);
      if (host !== null) restored[kind === 'endpoint-removed' ? 'removed' : 'off'].push(host);
    }
    const { url, payload } = webhookEndpoints;
    const on = await tx
      .select({ url, payload })
      .from(webhookEndpoints)
      .where(isNull(webhookEndpoints.disabledAt))
      .orderBy(asc(webhookEndpoints.createdAt), asc(webhookEndpoints.id));
    restored.on = on.map((endpoint) => `${endpointHost(endpoint)} (${endpoint.payload})`);
    return restored;
  });
}
