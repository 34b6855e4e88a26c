import { expect, test } from 'vitest';
import { testDb } from '#test/support/testDb.ts';
import { createDataKeys } from './dataKeys.ts';

const first = 'data-key-test-secret-number-one-0001';
const second = 'data-key-test-secret-number-two-0002';

test('processes that start concurrently create one key', async () => {
  await using database = await testDb();
  const processes = Array.from({ length: 4 }, () => createDataKeys({ db: database.db, secretKeys: [first] }));
  const keys = await Promise.all(processes.map((process) => process.current('identity')));
  expect(new Set(keys.map(({ key }) => key.toString('hex'))).size).toBe(1);
  expect(keys[0]?.id).toBe('identity-1');
  expect(keys[0]?.key).toHaveLength(32);
  const rows = await database.sql`select sealed_key from data_keys`;
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(keys[0]?.key.toString('base64url'));
});

test('each purpose has its own key, and a key is found by its id', async () => {
  await using database = await testDb();
  const keys = createDataKeys({ db: database.db, secretKeys: [first] });
  const identity = await keys.current('identity');
  const seal = await keys.current('consent-seal');
  expect(seal.key.equals(identity.key)).toBe(false);
  expect(await keys.find(seal.id)).toEqual(seal);
  expect(await keys.find('consent-seal-9')).toBeNull();
});

test('a new first secret opens keys sealed by the old one; no key is made up without', async () => {
  await using database = await testDb();
  const before = await createDataKeys({ db: database.db, secretKeys: [first] }).current('identity');
  const rotated = createDataKeys({ db: database.db, secretKeys: [second, first] });
  expect(await rotated.current('identity')).toEqual(before);
  const lost = createDataKeys({ db: database.db, secretKeys: [second] });
  await expect(lost.current('identity')).rejects.toThrow('None of SECRET_KEYS opens');
  expect(await lost.find(before.id)).toBeNull();
});
