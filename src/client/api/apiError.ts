import { messages } from '#shared/brand/messages.ts';

export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; null when no answer came at all. */
  readonly status: number | null;
  /** The message for a person in the response's body. Null without one. */
  readonly userMessage: string | null;
  /** What HTTP calls the status, as far as the answer said; else empty. */
  readonly statusText: string;
  readonly fields: Record<string, string>;
  /** Distinguishes errors with the same status; null without one. */
  readonly reason: string | null;

  /** `body` is the answer's text, or its status text when that was empty. */
  constructor(status: number | null, body: string, options: { cause?: unknown; statusText?: string } = {}) {
    super(status === null ? body : `${status}: ${body}`, options);
    this.status = status;
    this.statusText = options.statusText ?? '';
    const fault = faultIn(body);
    this.userMessage = fault.sentence;
    this.fields = fault.fields;
    this.reason = fault.reason;
  }
}

export const noDataMessage = messages.noData;

const shownLengthMax = 200;

/** A message for a toast. A longer one, such as the error page of a proxy, is cut. */
export function shownMessage(message: string): string {
  return message.length <= shownLengthMax ? message : `${message.slice(0, shownLengthMax - 1).trimEnd()}…`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** Reads problem+json (`error`, `detail`, `errors`, `reason`), which tRPC has under `error.data`. */
function faultIn(body: string): {
  sentence: string | null;
  fields: Record<string, string>;
  reason: string | null;
} {
  const answer = parsed(body);
  if (!isRecord(answer)) return { sentence: null, fields: {}, reason: null };
  const envelope = isRecord(answer['error']) ? answer['error'] : null;
  const problem = envelope === null ? answer : isRecord(envelope['data']) ? envelope['data'] : envelope;
  const sentence = [problem['error'], problem['detail'], envelope?.['message']].find(
    (text) => typeof text === 'string' && text !== '',
  );
  const fields = isRecord(problem['errors'])
    ? Object.entries(problem['errors']).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      )
    : [];
  return {
    sentence: typeof sentence === 'string' ? sentence : null,
    fields: Object.fromEntries(fields),
    reason: typeof problem['reason'] === 'string' ? problem['reason'] : null,
  };
}
