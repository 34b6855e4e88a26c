import { expect, test } from 'vitest';
import { squarePng } from '#test/support/png.ts';
import { drawableName, renderShareImage } from './renderShareImage.ts';

test.each([
  ['Łódź & Šárka’s Clinic®', 'Łódź & Šárka’s Clinic®'],
  ['Two\n lines\u2028and\ttabs', 'Two lines and tabs'],
  ['Smile 😀 👨‍👩‍👧 🇺🇸 Clinic', 'Smile Clinic'],
  ['Kyoto 診療所 Health', 'Kyoto Health'],
  ['\0\uD800 half a pair', 'half a pair'],
  ['診療所', ''],
])('the name %j is drawn as %j', (name, drawn) => {
  expect(drawableName(name)).toBe(drawn);
});

/** Width and height from the file (PNG specification, 11.2.2). */
function getSize(png: Uint8Array): [number, number] {
  const bytes = Buffer.from(png);
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

test.each([
  null,
  '',
  'W'.repeat(5000),
  'a '.repeat(500),
  '</text><image href="file:///etc/passwd"/>',
  'علي للرعاية',
  '😀',
  '\uD800\0\u2028',
])('an image for %j has its full size', async (provider) => {
  expect(getSize(await renderShareImage({ provider, hue: 200 }))).toEqual([1200, 630]);
});

test('name and hue change the image', async () => {
  const pictures = await Promise.all(
    [
      { provider: 'One', hue: null },
      { provider: 'Two', hue: null },
      { provider: 'One', hue: 30 },
      { provider: null, hue: null },
    ].map(async (image) => Buffer.from(await renderShareImage(image)).toString('base64')),
  );
  expect(new Set(pictures).size).toBe(4);
});

test('a logo is drawn if it can be read and is seen on white', async () => {
  const draw = async (logo?: string) =>
    Buffer.from(
      await renderShareImage({ provider: 'Quay', hue: 30, ...(logo === undefined ? {} : { logo }) }),
    );
  const inline = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;
  const named = await draw();
  const square = squarePng(64);
  expect((await draw(inline(square))).equals(named)).toBe(false);
  for (const unseen of [
    inline(square.subarray(0, 40)),
    inline(squarePng(64, 'white')),
    inline(Buffer.from('x')),
  ])
    expect((await draw(unseen)).equals(named)).toBe(true);
});
