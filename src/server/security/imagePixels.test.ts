import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pictureHeads } from '#test/support/pictures.ts';
import { imagePixels } from './imagePixels.ts';

const formats = Object.entries(pictureHeads);

test.each(formats)('the pixels of a %s are read from its header', (_, head) => {
  expect(imagePixels(Buffer.from(head(640, 480)))?.picture).toBe(640 * 480);
  expect(imagePixels(Buffer.from(head(16_000, 12_345)))?.picture).toBe(16_000 * 12_345);
});

test.each(formats)('a %s whose header ends early has no size, and is read to its end', (_, head) => {
  const bytes = Buffer.from(head(640, 480));
  for (let length = 0; length < bytes.length; length += 1)
    expect([undefined, 640 * 480, 81]).toContain(imagePixels(bytes.subarray(0, length))?.picture);
  expect(imagePixels(bytes.subarray(0, 12))).toBeNull();
});

const u16 = (value: number): number[] => [value & 0xff, value >> 8];
const pngFrame = (width: number, height: number): number[] => [
  ...[0, 0, 0, 26, ...Buffer.from('fcTL'), 0, 0, 0, 0, 0, 0, ...u16(width).toReversed()],
  ...[0, 0, ...u16(height).toReversed(), ...Array<number>(18).fill(0)],
];
const gifFrame = (width: number, height: number): number[] => [
  ...[0x21, 0xf9, 4, 0, 0, 0, 0, 0, 0x2c, 0, 0, 0, 0, ...u16(width), ...u16(height), 0x80],
  ...[0, 0, 0, 9, 9, 9, 2, 2, 0x2c, 0x3b, 0],
];
const webpFrame = (width: number, height: number): number[] => [
  ...[
    ...Buffer.from('ANMF'),
    16,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    ...u16(width - 1),
    0,
    ...u16(height - 1),
    0,
    0,
    0,
    0,
    0,
  ],
];
const gifStart = [...Buffer.from('GIF89a'), 9, 0, 9, 0, 0, 0, 0];
const webpStart = [...Buffer.from('RIFF....WEBPVP8X'), 10, 0, 0, 0, 2, 0, 0, 0, 8, 0, 0, 8, 0, 0];
const pngStart = [...(pictureHeads['png']?.(9, 9) ?? []), 0, 0, 0, 0];

test.each([
  ['png', pngStart, pngFrame],
  ['gif', gifStart, gifFrame],
  ['webp', webpStart, webpFrame],
] as const)('all frames of an animated %s count, whatever size its canvas has', (_, start, frame) => {
  const frames = [frame(9, 9), ...Array.from({ length: 300 }, () => frame(5_000, 4_000))];
  expect(imagePixels(Buffer.from([...start, ...frames.flat()]))?.frames).toBe(81 + 300 * 20_000_000);
});

test('a picture in an extended webp that is larger than its canvas counts', () => {
  const lossless = pictureHeads['lossless webp']?.(16_000, 16_000).slice(12) ?? [];
  expect(imagePixels(Buffer.from([...webpStart, ...lossless]))?.picture).toBe(256_000_000);
});

test('previews and copies of a start of frame do not hide the size of a jpeg', () => {
  const jpeg = pictureHeads['jpeg']?.(16_000, 16_000) ?? [];
  const preview = pictureHeads['jpeg']?.(9, 9) ?? [];
  const exif = [0xff, 0xe1, 0, preview.length + 2, ...preview];
  const bytes = Buffer.from([...jpeg.slice(0, 2), ...exif, ...jpeg.slice(2), ...preview]);
  expect(imagePixels(bytes)?.picture).toBe(256_000_000);
});

test('a sequence of avif, which is a video, has no size', () => {
  const avif = pictureHeads['avif']?.(9, 9) ?? [];
  expect(imagePixels(Buffer.from(avif))?.picture).toBe(81);
  expect(imagePixels(Buffer.from([...avif, 0, 0, 0, 8, ...Buffer.from('moov')]))).toBeNull();
});

test('a real picture has a header that is read', () => {
  const file = new URL('../../../docs/screenshots/landing-1280.jpg', import.meta.url);
  const pixels = imagePixels(readFileSync(file))?.picture ?? 0;
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
    ['\x89PNG\r\n\x1a\n', '\0\0\0\0fcTL\0\0\0\0'],
    ['GIF89a\x01\0\x01\0\0\0\0', ',\0\0\0\0\xff\xff\xff\xff\0\x02\0'],
    ['RIFF\0\0\0\0WEBP', 'ANMF\0\0\0\0'],
    ['\0\0\x01\0\xff\xff', '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'],
  ] as const) {
    const bytes = Buffer.from(`${start}${piece.repeat(1024 * 1024)}`, 'latin1');
    expect(() => imagePixels(bytes)).not.toThrow();
  }
});

test('a megabyte of pictures in an icon costs no more than its length', () => {
  const count = 30_000;
  const icon = Buffer.alloc(6 + 16 * count);
  icon.writeUInt16LE(1, 2);
  icon.writeUInt16LE(count, 4);
  for (let entry = 0; entry < count; entry += 1) icon.writeUInt32LE(icon.length, 6 + 16 * entry + 12);
  const chunks = Buffer.from('\0\0\0\0fcTL\0\0\0\0'.repeat(40_000), 'latin1');
  const bytes = Buffer.concat([icon, Buffer.from(pngStart), chunks]);
  expect(imagePixels(bytes)).toEqual({ picture: 81, frames: 81 });
});
