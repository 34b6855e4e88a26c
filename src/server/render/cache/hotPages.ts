import { promisify } from 'node:util';
import { brotliCompress, constants, gunzipSync, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Encoding } from '#server/http/requestHeaders.ts';
import type { Log } from '#server/log.ts';
import type { ProviderRecord } from '#server/tenant/providerRecord.ts';
import type { Policies } from '../csp.ts';

export type PageKey = string | number;

export interface PageBody {
  encoding: Encoding;
  bytes: Buffer;
  /** Called when the body has been sent: its memory may be used again. Null if others use the same bytes. */
  release: (() => void) | null;
}

/** A page ready to be sent. Its body is created when it is requested. */
export interface CachedPage {
  etag: string;
  policies: Policies;
  /** When it must not be sent any more. */
  endsAtMs: number;
  /** The key of the epoch of its creation (boots.ts). It is sent in no other one. */
  epoch: string;
  /** The best available body for the accepted encodings, best first. */
  body: (accepted: readonly Encoding[]) => PageBody;
}

interface PageRecords {
  tenant: ProviderRecord | null;
  provider: ProviderRecord | null;
}

/** A page that is stored whole. */
interface HotPage extends CachedPage, PageRecords {
  byteLength: number;
}

/**
 * A page is hot after so many requests among the last requests of so many different pages. With 100,000 providers at
 * random, two requests of one page coincide many times a second, three almost never.
 */
const hotRequests = 3;
const seenMax = 1024;
/** Compression must not delay responses. With very many providers, nearly all pages stay cold. */
const heatEveryMs = 50;
/** The brand's pages are few and requested most. A provider's page is compressed about as fast as it is rendered. */
const brotliQuality = { brand: 11, provider: 7 } as const;
/** A page that isn't stored is compressed for its one visitor if no other such page was requested for so long. */
const calmMs = 50;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/**
 * Stores pages that are requested often, with a byte limit: compressed as well as possible, with no work per request.
 */
export function createHotPages({ log, bytesMax }: { log: Log; bytesMax: number }) {
  const pages = new LRUCache<PageKey, HotPage>({
    maxSize: bytesMax,
    sizeCalculation: ({ byteLength }) => byteLength + 1024,
  });
  const seen = new Map<PageKey, number>();
  let heating = Promise.resolve();
  let busy = false;
  let heatedAtMs = -heatEveryMs;
  let coldAtMs = -calmMs;

  async function heat(key: PageKey, page: CachedPage, records: PageRecords): Promise<void> {
    busy = true;
    try {
      pages.set(key, await compressed(page, records));
    } catch (error) {
      log.error({ event: 'page.compress-failed', err: error }, 'a page could not be compressed');
    } finally {
      busy = false;
    }
  }

  return {
    /**
     * A page that isn't stored, for one visitor: a third smaller than a stitched one, for two milliseconds of another
     * thread. Null while many such pages are requested: those must cost nothing.
     */
    compressForOne(page: CachedPage): Promise<Buffer> | null {
      const atMs = performance.now();
      const isCalm = atMs - coldAtMs >= calmMs;
      coldAtMs = atMs;
      return isCalm ? toBrotli(page.body(['identity']).bytes, brotliQuality.provider) : null;
    },
    get: (key: PageKey): HotPage | undefined => pages.get(key),
    delete: (key: PageKey): void => void pages.delete(key),
    /** Resolves when no page is being compressed. */
    settled: () => heating,
    /** Counts a request of a page. After enough requests, the page is compressed in the background and stored. */
    offer(key: PageKey, page: CachedPage, records: PageRecords): void {
      const requests = (seen.get(key) ?? 0) + 1;
      if (seen.size >= seenMax) seen.clear();
      seen.set(key, requests);
      if (requests < hotRequests) return;
      const atMs = performance.now();
      if (busy || atMs - heatedAtMs < heatEveryMs) return;
      heatedAtMs = atMs;
      heating = heat(key, page, records);
    },
  };
}

async function compressed(page: CachedPage, records: PageRecords): Promise<HotPage> {
  const { tenant, provider } = records;
  const { bytes: identity } = page.body(['identity']);
  const quality = tenant === null && provider === null ? 'brand' : 'provider';
  // Every browser accepts a compressed body. The text of the brand's few pages is kept, so that nobody can cost more by
  // refusing one; that of all providers' pages would take four fifths of the memory.
  const kept = quality === 'brand' ? Buffer.from(identity) : null;
  const br = await toBrotli(identity, brotliQuality[quality]);
  const gz = await compressGzip(identity, { level: 6 });
  return {
    etag: page.etag,
    policies: page.policies,
    endsAtMs: page.endsAtMs,
    epoch: page.epoch,
    tenant,
    provider,
    byteLength: gz.length + br.length + (kept?.length ?? 0),
    body: ([encoding = 'identity']) => {
      if (encoding === 'br') return { encoding, bytes: br, release: null };
      if (encoding === 'gzip') return { encoding, bytes: gz, release: null };
      return { encoding, bytes: kept ?? gunzipSync(gz), release: null };
    },
  };
}

function toBrotli(text: Buffer, quality: number): Promise<Buffer> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  return compressBrotli(text, { params });
}
