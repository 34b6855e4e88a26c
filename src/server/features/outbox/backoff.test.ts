import { expect, test } from 'vitest';
import { retrySeconds } from '#shared/admin/deliveries.ts';
import type { DeliveryResult } from './types.ts';
import { changeAfter } from './backoff.ts';
import { stateColumns } from './deliveryStates.ts';

const now = new Date('2026-06-10T12:00:00Z');
const failed: DeliveryResult = {
  outcome: 'failed',
  permanent: false,
  status: 'HTTP 503',
  answer: null,
  reason: 'The CRM returned HTTP 503.',
};

/** Seconds until the next attempt; null: there is none. */
function wait(result: DeliveryResult, attempts: number, random: number): number | null {
  const { state, nextAttemptAt } = stateColumns(changeAfter(result, { attempts, now, random: () => random }));
  expect(state).toBe(nextAttemptAt === null ? 'failed' : 'queued');
  return nextAttemptAt === null ? null : (nextAttemptAt.getTime() - now.getTime()) / 1000;
}

test('attempts come after 5 s, 5 m, 30 m, 2 h, 5 h, 10 h and 10 h, and the eighth failure is the last', () => {
  const waits = retrySeconds.map((_, index) => wait(failed, index + 1, 0.5));
  expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000, null]);
});

test.each([
  [0, 270],
  [0.5, 300],
  [0.999_999_999, 330],
])('a wait of five minutes, with a random %d, is %d seconds', (random, seconds) => {
  expect(wait(failed, 2, random)).toBeCloseTo(seconds, 0);
});

test.each([
  ['longer than the schedule is kept', 600, 600],
  ['shorter than the schedule is ignored', 2, 300],
  ['absurd counts as a day', 1e9, 86_400],
  ['in the past counts as none', -5, 300],
])('a Retry-After %s', (_, retryAfterSeconds, seconds) => {
  expect(wait({ ...failed, retryAfterSeconds }, 2, 0.5)).toBe(seconds);
});

test('a permanent failure is the last attempt, even the first', () => {
  expect(changeAfter({ ...failed, permanent: true }, { attempts: 1, now })).toEqual({
    state: 'failed',
    reason: 'The CRM returned HTTP 503.',
    finishedAt: now,
  });
});

test('a delivered or cancelled delivery is finished', () => {
  expect(changeAfter({ outcome: 'delivered', status: 'HTTP 200', answer: '' }, { attempts: 1, now })).toEqual(
    {
      state: 'delivered',
      finishedAt: now,
    },
  );
  expect(changeAfter({ outcome: 'cancelled', reason: 'Because.' }, { attempts: 1, now })).toEqual({
    state: 'cancelled',
    reason: 'Because.',
    finishedAt: now,
  });
});
