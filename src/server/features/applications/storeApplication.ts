import { eq, lte, sql } from 'drizzle-orm';
import type { ApplicationCreateOutput } from '#shared/applications/applications.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import {
  idempotencyKeys,
  type ProviderApplicationInsert,
  providerApplications,
} from '../../db/schema/index.ts';
import type { IdempotencyClaim } from '../submissions/idempotency.ts';

/** Stored now, or the earlier response to the same key. */
export type StoreResult =
  { stored: true; body: ApplicationCreateOutput } | { stored: false; requestSha256: string; body: unknown };

interface ApplicationToStore {
  claim: IdempotencyClaim;
  now: Date;
  application: Omit<ProviderApplicationInsert, 'id' | 'idempotencyKey'>;
}

/**
 * Stores an application and its idempotency key in one transaction. A concurrent submission with the same key waits
 * until this one has committed and then gets its response; if this one fails, the other stores.
 */
export function storeApplication(
  db: Database,
  { claim, now, application }: ApplicationToStore,
): Promise<StoreResult> {
  return db.transaction(async (tx): Promise<StoreResult> => {
    const body = { id: await nextId(tx) };
    const { key, requestSha256, expiresAt } = claim;
    const held = { requestSha256, status: 201, body, leadId: null, expiresAt };
    const claimed = await tx
      .insert(idempotencyKeys)
      .values({ key, ...held })
      .onConflictDoUpdate({
        target: idempotencyKeys.key,
        set: held,
        setWhere: lte(idempotencyKeys.expiresAt, now),
      })
      .returning({ key: idempotencyKeys.key });
    if (claimed.length === 0) return readHolder(tx, key);
    await tx.insert(providerApplications).values({ ...application, id: body.id, idempotencyKey: key });
    return { stored: true, body };
  });
}

async function nextId(tx: Queryable): Promise<number> {
  const [row] = await tx.execute<{ id: string }>(sql`select nextval('provider_applications_id_seq') as id`);
  if (row === undefined) throw new Error('the database gave no application id');
  return Number(row.id);
}

async function readHolder(tx: Queryable, key: string): Promise<StoreResult> {
  // The refused insert has locked the row, so it cannot be purged in between.
  const [held] = await tx
    .select({ requestSha256: idempotencyKeys.requestSha256, body: idempotencyKeys.body })
    .from(idempotencyKeys)
    .where(eq(idempotencyKeys.key, key));
  if (held === undefined) throw new Error('a held idempotency key has vanished');
  return { stored: false, ...held };
}
