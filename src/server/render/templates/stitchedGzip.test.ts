import { crc32, gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  appendChecksum,
  byteText,
  checksummed,
  computeChecksum,
  joinStretches,
  planGzip,
  recycle,
  stitchGzip,
  type Stretch,
} from './stitchedGzip.ts';

function plain(stretches: readonly Stretch[], values: readonly string[]): Buffer {
  return Buffer.from(
    stretches.map((stretch) => (typeof stretch === 'number' ? values[stretch] : stretch)).join(''),
    'latin1',
  );
}

const anyText = fc.string({ unit: 'binary', maxLength: 600 });
const repeated = fc
  .tuple(fc.string({ unit: 'binary', minLength: 1 }), fc.integer({ min: 1, max: 400 }))
  .map(([piece, times]) => piece.repeat(times));
const known = fc.oneof(anyText, repeated).map(byteText);

test('a stitched body decompresses to the known texts with the values between them', () => {
  const cases = fc.array(known, { maxLength: 6 }).chain((values) => {
    const stretch = values.length === 0 ? known : fc.oneof(known, fc.nat({ max: values.length - 1 }));
    return fc.tuple(fc.constant(values), fc.array(stretch, { maxLength: 20 }));
  });
  fc.assert(
    fc.property(cases, ([values, stretches]) => {
      const unpacked = gunzipSync(stitchGzip(planGzip(stretches), values));
      expect(unpacked.equals(plain(stretches, values))).toBe(true);
      expect(joinStretches(stretches, values)).toBe(unpacked.toString('latin1'));
    }),
  );
});

test.each([0, 1, 21_845, 21_846, 65_534, 65_535, 65_536, 131_070, 400_000])(
  'a value of %i letters fits',
  (length) => {
    const stretches = ['before '.repeat(60), 0, 'after '.repeat(60), 0];
    const values = ['é'.repeat(length), 'ä'].map(byteText);
    expect(gunzipSync(stitchGzip(planGzip(stretches), values)).equals(plain(stretches, values))).toBe(true);
  },
);

test('a body stitched with a known checksum in reused memory is the same', () => {
  const plan = planGzip(['a known text '.repeat(100), 0, 'and another '.repeat(100), 1]);
  const values = ['one', 'two'];
  const first = stitchGzip(plan, values);
  const kept = Buffer.from(first);
  recycle(stitchGzip(plan, ['something', 'else']));
  expect(stitchGzip(plan, values, computeChecksum(first)).equals(kept)).toBe(true);
  expect(first.equals(kept)).toBe(true);
});

test('known text is compressed, not only stored', () => {
  const paragraphs = '<p>A paragraph as pages have them.</p>'.repeat(500);
  const body = stitchGzip(planGzip([paragraphs, 0, paragraphs]), ['name']);
  expect(body.length).toBeLessThan(paragraphs.length / 20);
});

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
