import type { QuarantineReason } from '#shared/leads/quarantine.ts';
import { minuteMs } from '#shared/formats/time.ts';
import type { Caller } from '#server/caller.ts';
import type { Services } from '#server/services.ts';
import { type MainHosts, parseHost } from '#server/tenant/parseHost.ts';
import type { SubmissionKind } from './submissionLimits.ts';
import type { TokenCheck, TokenForm } from './formToken.ts';

export interface Verdict {
  /** Selects the rate limit. */
  kind: SubmissionKind;
  /** Why the submission is quarantined; null for a good one. */
  quarantineReason: QuarantineReason | null;
  /** Whether a page of this site showed the form: the token is valid, and no other site sent the submission. */
  isFormShown: boolean;
  /** Milliseconds between rendering the form and sending it; null unless `isFormShown`. */
  msFromRender: number | null;
  /**
   * Set only for a filled honeypot that is delivered all the same, with a mark for staff: how long its deliveries wait.
   */
  honeypotWaitMs?: number;
}

interface Evidence {
  form: TokenForm;
  token: string | undefined;
  /** Value of a field that people never see. */
  honeypot: string | undefined;
}

/** Only a person or a patient robot takes this long. Its filled honeypot is taken for a password manager's. */
const personAgeMs = 8_000;
/** Younger ones wait, so that staff can stop them. */
const hastyWaitMs = 30 * minuteMs;

/**
 * How long the deliveries of a submission with a filled honeypot wait; null: it is quarantined. Password managers fill
 * in fields that nobody sees. So it is delivered if the form's script fetched its token, and the browser says that a
 * page of this origin sent it.
 */
function honeypotWaitMs(checked: TokenCheck | null, { fetchSite }: Pick<Caller, 'fetchSite'>): number | null {
  if (checked?.ok !== true || checked.isFetched !== true || fetchSite !== 'same-origin') return null;
  return checked.ageMs >= personAgeMs ? 0 : hastyWaitMs;
}

/**
 * Judges a submission by its honeypot, its origin and its form token. It rejects nothing: a suspect submission is
 * quarantined and answered like any other, so that a wrong verdict loses nobody and a bot learns nothing.
 *
 * If several reasons apply, the first of these counts: `honeypot` (unless a person's browser sent it, see above), `foreign-origin` (another
 * site's page sent it, with or without a valid token), `token-forged`, `token-early` or `token-expired`,
 * `token-missing` (a plain form always has one). JSON without a token comes from a script: it is accepted, with lower
 * limits.
 */
export function judge(
  { formTokens, config }: Pick<Services, 'formTokens' | 'config'>,
  caller: Pick<Caller, 'origin' | 'fetchSite' | 'site' | 'transport'>,
  { form, token, honeypot }: Evidence,
): Verdict {
  const checked = token === undefined ? null : formTokens.check(token, form);
  const foreign = isForeign(caller, config);
  const isFormShown = checked?.ok === true && !foreign;
  const msFromRender = isFormShown ? checked.ageMs : null;
  const quarantined = (quarantineReason: QuarantineReason): Verdict => ({
    kind: 'quarantined',
    quarantineReason,
    isFormShown,
    msFromRender,
  });
  if (honeypot !== undefined) {
    const waitMs = honeypotWaitMs(checked, caller);
    if (waitMs === null) return quarantined('honeypot');
    return { kind: 'form', quarantineReason: null, isFormShown, msFromRender, honeypotWaitMs: waitMs };
  }
  if (foreign) return quarantined('foreign-origin');
  if (checked?.ok === false) return quarantined(checked.reason);
  if (checked === null && caller.transport === 'form') return quarantined('token-missing');
  return { kind: checked === null ? 'script' : 'form', quarantineReason: null, isFormShown, msFromRender };
}

/**
 * Whether another site's page made a browser send this submission. Decided by the two headers that a page can't forge:
 *
 * - `Sec-Fetch-Site: same-origin` → own, for any Origin: proxies rewrite hosts, and privacy settings send `Origin:
 * null`.
 * - `Sec-Fetch-Site: cross-site` → foreign.
 * - Otherwise, the host of `Origin` decides. Schemes and ports are ignored: a proxy may end TLS or drop the port. All
 * main domains are one site.
 * - `Origin: null` → foreign for a plain form, because a sandboxed frame sends it. For JSON it is ignored: no page can
 * send JSON to another origin without a preflight, which this server never answers.
 *
 * Scripts send neither header and are never foreign.
 */
export function isForeign(
  { origin, fetchSite, site, transport }: Pick<Caller, 'origin' | 'fetchSite' | 'site' | 'transport'>,
  mainHosts: MainHosts,
): boolean {
  if (fetchSite === 'same-origin') return false;
  if (fetchSite === 'cross-site') return true;
  if (origin === null) return false;
  if (origin === 'null') return transport === 'form';
  const from = parseHost(URL.parse(origin)?.hostname, mainHosts);
  if (from.kind === 'invalid') return true;
  return from.host !== site.host && !(from.kind === 'main' && site.kind === 'main');
}
