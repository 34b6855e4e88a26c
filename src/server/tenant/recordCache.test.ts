import { expect, test } from 'vitest';
import { providerRecord, nameOf } from '#test/support/tenantView.ts';
import type { ProviderRecord } from './providerRecord.ts';
import { createRecordCache } from './recordCache.ts';
import { waitFor } from '#test/support/waitFor.ts';

function recordOf(id: number, name: string): ProviderRecord {
  return providerRecord({ id, name });
}

/** A cache whose reads are answered by hand, in any order. */
function cacheByHand(recordsMax = 10) {
  const reads: {
    ids: number[];
    answer: (records: ProviderRecord[]) => void;
    fail: (error: Error) => void;
  }[] = [];
  const cache = createRecordCache({
    recordsMax,
    load: (ids) => {
      const { promise, resolve, reject } = Promise.withResolvers<ProviderRecord[]>();
      reads.push({ ids, answer: resolve, fail: reject });
      return promise;
    },
  });
  /** Once so many reads have been asked for. */
  const asked = (count: number): Promise<void> =>
    waitFor(() => expect(reads).toHaveLength(count), { interval: 1 });
  return { cache, reads, asked };
}

test('a record read just before an invalidation answers its caller but is not kept after it', async () => {
  const { cache, reads, asked } = cacheByHand();
  const early = cache.get(1);
  await asked(1);
  cache.invalidate([1]);
  const late = cache.get(1);
  await asked(2);
  reads[1]?.answer([recordOf(1, 'new')]);
  reads[0]?.answer([recordOf(1, 'old')]);
  expect(nameOf(await early)).toBe('old');
  expect(nameOf(await late)).toBe('new');
  expect(nameOf(await cache.get(1))).toBe('new');
  expect(reads).toHaveLength(2);
});

test('a record that was only about to be read when it was invalidated is not kept either', async () => {
  const { cache, reads, asked } = cacheByHand();
  const early = cache.get(1);
  cache.invalidate([1]);
  await asked(1);
  reads[0]?.answer([recordOf(1, 'any')]);
  await early;
  expect(cache.size).toBe(0);
});

test('clinics missed at once are read by one query', async () => {
  const { cache, reads, asked } = cacheByHand();
  const both = Promise.all([cache.get(1), cache.get(2)]);
  await asked(1);
  expect(reads[0]?.ids).toEqual([1, 2]);
  reads[0]?.answer([recordOf(1, 'one'), recordOf(2, 'two')]);
  expect((await both).map(nameOf)).toEqual(['one', 'two']);
});

test('what was read before an invalidation is not kept when everything is invalidated, and for reads made ahead', async () => {
  const { cache, reads } = cacheByHand();
  const ahead = cache.warm([1, 2]);
  cache.invalidateAll();
  reads[0]?.answer([recordOf(1, 'old'), recordOf(2, 'old')]);
  await ahead;
  expect(cache.size).toBe(0);
});

test('readers of one clinic share a read, those of a batch under way too', async () => {
  const { cache, reads } = cacheByHand();
  const ahead = cache.warm([1, 2]);
  const [first, second] = [cache.get(1), cache.get(1)];
  expect(reads.map(({ ids }) => ids)).toEqual([[1, 2]]);
  reads[0]?.answer([recordOf(1, 'one'), recordOf(2, 'two')]);
  await ahead;
  expect([nameOf(await first), nameOf(await second)]).toEqual(['one', 'one']);
  await cache.warm([1, 2]);
  expect(reads).toHaveLength(1);
});

test('a stale record is served when reading fails, a missing one is not made up', async () => {
  const { cache, reads, asked } = cacheByHand();
  const first = cache.get(1);
  await asked(1);
  reads[0]?.answer([recordOf(1, 'kept')]);
  await first;
  cache.invalidate([1]);
  const stale = cache.get(1);
  await asked(2);
  reads[1]?.fail(new Error('away'));
  expect(nameOf(await stale)).toBe('kept');

  const missing = cache.get(2);
  await asked(3);
  reads[2]?.fail(new Error('away'));
  await expect(missing).rejects.toThrow('away');
});

test('a stale record is not served once the clinic is known to be gone', async () => {
  const { cache, reads, asked } = cacheByHand();
  const first = cache.get(1);
  await asked(1);
  reads[0]?.answer([recordOf(1, 'here')]);
  await first;
  cache.invalidate([1]);
  const gone = cache.get(1);
  await asked(2);
  reads[1]?.answer([]);
  expect(await gone).toBeNull();
  expect(cache.size).toBe(0);
});

test('the least recently used record is the first to go', async () => {
  const { cache, reads, asked } = cacheByHand(2);
  const ahead = cache.warm([1, 2]);
  reads[0]?.answer([recordOf(1, 'one'), recordOf(2, 'two')]);
  await ahead;
  await cache.get(1);
  const third = cache.get(3);
  await asked(2);
  reads[1]?.answer([recordOf(3, 'three')]);
  await third;
  await cache.get(1);
  expect(reads).toHaveLength(2);
  const again = cache.get(2);
  await asked(3);
  reads[2]?.answer([recordOf(2, 'two')]);
  await again;
  expect(cache.size).toBe(2);
});
