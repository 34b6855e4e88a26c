import { expect, test } from 'vitest';
import { insertAccount, testPassword, testPasswordHash } from '#test/support/staff.ts';
import { type Answer, testApp, type TestApp } from '#test/support/testApp.ts';
import { meets } from '#test/support/meets.ts';

const env = { ADMIN_PASSWORD_HASH: testPasswordHash, TRUSTED_PROXIES: '1' };
const dayMs = 24 * 3_600_000;

interface Attempt {
  ip: string;
  email?: string;
  password?: string;
  cookie?: string;
}

/** A sign-in from an address. Without a password, the right one. */
function signIn(app: TestApp, { ip, email, password = testPassword, cookie = '' }: Attempt): Promise<Answer> {
  return app.post(
    '/trpc/admin.session.signIn',
    { password, ...(email === undefined ? {} : { email }) },
    { 'x-forwarded-for': ip, ...(cookie === '' ? {} : { cookie }) },
  );
}

/** The response's device cookie as a browser sends it. */
function getDevice({ headers }: Answer): string {
  const cookies = headers['set-cookie']?.map((cookie) => cookie.split(';')[0] ?? '') ?? [];
  return cookies.find((cookie) => /^(__Host-)?device=/.test(cookie)) ?? '';
}

/** Sends wrong passwords from `count` different networks. */
async function attack(app: TestApp, count: number, email?: string): Promise<void> {
  for (let at = 0; at < count; at += 1)
    await signIn(app, { ip: `198.51.${at}.1`, password: 'wrong', ...(email === undefined ? {} : { email }) });
}

test('a known device signs in while its network and account are attacked', async () => {
  meets('D.abuse.30');
  await using app = await testApp({ env });
  const cookie = getDevice(await signIn(app, { ip: '203.0.113.7' }));
  await attack(app, 110);
  for (let at = 0; at < 6; at += 1) await signIn(app, { ip: '203.0.113.7', password: 'wrong' });
  expect((await signIn(app, { ip: '203.0.113.7' })).status).toBe(429);
  expect((await signIn(app, { ip: '203.0.113.7', cookie })).status).toBe(200);
});

test('a new network signs in while a hundred networks attack another account', async () => {
  await using app = await testApp({ env });
  const [attacked, other] = [await insertAccount(app, 'viewer'), await insertAccount(app, 'manager')];
  await attack(app, 101, attacked.email);
  expect((await signIn(app, { ip: '203.0.113.7', email: other.email })).status).toBe(200);
});

test('an unknown device signs in at the second attempt during an attack', async () => {
  await using app = await testApp({ env });
  await attack(app, 101);
  expect((await signIn(app, { ip: '203.0.113.7', password: 'wrong' })).status).toBe(401);
  expect((await signIn(app, { ip: '203.0.113.7' })).status).toBe(200);
});

test('wrong passwords of a known device count against that device only', async () => {
  await using app = await testApp({ env });
  const cookie = getDevice(await signIn(app, { ip: '203.0.113.7' }));
  for (let at = 0; at < 5; at += 1)
    expect((await signIn(app, { ip: '203.0.113.7', password: 'wrong', cookie })).status).toBe(401);
  expect((await signIn(app, { ip: '203.0.113.8', cookie })).status).toBe(429);
  for (let at = 0; at < 4; at += 1)
    expect((await signIn(app, { ip: '203.0.113.7', password: 'wrong' })).status).toBe(401);
  expect((await signIn(app, { ip: '203.0.113.7' })).status).toBe(200);
});

test('the device cookie is HttpOnly for 180 days, with the host prefix by https', async () => {
  await using app = await testApp({ env });
  const given = (answer: Answer) => answer.headers['set-cookie']?.find((text) => text.includes('device='));
  expect(given(await signIn(app, { ip: '203.0.113.7' }))).toMatch(
    /^device=[\w.-]{90,100}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=15552000$/,
  );
  const secure = await app.post(
    '/trpc/admin.session.signIn',
    { password: testPassword },
    { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' },
  );
  expect(given(secure)).toMatch(
    /^__Host-device=[\w.-]{90,100}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=15552000; Secure$/,
  );
  expect(given(await signIn(app, { ip: '203.0.113.7', password: 'wrong' }))).toBeUndefined();
});

test('a device is known for 180 days to its accounts, and a forged one is not', async () => {
  let nowMs = Date.parse('2031-05-01T08:00:00Z');
  await using app = await testApp({ env, now: () => new Date(nowMs) });
  const [first, second] = [await insertAccount(app, 'viewer'), await insertAccount(app, 'manager')];
  const own = getDevice(await signIn(app, { ip: '203.0.113.7', email: first.email }));
  const both = getDevice(await signIn(app, { ip: '203.0.113.7', email: second.email, cookie: own }));
  const others = getDevice(await signIn(app, { ip: '203.0.113.8', email: second.email }));
  for (let at = 0; at < 5; at += 1) await signIn(app, { ip: '203.0.113.7', password: 'wrong' });
  const status = async (cookie: string, email = first.email) =>
    (await signIn(app, { ip: '203.0.113.7', email, cookie })).status;
  expect(await status(both)).toBe(200);
  expect(await status(both, second.email)).toBe(200);
  expect(await status(others)).toBe(429);
  expect(await status(own, second.email)).toBe(429);
  // Its last character has two bits that mean nothing: A and B are the same.
  expect(await status(own.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A')))).toBe(429);
  nowMs += 180 * dayMs;
  expect(await status(own)).toBe(429);
  nowMs -= dayMs;
  expect(await status(own)).toBe(200);
});

test('concurrent unknown devices fill 20 places, and a known device does not wait', async () => {
  await using app = await testApp({ env });
  const cookie = getDevice(await signIn(app, { ip: '203.0.113.7' }));
  const finished: string[] = [];
  const strangers = Array.from({ length: 45 }, async (_, at) => {
    // Unknown addresses, so that each one's hash is computed at its full cost.
    const email = `${at}@staff.example`;
    const answer = await signIn(app, { ip: `198.51.${at}.1`, email, password: 'wrong' });
    if (answer.status === 401) finished.push('stranger');
    return answer;
  });
  // Once the first one is refused, all 20 places are taken.
  await Promise.any(
    strangers.map(async (answer) => {
      if ((await answer).status !== 429) throw new Error('not refused');
    }),
  );
  const known = await signIn(app, { ip: '203.0.113.8', cookie });
  expect(known.status).toBe(200);
  finished.push('known');
  const answers = await Promise.all(strangers);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length + answers.filter(({ status }) => status === 401).length).toBe(45);
  for (const { headers } of refused) expect(headers['retry-after']).toBe('5');
  expect(finished.indexOf('known')).toBeLessThan(finished.length - 1);
  // A refused attempt is not counted.
  const refusedAt = answers.findIndex(({ status }) => status === 429);
  for (let at = 0; at < 5; at += 1)
    expect((await signIn(app, { ip: `198.51.${refusedAt}.1`, password: 'wrong' })).status).toBe(401);
});
