import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createGunzip, gunzip, gzip } from 'node:zlib';
import type { PublicProvider } from '#shared/providers/providers.ts';
import { cacheUntilChange } from './cacheUntilChange.ts';

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);
const decompress = promisify(gunzip);

/** Four fifths of what the best quality saves, in a twentieth of its time. */
const brotliQuality = 5;

/** An uncompressed text up to this size is kept once somebody asked for it: about 10,000 clinics. */
const plainBytesMax = 8 * 1024 * 1024;

/** A JSON answer made once and sent many times. */
export interface PreparedJson {
  /** Weak: the same tag stands for every encoding. */
  etag: string;
  /** Of the uncompressed text. */
  byteLength: number;
  body: (encoding: 'br' | 'gzip') => Promise<Buffer>;
  /** The uncompressed text: kept while it is small, else unzipped as fast as it is read. */
  plain: () => Promise<Buffer> | Readable;
}

export interface ActiveList {
  /**
   * The active clinics as everyone may see them, by id, as JSON. Made anew after a change that this process has heard of, by the first who
   * asks; others who ask meanwhile wait for the same. While the database is away the last one stands; throws SERVICE_UNAVAILABLE when
   * there is none.
   */
  get: () => Promise<PreparedJson>;
  /** The same as tRPC answers it: `{"result":{"data":[…]}}`. Made when it is first asked for. */
  getEnvelope: () => Promise<PreparedJson>;
}

interface ActiveListOptions {
  list: () => Promise<PublicProvider[]>;
  /** See TenantDirectory. */
  revision: () => number | null;
}

/** Keeps the list compressed, a tenth of its size, and as plain text only while that is small. */
export function createActiveList({ list, revision }: ActiveListOptions): ActiveList {
  const held = cacheUntilChange({ make: async () => prepareList(await list()), revision });
  return {
    get: async () => (await held.get()).list,
    getEnvelope: async () => (await held.get()).envelope(),
  };
}

async function prepareList(
  providers: PublicProvider[],
): Promise<{ list: PreparedJson; envelope: () => Promise<PreparedJson> }> {
  const listText = JSON.stringify(providers);
  const zipped = await compressGzip(listText);
  const list = prepareJson(listText, zipped);
  let envelope: Promise<PreparedJson> | null = null;

  async function prepareEnvelope(): Promise<PreparedJson> {
    const text = `{"result":{"data":${(await decompress(zipped)).toString()}}}`;
    return prepareJson(text, await compressGzip(text));
  }

  return { list, envelope: () => (envelope ??= prepareEnvelope()) };
}

function prepareJson(text: string, zipped: Buffer): PreparedJson {
  const byteLength = Buffer.byteLength(text);
  let brotli: Promise<Buffer> | null = null;
  let plain: Promise<Buffer> | null = null;
  return {
    etag: `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
    byteLength,
    body(encoding) {
      if (encoding === 'gzip') return Promise.resolve(zipped);
      return (brotli ??= decompress(zipped).then(compressWithBrotli));
    },
    plain: () =>
      byteLength > plainBytesMax
        ? Readable.from([zipped], { objectMode: false }).pipe(createGunzip())
        : (plain ??= decompress(zipped)),
  };
}

function compressWithBrotli(text: Buffer): Promise<Buffer> {
  return compressBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } });
}
