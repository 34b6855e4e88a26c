import type { Queryable } from '#server/db/connect.ts';
import { createDataKeys, type DataKeys } from '#server/security/dataKeys.ts';

/** The secret of everything that tests put together on one database: what one part seals, another must open. */
export const testSecret = 'test-secret-key-test-secret-key-0001';

export function testDataKeys({ db }: { db: Queryable }): DataKeys {
  return createDataKeys({ db, secretKeys: [testSecret] });
}

export async function testIdentityKey(database: { db: Queryable }): Promise<Buffer> {
  return (await testDataKeys(database).current('identity')).key;
}
