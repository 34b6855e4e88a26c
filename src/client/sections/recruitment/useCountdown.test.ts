import { describe, expect, test } from 'vitest';
import { meets } from '#test/support/meets.ts';
import { countdownParts, countdownStartSeconds, msToNextTick, secondsUntil } from './useCountdown.ts';

describe('the countdown', () => {
  test.each([
    [0, '14 23 59 52'],
    [1, '14 23 59 51'],
    [52, '14 23 59 0'],
    [53, '14 23 58 59'],
    [59 * 60 + 52, '14 23 0 0'],
    [59 * 60 + 53, '14 22 59 59'],
    [24 * 3600 - 8, '14 0 0 0'],
    [24 * 3600 - 7, '13 23 59 59'],
    [countdownStartSeconds - 1, '0 0 0 1'],
    [countdownStartSeconds, '0 0 0 0'],
    [countdownStartSeconds + 1, '0 0 0 0'],
  ])('shows after %i seconds %s', (gone, shown) => {
    meets('P4.state.38 P4.state.40 P9.const.10');
    expect(Object.values(countdownParts(countdownStartSeconds - gone)).join(' ')).toBe(shown);
  });

  test.each([
    [10_000, 0, 10],
    [10_000, 1, 10],
    [10_000, 999, 10],
    [10_000, 1000, 9],
    [10_000, 9999, 1],
    [10_000, 10_000, 0],
    [10_000, 99_000, 0],
  ])('to %i at %i ms there are %i seconds left', (endMs, nowMs, seconds) => {
    expect(secondsUntil(endMs, nowMs)).toBe(seconds);
  });

  test.each([
    [10_000, 0, 1000],
    [10_000, 1, 999],
    [10_000, 999, 1],
    [10_000, 10_500, 500],
  ])('to %i at %i ms the next second is gone in %i ms', (endMs, nowMs, wait) => {
    expect(msToNextTick(endMs, nowMs)).toBe(wait);
  });
});
