import { describe, expect, test } from 'vitest';
import { durationText, durationTicks } from './durations.ts';

test.each([
  [0, '0 s'],
  [0.42, '0.4 s'],
  [9.94, '9.9 s'],
  [9.96, '10 s'],
  [59.4, '59 s'],
  [59.6, '1 min'],
  [200, '3 min 20 s'],
  [3599.7, '1 h'],
  [3600, '1 h'],
  [7500, '2 h 5 min'],
  [35_990, '10 h'],
  [187_200, '52 h'],
])('%d seconds are written as %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});

describe('a time axis', () => {
  test.each([
    [0, [0, 1]],
    [3.2, [0, 1, 2, 3, 4]],
    [60, [0, 15, 30, 45, 60]],
    [61, [0, 15, 30, 45, 60, 75]],
    [7000, [0, 1800, 3600, 5400, 7200]],
  ])('up to %d s has ticks at %j', (longest, ticks) => {
    expect(durationTicks(longest)).toEqual(ticks);
  });

  test('has at most six ticks and includes the longest time', () => {
    for (let longest = 0.5; longest < 1e9; longest *= 1.7) {
      const ticks = durationTicks(longest);
      expect(ticks.length).toBeLessThanOrEqual(6);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(longest);
    }
  });
});
