import type { QuarantineReason } from '#shared/leads/quarantine.ts';
import type { Caller } from '#server/caller.ts';
import type { Services } from '#server/services.ts';
import { isForeign } from './foreignOrigin.ts';
import type { SubmissionKind } from './submissionLimits.ts';
import type { TokenForm } from './formToken.ts';

export interface Verdict {
  /** The rate-limit window that it counts against. */
  kind: SubmissionKind;
  /** Why the submission is quarantined; null for a good one. */
  quarantineReason: QuarantineReason | null;
  /** Whether one of this site's own pages showed the form it names: its token is valid, and no other site sent it. */
  isFormShown: boolean;
  /** Milliseconds between rendering the form and sending it; null unless `isFormShown`. */
  msFromRender: number | null;
}

interface Evidence {
  form: TokenForm;
  token: string | undefined;
  /** Value of the field that people never see. */
  honeypot: string | undefined;
}

/**
 * Judges a submission by its honeypot, its origin and its render token. Nothing is refused: a suspect one is stored as quarantined and
 * answered like any other, so that a wrong verdict loses nobody and a bot learns nothing.
 *
 * Where several reasons apply, the first of these counts: `honeypot` (only a bot fills it in), `foreign-origin` (another site's page sent it,
 * whatever token it fetched), `token-forged`, `token-early` or `token-expired`, `token-missing` (a plain form always carries one). JSON without
 * a token is a script's: accepted, with lower limits.
 */
export function judge(
  { formTokens, config }: Pick<Services, 'formTokens' | 'config'>,
  caller: Pick<Caller, 'origin' | 'fetchSite' | 'site' | 'transport'>,
  { form, token, honeypot }: Evidence,
): Verdict {
  const checked = token === undefined ? null : formTokens.check(token, form);
  const foreign = isForeign(caller, config.mainDomains);
  const isFormShown = checked?.ok === true && !foreign;
  const msFromRender = isFormShown ? checked.ageMs : null;
  const quarantined = (quarantineReason: QuarantineReason): Verdict => ({
    kind: 'quarantined',
    quarantineReason,
    isFormShown,
    msFromRender,
  });
  if (honeypot !== undefined) return quarantined('honeypot');
  if (foreign) return quarantined('foreign-origin');
  if (checked?.ok === false) return quarantined(checked.reason);
  if (checked === null && caller.transport === 'form') return quarantined('token-missing');
  return { kind: checked === null ? 'script' : 'form', quarantineReason: null, isFormShown, msFromRender };
}
