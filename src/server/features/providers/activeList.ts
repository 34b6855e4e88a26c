import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gunzip, gzip } from 'node:zlib';
import type { PublicProvider } from '#shared/providers.ts';
import { holdUntilChange } from './heldUntilChange.ts';

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);
const decompress = promisify(gunzip);

/** Four fifths of what the best quality saves, in a twentieth of its time. */
const brotliQuality = 5;

/** A JSON answer made once and sent many times. */
export interface PreparedJson {
  /** Weak: the same tag stands for every encoding. */
  etag: string;
  body: (encoding: 'br' | 'gzip' | 'identity') => Promise<Buffer>;
}

export interface ActiveList {
  /**
   * The active clinics as everyone may see them, by id, as JSON. Made anew after a change that this process has heard of, by the first who
   * asks; others who ask meanwhile wait for the same. While the database is away the last one stands; throws SERVICE_UNAVAILABLE when
   * there is none.
   */
  get: () => Promise<PreparedJson>;
}

interface ActiveListOptions {
  list: () => Promise<PublicProvider[]>;
  /** See TenantDirectory. */
  revision: () => number | null;
}

/** Keeps the list compressed alone: a tenth of its size, whatever the number of clinics. */
export function createActiveList({ list, revision }: ActiveListOptions): ActiveList {
  const held = holdUntilChange({ make: async () => prepareJson(await list()), revision });
  return { get: async () => held.get() };
}

async function prepareJson(value: unknown): Promise<PreparedJson> {
  const text = JSON.stringify(value);
  const zipped = await compressGzip(text);
  let brotli: Promise<Buffer> | null = null;
  return {
    etag: `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
    body(encoding) {
      if (encoding === 'gzip') return Promise.resolve(zipped);
      const plain = decompress(zipped);
      return encoding === 'br' ? (brotli ??= plain.then(compressWithBrotli)) : plain;
    },
  };
}

function compressWithBrotli(text: Buffer): Promise<Buffer> {
  return compressBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } });
}
