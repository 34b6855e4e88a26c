import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { unavailable } from '../../errors.ts';
import { createActiveList } from './activeList.ts';

/** A list whose answers the test hands out itself. */
function listByHand() {
  const asked: PromiseWithResolvers<[]>[] = [];
  return {
    asked,
    list: () => {
      const answer = Promise.withResolvers<[]>();
      asked.push(answer);
      return answer.promise;
    },
  };
}

test('many who ask at once cost one query, and so do all who ask until a change is heard', async () => {
  let revision = 1;
  const { asked, list } = listByHand();
  const active = createActiveList({ list, revision: () => revision });
  const first = [active.get(), active.get(), active.get()];
  asked[0]?.resolve([]);
  await Promise.all(first);
  await active.get();
  expect(asked.length).toBe(1);
  revision = 2;
  const next = active.get();
  asked[1]?.resolve([]);
  await next;
  expect(asked.length).toBe(2);
});

test('a list begun before a change was heard is not given to who asks after it', async () => {
  let revision = 1;
  const { asked, list } = listByHand();
  const active = createActiveList({ list, revision: () => revision });
  const early = active.get();
  revision = 2;
  const late = active.get();
  asked[0]?.resolve([]);
  await early;
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.resolve([]);
  expect((await late).etag).toBe((await early).etag);
});

test('while changes are not heard everyone asks the database; while that is away the last list stands', async () => {
  let revision: number | null = 1;
  let away = false;
  let queries = 0;
  const active = createActiveList({
    revision: () => revision,
    list: () => {
      queries += 1;
      return away ? Promise.reject(unavailable()) : Promise.resolve([]);
    },
  });
  const { etag } = await active.get();
  revision = null;
  await active.get();
  expect(queries).toBe(2);
  away = true;
  expect((await active.get()).etag).toBe(etag);
  const cold = createActiveList({ revision: () => null, list: () => Promise.reject(unavailable()) });
  await expect(cold.get()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('every encoding holds the same text', async () => {
  const active = createActiveList({ list: () => Promise.resolve([]), revision: () => 1 });
  const { body } = await active.get();
  expect((await body('identity')).toString()).toBe('[]');
  expect(gunzipSync(await body('gzip')).toString()).toBe('[]');
  expect(brotliDecompressSync(await body('br')).toString()).toBe('[]');
});
