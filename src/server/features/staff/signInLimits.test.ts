import { expect, onTestFinished, test } from 'vitest';
import { connect } from '#server/db/connect.ts';
import { createLog } from '#server/log.ts';
import { testDb } from '#test/support/testDb.ts';
import { createSignInLimits, type SignInLimits } from './signInLimits.ts';

const secretKeys = ['a-key-for-tests-a-key-for-tests-0001'];
const tooMany = {
  code: 'TOO_MANY_REQUESTS',
  message: expect.stringMatching(/^Too many tries\. Please wait 1[45] minutes/),
};

async function limitsOn(url: string): Promise<SignInLimits> {
  const { db, close } = connect(url, { applicationName: 'limits-test', max: 4 });
  onTestFinished(close);
  return createSignInLimits({ db, secretKeys, log: createLog('silent') });
}

test('the sixth wrong try of a network waits, in every process, however many come at once; others go on', async () => {
  await using database = await testDb();
  const [one, other] = [await limitsOn(database.url), await limitsOn(database.url)];
  const tries = await Promise.allSettled(
    Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? one : other).take('203.0.113.7')),
  );
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  await expect(other.take('203.0.113.7')).rejects.toMatchObject(tooMany);
  await one.take('203.0.113.8');
});

test('an IPv6 network is one, whatever address of it is used', async () => {
  await using database = await testDb();
  const limits = await limitsOn(database.url);
  for (let at = 1; at <= 5; at += 1) await limits.take(`2001:db8:1:2::${at}`);
  await expect(limits.take('2001:db8:1:2:ffff::9')).rejects.toMatchObject(tooMany);
  await limits.take('2001:db8:1:3::1');
});

test('from all networks together a hundred tries are let through', async () => {
  await using database = await testDb();
  const limits = await limitsOn(database.url);
  for (let at = 0; at < 100; at += 1) await limits.take(`198.51.100.${at}`);
  await expect(limits.take('203.0.113.1')).rejects.toMatchObject(tooMany);
});

test('whoever signed in from a network lately still gets in, in every process, while strangers use up what all have together', async () => {
  await using database = await testDb();
  const [one, other] = [await limitsOn(database.url), await limitsOn(database.url)];
  await one.take('203.0.113.7');
  await one.giveBack('203.0.113.7');
  for (let at = 0; at < 100; at += 1) await one.take(`198.51.100.${at}`);
  await expect(one.take('203.0.113.8')).rejects.toMatchObject(tooMany);
  for (let at = 0; at < 5; at += 1) await other.take('203.0.113.7');
  await expect(other.take('203.0.113.7')).rejects.toMatchObject(tooMany);
  await database.sql`update rate_limits set expire = now() where key like 'sign-in-known:%' or key like 'sign-in-network:%'`;
  await expect(one.take('203.0.113.7')).rejects.toMatchObject(tooMany);
});

test('a right password is taken back and costs nobody a try', async () => {
  await using database = await testDb();
  const limits = await limitsOn(database.url);
  for (let at = 0; at < 120; at += 1) {
    await limits.take('203.0.113.7');
    await limits.giveBack('203.0.113.7');
  }
  await expect(limits.take('203.0.113.7')).resolves.toBeUndefined();
});

test('the counters hold no address', async () => {
  await using database = await testDb();
  const limits = await limitsOn(database.url);
  await limits.take('203.0.113.77');
  await limits.giveBack('203.0.113.77');
  await limits.take('203.0.113.77');
  const rows = await database.sql`select key from rate_limits`;
  expect(rows).toHaveLength(3);
  expect(JSON.stringify(rows)).not.toContain('203.0.113');
});
