import { expect, test } from 'vitest';
import { dayMs } from '#shared/formats/time.ts';
import { unreachableAddresses } from '#server/db/schema/index.ts';
import { testDb } from '#test/support/testDb.ts';
import { testDataKeys } from '#test/support/testKeys.ts';
import { mailboxHash } from '../identity/identityHashes.ts';
import {
  findUnreachable,
  forgetUnreachable,
  listUnreachable,
  purgeUnreachable,
  storeUnreachable,
} from './unreachableAddresses.ts';

test('an address that bounced is tried again after a year; the latest report counts', async () => {
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

test('a bounce stops exactly the address that bounced, not other tags of it', async () => {
  await using database = await testDb();
  const services = { db: database.db, dataKeys: testDataKeys(database) };
  const { key: identityKey } = await services.dataKeys.current('identity');
  const bounced = { cause: 'bounce', identityKey, now: new Date() } as const;
  const tried = [
    'nora+zz9@corp.example',
    ' Nora+ZZ9@Corp.Example',
    'nora@corp.example',
    'nora+zz8@corp.example',
  ];
  const found = async () => Promise.all(tried.map((address) => findUnreachable(services, address)));
  await storeUnreachable(services.db, { address: 'nora+zz9@corp.example', ...bounced });
  expect(await found()).toEqual(['bounce', 'bounce', null, null]);
  await forgetUnreachable(services.db, { address: 'NORA+zz9@corp.example', identityKey });
  await storeUnreachable(services.db, { address: 'nora@corp.example', ...bounced });
  expect(await found()).toEqual([null, null, 'bounce', null]);
});

test('a bounce that an earlier version stored without its tag still stops every tag', async () => {
  await using database = await testDb();
  const services = { db: database.db, dataKeys: testDataKeys(database) };
  const { key } = await services.dataKeys.current('identity');
  const mark = {
    recipientHmac: mailboxHash(key, 'nora@corp.example'),
    cause: 'bounce',
    at: new Date(),
  } as const;
  await database.db.insert(unreachableAddresses).values(mark);
  for (const address of ['nora@corp.example', 'nora+zz9@corp.example'])
    expect(await findUnreachable(services, address)).toBe('bounce');
});
