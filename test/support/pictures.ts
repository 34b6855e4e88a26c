import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';

const u16le = (value: number): number[] => [value & 0xff, value >> 8];
const u16be = (value: number): number[] => [value >> 8, value & 0xff];
const u24le = (value: number): number[] => [...u16le(value & 0xffff), value >> 16];
const u32le = (value: number): number[] => [...u16le(value & 0xffff), ...u16le(value >>> 16)];
const u32be = (value: number): number[] => u32le(value).toReversed();
const text = (value: string): number[] => [...Buffer.from(value, 'latin1')];

const png = (width: number, height: number): number[] => [
  ...[0x89, ...text('PNG\r\n\x1a\n'), ...u32be(13), ...text('IHDR')],
  ...[...u32be(width), ...u32be(height), 8, 6, 0, 0, 0],
];
const icon = (picture: readonly number[]): number[] => [
  ...[0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0],
  ...[...u32le(picture.length), ...u32le(22), ...picture],
];
const gifFrame = (left: number, width: number, height: number): number[] => [
  ...[0x2c, ...u16le(left), 0, 0, ...u16le(width), ...u16le(height), 0],
];
const webp = (chunk: string, header: readonly number[]): number[] => [
  ...[...text('RIFF'), ...u32le(100), ...text('WEBP'), ...text(chunk), ...u32le(50), ...header],
  ...Array<number>(20).fill(0),
];

/** The first bytes of pictures of a size, by format. None can be decoded. */
export const pictureHeads: Record<string, (width: number, height: number) => number[]> = {
  png,
  gif: (width, height) => [
    ...[...text('GIF89a'), ...u16le(width), ...u16le(height), 0x81, 0, 0, ...Array<number>(12).fill(0x2c)],
    ...[0x21, 0xf9, 4, 0, 0, 0, 0, 0, 0x21, 0xfe, 3, 0x2c, 0x2c, 0x2c, 0, ...gifFrame(0, 1, 1)],
  ],
  'gif with a larger first frame': (width, height) => [
    ...[...text('GIF87a'), 1, 0, 1, 0, 0, 0, 0, ...gifFrame(10, width - 10, height)],
  ],
  jpeg: (width, height) => [
    ...[0xff, 0xd8, 0xff, 0xe0, 0, 6, 0xff, 0xc0, 0, 0, 0xff, 0xff, 0xff, 0xc4, 0, 2],
    ...[0xff, 0xc2, 0, 17, 8, ...u16be(height), ...u16be(width), 3, 0, 0],
  ],
  'lossy webp': (width, height) => webp('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a, ...u16le(width), ...u16le(height)]),
  'lossless webp': (width, height) => webp('VP8L', [0x2f, ...u32le((width - 1) | ((height - 1) << 14))]),
  'extended webp': (width, height) => webp('VP8X', [0, 0, 0, 0, ...u24le(width - 1), ...u24le(height - 1)]),
  avif: (width, height) => [
    ...[
      ...u32be(20),
      ...text('ftypavif'),
      ...u32be(20),
      ...text('ispe'),
      ...u32be(0),
      ...u32be(9),
      ...u32be(9),
    ],
    ...[...u32be(20), ...text('ispe'), ...u32be(0), ...u32be(width), ...u32be(height)],
  ],
  'icon of a png': (width, height) => icon(png(width, height)),
  'icon of a bitmap': (width, height) => icon([...u32le(40), ...u32le(width), ...u32le(2 * height)]),
};

/** A host for pictures, on this machine. */
export async function listen(handler: RequestListener): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A host with pictures by their paths. */
export function pictureHost(pictures: Record<string, Buffer>): Promise<{ url: string } & AsyncDisposable> {
  return listen(({ url = '' }, response) => {
    const bytes = pictures[url];
    response.writeHead(bytes === undefined ? 404 : 200, { 'content-type': 'image/png' }).end(bytes);
  });
}
