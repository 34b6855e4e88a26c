import { JSONParser } from '@streamparser/json';
import { sourceMessages as words } from '../messages.ts';
import { SourceError } from '../source.ts';

const elementBytesMax = 32 * 1024 * 1024;
const openArray = 0x5b;
const blanks = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/** Yields a JSON array's elements as they arrive, one in memory. Throws SourceError if invalid, cut or not an array. */
export async function* jsonElements(chunks: AsyncIterable<Uint8Array>): AsyncGenerator {
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false });
  let found: unknown[] = [];
  let [isOpen, position, bytesSince] = [false, 0, 0];
  parser.onValue = ({ value }) => {
    position += 1;
    bytesSince = 0;
    found.push(value);
  };
  for await (const chunk of chunks) {
    const start = isOpen ? 0 : chunk.findIndex((byte) => !blanks.has(byte));
    if (start === -1) continue;
    if (!isOpen && chunk[start] !== openArray) throw new SourceError(words.notList('The file'));
    isOpen = true;
    bytesSince += chunk.length;
    try {
      parser.write(chunk.subarray(start));
    } catch (error) {
      throw new SourceError(parser.isEnded ? words.notList('The file') : words.badElement(position + 1), {
        cause: error,
      });
    }
    yield* found;
    found = [];
    if (bytesSince > elementBytesMax) throw new SourceError(words.tooLarge('An element', 32));
  }
  if (!parser.isEnded) throw new SourceError(words.cutFile);
}
