import { type LeadOutcome, leadOutcomes, outcomeLinkDays } from '#shared/leads/leadOutcomes.ts';
import { dayMs } from '#shared/formats/time.ts';
import { readSigned, signText } from '#server/security/signedText.ts';

/** What one of the links in a clinic's message says. */
export interface SignedOutcome {
  /** The lead's UUID. */
  publicId: string;
  providerId: number;
  outcome: LeadOutcome;
  /** Until when the link can be used, to the second. */
  endsAt: Date;
}

const msPerSecond = 1000;

/** The end of a link that is made now. */
export function linkEnd(now: Date): Date {
  const ms = now.getTime() + outcomeLinkDays * dayMs;
  return new Date(Math.floor(ms / msPerSecond) * msPerSecond);
}

/** The piece of a link's address that says which clinic tells what of which lead, and until when. */
export function signOutcome(
  keys: readonly string[],
  { publicId, providerId, outcome, endsAt }: SignedOutcome,
): string {
  const seconds = Math.floor(endsAt.getTime() / msPerSecond);
  return signText(keys, 'outcome', `${publicId}_${providerId}_${outcome}_${seconds}`);
}

const linkPattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_([1-9]\d{0,14})_([a-z-]+)_(\d{1,12})$/;

/** What a piece of ours says, its time over or not; null for every other. */
export function readOutcome(keys: readonly string[], piece: string): SignedOutcome | null {
  const [, publicId = '', providerId, said, seconds] =
    linkPattern.exec(readSigned(keys, 'outcome', piece) ?? '') ?? [];
  const outcome = leadOutcomes.find((known) => known === said);
  if (outcome === undefined) return null;
  return {
    publicId,
    providerId: Number(providerId),
    outcome,
    endsAt: new Date(Number(seconds) * msPerSecond),
  };
}
