/** Reads the number of pixels from a picture's header; null: the header ends early or isn't one of this format. */
type ReadPixels = (bytes: Buffer) => number | null;

const pngStart = Buffer.from('89504e470d0a1a0a', 'hex');

function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, pngStart.length).equals(pngStart);
}

const png: ReadPixels = (bytes) =>
  bytes.toString('latin1', 12, 16) === 'IHDR' && bytes.length >= 24
    ? bytes.readUInt32BE(16) * bytes.readUInt32BE(20)
    : null;

/** The size of the color table that a byte of flags announces. */
const colorTable = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

/** The screen, which browsers extend to the first frame. */
const gif: ReadPixels = (bytes) => {
  if (bytes.length < 13) return null;
  const [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
  let at = 13 + colorTable(bytes.readUInt8(10));
  // Extensions before the first frame, in blocks that begin with their length.
  while (bytes[at] === 0x21) {
    at += 2;
    while ((bytes[at] ?? 0) > 0) at += 1 + (bytes[at] ?? 0);
    at += 1;
  }
  if (bytes[at] !== 0x2c || at + 9 > bytes.length) return null;
  const [left, top] = [bytes.readUInt16LE(at + 1), bytes.readUInt16LE(at + 3)];
  const [across, down] = [bytes.readUInt16LE(at + 5), bytes.readUInt16LE(at + 7)];
  return Math.max(width, left + across) * Math.max(height, top + down);
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
    else if (isFrame(marker)) return bytes.readUInt16BE(at + 5) * bytes.readUInt16BE(at + 7);
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
};

const webp: ReadPixels = (bytes) => {
  if (bytes.length < 30) return null;
  const kind = bytes.toString('latin1', 12, 16);
  if (kind === 'VP8X') return (bytes.readUIntLE(24, 3) + 1) * (bytes.readUIntLE(27, 3) + 1);
  if (kind === 'VP8 ') return (bytes.readUInt16LE(26) & 0x3fff) * (bytes.readUInt16LE(28) & 0x3fff);
  if (kind !== 'VP8L') return null;
  const sizes = bytes.readUInt32LE(21);
  return ((sizes & 0x3fff) + 1) * (((sizes >>> 14) & 0x3fff) + 1);
};

/** The largest of all images in it: tiles and previews are smaller. */
const avif: ReadPixels = (bytes) => {
  let pixels: number | null = null;
  for (
    let at = bytes.indexOf('ispe');
    at !== -1 && at + 16 <= bytes.length;
    at = bytes.indexOf('ispe', at + 4)
  )
    pixels = Math.max(pixels ?? 0, bytes.readUInt32BE(at + 8) * bytes.readUInt32BE(at + 12));
  return pixels;
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
    const size = isPng(own) ? png(own) : Math.abs(own.readInt32LE(4) * own.readInt32LE(8)) / 2;
    if (size === null) return null;
    pixels = Math.max(pixels ?? 0, size);
  }
  return pixels;
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

/** The pixels of a picture by its header, without decoding it. Null for bytes that are no such picture. */
export function imagePixels(bytes: Buffer): number | null {
  return formats.find(({ is }) => is(bytes))?.read(bytes) ?? null;
}
