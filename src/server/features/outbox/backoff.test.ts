import { expect, test } from 'vitest';
import { retrySeconds } from '#shared/admin/deliveries.ts';
import { meets } from '#test/support/meets.ts';
import type { FailedResult } from './types.ts';
import { changeAfter } from './backoff.ts';
import { stateColumns } from './deliveryStates.ts';

const now = new Date('2026-06-10T12:00:00Z');
const failed: FailedResult = {
  outcome: 'failed',
  refusal: 'later',
  status: 'HTTP 503',
  answer: null,
  reason: 'The CRM returned HTTP 503.',
};

/** Seconds until the next attempt; null: there is none. */
function wait(result: FailedResult, attempts: number, random: number): number | null {
  const { state, nextAttemptAt } = stateColumns(
    changeAfter(result, { channel: 'lead-email', attempts, now, random: () => random }),
  );
  expect(state).toBe(nextAttemptAt === null ? 'failed' : 'queued');
  return nextAttemptAt === null ? null : (nextAttemptAt.getTime() - now.getTime()) / 1000;
}

test('attempts come after 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 10 h; the eighth is the last', () => {
  meets('D.deliveries.11 D.deliveries.15');
  const waits = retrySeconds.map((_, index) => wait(failed, index + 1, 0.5));
  expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000, null]);
});

test.each([
  [0, 270],
  [0.5, 300],
  [0.999_999_999, 330],
])('a wait of five minutes, with a random %d, is %d seconds', (random, seconds) => {
  meets('D.deliveries.12');
  expect(wait(failed, 2, random)).toBeCloseTo(seconds, 0);
});

test.each([
  ['longer than the schedule is kept', 600, 600],
  ['shorter than the schedule is ignored', 2, 300],
  ['absurd counts as a day', 1e9, 86_400],
  ['in the past counts as none', -5, 300],
])('a Retry-After %s', (_, retryAfterSeconds, seconds) => {
  meets('D.deliveries.13');
  expect(wait({ ...failed, retryAfterSeconds }, 2, 0.5)).toBe(seconds);
});

test('a refusal of the recipient is the last attempt, even the first', () => {
  meets('D.deliveries.14');
  expect(changeAfter({ ...failed, refusal: 'recipient' }, { channel: 'crm', attempts: 1, now })).toEqual({
    state: 'failed',
    reason: 'The CRM returned HTTP 503.',
    finishedAt: now,
  });
});

test('a delivered or cancelled delivery is finished', () => {
  expect(
    changeAfter(
      { outcome: 'delivered', status: 'HTTP 200', answer: '' },
      { channel: 'crm', attempts: 1, now },
    ),
  ).toEqual({
    state: 'delivered',
    finishedAt: now,
  });
  expect(
    changeAfter({ outcome: 'cancelled', reason: 'Because.' }, { channel: 'crm', attempts: 1, now }),
  ).toEqual({
    state: 'cancelled',
    reason: 'Because.',
    finishedAt: now,
  });
});

test.each([
  ['provider-email', 'later', 'held'],
  ['provider-email', 'ours', 'held'],
  ['crm', 'later', 'held'],
  ['crm', 'ours', 'held'],
  ['lead-email', 'later', 'failed'],
  ['lead-email', 'ours', 'held'],
  ['webhook', 'later', 'failed'],
  ['webhook', 'ours', 'failed'],
] as const)('after the last attempt of %s, what concerns %s is %s', (channel, refusal, state) => {
  const last = { channel, attempts: retrySeconds.length, now };
  const held = { holdCause: refusal, nextAttemptAt: new Date('2026-06-10T13:00:00Z') };
  expect(changeAfter({ ...failed, refusal }, last)).toEqual({
    ...{ state, reason: failed.reason },
    ...(state === 'held' ? held : { finishedAt: now }),
  });
});

test('an attempt of a paused channel comes after an hour at most', () => {
  const paused = { ...failed, refusal: 'ours', pausesChannel: true } as const;
  expect([1, 3, 4, 7].map((attempts) => wait(paused, attempts, 0.5))).toEqual([5, 1800, 3600, 3600]);
});
