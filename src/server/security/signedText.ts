import { createHmac, timingSafeEqual } from 'node:crypto';

/** The purpose of a signature. It is invalid for any other purpose of the same key. */
export type SignedUse =
  | 'withdraw'
  | 'withdraw-address'
  | 'outcome'
  | 'link-page'
  | 'provider-address'
  | 'sign-in-device'
  | 'sign-in-link'
  | 'sign-in-step'
  | 'password-reset'
  | 'invitation'
  | 'stop-reply'
  | 'weekly-email';

function computeMac(key: string, use: SignedUse, text: string): Buffer {
  return createHmac('sha256', key).update(`${use}\n${text}`).digest();
}

/**
 * The text with its HMAC-SHA256 by the first key, for use in a URL. It proves that we wrote the text; anyone can read
 * it. The text may contain only letters, digits, `-` and `_`.
 */
export function signText(keys: readonly string[], use: SignedUse, text: string): string {
  const [key] = keys;
  if (key === undefined) throw new Error('signing needs a secret key');
  return `${text}.${computeMac(key, use, text).toString('base64url')}`;
}

/** The text of a token that any of the keys signed for this purpose; null otherwise. */
export function readSigned(keys: readonly string[], use: SignedUse, piece: string): string | null {
  const [, text = '', mac = ''] = /^([\w-]{1,100})\.([\w-]{43})$/.exec(piece) ?? [];
  const given = Buffer.from(mac, 'base64url');
  const isOurs = keys.some((key) => {
    const expected = computeMac(key, use, text);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isOurs ? text : null;
}

/** A row, what changes once such a token must not count any more, and its end. */
interface StampedRow {
  id: number;
  /** 22 characters. */
  stamp: string;
  endsMs: number;
}

/** A token that ends at a time, and when the stamp of its row changes. */
export function signStamped(
  keys: readonly string[],
  use: SignedUse,
  { id, stamp, endsMs }: StampedRow,
): string {
  return signText(keys, use, `${id}_${endsMs.toString(36)}_${stamp}`);
}

/** The row of a token that any of the keys signed for this purpose, ended or not; null otherwise. */
export function readStamped(keys: readonly string[], use: SignedUse, token: string): StampedRow | null {
  const [, id = '', ends = '', stamp = ''] =
    /^([1-9]\d{0,14})_([0-9a-z]{1,11})_([\w-]{22})$/.exec(readSigned(keys, use, token) ?? '') ?? [];
  return stamp === '' ? null : { id: Number(id), stamp, endsMs: Number.parseInt(ends, 36) };
}

/** 96 bits: nobody can try many tokens, because each try is a request. */
const shortMacDigits = 24;

/** What such a token is about. `bound`: signed with it, but not part of it. Whoever reads the token must know it. */
interface UuidSubject {
  uuid: string;
  bound?: string | null;
}

function computeShortMac(key: string, use: SignedUse, { uuid, bound = null }: UuidSubject): string {
  const text = bound === null ? uuid : `${uuid}\n${bound}`;
  return computeMac(key, use, text).toString('hex').slice(0, shortMacDigits);
}

/** A UUID with 96 bits of its HMAC as 56 lowercase hex digits: mail servers may change the case of letters. */
export function signUuid(keys: readonly string[], use: SignedUse, subject: UuidSubject): string {
  const [key] = keys;
  if (key === undefined) throw new Error('signing needs a secret key');
  return `${subject.uuid.replaceAll('-', '')}${computeShortMac(key, use, subject)}`;
}

/** The UUID in such a token and its signature, which isn't checked; null for any other text. */
function toParts(token: string): { uuid: string; mac: string } | null {
  const [, a = '', b = '', c = '', d = '', e = '', mac = ''] =
    /^([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})([\da-f]{24})$/i.exec(token) ?? [];
  return mac === '' ? null : { uuid: [a, b, c, d, e].join('-').toLowerCase(), mac: mac.toLowerCase() };
}

/** The UUID that a token names, signed by us or not: for a look-up of what it may be bound to. */
export function uuidNamedBy(token: string): string | null {
  return toParts(token)?.uuid ?? null;
}

/** The UUID of a token that any of the keys signed for this purpose, bound to this or to nothing; null otherwise. */
export function readSignedUuid(
  keys: readonly string[],
  use: SignedUse,
  { token, bound = null }: { token: string; bound?: string | null },
): string | null {
  const parts = toParts(token);
  if (parts === null) return null;
  const { uuid, mac } = parts;
  const given = Buffer.from(mac);
  const isOurs = keys.some((key) =>
    timingSafeEqual(given, Buffer.from(computeShortMac(key, use, { uuid, bound }))),
  );
  return isOurs ? uuid : null;
}
