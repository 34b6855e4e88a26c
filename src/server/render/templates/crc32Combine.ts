import { crc32 } from 'node:zlib';

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
export interface ChecksummedText {
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
