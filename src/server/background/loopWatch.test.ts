import { expect, test } from 'vitest';
import { createLoopWatch } from './loopWatch.ts';

test('a loop is stalled while its last round is older than its limit', () => {
  let nowMs = 0;
  const watch = createLoopWatch(() => nowMs);
  const short = watch.add('short', 10);
  watch.add('long', 30);
  nowMs = 10;
  expect(watch.stalled()).toEqual([]);
  nowMs = 11;
  expect(watch.stalled()).toEqual(['short']);
  short();
  expect(watch.stalled()).toEqual([]);
  nowMs = 31;
  expect(watch.stalled()).toEqual(['short', 'long']);
});
