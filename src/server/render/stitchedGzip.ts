import { constants, crc32, deflateRawSync } from 'node:zlib';
import { appendChecksum, checksummed, type ChecksummedText } from './crc32Combine.ts';

/** A stretch of a page: text known beforehand, or one of the values of a request by its place in the list. */
export type Stretch = Buffer | number;

/** What a gzip body is stitched from: stretches deflated beforehand, and runs stored as they are. */
type Block =
  | { kind: 'deflated'; bytes: Buffer; textLength: number; sum: ChecksummedText }
  | { kind: 'stored'; run: Stretch[] };

export interface GzipPlan {
  blocks: Block[];
  /** Length of the text known beforehand, and of all blocks but the stored ones' contents, in bytes. */
  knownTextLength: number;
  deflatedLength: number;
}

/** RFC 1952: magic, deflate, no flags, no time, no extra flags, unknown system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const storedMax = 65_535;
const storedHeaderLength = 5;
/** Final block (fixed codes, end at once), CRC-32, length. */
const trailerLength = 10;
/** Shorter texts would grow by a flush marker and a table of their own: they are stored with their neighbours. */
const deflateMinBytes = 48;

/**
 * Deflates the known texts once, each ended by a full flush: byte-aligned and without reference to anything before it, so it may stand
 * between stored values of any length (RFC 1951 section 3.2.4).
 */
export function planGzip(stretches: readonly Stretch[]): GzipPlan {
  const plan: GzipPlan = { blocks: [], knownTextLength: 0, deflatedLength: 0 };
  for (const stretch of stretches) {
    if (typeof stretch !== 'number') plan.knownTextLength += stretch.length;
    if (typeof stretch !== 'number' && stretch.length >= deflateMinBytes) {
      const bytes = deflateRawSync(stretch, { level: 9, finishFlush: constants.Z_FULL_FLUSH });
      plan.deflatedLength += bytes.length;
      plan.blocks.push({ kind: 'deflated', bytes, textLength: stretch.length, sum: checksummed(stretch) });
      continue;
    }
    const last = plan.blocks.at(-1);
    if (last?.kind === 'stored') last.run.push(stretch);
    else plan.blocks.push({ kind: 'stored', run: [stretch] });
  }
  return plan;
}

/** A complete gzip body of the page with these values; nothing is compressed here. */
export function stitchGzip(plan: GzipPlan, values: readonly Buffer[]): Buffer {
  const runs = plan.blocks.flatMap((block) =>
    block.kind === 'stored' ? [runLength(block.run, values)] : [],
  );
  const storedLength = runs.reduce(
    (sum, length) => sum + length + storedHeaderLength * Math.ceil(length / storedMax),
    0,
  );
  const out = Buffer.allocUnsafe(header.length + plan.deflatedLength + storedLength + trailerLength);
  let at = header.copy(out, 0);
  let checksum = 0;
  let textLength = 0;
  let runIndex = 0;
  for (const block of plan.blocks) {
    if (block.kind === 'deflated') {
      at += block.bytes.copy(out, at);
      checksum = appendChecksum(checksum, block.sum);
      textLength += block.textLength;
      continue;
    }
    const length = runs[runIndex++] ?? 0;
    textLength += length;
    const run =
      length > storedMax
        ? Buffer.allocUnsafe(length)
        : out.subarray(at + storedHeaderLength, at + storedHeaderLength + length);
    writeRun(run, block.run, values);
    checksum = crc32(run, checksum);
    at = length > storedMax ? storeLong(out, at, run) : storeHeader(out, at, length) + length;
  }
  at = out.writeUInt16LE(0x0003, at);
  at = out.writeUInt32LE(checksum, at);
  out.writeUInt32LE(textLength % 2 ** 32, at);
  return out;
}

function runLength(run: readonly Stretch[], values: readonly Buffer[]): number {
  let length = 0;
  for (const stretch of run) length += (typeof stretch === 'number' ? values[stretch] : stretch)?.length ?? 0;
  return length;
}

/** Joins known texts and values into `out`; returns the bytes written. */
export function writeRun(out: Buffer, run: readonly Stretch[], values: readonly Buffer[]): number {
  let at = 0;
  for (const stretch of run)
    at += (typeof stretch === 'number' ? values[stretch] : stretch)?.copy(out, at) ?? 0;
  return at;
}

/** Header of a stored block: not final, length and its complement. A zero length needs no block at all. */
function storeHeader(out: Buffer, at: number, length: number): number {
  if (length === 0) return at;
  out[at] = 0;
  out.writeUInt16LE(length, at + 1);
  return out.writeUInt16LE(length ^ 0xffff, at + 3);
}

/** A run longer than a stored block can be, in several. */
function storeLong(out: Buffer, start: number, run: Buffer): number {
  let at = start;
  for (let from = 0; from < run.length; from += storedMax) {
    const piece = run.subarray(from, from + storedMax);
    at = storeHeader(out, at, piece.length);
    at += piece.copy(out, at);
  }
  return at;
}
