import type { LeadSubmission } from '#shared/leads.ts';
import type { LeadRow } from '../../db/schema/index.ts';
import type { Caller } from '../../trpc/context.ts';
import type { SubmissionKind } from './leadLimits.ts';
import type { RenderTokens } from './renderToken.ts';

export interface Verdict {
  kind: SubmissionKind;
  /** Why the lead is set aside; null for a good one. */
  quarantineReason: LeadRow['quarantineReason'];
  /** Between drawing the form and sending it, where a good token says so. */
  msFromRender: number | null;
}

type Evidence = Pick<LeadSubmission, 'form' | 'token' | 'website'>;

/**
 * Judges a submission by its honeypot and its render token. Nothing is refused: a suspect lead is stored as quarantined and answered like
 * any other, so that a wrong verdict loses nobody and a bot learns nothing. A plain form always carries a token; JSON without one is a
 * script's and is only limited harder.
 */
export function judge(
  tokens: RenderTokens,
  { transport }: Pick<Caller, 'transport'>,
  submission: Evidence,
): Verdict {
  const { form, token, website } = submission;
  const kind = token === undefined && transport !== 'form' ? 'script' : 'form';
  const checked = token === undefined ? null : tokens.check(token, form);
  const msFromRender = checked?.ok === true ? checked.ageMs : null;
  if (website !== undefined) return { kind, quarantineReason: 'honeypot', msFromRender };
  if (checked?.ok === false) return { kind, quarantineReason: checked.reason, msFromRender };
  return {
    kind,
    quarantineReason: checked === null && kind === 'form' ? 'token-missing' : null,
    msFromRender,
  };
}
