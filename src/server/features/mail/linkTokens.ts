import { type LeadOutcome, leadOutcomes, outcomeLinkDays } from '#shared/leads/leadOutcomes.ts';
import { dayMs } from '#shared/formats/time.ts';
import { readSigned, readSignedUuid, signText, signUuid } from '#server/security/signedText.ts';

/** What a link in a provider's message contains. */
export interface SignedOutcome {
  /** The lead's UUID. */
  publicId: string;
  providerId: number;
  outcome: LeadOutcome;
  /** The link expires then, to the second. */
  endsAt: Date;
}

const msPerSecond = 1000;

/** When a link made now expires. */
export function linkEnd(now: Date): Date {
  const ms = now.getTime() + outcomeLinkDays * dayMs;
  return new Date(Math.floor(ms / msPerSecond) * msPerSecond);
}

/** The token of a link by which a provider reports one outcome of one lead. */
export function signOutcome(
  keys: readonly string[],
  { publicId, providerId, outcome, endsAt }: SignedOutcome,
): string {
  const seconds = Math.floor(endsAt.getTime() / msPerSecond);
  return signText(keys, 'outcome', `${publicId}_${providerId}_${outcome}_${seconds}`);
}

const linkPattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_([1-9]\d{0,14})_([a-z-]+)_(\d{1,12})$/;

/** The content of an outcome token of ours, expired or not; null for any other text. */
export function readOutcome(keys: readonly string[], token: string): SignedOutcome | null {
  const [, publicId = '', providerId, said, seconds] =
    linkPattern.exec(readSigned(keys, 'outcome', token) ?? '') ?? [];
  const outcome = leadOutcomes.find((known) => known === said);
  if (outcome === undefined) return null;
  return {
    publicId,
    providerId: Number(providerId),
    outcome,
    endsAt: new Date(Number(seconds) * msPerSecond),
  };
}

/** What a link by which a person withdraws contains. */
export interface SignedWithdrawal {
  /** The lead's UUID. */
  publicId: string;
  /** The keyed hash of the email address (identityHash), for a lead that a restored database lacks. Null: an older link. */
  emailHmac: string | null;
}

/** The token of the link by which a person withdraws. It contains the lead's UUID, nothing personal, and doesn't expire. */
export function signWithdrawal(keys: readonly string[], publicId: string): string {
  return signText(keys, 'withdraw', publicId);
}

/**
 * The keyed hash of the address in such a link. It is apart from the token, so that version 1.0.0, which a rollback
 * starts, understands the link and ignores it.
 */
export function signAddressHash(keys: readonly string[], emailHmac: string): string {
  return signText(keys, 'withdraw-address', Buffer.from(emailHmac, 'hex').toString('base64url'));
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const hashPattern = /^[\w-]{43}$/;

/** The content of a withdrawal link of ours; null for a token that isn't ours. A hash that isn't ours is ignored. */
export function readWithdrawal(
  keys: readonly string[],
  { token, hash = '' }: { token: string; hash?: string | undefined },
): SignedWithdrawal | null {
  const publicId = readSigned(keys, 'withdraw', token);
  if (publicId === null || !uuidPattern.test(publicId)) return null;
  const text = readSigned(keys, 'withdraw-address', hash);
  const emailHmac =
    text !== null && hashPattern.test(text) ? Buffer.from(text, 'base64url').toString('hex') : null;
  return { publicId, emailHmac };
}

/** The address to which a person replies STOP. It names the lead by its UUID, contains nothing personal, and doesn't expire. */
export function stopAddress(keys: readonly string[], address: string, publicId: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at)}+${signUuid(keys, 'stop-reply', publicId)}${address.slice(at)}`;
}

/** The lead's UUID in one of our addresses for STOP; null for any other address. */
export function readStopAddress(keys: readonly string[], address: string): string | null {
  const [, token = ''] = /\+([\da-f]{56})@/i.exec(address) ?? [];
  return readSignedUuid(keys, 'stop-reply', token);
}
