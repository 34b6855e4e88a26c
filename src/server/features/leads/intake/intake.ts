import { cleanText } from '#shared/leads/leadFields.ts';
import { honeypotName } from '#shared/leads/quarantine.ts';
import {
  type FormKey,
  leadCreateOutput,
  type LeadCreateOutput,
  type LeadSubmission,
} from '#shared/leads/leads.ts';
import { toAnswers } from '#shared/submissions/leadInput.ts';
import { storedZip, zipInText } from '#shared/leads/zip.ts';
import { hasCode, unavailable } from '../../../errors.ts';
import { leadsMatched, leadsQuarantined, leadsStored } from '../../../metrics.ts';
import { planDeliveries } from '../../outbox/planDeliveries.ts';
import type { Caller } from '#server/caller.ts';
import type { Services } from '#server/services.ts';
import type { Match } from '../../matching/match.ts';
import { matchOnSite } from '../../matching/siteMatch.ts';
import { type Person, personOf } from '../../identity/identity.ts';
import { toLeadColumns } from '../../identity/leadFieldValues.ts';
import { type Admission, admit } from '../../submissions/admission.ts';
import { consentRecord } from '../../consent/recordConsent.ts';
import { forgetSnapshots, storeSnapshot } from '../../consent/formSnapshots.ts';
import {
  answerFor,
  claimOf,
  type IdempotencyClaim,
  leadContent,
  senderOf,
} from '../../submissions/idempotency.ts';
import { judge, type Verdict } from '../../submissions/spam.ts';
import { reportFlood } from './floodAlerts.ts';
import type { FloodCount } from './floodLimits.ts';
import { waitMaxMs } from './overLimitQueue.ts';
import { rightsOf, type SenderRights } from './senderRights.ts';
import type { NewLead } from './storeLeads.ts';
import { type ProviderRecord, viewOf } from '#server/tenant/providerRecord.ts';

export interface CreatedLead {
  status: 201;
  body: LeadCreateOutput;
  /** Whether the body is the answer to an earlier, equal submission. */
  replayed: boolean;
}

/** A submission before it is counted. */
interface Judged extends SenderRights {
  services: Services;
  caller: Caller;
  submission: LeadSubmission;
  requestedId: number | null;
  verdict: Verdict;
  person: Person;
  filledHoneypot: boolean;
  claim: IdempotencyClaim;
  now: Date;
}

/** An admitted and counted submission. It stays the same if it is matched twice. */
interface Submitted extends Judged {
  admission: Admission;
  /** The counts of the limits of floods. */
  countedBy: FloodCount['keys'];
  /** The form that is known to have been shown; `api` if none is. */
  formShown: FormKey;
}

/**
 * The provider whose name the form showed: the site's, that of a microsite on the main domain, or the one that a
 * two-step form named for the ZIP. A name that the client sent counts only if it is the matched provider's.
 */
async function sellerShown(
  { services, caller, submission, formShown }: Submitted,
  match: Match,
): Promise<ProviderRecord | null> {
  if (formShown === 'api') return null;
  if (caller.site.tenant !== null) return caller.site.tenant;
  if (match.providerId === null) return null;
  if (formShown === 'microsite')
    return match.method === 'requested' ? services.tenants.findById(match.providerId) : null;
  if (submission.seller_shown === undefined) return null;
  const matched = await services.tenants.findById(match.providerId);
  return matched !== null && cleanText(viewOf(matched).label) === submission.seller_shown ? matched : null;
}

function leadRow(
  { caller, submission, person, filledHoneypot, admission: { quarantineReason }, now }: Submitted,
  match: Match,
  publicId: string,
): NewLead['lead'] {
  const zip5 = zipInText(submission.zip_code);
  return {
    ...toLeadColumns(submission),
    zipCode: storedZip(submission.zip_code),
    providerId: match.providerId,
    siteProviderId: caller.site.tenant?.id ?? null,
    createdAt: now,
    crmSyncStatus: 'pending',
    acceptanceMessage: submission.acceptance_message ?? null,
    acceptanceConsent: submission.acceptance_consent,
    acceptanceIp: caller.ip,
    ...person,
    zip5,
    matchMethod: match.method,
    matchReason: match.reason,
    matchDistanceMiles: match.distanceMiles,
    quarantinedAt: quarantineReason === null ? null : now,
    quarantineReason,
    filledHoneypot: filledHoneypot || null,
    answers: toAnswers(submission),
    publicId,
  };
}

function latest(a: Date, b: Date): Date {
  return a > b ? a : b;
}

const notCounted: FloodCount = { flood: null, keys: [] };

/**
 * Counts an admitted submission for what a flood may attack, and its token's use. Above a limit, one with a form token
 * is `over-limit` and one without is quarantined. Scripts with an API token of the scope are exempt.
 */
async function countMatched(
  judged: Judged & { admission: Admission },
  { providerId }: Match,
): Promise<Submitted> {
  const { services, caller, submission, person, verdict, admission, isScoped, now } = judged;
  const isCounted = admission.quarantineReason === null && !isScoped;
  // Counted at the same time, by one statement.
  const [counted, { flood, keys }] = await Promise.all([
    services.submissions.tokenUses.count(verdict),
    isCounted
      ? services.limits.floods.take({ phoneE164: person.phoneE164, ip: caller.ip, providerId })
      : notCounted,
  ]);
  const formShown = counted.isFormShown ? submission.form : 'api';
  const submitted = { ...judged, verdict: counted, formShown, countedBy: keys } satisfies Submitted;
  if (flood === null) return submitted;
  await reportFlood(services, flood, providerId);
  const releaseAt = verdict.kind === 'form' ? new Date(now.getTime() + flood.waitMs) : null;
  const quarantineReason = releaseAt === null ? 'burst' : 'over-limit';
  return { ...submitted, admission: { ...admission, quarantineReason, releaseAt } };
}

/** When a lead above a limit may leave the queue: not before its honeypot's wait ends, and not too late. */
function releaseAtOf({ admission: { releaseAt }, now }: Submitted, deliverAt: Date): Date | null {
  const last = new Date(now.getTime() + waitMaxMs);
  if (releaseAt === null) return null;
  return releaseAt > last ? last : latest(releaseAt, deliverAt);
}

async function storeMatched(submitted: Submitted, match: Match): Promise<CreatedLead> {
  const { services, caller, submission, verdict, claim, admission, formShown, mayMailPerson, now } =
    submitted;
  const seller = await sellerShown(submitted, match);
  const form = services.submissions.formSnapshots.of(formShown, caller.site, seller);
  if (form !== null) await storeSnapshot(services.db, form);
  const { first, last } = submission.attribution ?? {};
  const deliverAt = new Date(now.getTime() + (verdict.honeypotWaitMs ?? 0));
  const deliveries =
    admission.quarantineReason === null
      ? planDeliveries({
          channels: services.channels,
          providerId: match.providerId,
          now,
          dueAt: deliverAt,
          mayMailPerson,
        })
      : [];
  const publicId = crypto.randomUUID();
  const newLead: NewLead = {
    claim,
    lead: leadRow(submitted, match, publicId),
    consentOf: (leadId) =>
      consentRecord({
        caller,
        submission,
        formShown,
        leadId,
        leadPublicId: publicId,
        acceptedAt: now,
        seller: seller === null ? null : viewOf(seller),
        formSha256: form?.sha256 ?? null,
        msFromRender: verdict.msFromRender,
      }),
    attribution: [
      ...(first === undefined ? [] : [{ touch: 'first' as const, values: first }]),
      ...(last === undefined ? [] : [{ touch: 'last' as const, values: last }]),
    ],
    deliveries,
    deliverAt,
    releaseAt: releaseAtOf(submitted, deliverAt),
  };
  const result = await services.submissions.leadBatches.store(newLead);
  if (result.stored) {
    leadsStored.inc();
    leadsMatched.inc({ method: match.method });
    if (admission.quarantineReason !== null) leadsQuarantined.inc({ reason: admission.quarantineReason });
    if (deliveries.length > 0) services.wakeSignal.wake();
    return { status: 201, body: result.body, replayed: false };
  }
  return { status: 201, body: leadCreateOutput.parse(answerFor(claim, result)), replayed: true };
}

/**
 * SQLSTATE 23503: before the insert, the matched provider was deleted manually, or a form snapshot that this process
 * had stored was removed, by `npm run retention:prune` too.
 */
const foreignKeyViolation = new Set(['23503']);

/**
 * The single entry point for leads of every transport: judge → replay or limit → match → limits of floods → store in
 * one transaction → answer. The shared schema has validated the submission. `requestedId` is ignored on unknown hosts;
 * on a provider's host, that provider wins. When the promise resolves, the lead is committed. Throws TOO_MANY_REQUESTS,
 * UNAUTHORIZED (bad bearer token), BAD_REQUEST (invalid Idempotency-Key) and UNPROCESSABLE_CONTENT (key used with other
 * content). The procedure's deadline may answer 503 first (procedures.ts): if the lead is stored later, a second
 * submission finds it. Adds its headers to `caller.responseHeaders`.
 */
export async function createLead(
  services: Services,
  caller: Caller,
  submission: LeadSubmission,
  requestedId: number | null,
): Promise<CreatedLead> {
  const { form, token } = submission;
  const honeypot = submission[honeypotName] ?? submission.website;
  const verdict = judge(services, caller, { form, token, honeypot });
  const rights = await rightsOf(services, caller, verdict);
  const [person, now] = [personOf(submission), services.now()];
  const askedId = caller.site.kind === 'unknown' ? null : requestedId;
  const claim = claimOf({
    caller,
    sender: rights.isScoped ? 'token' : senderOf(verdict),
    content: leadContent(submission, person, askedId),
    quarantined: verdict.quarantineReason !== null,
    now,
  });
  const judged: Judged = {
    ...{ services, caller, submission, requestedId: askedId, verdict, person, claim, now, ...rights },
    filledHoneypot: honeypot !== undefined,
  };
  const replay = await services.submissions.replays.find(caller.ip, claim);
  if (replay !== null) {
    caller.responseHeaders.set('Idempotent-Replayed', 'true');
    return { status: 201, body: leadCreateOutput.parse(replay), replayed: true };
  }
  const findMatch = (): Promise<Match> =>
    matchOnSite(services, { site: caller.site, zipCode: submission.zip_code, requestedId: askedId });
  const admission = await admit(services, caller, verdict);
  const match = await findMatch();
  const submitted = await countMatched({ ...judged, admission }, match);
  const created = await storeMatched(submitted, match).catch(async (error: unknown) => {
    if (!hasCode(error, foreignKeyViolation)) throw error;
    forgetSnapshots(services.db);
    // Fails again if the site's own provider was deleted and this process has not been notified yet.
    return storeMatched(submitted, await findMatch()).catch((again: unknown) => {
      throw hasCode(again, foreignKeyViolation) ? unavailable(again) : again;
    });
  });
  if (created.replayed) {
    // Its first copy was stored after `replays.find`, and only that one counts.
    await services.limits.leads.giveBack(caller.ip, admission.countedAs);
    await services.submissions.tokenUses.giveBack(submitted.verdict);
    await services.limits.floods.giveBack({ keys: submitted.countedBy });
    caller.responseHeaders.set('Idempotent-Replayed', 'true');
  } else {
    // A plain form post took none of the steps that scripts report.
    if (caller.transport === 'trpc' && submitted.formShown !== 'api')
      services.submissions.formSteps.count(submitted.formShown, 'sent');
  }
  return created;
}
