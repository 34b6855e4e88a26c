import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pictureHeads } from '#test/support/pictures.ts';
import { imagePixels } from './imagePixels.ts';

const formats = Object.entries(pictureHeads);

test.each(formats)('the pixels of a %s are read from its header', (_, head) => {
  expect(imagePixels(Buffer.from(head(640, 480)))).toBe(640 * 480);
  expect(imagePixels(Buffer.from(head(16_000, 12_345)))).toBe(16_000 * 12_345);
});

test.each(formats)('a %s whose header ends early has no size, and is read to its end', (_, head) => {
  const bytes = Buffer.from(head(640, 480));
  for (let length = 0; length < bytes.length; length += 1)
    expect([null, 640 * 480, 81]).toContain(imagePixels(bytes.subarray(0, length)));
  expect(imagePixels(bytes.subarray(0, 12))).toBeNull();
});

test('a real picture has a header that is read', () => {
  const file = new URL('../../../docs/screenshots/landing-1280.jpg', import.meta.url);
  const pixels = imagePixels(readFileSync(file)) ?? 0;
  expect(pixels).toBeGreaterThan(100_000);
  expect(pixels).toBeLessThan(100_000_000);
});

test.each(['', '<svg/>', '<!doctype html>', 'GIF', 'RIFF', '\0\0\0\0ftyp', '\0\0\x01\0\xff\xff', 'BM'])(
  'the bytes %j have no size',
  (text) => {
    expect(imagePixels(Buffer.from(text, 'latin1'))).toBeNull();
  },
);

test('a megabyte of headers costs no more than its length', () => {
  for (const [start, piece] of [
    ['GIF89a\x01\0\x01\0\0\0\0', '!\xfe\x01\0\0'],
    ['\xff\xd8\xff', '\xff\xff'],
    ['\xff\xd8', '\xff\xe0\0\x02'],
    ['\0\0\0\x14ftypavif', 'ispe'],
    ['\0\0\x01\0\xff\xff', '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'],
  ] as const) {
    const bytes = Buffer.from(`${start}${piece.repeat(1024 * 1024)}`, 'latin1');
    expect(() => imagePixels(bytes)).not.toThrow();
  }
});
