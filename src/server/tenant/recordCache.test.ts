import { expect, test } from 'vitest';
import { providerRecord, getName } from '#test/support/tenantView.ts';
import type { ProviderRecord } from './providerRecord.ts';
import { createRecordCache } from './recordCache.ts';
import { waitFor } from '#test/support/waitFor.ts';

function toRecord(id: number, name: string): ProviderRecord {
  return providerRecord({ id, name });
}

/** A cache whose reads the test answers, in any order. */
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
  /** Resolves after so many reads were requested. */
  const asked = (count: number): Promise<void> =>
    waitFor(() => expect(reads).toHaveLength(count), { interval: 1 });
  return { cache, reads, asked };
}

test('a record read before an invalidation is returned but not kept', async () => {
  const { cache, reads, asked } = cacheByHand();
  const early = cache.get(1);
  await asked(1);
  cache.invalidate([1]);
  const late = cache.get(1);
  await asked(2);
  reads[1]?.answer([toRecord(1, 'new')]);
  reads[0]?.answer([toRecord(1, 'old')]);
  expect(getName(await early)).toBe('old');
  expect(getName(await late)).toBe('new');
  expect(getName(await cache.get(1))).toBe('new');
  expect(reads).toHaveLength(2);
});

test('a record waiting to be read at an invalidation is not kept', async () => {
  const { cache, reads, asked } = cacheByHand();
  const early = cache.get(1);
  cache.invalidate([1]);
  await asked(1);
  reads[0]?.answer([toRecord(1, 'any')]);
  await early;
  expect(cache.size).toBe(0);
});

test('providers missing at the same time are read by one query', async () => {
  const { cache, reads, asked } = cacheByHand();
  const both = Promise.all([cache.get(1), cache.get(2)]);
  await asked(1);
  expect(reads[0]?.ids).toEqual([1, 2]);
  reads[0]?.answer([toRecord(1, 'one'), toRecord(2, 'two')]);
  expect((await both).map(getName)).toEqual(['one', 'two']);
});

test('nothing read before a full invalidation is kept, not even by warm()', async () => {
  const { cache, reads } = cacheByHand();
  const ahead = cache.warm([1, 2]);
  cache.invalidateAll();
  reads[0]?.answer([toRecord(1, 'old'), toRecord(2, 'old')]);
  await ahead;
  expect(cache.size).toBe(0);
});

test('readers of one provider share a read, also within a batch', async () => {
  const { cache, reads } = cacheByHand();
  const ahead = cache.warm([1, 2]);
  const [first, second] = [cache.get(1), cache.get(1)];
  expect(reads.map(({ ids }) => ids)).toEqual([[1, 2]]);
  reads[0]?.answer([toRecord(1, 'one'), toRecord(2, 'two')]);
  await ahead;
  expect([getName(await first), getName(await second)]).toEqual(['one', 'one']);
  await cache.warm([1, 2]);
  expect(reads).toHaveLength(1);
});

test('a stale record is served if reading fails, a missing one is not', async () => {
  const { cache, reads, asked } = cacheByHand();
  const first = cache.get(1);
  await asked(1);
  reads[0]?.answer([toRecord(1, 'kept')]);
  await first;
  cache.invalidate([1]);
  const stale = cache.get(1);
  await asked(2);
  reads[1]?.fail(new Error('away'));
  expect(getName(await stale)).toBe('kept');

  const missing = cache.get(2);
  await asked(3);
  reads[2]?.fail(new Error('away'));
  await expect(missing).rejects.toThrow('away');
});

test('a stale record is not served after the provider was removed', async () => {
  const { cache, reads, asked } = cacheByHand();
  const first = cache.get(1);
  await asked(1);
  reads[0]?.answer([toRecord(1, 'here')]);
  await first;
  cache.invalidate([1]);
  const gone = cache.get(1);
  await asked(2);
  reads[1]?.answer([]);
  expect(await gone).toBeNull();
  expect(cache.size).toBe(0);
});

test('the least recently used record is evicted first', async () => {
  const { cache, reads, asked } = cacheByHand(2);
  const ahead = cache.warm([1, 2]);
  reads[0]?.answer([toRecord(1, 'one'), toRecord(2, 'two')]);
  await ahead;
  await cache.get(1);
  const third = cache.get(3);
  await asked(2);
  reads[1]?.answer([toRecord(3, 'three')]);
  await third;
  await cache.get(1);
  expect(reads).toHaveLength(2);
  const again = cache.get(2);
  await asked(3);
  reads[2]?.answer([toRecord(2, 'two')]);
  await again;
  expect(cache.size).toBe(2);
});
