import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { planGzip, stitchGzip, type Stretch } from './stitchedGzip.ts';

function plain(stretches: readonly Stretch[], values: readonly string[]): string {
  return stretches
    .map((stretch) => (typeof stretch === 'number' ? (values[stretch] ?? '') : stretch))
    .join('');
}

const text = fc.string({ unit: 'binary', maxLength: 300 });
const repeated = fc
  .tuple(fc.string({ minLength: 1 }), fc.integer({ min: 1, max: 400 }))
  .map(([piece, times]) => piece.repeat(times));
const known = fc.oneof(text, repeated);

test('a stitched body unpacks to the known texts with the values between them', () => {
  const cases = fc.array(known, { maxLength: 6 }).chain((values) => {
    const stretch = values.length === 0 ? known : fc.oneof(known, fc.nat({ max: values.length - 1 }));
    return fc.tuple(fc.constant(values), fc.array(stretch, { maxLength: 20 }));
  });
  fc.assert(
    fc.property(cases, ([values, stretches]) => {
      expect(gunzipSync(stitchGzip(planGzip(stretches), values)).toString()).toBe(plain(stretches, values));
    }),
  );
});

test.each([0, 1, 65_534, 65_535, 65_536, 131_070, 400_000])('a value of %i bytes fits', (length) => {
  const stretches = ['before '.repeat(20), 0, 'after '.repeat(20), 0];
  const values = ['v'.repeat(length)];
  expect(gunzipSync(stitchGzip(planGzip(stretches), values)).toString()).toBe(plain(stretches, values));
});

test('bodies made one after the other share nothing', () => {
  const plan = planGzip(['before '.repeat(20), 0]);
  const first = stitchGzip(plan, ['first']);
  const copy = Buffer.from(first);
  stitchGzip(plan, ['a longer second value']);
  expect(first).toEqual(copy);
});

test('known text is compressed, not only stored', () => {
  const paragraphs = '<p>A paragraph as pages have them.</p>'.repeat(500);
  expect(stitchGzip(planGzip([paragraphs, 0, paragraphs]), ['name']).length).toBeLessThan(
    paragraphs.length / 20,
  );
});
