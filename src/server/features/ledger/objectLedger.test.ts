import { createServer, type Server } from 'node:http';
import { expect, test } from 'vitest';
import type { LedgerEntry } from './ledgerEntry.ts';
import { openObjectLedger } from './objectLedger.ts';

const { signal } = new AbortController();
const pageSize = 2;

interface Store extends AsyncDisposable {
  url: string;
  objects: Map<string, string>;
  requests: { method: string; authorization: string; ifNoneMatch: string }[];
  denied: boolean;
}

/** A bucket `/bucket` that lists two names at a time and overwrites nothing under If-None-Match. */
async function startStore(): Promise<Store> {
  const objects = new Map<string, string>();
  const requests: Store['requests'] = [];
  const store = { denied: false };
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://store.example');
    const key = url.pathname.slice('/bucket/'.length);
    const { authorization = '', 'if-none-match': ifNoneMatch = '' } = request.headers;
    requests.push({ method: request.method ?? '', authorization, ifNoneMatch });
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      if (store.denied) {
        response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
      } else if (request.method === 'PUT') {
        const isTaken = objects.has(key) && ifNoneMatch === '*';
        if (!isTaken) objects.set(key, body);
        response.writeHead(isTaken ? 412 : 200).end();
      } else if (url.searchParams.has('list-type')) {
        const [prefix, after] = [url.searchParams.get('prefix'), url.searchParams.get('start-after')];
        const keys = [...objects.keys()].toSorted().filter((name) => name.startsWith(prefix ?? ''));
        const page = keys.filter((name) => name > (after ?? '')).slice(0, pageSize);
        response.end(page.map((name) => `<Contents><Key>${name}</Key></Contents>`).join(''));
      } else response.writeHead(objects.has(key) ? 200 : 404).end(objects.get(key));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the store has no port');
  return Object.assign(store, {
    url: `http://127.0.0.1:${address.port}/bucket`,
    objects,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

function getLedger({ url }: Store) {
  const key = { accessKeyId: 'ledger-key', secretAccessKey: 'ledger-secret' };
  return openObjectLedger({
    kind: 's3',
    bucketUrl: url,
    prefix: 'site/ledger/',
    region: 'eu-west-3',
    ...key,
  });
}

function entryAt(sequence: number, mac = String(sequence % 10).repeat(64)): LedgerEntry {
  const none = { email: null, phone: null, leads: [], reason: null, how: null };
  const at = '2026-06-01T12:00:00.000Z';
  return { sequence, id: crypto.randomUUID(), at, kind: 'erased', ...none, key: 'erasure-ledger-1', mac };
}

test('each entry is one signed object that is never written twice', async () => {
  await using store = await startStore();
  const ledger = getLedger(store);
  const entry = entryAt(7);
  await ledger.append(entry, signal);
  await ledger.append(entry, signal);
  expect([...store.objects]).toEqual([['site/ledger/000000000007.json', JSON.stringify(entry)]]);
  const [put] = store.requests;
  expect(put).toMatchObject({ method: 'PUT', ifNoneMatch: '*' });
  expect(put?.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=ledger-key\/\d{8}\/eu-west-3\/s3\/aws4_request, SignedHeaders=\S+, Signature=[0-9a-f]{64}$/,
  );
  await expect(ledger.append(entryAt(7, 'f'.repeat(64)), signal)).rejects.toThrow(
    /already has another entry 7/,
  );
});

test('all entries from a number on are read, page by page', async () => {
  await using store = await startStore();
  const ledger = getLedger(store);
  for (let sequence = 1; sequence <= 12; sequence += 1) await ledger.append(entryAt(sequence), signal);
  store.objects.set('site/ledger/notes.txt', 'not an entry');
  const numbers = (await ledger.read(4)).map(({ sequence }) => sequence);
  expect(numbers).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

test('a refusal names the store’s code', async () => {
  await using store = await startStore();
  store.denied = true;
  await expect(getLedger(store).append(entryAt(1), signal)).rejects.toThrow('PUT with 403 AccessDenied');
  await expect(getLedger(store).read(1)).rejects.toThrow('a list with 403 AccessDenied');
});

test('a file beside the entries is never overwritten, and readers of entries skip it', async () => {
  await using store = await startStore();
  const ledger = getLedger(store);
  expect(await ledger.putOnce('audit-000000000001.json', 'first')).toBeNull();
  expect(await ledger.putOnce('audit-000000000001.json', 'another')).toBe('first');
  expect([...store.objects]).toEqual([['site/ledger/audit-000000000001.json', 'first']]);
  expect(await ledger.read(1)).toEqual([]);
  store.denied = true;
  await expect(ledger.putOnce('audit-000000000002.json', 'x')).rejects.toThrow('403 AccessDenied');
});

test('notes are one object, created once, then replaced, which readers of entries skip', async () => {
  await using store = await startStore();
  const ledger = getLedger(store);
  expect(await ledger.readNotes()).toBeNull();
  await ledger.writeNotes('first', { isFirst: true });
  await expect(ledger.writeNotes('another process', { isFirst: true })).rejects.toThrow('412');
  await ledger.writeNotes('second', { isFirst: false });
  expect(await ledger.readNotes()).toBe('second');
  expect(await ledger.read(1)).toEqual([]);
  // A key without ListBucket gets 403 for a missing object.
  store.denied = true;
  expect(await ledger.readNotes()).toBeNull();
});
