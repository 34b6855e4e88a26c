import { expect, test } from 'vitest';
import type { InsightsRange } from '#shared/admin/insights.ts';
import { inHalves } from './rangeDays.ts';

test('a range of up to a month is read at once, a longer one in halves without a gap', async () => {
  const read = async (range: InsightsRange) => {
    const halves: InsightsRange[] = [];
    const days = await inHalves(range, (half) => {
      halves.push(half);
      return Promise.resolve([half.from]);
    });
    return { halves, days };
  };
  const month = { from: '2026-05-01', to: '2026-05-31' };
  expect(await read(month)).toEqual({ halves: [month], days: ['2026-05-01'] });
  expect(await read({ from: '2026-05-01', to: '2026-06-01' })).toEqual({
    halves: [
      { from: '2026-05-01', to: '2026-05-16' },
      { from: '2026-05-17', to: '2026-06-01' },
    ],
    days: ['2026-05-01', '2026-05-17'],
  });
});

test('a half that fails is reported only when the other has ended too', async () => {
  const other = Promise.withResolvers<string[]>();
  let isReported = false;
  const reading = inHalves({ from: '2026-01-01', to: '2026-03-31' }, ({ from }) =>
    from === '2026-01-01' ? Promise.reject(new Error('too slow')) : other.promise,
  );
  const reported = reading.catch(() => (isReported = true));
  // Every microtask that only the failure could have started.
  await new Promise((resolve) => setImmediate(resolve));
  expect(isReported).toBe(false);
  other.resolve([]);
  await reported;
  await expect(reading).rejects.toThrow('too slow');
});
