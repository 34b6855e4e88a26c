import { expect, test } from 'vitest';
import { rateLimits } from '#server/db/schema/index.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { meets } from '#test/support/meets.ts';
import { createLeadLimits, type LeadLimits } from '../features/submissions/submissionLimits.ts';
import { createLog } from '../log.ts';
import { listNetworks, purgeRateLimits } from './sharedLimiter.ts';

const log = createLog('silent');
const secretKeys = ['limit-test-key-limit-test-key-0001'];

/** Limits of one process: two calls a minute for a network itself. */
function limitsOn({ db }: TestDb, windows = [{ points: 2, windowSeconds: 60 }]): LeadLimits {
  return createLeadLimits({ db, windows, secretKeys, log });
}

/** How many calls get through, one from each address in turn. */
async function getPassed(limits: LeadLimits, addresses: readonly string[]): Promise<number> {
  let passed = 0;
  for (const ip of addresses)
    passed += await limits.take(ip, 'form', new Map()).then(
      () => 1,
      () => 0,
    );
  return passed;
}

function numbered(count: number, addressOf: (at: number) => string): string[] {
  return Array.from({ length: count }, (_, at) => addressOf(at));
}

test.each([
  ['addresses of a /24', 8, (at: number) => `203.0.113.${at}`, '203.0.114.1'],
  ['/64s of a /56', 4, (at: number) => `2001:db8:1:${at.toString(16)}::1`, '2001:db8:1:100::1'],
  ['/56s of a /48', 16, (at: number) => `2001:db8:2:${at.toString(16)}00::1`, '2001:db8:3::1'],
])('%s share %i times the limit of one network', async (_, multiplier, addressOf, elsewhere) => {
  meets('D.abuse.23 D.abuse.24');
  await using database = await testDb();
  const limits = limitsOn(database);
  expect(await getPassed(limits, numbered(2 * multiplier + 10, addressOf))).toBe(2 * multiplier);
  // Including those that sent nothing yet, also in another process. Nobody else is affected.
  expect(await getPassed(limitsOn(database), [addressOf(99), elsewhere])).toBe(1);
});

test('a call refused for its neighborhood does not count for its own network', async () => {
  await using database = await testDb();
  const limits = limitsOn(database);
  await getPassed(
    limits,
    numbered(16, (at) => `203.0.113.${at}`),
  );
  expect(await getPassed(limits, ['203.0.113.99', '203.0.113.99'])).toBe(0);
  // After the neighborhood's window, the network has its whole limit.
  await database.sql`delete from rate_limits where points = 16`;
  expect(
    await getPassed(
      limitsOn(database),
      numbered(5, () => '203.0.113.99'),
    ),
  ).toBe(2);
});

test('calls refused for their own network do not count for the neighborhood', async () => {
  await using database = await testDb();
  await getPassed(
    limitsOn(database),
    numbered(30, () => '203.0.113.7'),
  );
  const neighbors = numbered(20, (at) => `203.0.113.${at + 100}`);
  expect(await getPassed(limitsOn(database), neighbors)).toBe(14);
});

test('the headers describe the level that is closest to refusal', async () => {
  await using database = await testDb();
  const limits = limitsOn(database);
  const headers = new Map<string, string>();
  await limits.take('203.0.113.1', 'form', headers);
  expect(headers.get('RateLimit-Policy')).toBe('"1m";q=2;w=60');
  expect(headers.get('RateLimit')).toMatch(/^"1m";r=1;t=\d+$/);
  for (let at = 2; at <= 16; at += 1) await limits.take(`203.0.113.${at}`, 'form', headers);
  expect(headers.get('RateLimit-Policy')).toBe('"1m";q=16;w=60');
  expect(headers.get('RateLimit')).toMatch(/^"1m";r=0;t=\d+$/);
});

test('fifty refused calls write nothing to the database and stay refused', async () => {
  await using database = await testDb();
  const limits = limitsOn(database);
  const state = () =>
    database.sql`select key, points, expire, xmin::text, ctid::text from rate_limits order by key`;
  expect(await getPassed(limits, ['203.0.113.7', '203.0.113.7'])).toBe(2);
  const before = await state();
  expect(before.length).toBeGreaterThan(0);
  expect(
    await getPassed(
      limits,
      numbered(50, () => '203.0.113.7'),
    ),
  ).toBe(0);
  expect(await state()).toEqual(before);
});

test('a process that remembers a refusal reports the wait and what is left', async () => {
  await using database = await testDb();
  const limits = limitsOn(database);
  await getPassed(limits, ['203.0.113.7', '203.0.113.7', '203.0.113.7']);
  const headers = new Map<string, string>();
  const refusal = limits.take('203.0.113.7', 'form', headers);
  await expect(refusal).rejects.toMatchObject({ status: 429, retryAfterSeconds: expect.any(Number) });
  expect(headers.get('RateLimit')).toMatch(/^"1m";r=0;t=([1-9]|[1-5]\d|60)$/);
});

test.each([
  ['203.0.113.7', ['203.0.113.7/32', '203.0.113.0/24']],
  ['::ffff:203.0.113.7', ['203.0.113.7/32', '203.0.113.0/24']],
  ['2001:db8:1:2ff:3:4:5:6', ['2001:db8:1:2ff::/64', '2001:db8:1:200::/56', '2001:db8:1::/48']],
  ['2001:db8:1:2ff:ffff::1', ['2001:db8:1:2ff::/64', '2001:db8:1:200::/56', '2001:db8:1::/48']],
  ['nonsense', ['unknown']],
])('%s counts in %j', (ip, networks) => {
  meets('D.abuse.23 D.abuse.24');
  expect(listNetworks(ip).map(({ network }) => network)).toEqual(networks);
});

test('the purge deletes ended windows and no other', async () => {
  await using database = await testDb();
  const now = new Date();
  await database.db.insert(rateLimits).values([
    { key: 'ended', expire: now },
    { key: 'current', expire: new Date(now.getTime() + 1) },
    { key: 'endless', expire: null },
  ]);
  await purgeRateLimits(database.db, now);
  expect([...(await database.sql`select key from rate_limits order by key`)]).toEqual([
    { key: 'current' },
    { key: 'endless' },
  ]);
});
