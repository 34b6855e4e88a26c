import { and, eq } from 'drizzle-orm';
import type { Database } from '../../db/connect.ts';
import { providers } from '../../db/schema/index.ts';
import type { DatabaseGate } from '../../tenant/databaseGate.ts';
import type { TenantDirectory } from '../../tenant/site.ts';

type PictureKind = 'logo' | 'image';

/** Finds where a clinic's logo or picture lies, as its record says; null when there is none. An id that is nobody's costs no query. */
export function pictureAddresses({
  db,
  reads,
  tenants,
}: {
  db: Database;
  reads: DatabaseGate;
  tenants: Pick<TenantDirectory, 'findById'>;
}) {
  return async (id: number, kind: PictureKind): Promise<string | null> =>
    (await tenants.findById(id)) === null ? null : reads.ask(() => findPictureAddress(db, id, kind));
}

async function findPictureAddress(db: Database, id: number, kind: PictureKind): Promise<string | null> {
  const column = kind === 'logo' ? providers.logoUrl : providers.imageUrl;
  const [row] = await db
    .select({ address: column })
    .from(providers)
    .where(and(eq(providers.id, id), eq(providers.status, 't')));
  return row?.address ?? null;
}
