import { constants, crc32, deflateRawSync } from 'node:zlib';
import { appendChecksum, checksummed, type ChecksummedText } from './crc32Combine.ts';

/** A stretch of a page: text known beforehand, or one of the values of a request by its place in the list. */
export type Stretch = string | number;

/** What a gzip body is stitched from: stretches deflated beforehand, and runs stored as they are. */
type Block =
  | { kind: 'deflated'; bytes: Buffer; textLength: number; sum: ChecksummedText }
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
 * Shorter texts are stored with their neighbours: each would have a flush marker and a table of its own, and a block costs a checksum per
 * request. On a microsite this halves the blocks for 130 bytes more in 19 KB.
 */
const deflateMinLength = 256;
/** UTF-8 takes at most so many bytes for a UTF-16 unit. */
const bytesPerUnitMax = 3;

/** Bodies are put together here, in one pass, and then copied out at their right length. Nothing is awaited in between. */
let scratch = Buffer.allocUnsafeSlow(256 * 1024);

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

/** A complete gzip body of the page with these values; nothing is compressed here. */
export function stitchGzip(plan: GzipPlan, values: readonly string[]): Buffer {
  const runs = plan.blocks.map((block) => (block.kind === 'stored' ? joinRun(block.run, values) : ''));
  reserve(plan, runs);
  let at = header.copy(scratch, 0);
  let checksum = 0;
  let textLength = 0;
  for (const [index, block] of plan.blocks.entries()) {
    if (block.kind === 'deflated') {
      scratch.set(block.bytes, at);
      at += block.bytes.length;
      checksum = appendChecksum(checksum, block.sum);
      textLength += block.textLength;
      continue;
    }
    const run = runs[index] ?? '';
    const from = at + storedHeaderLength;
    const length = scratch.write(run, from);
    if (length === 0) continue;
    const text = scratch.subarray(from, from + length);
    checksum = crc32(text, checksum);
    textLength += length;
    at = length > storedMax ? storeLong(at, Buffer.from(text)) : storeHeader(at, length) + length;
  }
  at = scratch.writeUInt16LE(0x0003, at);
  at = scratch.writeUInt32LE(checksum, at);
  at = scratch.writeUInt32LE(textLength % 2 ** 32, at);
  const body = Buffer.allocUnsafe(at);
  scratch.copy(body, 0, 0, at);
  return body;
}

/** Joins known texts and values. */
function joinRun(run: readonly Stretch[], values: readonly string[]): string {
  let text = '';
  for (const stretch of run) text += typeof stretch === 'number' ? (values[stretch] ?? '') : stretch;
  return text;
}

function reserve({ blocks, deflatedLength }: GzipPlan, runs: readonly string[]): void {
  let length = header.length + deflatedLength + blocks.length * storedHeaderLength + trailerLength;
  for (const run of runs) {
    const bytesMax = run.length * bytesPerUnitMax;
    length += bytesMax + storedHeaderLength * Math.ceil(bytesMax / storedMax);
  }
  if (length > scratch.length) scratch = Buffer.allocUnsafeSlow(length);
}

/** Header of a stored block: not final, length and its complement. */
function storeHeader(at: number, length: number): number {
  scratch[at] = 0;
  scratch.writeUInt16LE(length, at + 1);
  return scratch.writeUInt16LE(length ^ 0xffff, at + 3);
}

/** A run longer than a stored block can be, in several. */
function storeLong(start: number, run: Buffer): number {
  let at = start;
  for (let from = 0; from < run.length; from += storedMax) {
    const piece = run.subarray(from, from + storedMax);
    at = storeHeader(at, piece.length);
    at += piece.copy(scratch, at);
  }
  return at;
}
