import { promisify } from 'node:util';
import { brotliCompress, constants, gunzipSync, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Encoding } from '#server/http/acceptEncoding.ts';
import type { Log } from '#server/log.ts';
import type { ProviderRecord } from '#server/tenant/providerRecord.ts';

/** Names a page among all. */
export type PageKey = string | number;

/** Policies by the scheme a page came by. */
export interface Policies {
  http: string;
  https: string;
}

export interface PageBody {
  encoding: Encoding;
  bytes: Buffer;
  /** Made for this answer alone: its memory may be used again once it is sent (stitchedGzip.ts). */
  own: boolean;
}

/** A page ready to be answered; its body is only made when asked for. */
export interface CachedPage {
  etag: string;
  policies: Policies;
  /** Hours since 1970 in which it was made; it is served in no other. */
  hour: number;
  /** The best body there is for what the client takes, best first. */
  body: (accepted: readonly Encoding[]) => PageBody;
}

/** What a page was made from. */
interface PageRecords {
  tenant: ProviderRecord | null;
  provider: ProviderRecord | null;
}

/** A page kept whole. */
interface HotPage extends CachedPage, PageRecords {
  byteLength: number;
}

export interface HotPages {
  get: (key: PageKey) => HotPage | undefined;
  delete: (key: PageKey) => void;
  /** Says that a page was asked for: once it was often enough it is compressed in the background and kept. */
  offer: (key: PageKey, page: CachedPage, records: PageRecords) => void;
  /** Resolves once no page is being compressed. */
  settled: () => Promise<void>;
}

/**
 * So many requests among the last so many different pages make a page hot. With 100,000 clinics asked for at random two do meet by chance
 * many times a second, three hardly ever.
 */
const hotRequests = 3;
const seenMax = 1024;
/** Compressing must not crowd out answering: with very many clinics nearly every page is cold, and stays so. */
const heatEveryMs = 50;
/** Pages of the brand's own are few and asked for most; a clinic's is compressed about as fast as it is drawn. */
const brotliQuality = { brand: 11, provider: 5 } as const;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Whole pages, bounded by bytes, for those asked for often: the best compression there is, and nothing left to do per request. */
export function createHotPages({ log, bytesMax }: { log: Log; bytesMax: number }): HotPages {
  const pages = new LRUCache<PageKey, HotPage>({
    maxSize: bytesMax,
    sizeCalculation: ({ byteLength }) => byteLength + 1024,
  });
  const seen = new Map<PageKey, number>();
  let heating = Promise.resolve();
  let busy = false;
  let heatedAtMs = -heatEveryMs;

  async function heat(key: PageKey, page: CachedPage, records: PageRecords): Promise<void> {
    busy = true;
    try {
      pages.set(key, await compressed(page, records));
    } catch (error) {
      log.error({ err: error }, 'a page could not be compressed');
    } finally {
      busy = false;
    }
  }

  return {
    get: (key) => pages.get(key),
    delete: (key) => void pages.delete(key),
    settled: () => heating,
    offer(key, page, records) {
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
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality[quality],
    [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
  };
  const [br, gz] = [await compressBrotli(identity, { params }), await compressGzip(identity, { level: 6 })];
  return {
    etag: page.etag,
    policies: page.policies,
    hour: page.hour,
    tenant,
    provider,
    byteLength: gz.length + br.length,
    body: ([encoding = 'identity']) => {
      if (encoding === 'br') return { encoding, bytes: br, own: false };
      // Every browser takes one or the other; for the rare client that takes neither, four fifths of the memory would be spent.
      return { encoding, bytes: encoding === 'gzip' ? gz : gunzipSync(gz), own: false };
    },
  };
}
