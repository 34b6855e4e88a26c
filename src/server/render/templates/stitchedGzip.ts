import { constants, crc32, deflateRawSync } from 'node:zlib';

/** UTF-8 as one character per byte: joined and copied several times as fast as a string with a character above 255. */
export type ByteText = string;

export function byteText(text: string): ByteText {
  return /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text).toString('latin1');
}

/** A part of a page: known text, or the index of a request's value. */
export type Stretch = ByteText | number;

/** A part of a gzip body: text that was deflated in advance, or a run of parts that is stored uncompressed. */
type Block =
  | { kind: 'deflated'; bytes: Uint8Array; textLength: number; sum: ChecksummedText }
  | { kind: 'stored'; run: Stretch[] };

export interface GzipPlan {
  blocks: Block[];
  /** The bytes of all deflated blocks. */
  deflatedLength: number;
}

/** RFC 1952: magic, deflate, no flags, no time, no extra flags, unknown system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const storedMax = 65_535;
const storedHeaderLength = 5;
/** Final block (fixed codes, empty), CRC-32, length. */
const trailerLength = 10;
/** Large enough for nearly every page. */
const pooledLength = 32 * 1024;
const pooledMax = 64;

/**
 * Shorter texts are stored with their neighbors: a block needs a flush marker and a code table, and a checksum per
 * request. A microsite keeps a third of its blocks and grows by 4 %.
 */
const deflateMinLength = 700;

/**
 * Deflates the known texts once. Each ends with a full flush, so that it is byte-aligned, refers to nothing before it,
 * and can be placed between stored values of any length (RFC 1951 section 3.2.4).
 */
export function planGzip(stretches: readonly Stretch[]): GzipPlan {
  const plan: GzipPlan = { blocks: [], deflatedLength: 0 };
  for (const stretch of stretches) {
    if (typeof stretch === 'string' && stretch.length >= deflateMinLength) {
      const text = Buffer.from(stretch, 'latin1');
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

/** A page's gzip body, without a compressor. `knownChecksum`: the text's, if these values were stitched before. */
export function stitchGzip(
  { blocks, deflatedLength }: GzipPlan,
  values: readonly ByteText[],
  knownChecksum: number | null = null,
): Buffer {
  const runs = blocks.map((block) => (block.kind === 'stored' ? joinStretches(block.run, values) : ''));
  let length = header.length + deflatedLength + trailerLength;
  for (const run of runs) length += run.length + storedHeaderLength * Math.ceil(run.length / storedMax);
  const body = room(length);
  body.set(header);
  let at = header.length;
  let checksum = 0;
  let textLength = 0;
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index];
    const run = runs[index] ?? '';
    if (block?.kind === 'deflated') {
      body.set(block.bytes, at);
      at += block.bytes.length;
      if (knownChecksum === null) checksum = appendChecksum(checksum, block.sum);
      textLength += block.textLength;
    }
    for (let from = 0; from < run.length; from += storedMax) {
      const piece = run.length <= storedMax ? run : run.slice(from, from + storedMax);
      const start = storeHeader(body, at, piece.length);
      at = start + body.write(piece, start, 'latin1');
      if (knownChecksum === null) checksum = crc32(body.subarray(start, at), checksum);
      textLength += piece.length;
    }
  }
  at = body.writeUInt16LE(0x0003, at);
  at = body.writeUInt32LE(knownChecksum ?? checksum, at);
  body.writeUInt32LE(textLength % 2 ** 32, at);
  return body;
}

/** CRC-32 of the text in a gzip body (RFC 1952 section 2.3.1). */
export function computeChecksum(body: Buffer): number {
  return body.readUInt32LE(body.length - 8);
}

/** Memory of sent bodies. Allocating new memory costs as much as stitching, and it is not in the processor's cache. */
const pool: ArrayBuffer[] = [];

function room(length: number): Buffer {
  if (length > pooledLength) return Buffer.allocUnsafeSlow(length);
  return Buffer.from(pool.pop() ?? new ArrayBuffer(pooledLength), 0, length);
}

/** Reuses a body's memory for the next. The body must have been sent, and nobody else may refer to it. */
export function recycle({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === pooledLength && pool.length < pooledMax)
    pool.push(buffer);
}

export function joinStretches(run: readonly Stretch[], values: readonly ByteText[]): ByteText {
  let text = '';
  for (const stretch of run) text += typeof stretch === 'number' ? (values[stretch] ?? '') : stretch;
  return text;
}

/** Header of a stored block: not final, length and its complement. */
function storeHeader(body: Buffer, at: number, length: number): number {
  body[at] = 0;
  body.writeUInt16LE(length, at + 1);
  return body.writeUInt16LE(length ^ 0xffff, at + 3);
}

/** The CRC-32 polynomial of gzip, bits reversed (RFC 1952 section 8). */
const polynomial = 0xedb88320;

/** Product of two polynomials over GF(2) modulo the CRC's, bits reversed: the highest bit stands for x^0. */
function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let rest = a; rest !== 0; rest <<= 1) {
    if (rest < 0) product ^= factor;
    factor = (factor & 1) === 0 ? factor >>> 1 : (factor >>> 1) ^ polynomial;
  }
  return product;
}

/** A text with a known checksum, ready to be appended to any other. */
interface ChecksummedText {
  checksum: number;
  /** x^(8·length): the effect of the text's length on the checksum before it. */
  shift: number;
}

export function checksummed(text: Uint8Array): ChecksummedText {
  let shift = 0x80000000 | 0;
  // Square and multiply, starting with x^8, one byte.
  let power = 0x00800000;
  for (let length = text.length; length > 0; length = Math.floor(length / 2)) {
    if (length % 2 === 1) shift = multiply(power, shift);
    power = multiply(power, power);
  }
  return { checksum: crc32(text), shift };
}

/**
 * The CRC-32 of a text followed by another, from their checksums: the fixed texts of a page are summed once, and a
 * request costs some tens of shifts instead of a pass over 70 KB. This is zlib's crc32_combine.
 */
export function appendChecksum(before: number, text: ChecksummedText): number {
  return (multiply(before | 0, text.shift) ^ text.checksum) >>> 0;
}
