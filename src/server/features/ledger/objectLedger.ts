import { AwsClient } from 'aws4fetch';
import pLimit from 'p-limit';
import type { LedgerConfig, ObjectLedgerConfig } from '#server/config/ledger.ts';
import { openFileLedger } from './fileLedger.ts';
import { type LedgerEntry, ledgerEntry, takenNumber, type LedgerTarget } from './ledgerEntry.ts';

const timeoutMs = 10_000;
const parallelReads = 8;

/** Names sort like their numbers. */
const getName = (sequence: number): string => `${String(sequence).padStart(12, '0')}.json`;

const toEntry = (text: string): LedgerEntry => ledgerEntry.parse(JSON.parse(text));

/**
 * A ledger in an S3-compatible bucket: one object per entry, never written twice (If-None-Match), and one with the
 * notes, which is replaced. The key needs PutObject and GetObject; a restore also needs ListBucket.
 */
export function openObjectLedger({
  bucketUrl,
  prefix,
  region,
  accessKeyId,
  secretAccessKey,
}: ObjectLedgerConfig): LedgerTarget {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 });

  const notesPath = `/${prefix}notes.json`;

  async function send(path: string, init: RequestInit, signal?: AbortSignal): Promise<Response> {
    const timeout = AbortSignal.timeout(timeoutMs);
    return client.fetch(`${bucketUrl}${path}`, {
      ...init,
      redirect: 'error',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
  }

  async function toText(response: Response, action: string): Promise<string> {
    const text = await response.text();
    // The store's code, such as AccessDenied, and nothing else of its answer.
    const [, code = ''] = /<Code>(\w{1,60})<\/Code>/.exec(text) ?? [];
    if (!response.ok)
      throw new Error(`The erasure ledger's store answered ${action} with ${response.status} ${code}`.trim());
    return text;
  }

  async function get(path: string): Promise<string> {
    return toText(await send(path, { method: 'GET' }), 'GET');
  }

  async function putOnce(name: string, text: string, signal?: AbortSignal): Promise<string | null> {
    const path = `/${prefix}${name}`;
    const headers = { 'Content-Type': 'application/json', 'If-None-Match': '*' };
    const response = await send(path, { method: 'PUT', headers, body: text }, signal);
    if (response.status !== 412) {
      await toText(response, 'PUT');
      return null;
    }
    await response.body?.cancel();
    return get(path);
  }

  async function listPaths(from: number): Promise<string[]> {
    const paths: string[] = [];
    let after = `${prefix}${getName(from - 1)}`;
    for (;;) {
      const query = new URLSearchParams({ 'list-type': '2', prefix, 'start-after': after });
      const text = await toText(await send(`?${query}`, { method: 'GET' }), 'a list');
      const keys = [...text.matchAll(/<Key>([^<]+)<\/Key>/g)].flatMap(([, key]) => key ?? []);
      const last = keys.at(-1);
      if (last === undefined) return paths;
      paths.push(...keys.map((key) => `/${key}`).filter((path) => /\/\d{12}\.json$/.test(path)));
      after = last;
    }
  }

  return {
    async append(entry, signal) {
      const stored = await putOnce(getName(entry.sequence), JSON.stringify(entry), signal);
      if (stored !== null && toEntry(stored).mac !== entry.mac) throw takenNumber(entry.sequence);
    },
    async read(from) {
      const limit = pLimit(parallelReads);
      const paths = await listPaths(from);
      return Promise.all(paths.map((path) => limit(async () => toEntry(await get(path)))));
    },
    async readNotes() {
      const response = await send(notesPath, { method: 'GET' });
      // A key without ListBucket may not learn that an object is missing.
      if (response.status !== 404 && response.status !== 403) return toText(response, 'GET');
      await response.body?.cancel();
      return null;
    },
    async writeNotes(text, { isFirst }) {
      const headers = {
        'Content-Type': 'application/json',
        ...(isFirst ? { 'If-None-Match': '*' } : {}),
      };
      await toText(await send(notesPath, { method: 'PUT', headers, body: text }), 'PUT');
    },
    putOnce,
  };
}

export function openLedgerTarget(config: LedgerConfig): LedgerTarget {
  return config.kind === 'file' ? openFileLedger(config.path) : openObjectLedger(config);
}
