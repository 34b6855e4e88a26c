import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createGunzip, gunzip, gzip } from 'node:zlib';

export const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);
const decompress = promisify(gunzip);

/** Saves four fifths of what the best quality saves, in a twentieth of its time. */
const brotliQuality = 5;

/** An uncompressed text of at most this size stays in memory after the first request: about 10,000 providers. */
const plainBytesMax = 8 * 1024 * 1024;

/** A JSON response that is created once and sent many times (http/sendJson.ts). */
export type PreparedJson = Awaited<ReturnType<typeof prepareJson>>;

/**
 * Keeps a JSON text compressed, a tenth of its size. Brotli and the uncompressed text are created on the first request.
 */
export async function prepareJson(text: string) {
  const zipped = await compressGzip(text);
  const byteLength = Buffer.byteLength(text);
  let brotli: Promise<Buffer> | null = null;
  let plain: Promise<Buffer> | null = null;
  return {
    /** Weak: all encodings share one tag. */
    etag: weakEtag(text),
    /** Size of the uncompressed text. */
    byteLength,
    body: (encoding: 'br' | 'gzip'): Promise<Buffer> =>
      encoding === 'gzip'
        ? Promise.resolve(zipped)
        : (brotli ??= decompress(zipped).then(compressWithBrotli)),
    /** The uncompressed text. A large one is decompressed while it is sent. */
    plain: (): Promise<Buffer> | Readable =>
      byteLength > plainBytesMax
        ? Readable.from([zipped], { objectMode: false }).pipe(createGunzip())
        : (plain ??= decompress(zipped)),
  };
}

export function weakEtag(text: string): string {
  return `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

function compressWithBrotli(text: Buffer): Promise<Buffer> {
  return compressBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } });
}
