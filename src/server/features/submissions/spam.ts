import type { QuarantineReason } from '#shared/leads/quarantine.ts';
import { pages } from '#shared/pages/pages.ts';
import { minuteMs } from '#shared/formats/time.ts';
import type { Caller } from '#server/caller.ts';
import { type MainHosts, parseHost } from '#server/tenant/parseHost.ts';
import type { LeadLimits, LimitedKind, SubmissionKind } from './submissionLimits.ts';
import type { FormTokens, TokenCheck, TokenForm } from './formToken.ts';
import { AppError } from '#server/errors.ts';

export interface Verdict {
  /** Selects the rate limit. */
  kind: SubmissionKind;
  /** Why the submission is quarantined; null for a good one. */
  quarantineReason: QuarantineReason | null;
  /** The form is known to have been shown: its token is valid here, and the browser names a page of this site. */
  isFormShown: boolean;
  /** Milliseconds between rendering the form and sending it; null unless `isFormShown`. */
  msFromRender: number | null;
  /** Names the fetched token, whose uses are counted (tokenUses.ts); null for another one. */
  tokenNonce: string | null;
  /** Set only for a filled honeypot that is delivered, with a mark for staff: how long its deliveries wait. */
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
 * How long a submission with a filled honeypot waits for delivery; null: it is quarantined. Password managers fill
 * hidden fields, so it is delivered if the form's script fetched its token and a page of this origin sent it.
 */
function honeypotWaitMs(checked: TokenCheck | null, { fetchSite }: Pick<Caller, 'fetchSite'>): number | null {
  if (checked?.ok !== true || checked.isFetched !== true || fetchSite !== 'same-origin') return null;
  return checked.ageMs >= personAgeMs ? 0 : hastyWaitMs;
}

type JudgedCaller = Pick<Caller, 'origin' | 'fetchSite' | 'site' | 'transport' | 'referrerHost' | 'ip'>;

/**
 * Judges a submission by its honeypot, its origin and its form token. It rejects nothing: a suspect submission is
 * quarantined and answered like any other, so that a wrong verdict loses nobody and a bot learns nothing.
 *
 * If several reasons apply, the first of these counts: `honeypot` (unless a person's browser sent it, see above),
 * `foreign-origin` (another site's page sent it, with or without a valid token), `token-forged`, `token-early`,
 * `token-missing` (a plain form always has one). A token from elsewhere or of another day is a form's all the same:
 * only the evidence doesn't name the form. JSON without a token comes from a script: it is accepted, with lower limits.
 */
export function judge(
  { submissions, config }: { config: MainHosts; submissions: { formTokens: FormTokens } },
  caller: JudgedCaller,
  { form, token, honeypot }: Evidence,
): Verdict {
  const checked = token === undefined ? null : checkToken(submissions.formTokens, caller, { form, token });
  const foreign = isForeign(caller, config) || (token !== undefined && isFromForeignPage(caller, config));
  const isValidHere = checked?.ok === true && checked.isElsewhere !== true;
  const isFormShown = isValidHere && !foreign && hasForm(caller.site, form) && isFromOwnPage(caller, config);
  const evidence = {
    isFormShown,
    msFromRender: isFormShown ? checked.ageMs : null,
    tokenNonce: checked?.ok === true ? (checked.nonce ?? null) : null,
  };
  const quarantined = (quarantineReason: QuarantineReason): Verdict => ({
    kind: 'quarantined',
    quarantineReason,
    ...evidence,
  });
  if (honeypot !== undefined) {
    const waitMs = honeypotWaitMs(checked, caller);
    if (waitMs === null) return quarantined('honeypot');
    return { kind: 'form', quarantineReason: null, ...evidence, honeypotWaitMs: waitMs };
  }
  if (foreign) return quarantined('foreign-origin');
  if (checked?.ok === false && checked.reason !== 'token-expired') return quarantined(checked.reason);
  if (checked === null && caller.transport === 'form') return quarantined('token-missing');
  return { kind: checked === null ? 'script' : 'form', quarantineReason: null, ...evidence };
}

/** Whether some page of a site has a form. Visitors of a provider's host are sent elsewhere for the others. */
function hasForm({ tenant }: Caller['site'], form: TokenForm): boolean {
  return (
    tenant === null || Object.values(pages).some((page) => page.form === form && page.onTenant === 'shown')
  );
}

/** Null for a genuine token of `api`, which 1.0.1 gave to scripts: no form has it, and it proves nothing. */
function checkToken(
  formTokens: FormTokens,
  { site, ip }: JudgedCaller,
  { form, token }: { form: TokenForm; token: string },
): TokenCheck | null {
  const checked = formTokens.check(token, form, { site, ip });
  const isForged = !checked.ok && checked.reason === 'token-forged';
  return form === 'api' && !isForged ? null : checked;
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
  return !isHostOf(site, URL.parse(origin)?.hostname, mainHosts);
}

function isHostOf(site: Caller['site'], hostname: string | undefined, mainHosts: MainHosts): boolean {
  const from = parseHost(hostname, mainHosts);
  if (from.kind === 'invalid') return false;
  return from.host === site.host || (from.kind === 'main' && site.kind === 'main');
}

/** Whether the browser names a page of this site as the sender, as every current browser does. A script can, too. */
function isFromOwnPage(
  { origin, fetchSite, site, referrerHost }: Pick<Caller, 'origin' | 'fetchSite' | 'site' | 'referrerHost'>,
  mainHosts: MainHosts,
): boolean {
  // A browser that posts sends Origin. Without it, the page that is named has to be the site's.
  if (fetchSite === 'same-origin')
    return origin !== null || referrerHost === null || isHostOf(site, referrerHost, mainHosts);
  return origin !== null && origin !== 'null' && isHostOf(site, URL.parse(origin)?.hostname, mainHosts);
}

/** Whether the Referer names another site's page. Behind a proxy that rewrites the host, Origin has the page's host. */
function isFromForeignPage(
  { referrerHost, origin, fetchSite, site }: Pick<Caller, 'referrerHost' | 'origin' | 'fetchSite' | 'site'>,
  mainHosts: MainHosts,
): boolean {
  if (referrerHost === null || isHostOf(site, referrerHost, mainHosts)) return false;
  if (fetchSite !== 'same-origin') return true;
  return origin !== null && origin !== 'null' && URL.parse(origin)?.hostname !== referrerHost;
}

/** How a submission is stored. */
export interface Admission {
  quarantineReason: QuarantineReason | null;
  /** When an `over-limit` submission may be released; null for others. */
  releaseAt: Date | null;
  /** The windows that counted it. */
  countedAs: LimitedKind;
}

/**
 * Counts a judged submission against the windows of its kind. Above its network's limit, a submission with a valid form
 * token is stored as `over-limit`, up to ten times the limit in all. Above that, and for every other kind, throws
 * TOO_MANY_REQUESTS with the seconds until the normal window. Sets the rate limit headers on `caller.responseHeaders`.
 */
export async function admit(
  { limits, now }: { limits: { leads: LeadLimits }; now: () => Date },
  { ip, responseHeaders }: Pick<Caller, 'ip' | 'responseHeaders'>,
  { kind, quarantineReason }: Verdict,
): Promise<Admission> {
  const refusal = await catchRefusal(limits.leads.take(ip, kind, responseHeaders));
  if (refusal === null) return { quarantineReason, releaseAt: null, countedAs: kind };
  // The response keeps the headers of the normal window: after it, a submission is within the limit again.
  if (kind !== 'form' || (await catchRefusal(limits.leads.take(ip, 'over-limit', new Map()))) !== null)
    throw refusal;
  const releaseAt = new Date(now().getTime() + (refusal.retryAfterSeconds ?? 0) * 1000);
  return { quarantineReason: 'over-limit', releaseAt, countedAs: 'over-limit' };
}

/** The refusal of a call above the limit, or null. */
export async function catchRefusal(taking: Promise<unknown>): Promise<AppError | null> {
  try {
    await taking;
    return null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'TOO_MANY_REQUESTS') return error;
    throw error;
  }
}
