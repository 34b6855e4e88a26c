import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(content.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}

/** Each row begins with its filter, which is none. */
function squareRows(side: number, color: 'black' | 'white'): Buffer {
  const row = Buffer.alloc(1 + side / 8, color === 'black' ? 0 : 0xff).fill(0, 0, 1);
  return Buffer.concat(Array.from({ length: side }, () => row));
}

/** A square of so many pixels (a multiple of eight) each way. It is complete: 20,000 pixels take 48 KB. */
export function squarePng(side: number, color: 'black' | 'white' = 'black'): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 1;
  const rows = deflateSync(squareRows(side, color), { level: 9 });
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Width and height of a PNG. Throws for other bytes. */
export function pngSize(png: Buffer): [width: number, height: number] {
  if (!png.subarray(0, 8).equals(signature)) throw new Error('no PNG');
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

/** Red, green, blue and alpha of the top left pixel, which no filter of PNG changes. */
export function firstPixel(png: Buffer): number[] {
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const start = at + 8;
    if (png.toString('latin1', at + 4, start) === 'IDAT')
      parts.push(png.subarray(start, start + png.readUInt32BE(at)));
  }
  return [...inflateSync(Buffer.concat(parts)).subarray(1, 5)];
}
