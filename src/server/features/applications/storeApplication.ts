import { sql } from 'drizzle-orm';
import type { ApplicationCreateOutput } from '#shared/applications/applications.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { type ProviderApplicationInsert, providerApplications } from '../../db/schema/index.ts';
import { claimKeys, type IdempotencyClaim, type StoreResult } from '../submissions/idempotency.ts';

interface NewApplication {
  claim: IdempotencyClaim;
  now: Date;
  application: Omit<ProviderApplicationInsert, 'id' | 'idempotencyKey'>;
}

/** Stores an application and claims its key in one transaction. */
export function storeApplication(
  db: Database,
  { claim, now, application }: NewApplication,
): Promise<StoreResult<ApplicationCreateOutput>> {
  return db.transaction(async (tx): Promise<StoreResult<ApplicationCreateOutput>> => {
    const body = { id: await nextId(tx) };
    const [answer = null] = await claimKeys(tx, [{ claim, body, leadId: null }], now);
    if (answer !== null) return { stored: false, ...answer };
    await tx.insert(providerApplications).values({ ...application, id: body.id, idempotencyKey: claim.key });
    return { stored: true, body };
  });
}

async function nextId(tx: Queryable): Promise<number> {
  const [row] = await tx.execute<{ id: string }>(sql`select nextval('provider_applications_id_seq') as id`);
  if (row === undefined) throw new Error('the database returned no application id');
  return Number(row.id);
}
