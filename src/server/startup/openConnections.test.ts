import { expect, test } from 'vitest';
import { planHeavyReads } from './openConnections.ts';

test.each([
  [5, { insights: 1, exports: 1 }],
  [6, { insights: 1, exports: 2 }],
  [7, { insights: 1, exports: 3 }],
  [10, { insights: 2, exports: 3 }],
  [50, { insights: 2, exports: 3 }],
])('a pool of %i leaves two connections beside its heavy reads', (poolMax, expected) => {
  expect(planHeavyReads(poolMax)).toEqual(expected);
  expect(poolMax - 2 * expected.insights - expected.exports).toBeGreaterThanOrEqual(2);
});
