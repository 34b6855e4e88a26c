import { sourceMessages as words } from '#server/features/sync/messages.ts';
import { SourceError } from './source.ts';

const elementBytesMax = 32 * 1024 * 1024;
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const blanks = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

function parseElement(bytes: Buffer, position: number): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new SourceError(words.badElement(position), { cause: error });
  }
}

/**
 * Yields the elements of a JSON array while its bytes arrive, so that memory contains one at a time. Looks at strings
 * and brackets only; JSON.parse checks each element. Throws SourceError if the text is not an array, is invalid, or
 * ends early.
 */
export async function* jsonElements(chunks: AsyncIterable<Uint8Array>): AsyncGenerator {
  let pending = Buffer.alloc(0);
  let [depth, position] = [0, 0];
  let [inString, escaped, ended] = [false, false, false];
  for await (const chunk of chunks) {
    const start = pending.length;
    pending = start === 0 ? Buffer.from(chunk) : Buffer.concat([pending, chunk]);
    let elementStart = 0;
    for (let at = start; at < pending.length; at += 1) {
      const byte = pending[at] ?? 0;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === backslash) escaped = true;
        else if (byte === quote) inString = false;
        continue;
      }
      if (ended || depth === 0) {
        if (blanks.has(byte)) continue;
        if (ended || byte !== openArray) throw new SourceError(words.notList('The file'));
        depth = 1;
        elementStart = at + 1;
      } else if (byte === quote) inString = true;
      else if (byte === openArray || byte === openObject) depth += 1;
      else if (byte === closeObject) {
        // Outside an object: otherwise the list would count as closed, and another might begin.
        if (depth === 1) throw new SourceError(words.badElement(position + 1));
        depth -= 1;
      } else if (byte === closeArray || (byte === comma && depth === 1)) {
        if (byte === closeArray) depth -= 1;
        if (depth > 1 || (depth === 1 && byte === closeArray)) continue;
        const element = pending.subarray(elementStart, at);
        elementStart = at + 1;
        ended = byte === closeArray;
        // `[]` is empty. So is the rest after a trailing comma, which JSON.parse rejects.
        if (ended && position === 0 && element.toString('utf8').trim() === '') continue;
        position += 1;
        yield parseElement(element, position);
      }
    }
    pending = pending.subarray(ended || depth === 0 ? pending.length : elementStart);
    if (pending.length > elementBytesMax) throw new SourceError(words.tooLarge('An element', 32));
  }
  if (!ended) throw new SourceError(words.cutFile);
}
