import { describe, expect, test, vi } from 'vitest';
import { connect } from '#server/db/connect.ts';
import { AppError } from '#server/errors.ts';
import { createLog } from '#server/log.ts';
import { testDb } from '#test/support/testDb.ts';
import { meets } from '#test/support/meets.ts';
import { createLeadLimits, type LeadLimits, type SubmissionKind } from './submissionLimits.ts';

const log = createLog('silent');
const secretKeys = ['limit-test-key-limit-test-key-0001'];
const twoWindows = [
  { points: 20, windowSeconds: 3600 },
  { points: 5, windowSeconds: 60 },
];

/** How many of `tries` get through, and the last refusal. */
async function takeMany(limits: LeadLimits, ip: string, attempts: number, kind: SubmissionKind = 'form') {
  let passed = 0;
  let refusal: unknown = null;
  const headers = new Map<string, string>();
  for (let at = 0; at < attempts; at += 1) {
    try {
      await limits.take(ip, kind, headers);
      passed += 1;
    } catch (error) {
      refusal = error;
    }
  }
  return { passed, refusal, headers };
}

describe('lead limits', () => {
  test('two processes on one database share their counts', async () => {
    await using database = await testDb();
    const [one, two] = [0, 1].map(() =>
      createLeadLimits({ db: database.db, windows: twoWindows, secretKeys, log }),
    );
    if (one === undefined || two === undefined) throw new Error('two limiters');
    expect((await takeMany(one, '203.0.113.1', 3)).passed).toBe(3);
    expect((await takeMany(two, '203.0.113.1', 3)).passed).toBe(2);
    expect((await takeMany(one, '203.0.113.2', 1)).passed).toBe(1);
  });

  test('parallel tries never pass more than the limit', async () => {
    await using database = await testDb();
    const limits = createLeadLimits({ db: database.db, windows: twoWindows, secretKeys, log });
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => limits.take('203.0.113.3', 'form', new Map())),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  });

  test('headers are structured fields that count down; a refusal says how long to wait', async () => {
    meets('D.leads.89');
    await using database = await testDb();
    const limits = createLeadLimits({ db: database.db, windows: twoWindows, secretKeys, log });
    const headers = new Map<string, string>();
    await limits.take('203.0.113.4', 'form', headers);
    expect(headers.get('RateLimit-Policy')).toBe('"1m";q=5;w=60, "1h";q=20;w=3600');
    expect(headers.get('RateLimit')).toMatch(/^"1m";r=4;t=(60|59), "1h";r=19;t=(3600|3599)$/);
    const { refusal, headers: after } = await takeMany(limits, '203.0.113.4', 5);
    expect(refusal).toBeInstanceOf(AppError);
    expect(refusal).toMatchObject({ code: 'TOO_MANY_REQUESTS', status: 429 });
    const wait = refusal instanceof AppError ? (refusal.retryAfterSeconds ?? 0) : 0;
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect(after.get('RateLimit')).toMatch(/^"1m";r=0;t=\d+$/);
  });

  test('refused tries neither move the end of the window nor use up the longer one', async () => {
    await using database = await testDb();
    const limits = createLeadLimits({ db: database.db, windows: twoWindows, secretKeys, log });
    await takeMany(limits, '203.0.113.5', 5);
    const before = await database.sql`select key, points, expire from rate_limits order by key`;
    await takeMany(limits, '203.0.113.5', 30);
    const after = await database.sql`select key, points, expire from rate_limits order by key`;
    expect(after.map(({ expire }) => expire)).toEqual(before.map(({ expire }) => expire));
    expect(after.find(({ key }) => String(key).startsWith('lead-form-3600'))).toMatchObject({ points: 5 });
    // When the short window is over, the same person passes again, in a process that remembers no refusal.
    await database.sql`update rate_limits set expire = now() - interval '1 second' where key like 'lead-form-60:%'`;
    const other = createLeadLimits({ db: database.db, windows: twoWindows, secretKeys, log });
    expect((await takeMany(other, '203.0.113.5', 1)).passed).toBe(1);
  });

  test('fifty calls refused by the longer window write nothing and name that window', async () => {
    await using database = await testDb();
    const windows = [
      { points: 2, windowSeconds: 3600 },
      { points: 100, windowSeconds: 60 },
    ];
    const limits = createLeadLimits({ db: database.db, windows, secretKeys, log });
    expect((await takeMany(limits, '203.0.113.5', 2)).passed).toBe(2);
    const state = () =>
      database.sql`select key, points, expire, xmin::text, ctid::text from rate_limits order by key`;
    const before = await state();
    expect(before.length).toBeGreaterThan(0);
    const { passed, refusal, headers } = await takeMany(limits, '203.0.113.5', 50);
    expect(await state()).toEqual(before);
    expect(passed).toBe(0);
    expect(refusal).toMatchObject({ status: 429, retryAfterSeconds: expect.any(Number) });
    expect(headers.get('RateLimit')).toMatch(/^"1h";r=0;t=\d+$/);
    expect(headers.get('RateLimit-Policy')).toBe('"1m";q=100;w=60, "1h";q=2;w=3600');
  });

  test('a script gets half of each window, rounded up, and does not spend a form user’s', async () => {
    meets('D.leads.85');
    await using database = await testDb();
    const limits = createLeadLimits({ db: database.db, windows: twoWindows, secretKeys, log });
    const script = await takeMany(limits, '203.0.113.6', 6, 'script');
    expect(script.passed).toBe(3);
    expect(script.headers.get('RateLimit-Policy')).toBe('"1m";q=3;w=60, "1h";q=10;w=3600');
    expect((await takeMany(limits, '203.0.113.6', 6)).passed).toBe(5);
  });

  test('no windows: no limit, no headers, no rows', async () => {
    meets('D.names.21');
    await using database = await testDb();
    const limits = createLeadLimits({ db: database.db, windows: [], secretKeys, log });
    const { passed, headers } = await takeMany(limits, '203.0.113.7', 50);
    expect([passed, headers.size]).toEqual([50, 0]);
    expect(await database.sql`select 1 from rate_limits`).toHaveLength(0);
  });

  test('no address is stored, only its keyed hash', async () => {
    await using database = await testDb();
    const limits = createLeadLimits({ db: database.db, windows: twoWindows, secretKeys, log });
    await takeMany(limits, '203.0.113.8', 1);
    const rows = await database.sql`select key from rate_limits`;
    expect(rows).toHaveLength(4);
    for (const { key } of rows) expect(String(key)).toMatch(/^lead-form-(60|3600):[\w-]{43}$/);
  });

  test('while the database is away each process counts for itself', async () => {
    const warn = vi.fn<() => void>();
    const away = connect('postgres://nobody@127.0.0.1:1/none', { applicationName: 'away', max: 1 });
    try {
      const limits = createLeadLimits({
        db: away.db,
        windows: [{ points: 2, windowSeconds: 60 }],
        secretKeys,
        log: Object.assign(createLog('silent'), { warn }),
      });
      const { passed, refusal } = await takeMany(limits, '203.0.113.9', 3);
      expect(passed).toBe(2);
      expect(refusal).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
      expect(warn).toHaveBeenCalled();
    } finally {
      await away.close();
    }
  });
});
