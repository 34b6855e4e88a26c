import { isUtf8 } from 'node:buffer';
import { sourceMessages as words } from '../messages.ts';
import { SourceError } from '../source.ts';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Enough for every signature, and for some letters of a header. */
const headBytes = 64;

/** First bytes of workbooks: xlsx and ods, xls. */
const workbooks = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

function startsWith(head: Buffer, bytes: readonly number[]): boolean {
  return bytes.every((byte, at) => head[at] === byte);
}

/**
 * The encoding of a file by its first bytes. Without a byte order mark, UTF-16 is recognized by its first letters: the
 * first line is ASCII, so every second byte is zero. Throws SourceError for what is no text.
 */
function detectEncoding(head: Buffer): Encoding {
  if (workbooks.some((bytes) => startsWith(head, bytes))) throw new SourceError(words.workbook);
  if (startsWith(head, [0xff, 0xfe, 0, 0]) || startsWith(head, [0, 0, 0xfe, 0xff]))
    throw new SourceError(words.notText);
  if (startsWith(head, [0xff, 0xfe])) return 'utf-16le';
  if (startsWith(head, [0xfe, 0xff])) return 'utf-16be';
  if (!head.includes(0)) return 'utf-8';
  const length = head.length - (head.length % 2);
  const isZeroAt = (odd: 0 | 1) =>
    length > 0 && head.subarray(0, length).every((byte, at) => (at % 2 === odd) === (byte === 0));
  if (isZeroAt(1)) return 'utf-16le';
  if (isZeroAt(0)) return 'utf-16be';
  throw new SourceError(words.notText);
}

const newline = 0x0a;

/** The line, from 1, of the first byte in a chunk that is not UTF-8. */
function badLine(chunk: Uint8Array, linesBefore: number): number {
  // The chunk may start inside a character.
  let from = chunk.findIndex((byte) => (byte & 0xc0) !== 0x80);
  let line = linesBefore + 1;
  for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
    if (!isUtf8(chunk.subarray(from, end))) return line;
    from = end + 1;
    line += 1;
  }
  return line;
}

function countLines(chunk: Uint8Array): number {
  let count = 0;
  for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) count += 1;
  return count;
}

/** The first bytes of a file together, then the other chunks as they come. */
async function* withHead(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | null = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (head === null) yield chunk;
    else {
      head = Buffer.concat([head, chunk]);
      if (head.length < headBytes) continue;
      yield head;
      head = null;
    }
  }
  if (head !== null) yield head;
}

/** UTF-8 or UTF-16 as UTF-8 without a byte order mark. Throws SourceError for other encodings and workbooks. */
export async function* toUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let decoder: TextDecoder | null = null;
  let lines = 0;
  for await (const chunk of withHead(chunks)) {
    decoder ??= new TextDecoder(detectEncoding(Buffer.from(chunk.subarray(0, headBytes))), { fatal: true });
    const text = decode(decoder, chunk, lines);
    lines += countLines(chunk);
    if (text.includes('\0')) throw new SourceError(words.notText);
    if (text !== '') yield Buffer.from(text);
  }
  if (decoder !== null) decode(decoder, null, lines);
}

/** Decodes a chunk; null ends the file. */
function decode(decoder: TextDecoder, chunk: Uint8Array | null, linesBefore: number): string {
  try {
    return chunk === null ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch (error) {
    const line = decoder.encoding === 'utf-8' ? badLine(chunk ?? Buffer.alloc(0), linesBefore) : null;
    throw new SourceError(words.notUtf8(line), { cause: error });
  }
}

const mebibyte = 1024 * 1024;
const lineBytesMax = 32 * mebibyte;

/** A line with its number, from 1, without its end. */
export interface TextLine {
  number: number;
  text: string;
}

/** Lines of a text in UTF-8. Not by node:readline, which neither limits a line nor forwards errors. */
export async function* textLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TextLine> {
  let pending: Uint8Array[] = [];
  let [size, number] = [0, 1];
  const taken = (): TextLine => {
    const text = Buffer.concat(pending).toString('utf8');
    pending = [];
    size = 0;
    number += 1;
    return { number: number - 1, text };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      pending.push(chunk.subarray(start, end));
      start = end + 1;
      yield taken();
    }
    pending.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > lineBytesMax) throw new SourceError(words.tooLarge(`Line ${number}`, lineBytesMax / mebibyte));
  }
  yield taken();
}
