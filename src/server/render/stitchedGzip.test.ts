import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { planGzip, stitchGzip, type Stretch } from './stitchedGzip.ts';

function plain(stretches: readonly Stretch[], values: readonly Buffer[]): Buffer {
  return Buffer.concat(
    stretches.map((stretch) =>
      typeof stretch === 'number' ? (values[stretch] ?? Buffer.alloc(0)) : stretch,
    ),
  );
}

const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
const repeated = fc
  .tuple(fc.string({ minLength: 1 }), fc.integer({ min: 1, max: 400 }))
  .map(([text, times]) => Buffer.from(text.repeat(times)));
const known = fc.oneof(bytes, repeated);

test('a stitched body unpacks to the known texts with the values between them', () => {
  const cases = fc.array(known, { maxLength: 6 }).chain((values) =>
    fc.tuple(
      fc.constant(values),
      fc.array(values.length === 0 ? known : fc.oneof(known, fc.nat({ max: values.length - 1 })), {
        maxLength: 20,
      }),
    ),
  );
  fc.assert(
    fc.property(cases, ([values, stretches]) => {
      expect(gunzipSync(stitchGzip(planGzip(stretches), values))).toEqual(plain(stretches, values));
    }),
  );
});

test.each([0, 1, 65_534, 65_535, 65_536, 131_070, 200_000])('a value of %i bytes fits', (length) => {
  const stretches = [Buffer.from('before '.repeat(20)), 0, Buffer.from('after '.repeat(20)), 0];
  const values = [Buffer.alloc(length, 'v')];
  expect(gunzipSync(stitchGzip(planGzip(stretches), values)).equals(plain(stretches, values))).toBe(true);
});

test('known text is compressed, not only stored', () => {
  const text = Buffer.from('<p>A paragraph as pages have them.</p>'.repeat(500));
  expect(stitchGzip(planGzip([text, 0, text]), [Buffer.from('name')]).length).toBeLessThan(text.length / 20);
});
