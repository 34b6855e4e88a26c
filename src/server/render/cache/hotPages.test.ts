import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import { providerRecord } from '#test/support/tenantView.ts';
import { type CachedPage, createHotPages } from './hotPages.ts';

const text = Buffer.from('<p>A page</p>'.repeat(500));
const page: CachedPage = {
  etag: 'W/"1"',
  policies: { http: '', https: '' },
  endsAtMs: Infinity,
  epoch: '1',
  body: () => ({ encoding: 'identity', bytes: text, release: null }),
};

test.each([
  ['the brand’s page', null, true],
  ['a provider’s page', providerRecord({ id: 7, name: 'Clinic' }), false],
])('the text of %s for a client that accepts no compression: kept %s', async (_, tenant, isKept) => {
  const hot = createHotPages({ log: createLog('silent'), bytesMax: 1 << 20 });
  for (let request = 0; request < 3; request += 1) hot.offer('/', page, { tenant, provider: null });
  await hot.settled();
  const buildBody = () => hot.get('/')?.body(['identity']).bytes;
  expect(buildBody()).toEqual(text);
  expect(buildBody() === buildBody()).toBe(isKept);
});

test('a page that isn’t stored is compressed for a visitor, but not in a rush', async () => {
  const hot = createHotPages({ log: createLog('silent'), bytesMax: 1 << 20 });
  const bytes = await hot.compressForOne(page);
  expect(bytes === null ? null : brotliDecompressSync(bytes)).toEqual(text);
  const first = hot.compressForOne(page);
  expect(hot.compressForOne(page)).toBe(null);
  await first;
});
