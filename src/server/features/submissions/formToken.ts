import { createHmac, timingSafeEqual } from 'node:crypto';
import type { applicationFormKey } from '#shared/applications/applications.ts';
import type { FormKey } from '#shared/leads/leads.ts';
import { dayMs } from '#shared/formats/time.ts';

/** The forms with a token: the lead forms and the provider application. */
export type TokenForm = FormKey | typeof applicationFormKey;

/** Only scripts fill a form faster than this. */
export const tokenMinAgeMs = 3_000;
export const tokenMaxAgeMs = dayMs;

type TokenCheck =
  { ok: true; ageMs: number } | { ok: false; reason: 'token-early' | 'token-expired' | 'token-forged' };

export interface FormTokens {
  /** The age from which a token is valid. */
  minAgeMs: number;
  /** A token for one form, valid from 3 seconds to 24 hours after now. URL-safe, about 50 characters. */
  issue: (form: TokenForm) => string;
  check: (token: string, form: TokenForm) => TokenCheck;
}

interface Options {
  /** The first key signs, all keys verify. */
  keys: readonly string[];
  now: () => Date;
  minAgeMs?: number;
}

const timeBytes = 6;
const macBytes = 32;

function macOf(key: string, form: TokenForm, time: Buffer): Buffer {
  // The label separates these signatures from others under the same key.
  return createHmac('sha256', key).update(`render-token\n${form}\n`).update(time).digest();
}

/**
 * Signed proof of when a form was rendered: base64url of the issue time (48-bit milliseconds) and its HMAC-SHA256 with
 * the form's key.
 */
export function createFormTokens({ keys, now, minAgeMs = tokenMinAgeMs }: Options): FormTokens {
  const [signing] = keys;
  if (signing === undefined) throw new Error('render tokens need a secret key');
  return {
    minAgeMs,
    issue(form) {
      const time = Buffer.alloc(timeBytes);
      time.writeUIntBE(now().getTime(), 0, timeBytes);
      return Buffer.concat([time, macOf(signing, form, time)]).toString('base64url');
    },
    check(token, form) {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length !== timeBytes + macBytes) return { ok: false, reason: 'token-forged' };
      const time = bytes.subarray(0, timeBytes);
      const mac = bytes.subarray(timeBytes);
      if (!keys.some((key) => timingSafeEqual(macOf(key, form, time), mac))) {
        return { ok: false, reason: 'token-forged' };
      }
      const ageMs = now().getTime() - time.readUIntBE(0, timeBytes);
      if (ageMs < minAgeMs) return { ok: false, reason: 'token-early' };
      return ageMs > tokenMaxAgeMs ? { ok: false, reason: 'token-expired' } : { ok: true, ageMs };
    },
  };
}
