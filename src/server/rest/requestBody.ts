import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors.ts';
import { isExcessiveJson, BodyTooLargeError, readBody } from '../security/readBody.ts';

const usualBytesMax = 32 * 1024;
const utf8 = new TextDecoder('utf-8', { fatal: true });

export type JsonObject = Record<string, unknown>;

function sizeText(bytes: number): string {
  const kibibytes = bytes / 1024;
  return kibibytes < 1024 ? `${kibibytes} KiB` : `${kibibytes / 1024} MiB`;
}

/**
 * Reads the whole body as text. Throws PAYLOAD_TOO_LARGE above `bytesMax` (32 KiB), UNSUPPORTED_MEDIA_TYPE for a
 * compressed body, and BAD_REQUEST for one that is cut off or not UTF-8.
 */
export async function readText(req: IncomingMessage, bytesMax = usualBytesMax): Promise<string> {
  const encoding = req.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity')
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without Content-Encoding.');
  const tooLarge = (): AppError =>
    new AppError('PAYLOAD_TOO_LARGE', `The body must be at most ${sizeText(bytesMax)}.`);
  if (Number(req.headers['content-length'] ?? 0) > bytesMax) throw tooLarge();
  // A destroyed request would close the connection before the response is sent.
  const body = req.iterator({ destroyOnReturn: false });
  const bytes = await readBody(body, { bytesMax }).catch((error: unknown) => {
    throw error instanceof BodyTooLargeError
      ? tooLarge()
      : new AppError('BAD_REQUEST', 'The body could not be read.', { cause: error });
  });
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw new AppError('BAD_REQUEST', 'The body is not valid UTF-8.', { cause: error });
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  if (isExcessiveJson(text))
    throw new AppError('BAD_REQUEST', 'The body is nested too deeply or has too many objects and lists.');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('BAD_REQUEST', 'The body is not valid JSON.', { cause: error });
  }
}

/** Parses a JSON body. Throws BAD_REQUEST unless it is one object. */
export function parseJson(text: string): JsonObject {
  const value = parsed(text);
  if (!isObject(value)) throw new AppError('BAD_REQUEST', 'The body must be a JSON object.');
  return value;
}

/** Parses a plain form post: the first value of each field, with LF for the CRLF that browsers send as line breaks. */
export function parseForm(text: string): Record<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text))
    if (!fields.has(name)) fields.set(name, value.replaceAll('\r\n', '\n'));
  return Object.fromEntries(fields);
}

/** A checked box sends `on` or `true`, an unchecked one nothing. No other value counts as consent. */
export function isChecked(value: string | undefined): boolean {
  return value === 'on' || value === 'true';
}

/** Parses a JSON list, bare or under its name, into an object. Throws BAD_REQUEST. */
export function parseList(text: string, name: string): JsonObject {
  const value = parsed(text);
  if (Array.isArray(value)) return { [name]: value };
  if (!isObject(value)) throw new AppError('BAD_REQUEST', 'The body must be a JSON object or list.');
  return value;
}

/** Parses JSON lines, up to the first row too many. A line that isn't JSON stays text, and only it is refused later. */
export function parseLines(text: string, { name, rowsMax }: { name: string; rowsMax: number }): JsonObject {
  const rows: unknown[] = [];
  for (const [line] of text.matchAll(/\S[^\n]*/g)) {
    rows.push(parsedLine(line));
    if (rows.length > rowsMax) break;
  }
  return { [name]: rows };
}

function parsedLine(line: string): unknown {
  try {
    return isExcessiveJson(line) ? line : JSON.parse(line);
  } catch {
    return line;
  }
}
