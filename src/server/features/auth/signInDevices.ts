import { createHash, randomBytes } from 'node:crypto';
import { deviceDays } from '#server/security/cookies.ts';
import { readSigned, signText } from '#server/security/signedText.ts';
import { dayMs } from '#shared/formats/time.ts';

/** People who share a browser: the most recent of them stay known on it. */
const accountsMax = 4;
const separator = '~';

/** Names an account in a cookie without its email address. An empty email stands for the shared password. */
function accountMark(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('base64url').slice(0, 22);
}

/** The account in question, and the browser's cookie. */
export interface DeviceInput {
  /** The first one signs, all verify. */
  secretKeys: readonly string[];
  /** The device cookie's value as the browser sent it. */
  cookie: string | null;
  /** The claimed account; empty for the shared password. */
  email: string;
  now: Date;
}

interface Device {
  piece: string;
  id: string;
  mark: string;
}

/** The signed parts of a cookie, one per account, that are at most 180 days old. */
function listDevices({ secretKeys, cookie, now }: DeviceInput): Device[] {
  const today = Math.floor(now.getTime() / dayMs);
  return (cookie ?? '')
    .split(separator)
    .slice(0, accountsMax)
    .flatMap((piece) => {
      const text = readSigned(secretKeys, 'sign-in-device', piece) ?? '';
      const [, mark = '', day = '', id = ''] = /^([\w-]{22})_(\d{1,6})_([\w-]{22})$/.exec(text) ?? [];
      return id !== '' && today - Number(day) < deviceDays ? [{ piece, id, mark }] : [];
    });
}

/**
 * The id of a device on which this account signed in within 180 days; null for any other. It is bound to the account.
 * Otherwise, a person with one account could sign in again and again for new attempts at another's password.
 */
export function findDevice(input: DeviceInput): string | null {
  const own = accountMark(input.email);
  return listDevices(input).find(({ mark }) => mark === own)?.id ?? null;
}

/** The device cookie's new value after a sign-in: this account on this device, and the accounts known on it before. */
export function rememberDevice(input: DeviceInput): string {
  const mark = accountMark(input.email);
  const today = Math.floor(input.now.getTime() / dayMs);
  const id = randomBytes(16).toString('base64url');
  const own = signText(input.secretKeys, 'sign-in-device', `${mark}_${today}_${id}`);
  const others = listDevices(input).filter((device) => device.mark !== mark);
  return [own, ...others.map(({ piece }) => piece)].slice(0, accountsMax).join(separator);
}
