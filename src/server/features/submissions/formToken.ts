import { createHmac, timingSafeEqual } from 'node:crypto';
import type { applicationFormKey } from '#shared/applications/applications.ts';
import type { FormKey } from '#shared/leads/leads.ts';
import { dayMs } from '#shared/formats/time.ts';

/** The forms with a token: the lead forms and the provider application. */
export type TokenForm = FormKey | typeof applicationFormKey;

/** Only scripts fill a form faster than this. */
export const tokenMinAgeMs = 3_000;
export const tokenMaxAgeMs = dayMs;

/** `isFetched`: the form's script fetched it, so it isn't the one that all visitors of a cached page have. */
export type TokenCheck =
  | { ok: true; ageMs: number; isFetched?: true }
  | { ok: false; reason: 'token-early' | 'token-expired' | 'token-forged' };

export interface FormTokens {
  /** The age from which a token is valid. */
  minAgeMs: number;
  /** A page's token for one form, valid from 3 seconds to 24 hours after now. URL-safe, about 50 characters. */
  issue: (form: TokenForm) => string;
  /** The same for a script that fetches it: a page's token with a mark, about 100 characters. */
  issueFetched: (form: TokenForm) => string;
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

/** Before a mark. Decoders of base64 end here, so that processes of 1.0.0 accept marked tokens as a page's. */
const markSeparator = '=';
/** The first byte of a mark. A mark with another one is a later version's, and says nothing here. */
const fetchedMark = 1;

function markOf(key: string, form: TokenForm, time: Buffer): Buffer {
  const mac = createHmac('sha256', key).update(`fetched-token\n${form}\n`).update(time).digest();
  return Buffer.concat([Buffer.from([fetchedMark]), mac]);
}

type Mark = 'fetched' | 'none' | 'forged';

function readMark(text: string, expected: readonly Buffer[]): Mark {
  const mark = Buffer.from(text, 'base64url');
  if (mark[0] !== fetchedMark) return 'none';
  const isSigned = expected.some((known) => known.length === mark.length && timingSafeEqual(known, mark));
  return isSigned ? 'fetched' : 'forged';
}

/**
 * Signed proof of when a form was rendered: base64url of the issue time (48-bit milliseconds) and its HMAC-SHA256 with
 * the form's key. A token that a script fetched has a signed mark behind it.
 */
export function createFormTokens({ keys, now, minAgeMs = tokenMinAgeMs }: Options): FormTokens {
  const [signing] = keys;
  if (signing === undefined) throw new Error('render tokens need a secret key');
  const timeNow = (): Buffer => {
    const time = Buffer.alloc(timeBytes);
    time.writeUIntBE(now().getTime(), 0, timeBytes);
    return time;
  };
  const issueAt = (time: Buffer, form: TokenForm): string =>
    Buffer.concat([time, macOf(signing, form, time)]).toString('base64url');
  return {
    minAgeMs,
    issue: (form) => issueAt(timeNow(), form),
    issueFetched(form) {
      const time = timeNow();
      const mark = markOf(signing, form, time).toString('base64url');
      return `${issueAt(time, form)}${markSeparator}${mark}`;
    },
    check(token, form) {
      const [base = '', marked = ''] = token.split(markSeparator);
      const bytes = Buffer.from(base, 'base64url');
      if (bytes.length !== timeBytes + macBytes) return { ok: false, reason: 'token-forged' };
      const time = bytes.subarray(0, timeBytes);
      const mac = bytes.subarray(timeBytes);
      if (!keys.some((key) => timingSafeEqual(macOf(key, form, time), mac))) {
        return { ok: false, reason: 'token-forged' };
      }
      const mark = readMark(
        marked,
        keys.map((key) => markOf(key, form, time)),
      );
      if (mark === 'forged') return { ok: false, reason: 'token-forged' };
      const ageMs = now().getTime() - time.readUIntBE(0, timeBytes);
      if (ageMs < minAgeMs) return { ok: false, reason: 'token-early' };
      if (ageMs > tokenMaxAgeMs) return { ok: false, reason: 'token-expired' };
      return mark === 'fetched' ? { ok: true, ageMs, isFetched: true } : { ok: true, ageMs };
    },
  };
}
