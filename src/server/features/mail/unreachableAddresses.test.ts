import { expect, test } from 'vitest';
import { dayMs } from '#shared/formats/time.ts';
import { testDb } from '#test/support/testDb.ts';
import { testDataKeys } from '#test/support/testKeys.ts';
import {
  findUnreachable,
  listUnreachable,
  purgeUnreachable,
  storeUnreachable,
} from './unreachableAddresses.ts';

test('an address that bounced is tried again after a year, and the latest report counts', async () => {
  await using database = await testDb();
  const { db } = database;
  const dataKeys = testDataKeys({ db });
  const { key: identityKey } = await dataKeys.current('identity');
  const start = Date.parse('2026-06-01T12:00:00Z');
  const report = (address: string, cause: 'bounce' | 'complaint', days: number) =>
    storeUnreachable(db, { address, cause, identityKey, now: new Date(start + days * dayMs) });
  await report('ada@example.com', 'bounce', 0);
  await report('kit@example.com', 'bounce', 0);
  await report('kit@example.com', 'complaint', 10);
  const known = () =>
    listUnreachable({ db, dataKeys }, ['ada@example.com', 'kit@example.com', 'sam@example.com']);
  await purgeUnreachable(db, new Date(start + 365 * dayMs));
  expect(await known()).toEqual(
    new Map([
      ['ada@example.com', 'bounce'],
      ['kit@example.com', 'complaint'],
    ]),
  );
  await purgeUnreachable(db, new Date(start + 366 * dayMs));
  expect(await known()).toEqual(new Map([['kit@example.com', 'complaint']]));
  expect(await findUnreachable({ db, dataKeys }, 'ada@example.com')).toBeNull();
});
