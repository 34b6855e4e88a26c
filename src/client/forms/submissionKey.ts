/** One body under one Idempotency-Key. The body is kept whole, so that a second try repeats it byte for byte, token included. */
export interface Attempt<Input> {
  idempotencyKey: string;
  input: Input;
  /** What the visitor entered, to notice an edit. */
  fingerprint: string;
  startedAtMs: number;
}

/** The server keeps keys and render tokens for 24 h; a try older than this starts afresh. */
export const attemptAgeMaxMs = 20 * 60 * 60 * 1000;

/** Whether the last try can be sent again as it is: same content, still young. Then a lost answer is replayed and nothing is stored twice. */
export function canRepeat<Input>(
  last: Attempt<Input> | null,
  fingerprint: string,
  nowMs: number,
): last is Attempt<Input> {
  return last !== null && last.fingerprint === fingerprint && nowMs - last.startedAtMs < attemptAgeMaxMs;
}

/** A UUID (version 4). `crypto.randomUUID` exists in secure contexts only, and a clinic's host may still be on plain http. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, index) => {
    const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, '0');
  }).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
