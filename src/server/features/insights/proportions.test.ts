import { expect, test } from 'vitest';
import { compareShares, estimateShare, neededTrials } from './proportions.ts';

// The published examples of Wilson's interval (Newcombe 1998, table I).
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('the interval of %i of %i is %f to %f', (successes, trials, low, high) => {
  const estimated = estimateShare(successes, trials);
  expect(estimated?.share).toBeCloseTo(successes / trials, 10);
  expect(estimated?.low).toBeCloseTo(low, 4);
  expect(estimated?.high).toBeCloseTo(high, 4);
});

test('nothing is known without trials, and all successes end at 1', () => {
  expect(estimateShare(0, 0)).toBeNull();
  expect(estimateShare(8, 7)).toBeNull();
  expect(estimateShare(7, 7)).toMatchObject({ share: 1, high: 1 });
});

// Textbook values for 95 % and a power of 80 % (Fleiss, without continuity correction).
test.each([
  [0.1, 0.15, 686],
  [0.5, 0.6, 388],
  [0.05, 0.1, 435],
])('shares of %f and %f need %i trials each', (one, other, trials) => {
  expect(neededTrials(one, other)).toBe(trials);
  expect(neededTrials(other, one)).toBe(trials);
});

test.each([
  [{ successes: 100, trials: 400 }, { successes: 60, trials: 400 }, { verdict: 'better' }],
  [{ successes: 60, trials: 400 }, { successes: 100, trials: 400 }, { verdict: 'worse' }],
  // 686 each: 586 more starts at 15 % and 486 more at 10 %.
  [
    { successes: 15, trials: 100 },
    { successes: 20, trials: 200 },
    { verdict: 'open', neededSuccesses: 137 },
  ],
  [
    { successes: 10, trials: 100 },
    { successes: 20, trials: 200 },
    { verdict: 'open', neededSuccesses: null },
  ],
  [
    { successes: 1, trials: 1 },
    { successes: 2, trials: 3 },
    { verdict: 'open', neededSuccesses: expect.any(Number) },
  ],
  [{ successes: 0, trials: 0 }, { successes: 20, trials: 200 }, null],
])('%j compared with %j: %j', (group, other, expected) => {
  expect(compareShares(group, other)).toEqual(expected);
});
