import { sourceMessages as words } from '#server/features/sync/messages.ts';
import { SourceError } from '../source.ts';

const mebibyte = 1024 * 1024;
const lineBytesMax = 32 * mebibyte;
const newline = 0x0a;

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
