import { sql } from 'drizzle-orm';
import type { Database, Queryable } from '#server/db/connect.ts';
import { zipCentroids, zipEdition } from '#server/db/schema/index.ts';
import type { ZipTable } from './zipTable.ts';

interface LoadOptions {
  zipTable: Pick<ZipTable, 'entries' | 'sha256'>;
  /** Runs in the transaction that replaced the centroids. */
  onChange: (tx: Queryable) => Promise<void>;
}

/**
 * Replaces the database's ZIP table if its edition differs. Any number of processes may call it at the same time: one
 * replaces the table, and the others wait and find it loaded.
 */
export async function loadZipCentroids(db: Database, { zipTable, onChange }: LoadOptions): Promise<void> {
  if (await isLoaded(db, zipTable.sha256)) return;
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${zipEdition} in exclusive mode`);
    if (await isLoaded(tx, zipTable.sha256)) return;
    const entries = [...zipTable.entries()];
    const list = (at: 0 | 1 | 2) => sql`string_to_array(${entries.map((entry) => entry[at]).join()}, ',')`;
    await tx.delete(zipCentroids);
    await tx.execute(sql`
      insert into zip_centroids (zip, latitude, longitude)
      select * from unnest(${list(0)}, ${list(1)}::float8[], ${list(2)}::float8[])`);
    await tx.delete(zipEdition);
    await tx.insert(zipEdition).values({ sha256: zipTable.sha256 });
    await onChange(tx);
  });
}

async function isLoaded(db: Queryable, sha256: string): Promise<boolean> {
  const [loaded] = await db.select().from(zipEdition);
  return loaded?.sha256 === sha256;
}
