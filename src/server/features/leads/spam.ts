import type { LeadRow } from '../../db/schema/index.ts';
import type { Caller } from '../../trpc/context.ts';
import type { SubmissionKind } from './leadLimits.ts';
import type { RenderTokens, TokenForm } from './renderToken.ts';

export interface Verdict {
  kind: SubmissionKind;
  /** Why the submission is set aside; null for a good one. */
  quarantineReason: LeadRow['quarantineReason'];
  /** Between drawing the form and sending it, where a good token says so. */
  msFromRender: number | null;
}

interface Evidence {
  form: TokenForm;
  token: string | undefined;
  /** What the field that people never see held. */
  honeypot: string | undefined;
}

/**
 * Judges a submission by its honeypot and its render token. Nothing is refused: a suspect one is stored as quarantined and answered like
 * any other, so that a wrong verdict loses nobody and a bot learns nothing. A plain form always carries a token; JSON without one is a
 * script's and is only limited harder.
 */
export function judge(
  tokens: RenderTokens,
  { transport }: Pick<Caller, 'transport'>,
  { form, token, honeypot }: Evidence,
): Verdict {
  const kind = token === undefined && transport !== 'form' ? 'script' : 'form';
  const checked = token === undefined ? null : tokens.check(token, form);
  const msFromRender = checked?.ok === true ? checked.ageMs : null;
  if (honeypot !== undefined) return { kind, quarantineReason: 'honeypot', msFromRender };
  if (checked?.ok === false) return { kind, quarantineReason: checked.reason, msFromRender };
  return {
    kind,
    quarantineReason: checked === null && kind === 'form' ? 'token-missing' : null,
    msFromRender,
  };
}
