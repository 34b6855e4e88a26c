import { type LeadOutcome, leadOutcomes } from '#shared/leadOutcomes.ts';
import { readSigned, signText } from '../../signedText.ts';

/** What one of the links in a clinic's message says. */
export interface SignedOutcome {
  leadId: number;
  providerId: number;
  outcome: LeadOutcome;
}

/** The piece of a link's address that says which clinic tells what of which lead. Without an end: a clinic may tell late, and think again. */
export function signOutcome(keys: readonly string[], { leadId, providerId, outcome }: SignedOutcome): string {
  return signText(keys, 'outcome', `${leadId}_${providerId}_${outcome}`);
}

/** What a piece of ours says; null for every other. */
export function readOutcome(keys: readonly string[], piece: string): SignedOutcome | null {
  const [, leadId, providerId, said] =
    /^([1-9]\d*)_([1-9]\d*)_(.+)$/.exec(readSigned(keys, 'outcome', piece) ?? '') ?? [];
  const outcome = leadOutcomes.find((known) => known === said);
  if (outcome === undefined) return null;
  return { leadId: Number(leadId), providerId: Number(providerId), outcome };
}
