import { constants, crc32, deflateRawSync } from 'node:zlib';
import { appendChecksum, checksummed, type ChecksummedText } from './crc32Combine.ts';

/** A stretch of a page: text known beforehand, or one of the values of a request by its place in the list. */
export type Stretch = string | number;

/** What a gzip body is stitched from: stretches deflated beforehand, and runs stored as they are. */
type Block =
  | { kind: 'deflated'; bytes: Uint8Array; textLength: number; sum: ChecksummedText }
  | { kind: 'stored'; run: Stretch[] };

export interface GzipPlan {
  blocks: Block[];
  /** Of the deflated blocks, in bytes. */
  deflatedLength: number;
}

/** RFC 1952: magic, deflate, no flags, no time, no extra flags, unknown system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const storedMax = 65_535;
const storedHeaderLength = 5;
/** Final block (fixed codes, end at once), CRC-32, length. */
const trailerLength = 10;
/**
 * Bodies are cut from slabs: to allocate each would cost as much as to stitch it. A slab lives until its last body is sent; a slow client
 * should not hold much more than its own.
 */
const slabLength = 128 * 1024;
/** UTF-8 takes at most so many bytes for a UTF-16 unit. */
const bytesPerUnitMax = 3;
/**
 * Shorter texts are stored with their neighbours: each would have a flush marker and a table of its own, and a block costs a checksum per
 * request. On a microsite this halves the blocks for 130 bytes more in 19 KB.
 */
const deflateMinLength = 256;

/**
 * Deflates the known texts once, each ended by a full flush: byte-aligned and without reference to anything before it, so it may stand
 * between stored values of any length (RFC 1951 section 3.2.4).
 */
export function planGzip(stretches: readonly Stretch[]): GzipPlan {
  const plan: GzipPlan = { blocks: [], deflatedLength: 0 };
  for (const stretch of stretches) {
    if (typeof stretch === 'string' && stretch.length >= deflateMinLength) {
      const text = Buffer.from(stretch);
      const bytes = deflateRawSync(text, { level: 9, finishFlush: constants.Z_FULL_FLUSH });
      plan.deflatedLength += bytes.length;
      plan.blocks.push({ kind: 'deflated', bytes, textLength: text.length, sum: checksummed(text) });
      continue;
    }
    const last = plan.blocks.at(-1);
    if (last?.kind === 'stored') last.run.push(stretch);
    else plan.blocks.push({ kind: 'stored', run: [stretch] });
  }
  return plan;
}

/** A complete gzip body of the page with these values, in UTF-8; nothing is compressed here. */
export function stitchGzip({ blocks, deflatedLength }: GzipPlan, values: readonly string[]): Buffer {
  const runs = blocks.map((block) => (block.kind === 'stored' ? joinStretches(block.run, values) : ''));
  let bound = header.length + deflatedLength + trailerLength;
  for (const run of runs) bound += storedBound(run);
  const body = room(bound);
  body.set(header);
  let at = header.length;
  let checksum = 0;
  let textLength = 0;
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index];
    if (block?.kind === 'deflated') {
      body.set(block.bytes, at);
      at += block.bytes.length;
      checksum = appendChecksum(checksum, block.sum);
      textLength += block.textLength;
    } else {
      const run = runs[index] ?? '';
      if (run === '') continue;
      const [text, end] =
        run.length * bytesPerUnitMax <= storedMax ? storeShort(body, at, run) : storeLong(body, at, run);
      checksum = crc32(text, checksum);
      textLength += text.length;
      at = end;
    }
  }
  at = body.writeUInt16LE(0x0003, at);
  at = body.writeUInt32LE(checksum, at);
  at = body.writeUInt32LE(textLength % 2 ** 32, at);
  if (body.buffer === slab.buffer) taken += at;
  return body.subarray(0, at);
}

let slab = Buffer.allocUnsafeSlow(slabLength);
/** Of the slab, in bytes. */
let taken = 0;

/** Room for a body of at most so many bytes; what of a slab it takes is for the caller to add to `taken`. */
function room(bound: number): Buffer {
  if (bound > slabLength) return Buffer.allocUnsafeSlow(bound);
  if (taken + bound > slabLength) {
    slab = Buffer.allocUnsafeSlow(slabLength);
    taken = 0;
  }
  return slab.subarray(taken);
}

/** Known texts and values one after the other. */
export function joinStretches(run: readonly Stretch[], values: readonly string[]): string {
  let text = '';
  for (const stretch of run) text += typeof stretch === 'number' ? values[stretch] : stretch;
  return text;
}

function storedBound(run: string): number {
  const bytesMax = run.length * bytesPerUnitMax;
  return bytesMax + storedHeaderLength * Math.ceil(bytesMax / storedMax);
}

/** Header of a stored block: not final, length and its complement. */
function storeHeader(body: Buffer, at: number, length: number): number {
  body[at] = 0;
  body.writeUInt16LE(length, at + 1);
  return body.writeUInt16LE(length ^ 0xffff, at + 3);
}

/** Stores a run that surely fits one block; returns its bytes and where they end. */
function storeShort(body: Buffer, at: number, run: string): [text: Buffer, end: number] {
  const from = at + storedHeaderLength;
  const end = from + body.write(run, from);
  storeHeader(body, at, end - from);
  return [body.subarray(from, end), end];
}

/** A longer one, in as many blocks as it takes. */
function storeLong(body: Buffer, start: number, run: string): [text: Buffer, end: number] {
  const text = Buffer.from(run);
  let at = start;
  for (let from = 0; from < text.length; from += storedMax) {
    const piece = text.subarray(from, from + storedMax);
    at = storeHeader(body, at, piece.length);
    body.set(piece, at);
    at += piece.length;
  }
  return [text, at];
}
