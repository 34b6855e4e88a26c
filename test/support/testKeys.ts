import type { Queryable } from '#server/db/connect.ts';
import { createDataKeys, type DataKeys } from '#server/security/dataKeys.ts';

/** The secret of all parts that tests run on one database, so that one part can open what another sealed. */
export const testSecret = 'test-secret-key-test-secret-key-0001';

export function testDataKeys({ db }: { db: Queryable }): DataKeys {
  return createDataKeys({ db, secretKeys: [testSecret] });
}

export async function testIdentityKey(database: { db: Queryable }): Promise<Buffer> {
  return (await testDataKeys(database).current('identity')).key;
}
