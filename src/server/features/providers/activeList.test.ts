import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type PublicProvider, publicProvider } from '#shared/providers/providerFieldLists.ts';
import { unavailable } from '#server/errors.ts';
import type { PreparedJson } from '#server/cache/preparedJson.ts';
import { meets } from '#test/support/meets.ts';
import { type ActiveList, createActiveList } from './activeList.ts';

const provider = {
  id: 1,
  name: 'Elm Street Clinic',
  practiceName: null,
  address: '1 Elm Street, Denver, CO',
  zipCode: '80202',
  status: 't',
  latitude: 39.7,
  longitude: -105,
  phone: '303-555-0100',
  website: 'https://elm.example/appointments',
  url: null,
  domain: null,
  image_url: null,
  logo_url: null,
  accepts_free_consultation: true,
  accepts_financing: false,
};

/** A list whose results the test provides. */
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

test('concurrent requests, and all until a change, share one query', async () => {
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

test('a list started before a change is not returned to later requests', async () => {
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
  expect((await late).json.etag).toBe((await early).json.etag);
});

test('without change notifications each request queries, and an outage keeps the list', async () => {
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
  const { json } = await active.get();
  revision = null;
  await active.get();
  expect(queries).toBe(2);
  away = true;
  expect((await active.get()).json.etag).toBe(json.etag);
  const cold = createActiveList({ revision: () => null, list: () => Promise.reject(unavailable()) });
  await expect(cold.get()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('every encoding has the same text', async () => {
  const active = createActiveList({ list: () => Promise.resolve([]), revision: () => 1 });
  for (const [{ body, plain, byteLength }, text] of [
    [(await active.get()).json, '[]'],
    [await toEnvelope(active), '{"result":{"data":[]}}'],
  ] as const) {
    expect((await getWhole(plain)).toString()).toBe(text);
    expect(byteLength).toBe(text.length);
    expect(gunzipSync(await body('gzip')).toString()).toBe(text);
    expect(brotliDecompressSync(await body('br')).toString()).toBe(text);
  }
});

async function toEnvelope(active: ActiveList): Promise<PreparedJson> {
  const envelope = await active.getEnvelope();
  if (envelope === null) throw new Error('the list is too long for one response');
  return envelope;
}

async function getWhole(plain: PreparedJson['plain']): Promise<Buffer> {
  const text = await plain();
  if (text instanceof Readable) throw new Error('the list is streamed');
  return text;
}

function joinList(count: number, own: Partial<PublicProvider> = {}) {
  const providers = Array.from({ length: count }, (_, at) =>
    publicProvider.parse({ ...provider, ...own, id: at + 1 }),
  );
  return { providers, list: () => Promise.resolve(providers) };
}

test('a small uncompressed list is decompressed once', async () => {
  const { providers, list } = joinList(2_000);
  const { json } = await createActiveList({ list, revision: () => 1 }).get();
  const { plain } = json;
  const first = await getWhole(plain);
  expect(JSON.parse(first.toString())).toEqual(providers);
  expect(await plain()).toBe(first);
});

test('a large uncompressed list is decompressed while it is sent', async () => {
  meets('D.conformity.09');
  const { providers, list } = joinList(10_000, { address: 'x'.repeat(900) });
  const { plain, byteLength } = await toEnvelope(createActiveList({ list, revision: () => 1 }));
  expect(byteLength).toBeGreaterThan(8 * 1024 * 1024);
  const sent = await plain();
  if (!(sent instanceof Readable)) throw new Error('the whole list was unzipped');
  const pieces: Buffer[] = await sent.toArray();
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024);
  expect(JSON.parse(Buffer.concat(pieces).toString())).toEqual({ result: { data: providers } });
});

test('a list of more than 10,000 is its first page, and none in one tRPC response', async () => {
  meets('D.conformity.09');
  const { providers, list } = joinList(10_001);
  const active = createActiveList({ list, revision: () => 1 });
  const { json, next } = await active.get();
  expect(JSON.parse((await getWhole(json.plain)).toString())).toEqual(providers.slice(0, 1_000));
  expect(next).toBe(1_000);
  expect(await active.getEnvelope()).toBeNull();
  const whole = createActiveList({ list: joinList(10_000).list, revision: () => 1 });
  expect((await whole.get()).next).toBeNull();
});
