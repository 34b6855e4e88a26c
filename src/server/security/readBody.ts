import { Readable } from 'node:stream';
import type { z } from 'zod';

/** A Node request or response, or the `body` of a `fetch` response: null if it has none. */
type Body = AsyncIterable<Uint8Array> | null;

interface Limit {
  bytesMax: number;
}

/** A body is larger than its reader accepts. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}

/**
 * Reads a whole body, and nothing beyond the limit. Throws BodyTooLargeError if it is larger. A body that is cut off or
 * takes longer than the request's signal allows throws the stream's own error. After an error the stream is closed.
 */
export async function readBody(body: Body, { bytesMax }: Limit): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > bytesMax) {
      close(body);
      throw new BodyTooLargeError(`the body is larger than ${bytesMax} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Reads a body up to the limit and closes the stream. Never throws: of a body that is cut off or too slow, it returns
 * what has arrived. For responses whose status is the result and whose body only explains it.
 */
export async function readBodyStart(body: Body, { bytesMax }: Limit): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size >= bytesMax) break;
    }
  } catch {
    // The status counts without the rest.
  }
  close(body);
  return Buffer.concat(chunks).subarray(0, bytesMax);
}

/** Leaving the loop closes any stream but a Node response that has fully arrived. */
function close(body: Body): void {
  if (body instanceof Readable) body.destroy();
}

/** The value of a JSON text; null for any other text, and for a value that the schema refuses. */
export function parseJson<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Below this, a body of any shape is parsed in milliseconds. */
const checkedLengthMin = 64 * 1024;
const depthMax = 100;
const containersMax = 250_000;

const [quote, backslash] = [0x22, 0x5c];
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Whether a JSON text is nested deeper than 100 levels or has more than 250,000 objects and lists. `JSON.parse` is one
 * step that blocks the process, for seconds with megabytes of brackets; looking first takes 10 ms a megabyte.
 */
export function isExcessiveJson(text: string): boolean {
  if (text.length < checkedLengthMin) return false;
  let [depth, containers, isInString] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === backslash) at += 1;
      else if (code === quote) isInString = false;
    } else if (code === quote) isInString = true;
    else if (opening.has(code)) {
      depth += 1;
      containers += 1;
      if (depth > depthMax || containers > containersMax) return true;
    } else if (closing.has(code)) depth -= 1;
  }
  return false;
}
