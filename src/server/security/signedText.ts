import { createHmac, timingSafeEqual } from 'node:crypto';

/** The purpose of a signature. It is invalid for any other purpose of the same key. */
export type SignedUse =
  | 'withdraw'
  | 'withdraw-address'
  | 'outcome'
  | 'link-page'
  | 'sign-in-device'
  | 'sign-in-link'
  | 'stop-reply';

function macOf(key: string, use: SignedUse, text: string): Buffer {
  return createHmac('sha256', key).update(`${use}\n${text}`).digest();
}

/**
 * The text with its HMAC-SHA256 by the first key, for use in a URL. It proves that we wrote the text; anyone can read
 * it. The text may contain only letters, digits, `-` and `_`.
 */
export function signText(keys: readonly string[], use: SignedUse, text: string): string {
  const [key] = keys;
  if (key === undefined) throw new Error('signing needs a secret key');
  return `${text}.${macOf(key, use, text).toString('base64url')}`;
}

/** The text of a token that any of the keys signed for this purpose; null otherwise. */
export function readSigned(keys: readonly string[], use: SignedUse, piece: string): string | null {
  const [, text = '', mac = ''] = /^([\w-]{1,100})\.([\w-]{43})$/.exec(piece) ?? [];
  const given = Buffer.from(mac, 'base64url');
  const isOurs = keys.some((key) => {
    const expected = macOf(key, use, text);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isOurs ? text : null;
}

/** 96 bits: nobody can try many tokens, because each try is a request. */
const shortMacDigits = 24;

function shortMacOf(key: string, use: SignedUse, uuid: string): string {
  return macOf(key, use, uuid).toString('hex').slice(0, shortMacDigits);
}

/**
 * A UUID with the first 96 bits of its HMAC, as 56 lowercase hexadecimal digits: for use in an email address, where
 * mail servers may change the case of letters.
 */
export function signUuid(keys: readonly string[], use: SignedUse, uuid: string): string {
  const [key] = keys;
  if (key === undefined) throw new Error('signing needs a secret key');
  return `${uuid.replaceAll('-', '')}${shortMacOf(key, use, uuid)}`;
}

/** The UUID of a token that any of the keys signed for this purpose; null otherwise. */
export function readSignedUuid(keys: readonly string[], use: SignedUse, token: string): string | null {
  const [, a = '', b = '', c = '', d = '', e = '', mac = ''] =
    /^([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})([\da-f]{24})$/i.exec(token) ?? [];
  if (mac === '') return null;
  const uuid = [a, b, c, d, e].join('-').toLowerCase();
  const given = Buffer.from(mac.toLowerCase());
  const isOurs = keys.some((key) => timingSafeEqual(given, Buffer.from(shortMacOf(key, use, uuid))));
  return isOurs ? uuid : null;
}
