import type { LeadCreateInput } from '#shared/leads.ts';

/** One body under one Idempotency-Key. The body is kept whole, so that a second try repeats it byte for byte, token included. */
export interface Attempt {
  idempotencyKey: string;
  input: LeadCreateInput;
  /** What the visitor entered, to notice an edit. */
  fingerprint: string;
  startedAtMs: number;
}

/** The server keeps keys and render tokens for 24 h; a try older than this starts afresh. */
export const attemptAgeMaxMs = 20 * 60 * 60 * 1000;

/** What makes a lead another lead: everything the visitor can change, and the clinic it goes to. Render token and attribution are not part of it. */
export function fingerprintOf(input: LeadCreateInput, providerId: number | null): string {
  const { first_name, last_name, email, phone, zip_code, acceptance_consent, website } = input;
  return JSON.stringify([
    first_name,
    last_name,
    email,
    phone,
    zip_code,
    acceptance_consent,
    website,
    providerId,
  ]);
}

/** Whether the last try can be sent again as it is: same content, still young. Then a lost answer is replayed and no second lead is made. */
export function canRepeat(last: Attempt | null, fingerprint: string, nowMs: number): last is Attempt {
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
