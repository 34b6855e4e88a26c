import { type LeadOutcome, leadOutcomes, outcomeLinkDays } from '#shared/leads/leadOutcomes.ts';
import { dayMs } from '#shared/formats/time.ts';
import { readSigned, readSignedUuid, signText, signUuid, uuidNamedBy } from '#server/security/signedText.ts';
import { createHash } from 'node:crypto';

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
  /** Keyed hash (identityHash) of the address written to, if staff corrected the first one; null: the first one. */
  sentTo: string | null;
  /** The hash of the address that a message went to, for a lead that a restored database lacks. Null: an older link. */
  emailHmac: string | null;
}

/** 32 bytes as hexadecimal digits, in the form of a link, and back. */
const inLink = (hmac: string): string => Buffer.from(hmac, 'hex').toString('base64url');
const ofLink = (text: string): string => Buffer.from(text, 'base64url').toString('hex');

/**
 * The token of the link by which a person withdraws. It contains the lead's UUID, nothing personal, and doesn't expire.
 * `sentTo`: for a lead whose address staff corrected. Its first address has an earlier link, which proves less.
 */
export function signWithdrawal(
  keys: readonly string[],
  publicId: string,
  sentTo: string | null = null,
): string {
  return signText(keys, 'withdraw', sentTo === null ? publicId : `${publicId}_${inLink(sentTo)}`);
}

/** The hash of the address in such a link, apart from the token: version 1.0.0, after a rollback, ignores it. */
export function signAddressHash(keys: readonly string[], emailHmac: string): string {
  return signText(keys, 'withdraw-address', inLink(emailHmac));
}

const withdrawalPattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:_([\w-]{43}))?$/;
const hashPattern = /^[\w-]{43}$/;

/** The content of a withdrawal link of ours; null for a token that isn't ours. A hash that isn't ours is ignored. */
export function readWithdrawal(
  keys: readonly string[],
  { token, hash = '' }: { token: string; hash?: string | undefined },
): SignedWithdrawal | null {
  const [, publicId, bound] = withdrawalPattern.exec(readSigned(keys, 'withdraw', token) ?? '') ?? [];
  if (publicId === undefined) return null;
  const sentTo = bound === undefined ? null : ofLink(bound);
  const text = readSigned(keys, 'withdraw-address', hash);
  const emailHmac = text !== null && hashPattern.test(text) ? ofLink(text) : null;
  return { publicId, sentTo, emailHmac: sentTo ?? emailHmac };
}

/**
 * The address to which a person replies STOP: the lead's UUID, nothing personal, no expiry. `sentTo` is only signed, as
 * in `signWithdrawal`: a mail server's limit of 64 characters leaves no room for more.
 */
export function stopAddress(
  keys: readonly string[],
  address: string,
  { publicId: uuid, sentTo = null }: { publicId: string; sentTo?: string | null },
): string {
  const at = address.lastIndexOf('@');
  const token = signUuid(keys, 'stop-reply', { uuid, bound: sentTo });
  return `${address.slice(0, at)}+${token}${address.slice(at)}`;
}

function tokenIn(address: string): string {
  return /\+([\da-f]{56})@/i.exec(address)?.[1] ?? '';
}

/** The lead's UUID in an address for STOP that we didn't necessarily write; null for any other address. */
export function leadNamedBy(address: string): string | null {
  return uuidNamedBy(tokenIn(address));
}

/** The lead's UUID in one of our addresses for STOP, bound to this hash or to none; null for any other address. */
export function readStopAddress(
  keys: readonly string[],
  address: string,
  sentTo: string | null = null,
): string | null {
  return readSignedUuid(keys, 'stop-reply', { token: tokenIn(address), bound: sentTo });
}

/** How long a page behind a link may be open before its button is pressed. */
const pageMaxAgeMs = dayMs;

/** The token of a link may be too long for a signed text. */
function getName(linkToken: string): string {
  return createHash('sha256').update(linkToken).digest('base64url');
}

/** The token of the page behind a link: proves that it was opened first, as scanners don't. Bound to the link only. */
export function signPage(keys: readonly string[], linkToken: string, now: Date): string {
  return signText(keys, 'link-page', `${getName(linkToken)}_${now.getTime().toString(36)}`);
}

const pagePattern = /^([\w-]{43})_([0-9a-z]{1,11})$/;

/** Whether a page token of ours is of this link's page, and at most a day old. */
export function isPageOf(
  keys: readonly string[],
  linkToken: string,
  { pageToken, now }: { pageToken: string; now: Date },
): boolean {
  const [, name, time = ''] = pagePattern.exec(readSigned(keys, 'link-page', pageToken) ?? '') ?? [];
  return name === getName(linkToken) && now.getTime() - Number.parseInt(time, 36) <= pageMaxAgeMs;
}
