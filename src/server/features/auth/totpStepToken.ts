import { minuteMs } from '#shared/formats/time.ts';
import type { StaffAccountRow } from '#server/db/schema/index.ts';
import { stepMinutes } from '#server/security/cookies.ts';
import { readSigned, signText } from '#server/security/signedText.ts';
import { accountStamp } from './accounts.ts';

/** The cookie of a sign-in that still needs a step: the account, its end and its stamp. It grants nothing else. */
export function signStep(keys: readonly string[], account: StaffAccountRow, now: Date): string {
  const ends = (now.getTime() + stepMinutes * minuteMs).toString(36);
  return signText(keys, 'sign-in-step', `${account.id}_${ends}_${accountStamp(account)}`);
}

/** The account and the stamp of such a cookie that hasn't ended; null for any other text. */
export function readStep(
  keys: readonly string[],
  token: string,
  now: Date,
): { accountId: number; stamp: string } | null {
  const text = readSigned(keys, 'sign-in-step', token) ?? '';
  const [, id = '', ends = '', stamp = ''] =
    /^([1-9]\d{0,14})_([0-9a-z]{1,11})_([\w-]{22})$/.exec(text) ?? [];
  const isOpen = stamp !== '' && now.getTime() < Number.parseInt(ends, 36);
  return isOpen ? { accountId: Number(id), stamp } : null;
}
