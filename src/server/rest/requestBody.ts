import type { IncomingMessage } from 'node:http';
import { getRawBody } from 'raw-body';
import { AppError } from '../errors.ts';

const bodyBytesMax = 32 * 1024;
const utf8 = new TextDecoder('utf-8', { fatal: true });

export type JsonObject = Record<string, unknown>;

/**
 * The whole body as text. Throws PAYLOAD_TOO_LARGE above 32 KiB, UNSUPPORTED_MEDIA_TYPE for a compressed one, BAD_REQUEST when it is cut
 * short or not UTF-8.
 */
export async function readText(req: IncomingMessage): Promise<string> {
  const encoding = req.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity')
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without Content-Encoding.');
  if (req.readableEnded) return '';
  const bytes = await getRawBody(req, {
    limit: bodyBytesMax,
    length: req.headers['content-length'] ?? null,
  }).catch((error: unknown) => {
    const tooLarge = error instanceof Error && 'status' in error && error.status === 413;
    throw tooLarge
      ? new AppError('PAYLOAD_TOO_LARGE', 'The body must be at most 32 KiB.', { cause: error })
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

/** A JSON body. Throws BAD_REQUEST unless it is one object. */
export function parseJson(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new AppError('BAD_REQUEST', 'The body is not valid JSON.', { cause: error });
  }
  if (!isObject(value)) throw new AppError('BAD_REQUEST', 'The body must be a JSON object.');
  return value;
}

/** What a browser without scripts sends: the first value of each field. */
export function parseForm(text: string): Record<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) if (!fields.has(name)) fields.set(name, value);
  return Object.fromEntries(fields);
}

/** A ticked box says `on` or `true`, an unticked one nothing. Consent is never read into any other value. */
export function isTicked(value: string | undefined): boolean {
  return value === 'on' || value === 'true';
}
