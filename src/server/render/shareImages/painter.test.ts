import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { brandShareImage } from '#shared/shareImages/shareImage.ts';
import { squarePng, firstPixel, pngSize } from '#test/support/png.ts';
import { createPainter } from './painter.ts';

const paint = createPainter();
const paintSvg = (file: string | Buffer): Promise<Buffer> => paint({ providerSvg: Buffer.from(file) });

const namespaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const svg = (content: string, attributes = 'width="100" height="100"'): string =>
  `<svg ${namespaces} ${attributes}>${content}</svg>`;
const red = '<rect width="50" height="50" fill="#ff0000"/>';
const repeated = (count: number, part: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => part(at)).join('');
const image = (href: string): string => `<image width="100" height="100" xlink:href="${href}"/>`;
const inline = (type: string, bytes: string | Buffer): string =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;

const letters = repeated(200, () => '<use xlink:href="#a"/>');
const latin1 = `<?xml version="1.0" encoding="ISO-8859-1"?>${svg(`<!-- é -->${red}`)}`;

test.each([
  ['a small icon', svg(red, 'viewBox="0 0 24 24"'), [512, 512]],
  ['a wordmark', svg(red, 'width="120" height="30"'), [1024, 256]],
  ['a portrait', svg(red, 'width="30" height="40"'), [384, 512]],
  ['a vast area', svg(red, 'width="100000" height="100000" viewBox="0 0 99 99"'), [512, 512]],
  ['a compressed file', gzipSync(svg(red)), [512, 512]],
  ['an older encoding', Buffer.from(latin1, 'latin1'), [512, 512]],
  [
    'an entity',
    `<!DOCTYPE svg [<!ENTITY color "#f00">]>${svg(red.replace('#ff0000', '&color;'))}`,
    [512, 512],
  ],
  ['a part for each letter', svg(`${red}<g id="a"><path d="M0 0h9"/></g>${letters}`), [512, 512]],
  ['a picture in it', svg(image(inline('image/svg+xml', svg(red)))), [512, 512]],
] as const)('an SVG of %s becomes a PNG of a useful size', async (_, file, size) => {
  const png = await paintSvg(file);
  expect(pngSize(png)).toEqual(size);
  expect(firstPixel(png)).toEqual([255, 0, 0, 255]);
});

test('text is drawn in the product’s typeface, and the background stays transparent', async () => {
  const empty = await paintSvg(svg(''));
  expect(firstPixel(empty)).toEqual([0, 0, 0, 0]);
  expect(await paintSvg(svg('<text y="50" font-family="Arial">Łódź</text>'))).not.toEqual(empty);
});

test('a drawing reads no file and no address', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'drawing-'));
  const file = join(folder.path, 'secret.svg');
  await writeFile(file, svg(red));
  const empty = await paintSvg(svg(''));
  for (const address of [file, `file://${file}`, 'http://127.0.0.1/secret.svg', '&secret;']) {
    const named = `<filter id="f"><feImage xlink:href="${address}"/></filter>`;
    const drawing = svg(`${image(address)}<g filter="url(#f)">${image(address)}</g>${named}`);
    const entity = `<!DOCTYPE svg [<!ENTITY secret "${file}">]>`;
    expect(await paintSvg(`${entity}${drawing}`)).toEqual(empty);
    expect(
      await paintSvg(svg(image(inline('image/svg+xml', svg(image(address.replace('&secret;', file))))))),
    ).toEqual(empty);
  }
});

test.each([
  ['uses', svg(repeated(9, (at) => `<g id="a${at + 1}">${`<use xlink:href="#a${at}"/>`.repeat(10)}</g>`))],
  [
    'entities',
    `<!DOCTYPE svg [<!ENTITY a "lol">${repeated(9, (at) => `<!ENTITY ${'bcdefghij'[at]} "${`&${'abcdefghi'[at]};`.repeat(10)}">`)}]>${svg('<text>&j;</text>')}`,
  ],
  ['groups', svg(`${'<g opacity="0.5">'.repeat(30_000)}${'</g>'.repeat(30_000)}`)],
  ['bytes', gzipSync(Buffer.alloc(100_000_000, ' '))],
] as const)('%s without end are refused', async (_, file) => {
  await expect(paintSvg(file)).rejects.toThrow(/cannot be drawn|too much time/);
});

const masks = repeated(9, (at) => {
  const masked = `<rect width="9" height="9" mask="url(#m${at + 1})"/>`;
  return `<mask id="m${at}">${masked.repeat(9)}</mask>`;
});
const filters = (primitive: string): string =>
  svg(`<filter id="f">${primitive}</filter><rect width="99" height="99" filter="url(#f)"/>`);

test('a blur of any width is drawn, as its time doesn’t depend on it', async () => {
  expect(pngSize(await paintSvg(filters('<feGaussianBlur stdDeviation="1000000"/>')))).toEqual([512, 512]);
});

test.each([
  ['turbulence', filters('<feTurbulence baseFrequency="0.01" numOctaves="1000000"/>')],
  ['masks in masks', svg(`${masks}<rect width="99" height="99" mask="url(#m0)"/>`)],
  ['a megabyte of text', svg(`<text y="50">${'W'.repeat(1_000_000)}</text>`)],
] as const)('%s that takes too much time or memory is given up', async (_, file) => {
  const limited = createPainter({ paintMs: 300 });
  await expect(limited({ providerSvg: Buffer.from(file) })).rejects.toThrow('too much time or memory');
});

test('a picture in a drawing that takes more memory than there is for it is given up', async () => {
  const drawn = paintSvg(svg(image(inline('image/png', squarePng(20_000)))));
  await expect(drawn).rejects.toHaveProperty('cause.message', 'unreachable');
});

test('what waits behind a drawing that never ends is drawn', async () => {
  const own = createPainter();
  const [endless, ...others] = await Promise.allSettled([
    own({ providerSvg: Buffer.from(filters('<feMorphology operator="dilate" radius="1000000"/>')) }),
    own({ providerSvg: Buffer.from(svg(red)) }),
    own(brandShareImage),
  ]);
  expect(endless?.status).toBe('rejected');
  expect(others.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
});

test('too many waiting drawings are refused for a few seconds, and the others drawn', async () => {
  const own = createPainter();
  const results = await Promise.allSettled(Array.from({ length: 40 }, () => own({ icon: 'brand', size: 8 })));
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(refused.length).toBe(7);
  for (const error of refused)
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 });
});
