import { expect, test, vi } from 'vitest';
import { createLog } from '../log.ts';
import { registry } from '../metrics.ts';
import { createPeriodic, createLoopWatch } from './every.ts';
import { waitUntil } from '#test/support/waitFor.ts';

test('periodic work that fails is logged and runs again', async () => {
  const warn = vi.fn<(fields: object, message: string) => void>();
  const { every, stop } = createPeriodic({ log: Object.assign(createLog('silent'), { warn }) });
  let runs = 0;
  every('fails', 5, () => {
    runs += 1;
    return Promise.reject(new Error('no'));
  });
  expect(runs).toBe(0);
  await waitUntil(() => runs >= 3);
  await stop(1_000);
  expect(warn).toHaveBeenCalledWith(
    expect.objectContaining({ event: 'task.failed', task: 'fails' }),
    'periodic work failed; the next run retries',
  );
  expect(await registry.getSingleMetricAsString('maintenance_failures_total')).toMatch(
    /^maintenance_failures_total\{task="fails"\} (?:[3-9]|\d\d)/m,
  );
});

test('a loop is stalled while a run does not end, and not while runs fail', async () => {
  let nowMs = 0;
  const loops = createLoopWatch(() => nowMs);
  const { every, stop } = createPeriodic({ log: createLog('silent'), loops, startNow: true });
  let failures = 0;
  every('fails', 1, () => {
    failures += 1;
    return Promise.reject(new Error('no'));
  });
  every('hangs', 1, () => new Promise(() => undefined));
  nowMs = 3_600_000;
  const before = failures;
  await waitUntil(() => failures > before + 1);
  expect(loops.stalled()).toEqual(['hangs']);
  await stop(10);
});

test('runs do not overlap, and a stop aborts the one in progress and waits for it', async () => {
  const { every, stop } = createPeriodic({ log: createLog('silent'), startNow: true });
  let runs = 0;
  let ended = 0;
  every('long', 1, (signal) => {
    runs += 1;
    return new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => {
        ended += 1;
        resolve();
      }),
    );
  });
  let others = 0;
  every('short', 1, () => {
    others += 1;
    return Promise.resolve();
  });
  await waitUntil(() => others >= 5);
  expect(runs).toBe(1);
  await stop(1_000);
  expect(ended).toBe(1);
  const last = others;
  await new Promise(setImmediate);
  expect(others).toBe(last);
});

test('a stop waits no longer than its limit', async () => {
  const { every, stop } = createPeriodic({ log: createLog('silent'), startNow: true });
  every('hangs', 1, () => new Promise(() => undefined));
  const startedAt = performance.now();
  await stop(50);
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});

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
