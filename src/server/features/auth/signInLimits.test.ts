import { expect, onTestFinished, test } from 'vitest';
import { connect } from '#server/db/connect.ts';
import { createLog } from '#server/log.ts';
import { testDb } from '#test/support/testDb.ts';
import { meets } from '#test/support/meets.ts';
import { createSignInLimits, type SignInClaim, type SignInLimits } from './signInLimits.ts';

const secretKeys = ['a-key-for-tests-a-key-for-tests-0001'];
const tooMany = {
  code: 'TOO_MANY_REQUESTS',
  message: expect.stringMatching(/^Too many sign-in attempts\. Try again in \d+ minutes/),
};

async function limitsOn(url: string): Promise<SignInLimits> {
  const { db, close } = connect(url, { applicationName: 'limits-test', max: 4 });
  onTestFinished(close);
  return createSignInLimits({ db, secretKeys, log: createLog('silent') });
}

/** An attempt from an unknown device, for the shared password unless an account is given. */
function attempt(limits: SignInLimits, claim: Partial<SignInClaim> & { ip: string }) {
  return limits.take({ email: '', device: null, ...claim });
}

/** Exhausts an account's limit for unknown devices, from networks far apart. */
async function attackAccount(limits: SignInLimits, email = ''): Promise<void> {
  for (let at = 0; at < 20; at += 1) await attempt(limits, { ip: `198.51.${at}.1`, email });
}

test("a network's sixth wrong attempt waits, in every process and concurrently", async () => {
  meets('D.admin.18');
  await using database = await testDb();
  const [one, other] = [await limitsOn(database.url), await limitsOn(database.url)];
  const attempts = await Promise.allSettled(
    Array.from({ length: 12 }, (_, at) => attempt(at % 2 === 0 ? one : other, { ip: '203.0.113.7' })),
  );
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  await expect(attempt(other, { ip: '203.0.113.7' })).rejects.toMatchObject(tooMany);
  await attempt(one, { ip: '203.0.113.8' });
});

test('a /48 gets sixteen times the attempts of one network', async () => {
  await using database = await testDb();
  const limits = await limitsOn(database.url);
  const attempts: string[] = [];
  // Each for another account, so that only the networks count.
  for (let at = 0; at < 90; at += 1)
    attempts.push(
      await attempt(limits, {
        ip: `2001:db8:1:${at.toString(16)}00::1`,
        email: `${at}@staff.example`,
      }).then(
        () => 'counted',
        () => 'refused',
      ),
    );
  expect(attempts.filter((verdict) => verdict === 'counted')).toHaveLength(80);
  expect(attempts.at(-1)).toBe('refused');
  await attempt(limits, { ip: '2001:db8:2::1' });
});

test('an attacked account leaves two attempts an hour to each unknown network', async () => {
  meets('D.admin.19');
  await using database = await testDb();
  const [one, other] = [await limitsOn(database.url), await limitsOn(database.url)];
  await attackAccount(one);
  for (const limits of [one, other]) await attempt(limits, { ip: '203.0.113.7' });
  await expect(attempt(other, { ip: '203.0.113.7' })).rejects.toMatchObject({
    ...tooMany,
    retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds > 3500),
  });
  await attempt(one, { ip: '203.0.114.7' });
  // Refused attempts didn't use up what the network allows for other accounts.
  for (let at = 0; at < 3; at += 1)
    await attempt(other, { ip: '203.0.113.7', email: 'someone@staff.example' });
});

test('all unknown networks together get a hundred slow attempts an hour', async () => {
  await using database = await testDb();
  const [one, other] = [await limitsOn(database.url), await limitsOn(database.url)];
  await attackAccount(one);
  for (let at = 0; at < 100; at += 1) await attempt(one, { ip: `2001:db8:${at.toString(16)}::1` });
  await expect(attempt(other, { ip: '2001:db8:ffff::1' })).rejects.toMatchObject({
    ...tooMany,
    // It slows and never ends.
    retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds > 3000 && seconds <= 3600),
  });
  // Neither another account nor a known device is concerned, and a right password costs nothing.
  await attempt(other, { ip: '2001:db8:ffff::1', email: 'someone@staff.example' });
  await attempt(other, { ip: '2001:db8:ffff::1', device: 'device-a' });
});

test('a right password in the slow lane uses up nothing of what all networks share', async () => {
  await using database = await testDb();
  const limits = await limitsOn(database.url);
  await attackAccount(limits);
  for (let at = 0; at < 120; at += 1) {
    const giveBack = await attempt(limits, { ip: `2001:db8:${at.toString(16)}::1` });
    await giveBack();
  }
  const slow = await database.sql`select points from rate_limits where key like 'sign-in-slow:%'`;
  expect(slow.length).toBeGreaterThan(120);
  expect(slow.filter(({ points }) => Number(points) > 0)).toEqual([]);
});

test('a link is sent once in 15 minutes per address, and asked for 5 times per network', async () => {
  await using database = await testDb();
  const [one, other] = [await limitsOn(database.url), await limitsOn(database.url)];
  const email = 'someone@staff.example';
  const kind = 'sign-in';
  expect(await one.takeLink({ ip: '203.0.113.7', email, kind })).toBe(true);
  expect(await other.takeLink({ ip: '198.51.100.7', email: 'Someone@Staff.example', kind })).toBe(false);
  for (let at = 0; at < 4; at += 1)
    expect(await one.takeLink({ ip: '203.0.113.7', email: `${at}@staff.example`, kind })).toBe(true);
  // The other kind of link counts for itself.
  expect(await other.takeLink({ ip: '198.51.100.7', email, kind: 'reset' })).toBe(true);
  await expect(other.takeLink({ ip: '203.0.113.7', email, kind })).rejects.toMatchObject(tooMany);
});

test("a network's neighborhood limits the slow lane", async () => {
  await using database = await testDb();
  const limits = await limitsOn(database.url);
  await attackAccount(limits);
  for (let at = 0; at < 16; at += 1) await attempt(limits, { ip: `203.0.113.${at}` });
  await expect(attempt(limits, { ip: '203.0.113.99' })).rejects.toMatchObject(tooMany);
});

test('an attack on one account leaves other accounts their limit', async () => {
  await using database = await testDb();
  const limits = await limitsOn(database.url);
  await attackAccount(limits, 'attacked@staff.example');
  const other = { ip: '203.0.113.7', email: 'other@staff.example' };
  for (let at = 0; at < 5; at += 1) await attempt(limits, other);
  await expect(attempt(limits, other)).rejects.toMatchObject(tooMany);
});

test('a known device has five attempts of its own', async () => {
  meets('D.abuse.30');
  await using database = await testDb();
  const [one, other] = [await limitsOn(database.url), await limitsOn(database.url)];
  await attackAccount(one);
  const fromDevice = { ip: '198.51.1.1', device: 'device-a' };
  for (let at = 0; at < 5; at += 1) await attempt(at % 2 === 0 ? one : other, fromDevice);
  await expect(attempt(other, fromDevice)).rejects.toMatchObject(tooMany);
  await attempt(one, { ip: '198.51.1.1', device: 'device-b' });
});

test('fifty attempts refused for the account write nothing and stay refused', async () => {
  await using database = await testDb();
  const limits = await limitsOn(database.url);
  await attackAccount(limits);
  for (let at = 0; at < 2; at += 1) await attempt(limits, { ip: '203.0.113.7' });
  // Every write changes xmin or ctid of a row.
  const state = () =>
    database.sql`select key, points, expire, xmin::text, ctid::text from rate_limits order by key`;
  const before = await state();
  expect(before.length).toBeGreaterThan(20);
  for (let at = 0; at < 50; at += 1)
    await expect(attempt(limits, { ip: '203.0.113.7' })).rejects.toMatchObject(tooMany);
  expect(await state()).toEqual(before);
  // Its allowance for other accounts is untouched.
  await attempt(limits, { ip: '203.0.113.7', email: 'someone@staff.example' });
});

test('a right password costs no attempt', async () => {
  await using database = await testDb();
  const limits = await limitsOn(database.url);
  for (let at = 0; at < 30; at += 1) {
    const giveBack = await attempt(limits, { ip: '203.0.113.7' });
    await giveBack();
  }
  for (let at = 0; at < 5; at += 1) await attempt(limits, { ip: '203.0.113.7' });
  await expect(attempt(limits, { ip: '203.0.113.7' })).rejects.toMatchObject(tooMany);
});

test('the counters contain no address, no email and no device', async () => {
  await using database = await testDb();
  const limits = await limitsOn(database.url);
  await attackAccount(limits, 'someone@staff.example');
  await attempt(limits, { ip: '203.0.113.77', email: 'someone@staff.example' });
  await attempt(limits, { ip: '203.0.113.77', device: 'device-a' });
  const rows = await database.sql`select key from rate_limits`;
  expect(new Set(rows.map(({ key }) => String(key).split(':')[0]))).toEqual(
    new Set(['sign-in-network', 'sign-in-account', 'sign-in-slow', 'sign-in-device']),
  );
  for (const { key } of rows) expect(String(key)).toMatch(/^sign-in-\w+:[\w-]{43}$/);
});
