import { randomBytes } from 'node:crypto';
import { desc, eq } from 'drizzle-orm';
import type { Queryable } from '../db/connect.ts';
import type { DataKeyPurpose } from '../db/schema/staff/access.ts';
import { dataKeys } from '../db/schema/index.ts';
import { openText, sealText } from './sealedText.ts';

const keyBytes = 32;

/** A random key of 32 bytes. `id` is `<purpose>-<number>`; what the key made may name it. */
export interface DataKey {
  id: string;
  key: Buffer;
}

export type DataKeys = ReturnType<typeof createDataKeys>;

interface Options {
  db: Queryable;
  /** The first one seals, each may open. */
  secretKeys: readonly string[];
}

/** How a key's row is sealed; `npm run secrets:rotate` seals it again. */
export function dataKeySeal(id: string): { purpose: string; owner: string } {
  return { purpose: 'data-key', owner: id };
}

/** The ids of the keys in the database that none of the secrets opens. Creates none. */
export async function listUnopenedKeys({ db, secretKeys }: Options): Promise<string[]> {
  const rows = await db
    .select({ id: dataKeys.id, sealedKey: dataKeys.sealedKey })
    .from(dataKeys)
    .orderBy(dataKeys.id);
  return rows.flatMap(({ id, sealedKey }) =>
    openText(secretKeys, dataKeySeal(id), sealedKey) === null ? [id] : [],
  );
}

/**
 * Random keys that survive a rotation of SECRET_KEYS: stored sealed under SECRET_KEYS, without which nobody reads them.
 */
export function createDataKeys({ db, secretKeys }: Options) {
  const known = new Map<DataKeyPurpose, Promise<DataKey>>();

  function opened({ id, sealedKey }: { id: string; sealedKey: string }): DataKey | null {
    const text = openText(secretKeys, dataKeySeal(id), sealedKey);
    return text === null ? null : { id, key: Buffer.from(text, 'base64url') };
  }

  async function load(purpose: DataKeyPurpose): Promise<DataKey> {
    const newest = () =>
      db
        .select()
        .from(dataKeys)
        .where(eq(dataKeys.purpose, purpose))
        .orderBy(desc(dataKeys.createdAt))
        .limit(1);
    let [row] = await newest();
    if (row === undefined) {
      const id = `${purpose}-1`;
      const sealedKey = sealText(secretKeys, dataKeySeal(id), randomBytes(keyBytes).toString('base64url'));
      // Of two processes that start concurrently, one writes and both read the same key.
      await db.insert(dataKeys).values({ id, purpose, sealedKey }).onConflictDoNothing();
      [row] = await newest();
    }
    const key = row === undefined ? null : opened(row);
    if (key === null)
      throw new Error(
        `None of SECRET_KEYS opens the database's ${purpose} key. Add the key that was used before.`,
      );
    return key;
  }

  return {
    /** The newest key, created if there is none. Read once per process. Throws if no secret opens it. */
    current(purpose: DataKeyPurpose): Promise<DataKey> {
      const loading = known.get(purpose) ?? load(purpose);
      known.set(purpose, loading);
      // A failure is not cached: the database may only be unavailable.
      loading.catch(() => known.delete(purpose));
      return loading;
    },
    /** A key by its id; null if there is none, or if no secret opens it. */
    async find(id: string): Promise<DataKey | null> {
      const [row] = await db.select().from(dataKeys).where(eq(dataKeys.id, id));
      return row === undefined ? null : opened(row);
    },
  };
}
