/** What a browser decodes. */
export interface PixelCounts {
  picture: number;
  /** Of all frames of an animation together, which are decoded again and again; otherwise those of the picture. */
  frames: number;
}

/** Reads the pixels from a picture's headers; null: they end early or aren't of this format. */
type ReadPixels = (bytes: Buffer) => PixelCounts | null;

const still = (picture: number): PixelCounts => ({ picture, frames: picture });

const pngStart = Buffer.from('89504e470d0a1a0a', 'hex');

function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, pngStart.length).equals(pngStart);
}

/** The content of each chunk with this name. The file ends with its last complete header. */
function pngChunks(bytes: Buffer, name: string): Buffer[] {
  const found: Buffer[] = [];
  for (let at = pngStart.length; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString('latin1', at + 4, at + 8) === name)
      found.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  return found;
}

/** Width and height of a PNG by its header; null for other bytes. */
export function pngSides(bytes: Buffer): [width: number, height: number] | null {
  if (!isPng(bytes) || bytes.toString('latin1', 12, 16) !== 'IHDR' || bytes.length < 24) return null;
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

function pngPicture(bytes: Buffer): number | null {
  const sides = pngSides(bytes);
  return sides === null ? null : sides[0] * sides[1];
}

const png: ReadPixels = (bytes) => {
  const picture = pngPicture(bytes);
  if (picture === null) return null;
  const frames = pngChunks(bytes, 'fcTL').filter((control) => control.length >= 12);
  const animated = frames.reduce(
    (sum, control) => sum + control.readUInt32BE(4) * control.readUInt32BE(8),
    0,
  );
  return { picture, frames: Math.max(picture, animated) };
};

/** The size of the color table that a byte of flags announces. */
const colorTable = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

/** The end of blocks that begin with their length, the last one empty. */
function skipBlocks(bytes: Buffer, start: number): number {
  let at = start;
  while ((bytes[at] ?? 0) > 0) at += 1 + (bytes[at] ?? 0);
  return at + 1;
}

/** The screen, which browsers extend to the first frame. Later frames are decoded even where they are outside. */
const gif: ReadPixels = (bytes) => {
  if (bytes.length < 13) return null;
  let picture: number | null = null;
  let frames = 0;
  let at = 13 + colorTable(bytes.readUInt8(10));
  while (bytes[at] === 0x21 || (bytes[at] === 0x2c && at + 10 <= bytes.length)) {
    if (bytes[at] === 0x21) {
      at = skipBlocks(bytes, at + 2);
      continue;
    }
    const [left, top] = [bytes.readUInt16LE(at + 1), bytes.readUInt16LE(at + 3)];
    const [across, down] = [bytes.readUInt16LE(at + 5), bytes.readUInt16LE(at + 7)];
    picture ??= Math.max(bytes.readUInt16LE(6), left + across) * Math.max(bytes.readUInt16LE(8), top + down);
    frames += across * down;
    at = skipBlocks(bytes, at + 11 + colorTable(bytes.readUInt8(at + 9)));
  }
  return picture === null ? null : { picture, frames: Math.max(picture, frames) };
};

/** Markers without a length: restarts and the start of the image. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
/** Start of a frame, of any kind of compression. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

const jpeg: ReadPixels = (bytes) => {
  for (let at = 2; at + 9 <= bytes.length;) {
    const marker = bytes[at + 1] ?? 0;
    // Any number of these bytes may be before a marker.
    if (bytes[at] !== 0xff) return null;
    if (marker === 0xff) at += 1;
    else if (isBare(marker)) at += 2;
    else if (isFrame(marker)) return still(bytes.readUInt16BE(at + 5) * bytes.readUInt16BE(at + 7));
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
};

/** The pixels that a chunk of WebP announces: of the canvas, of a frame or of a picture. Null for other chunks. */
function webpPixels(name: string, content: Buffer): number | null {
  const area = (at: number): number => (content.readUIntLE(at, 3) + 1) * (content.readUIntLE(at + 3, 3) + 1);
  if (name === 'VP8X' && content.length >= 10) return area(4);
  if (name === 'ANMF' && content.length >= 12) return area(6);
  if (name === 'VP8 ' && content.length >= 10)
    return (content.readUInt16LE(6) & 0x3fff) * (content.readUInt16LE(8) & 0x3fff);
  if (name !== 'VP8L' || content.length < 5) return null;
  const sizes = content.readUInt32LE(1);
  return ((sizes & 0x3fff) + 1) * (((sizes >>> 14) & 0x3fff) + 1);
}

const webp: ReadPixels = (bytes) => {
  let picture: number | null = null;
  let frames = 0;
  for (let at = 12; at + 8 <= bytes.length;) {
    const [name, length] = [bytes.toString('latin1', at, at + 4), bytes.readUInt32LE(at + 4)];
    const pixels = webpPixels(name, bytes.subarray(at + 8));
    if (pixels !== null) picture = Math.max(picture ?? 0, pixels);
    if (name === 'ANMF') frames += pixels ?? 0;
    at += 8 + length + (length % 2);
  }
  return picture === null ? null : { picture, frames: Math.max(picture, frames) };
};

/** The largest of all images in it: tiles and previews are smaller. A sequence, which is a video, is not read. */
const avif: ReadPixels = (bytes) => {
  if (bytes.includes('moov')) return null;
  let pixels: number | null = null;
  for (
    let at = bytes.indexOf('ispe');
    at !== -1 && at + 16 <= bytes.length;
    at = bytes.indexOf('ispe', at + 4)
  )
    pixels = Math.max(pixels ?? 0, bytes.readUInt32BE(at + 8) * bytes.readUInt32BE(at + 12));
  return pixels === null ? null : still(pixels);
};

/** The largest of its pictures, each a PNG or a bitmap whose height counts twice. */
const icon: ReadPixels = (bytes) => {
  const count = bytes.length < 6 ? 0 : bytes.readUInt16LE(4);
  let pixels: number | null = null;
  for (let entry = 0; entry < count; entry += 1) {
    const end = 6 + 16 * (entry + 1);
    if (end > bytes.length) return null;
    const own = bytes.subarray(bytes.readUInt32LE(end - 4));
    if (own.length < 12) return null;
    const size = isPng(own) ? pngPicture(own) : Math.abs(own.readInt32LE(4) * own.readInt32LE(8)) / 2;
    if (size === null) return null;
    pixels = Math.max(pixels ?? 0, size);
  }
  return pixels === null ? null : still(pixels);
};

/** Formats by their first bytes. Browsers go by these too, whatever type was announced. */
const formats: readonly { is: (bytes: Buffer) => boolean; read: ReadPixels }[] = [
  { is: isPng, read: png },
  { is: (bytes) => /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6)), read: gif },
  { is: (bytes) => bytes.toString('hex', 0, 3) === 'ffd8ff', read: jpeg },
  { is: (bytes) => /^RIFF[^]{4}WEBP$/.test(bytes.toString('latin1', 0, 12)), read: webp },
  { is: (bytes) => /^[^]{4}ftyp/.test(bytes.toString('latin1', 0, 8)), read: avif },
  { is: (bytes) => bytes.toString('hex', 0, 4) === '00000100', read: icon },
];

/** The pixels of a picture by its headers, without decoding it. Null for bytes that are no such picture. */
export function imagePixels(bytes: Buffer): PixelCounts | null {
  return formats.find(({ is }) => is(bytes))?.read(bytes) ?? null;
}
