import { expect, test } from 'vitest';
import { retrySeconds } from '#shared/admin/deliveries.ts';
import { nextAttemptAt } from './retrySchedule.ts';

const now = new Date('2026-06-10T12:00:00Z');

function secondsTo(attempts: number, random: number, retryAfterSeconds: number | null = null): number | null {
  const at = nextAttemptAt({ attempts, now, retryAfterSeconds, random: () => random });
  return at === null ? null : (at.getTime() - now.getTime()) / 1000;
}

test('each wait is the schedule’s, a tenth less or more, and after the eighth try there is none', () => {
  for (const [attempts, seconds] of retrySeconds.entries()) {
    if (attempts === 0) continue;
    expect(secondsTo(attempts, 0.5)).toBeCloseTo(seconds, 3);
    expect(secondsTo(attempts, 0)).toBeCloseTo(seconds * 0.9, 3);
    expect(secondsTo(attempts, 1)).toBeCloseTo(seconds * 1.1, 3);
  }
  expect(secondsTo(retrySeconds.length, 0.5)).toBeNull();
});

test('what the far side asks for is waited for, never less than the schedule', () => {
  expect(secondsTo(1, 0.5, 90)).toBe(90);
  expect(secondsTo(2, 0.5, 90)).toBe(300);
});
