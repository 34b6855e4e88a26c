import { crc32 } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { appendChecksum, checksummed } from './crc32Combine.ts';

const bytes = fc.uint8Array({ maxLength: 500 }).map((array) => Buffer.from(array));

test('the checksums of parts combine to the checksum of the whole', () => {
  fc.assert(
    fc.property(bytes, bytes, (first, second) => {
      expect(appendChecksum(crc32(first), checksummed(second))).toBe(crc32(Buffer.concat([first, second])));
    }),
  );
});

test.each([0, 1, 255, 65_536, 1_000_003])('a text of %i bytes can be appended', (length) => {
  const [first, second] = [Buffer.from('before'), Buffer.alloc(length, 'after')];
  expect(appendChecksum(crc32(first), checksummed(second))).toBe(crc32(Buffer.concat([first, second])));
});
