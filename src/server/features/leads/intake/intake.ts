import { cleanText } from '#shared/leads/leadFields.ts';
import { honeypotName } from '#shared/leads/quarantine.ts';
import { leadCreateOutput, type LeadCreateOutput, type LeadSubmission } from '#shared/leads/leads.ts';
import type { FormKey } from '#shared/leads/leadForms.ts';
import { toAnswers } from '#shared/submissions/leadInput.ts';
import { storedZip, zipInText } from '#shared/leads/zip.ts';
import { hasCode, unavailable } from '#server/errors.ts';
import { leadsMatched, leadsQuarantined, leadsStored } from '#server/metrics.ts';
import { planDeliveries, type PlannedDelivery } from '../../outbox/enqueueDeliveries.ts';
import type { Caller } from '#server/caller.ts';
import type { Services } from '#server/services.ts';
import type { Match } from '../../matching/match.ts';
import { matchOnSite } from '../../matching/siteMatch.ts';
import { type Person, makePerson } from '../../identity/identity.ts';
import { toLeadColumns } from '../../identity/leadFieldValues.ts';
import { type Admission, admit, judge, type Verdict } from '../../submissions/spam.ts';
import { type ConsentInput, consentRecord } from '../../consent/recordConsent.ts';
import { forgetSnapshots, storeSnapshot } from '../../consent/formSnapshots.ts';
import {
  answerFor,
  toClaim,
  type IdempotencyClaim,
  leadContent,
  getSender,
} from '../../submissions/idempotency.ts';
import { reportFlood } from './intakeAlerts.ts';
import type { FloodCount } from './floodLimits.ts';
import { waitMaxMs } from './overLimitQueue.ts';
import { listRights, type SenderRights } from './senderRights.ts';
import type { NewLead } from './storeLeads.ts';
import { type ProviderRecord, toView } from '#server/tenant/providerRecord.ts';

export interface CreatedLead {
  body: LeadCreateOutput;
  /** Whether the body is the answer to an earlier, equal submission. */
  replayed: boolean;
}

interface Scope {
  services: Services;
  caller: Caller;
}

/** What is known of a submission before it is counted. */
interface JudgedSubmission {
  submission: LeadSubmission;
  /** Null on unknown hosts. */
  requestedId: number | null;
  verdict: Verdict;
  rights: SenderRights;
  person: Person;
  now: Date;
}

/** An admitted and counted submission. It stays the same if it is matched twice. */
interface AdmittedSubmission {
  /** With the uses of its token counted. */
  judged: JudgedSubmission;
  claim: IdempotencyClaim;
  admission: Admission;
  /** What the limits of floods counted it by. */
  floodKeys: FloodCount['keys'];
  /** The form that is known to have been shown; `api` if none is. */
  formShown: FormKey;
}

/** The first step: who sent it, whether it looks like spam, and what it may cause. Throws UNAUTHORIZED. */
async function judgeSubmission(
  { services, caller }: Scope,
  submission: LeadSubmission,
  requestedId: number | null,
): Promise<JudgedSubmission> {
  const { form, token } = submission;
  const verdict = judge(services, caller, { form, token, honeypot: readHoneypot(submission) });
  return {
    submission,
    requestedId: caller.site.kind === 'unknown' ? null : requestedId,
    verdict,
    rights: await listRights(services, caller, verdict),
    person: makePerson(submission),
    now: services.now(),
  };
}

function readHoneypot(submission: LeadSubmission): string | undefined {
  return submission[honeypotName] ?? submission.website;
}

/** What makes a second submission the same. Throws BAD_REQUEST for an invalid Idempotency-Key. */
function claimSubmission(
  caller: Caller,
  { submission, requestedId, verdict, rights, person, now }: JudgedSubmission,
): IdempotencyClaim {
  return toClaim({
    caller,
    sender: rights.isScoped ? 'token' : getSender(verdict),
    content: leadContent(submission, person, requestedId),
    quarantined: verdict.quarantineReason !== null,
    now,
  });
}

function findMatch({ services, caller }: Scope, judged: JudgedSubmission): Promise<Match> {
  const { submission, requestedId } = judged;
  return matchOnSite(services, { site: caller.site, zipCode: submission.zip_code, requestedId });
}

/**
 * The provider whose name the form showed: the site's, that of a microsite on the main domain, or the one that a
 * two-step form named for the ZIP. A name that the client sent counts only if it is the matched provider's.
 */
async function findProviderShown(
  { services, caller }: Scope,
  { judged: { submission }, formShown }: AdmittedSubmission,
  match: Match,
): Promise<ProviderRecord | null> {
  if (formShown === 'api') return null;
  if (caller.site.tenant !== null) return caller.site.tenant;
  if (match.providerId === null) return null;
  if (formShown === 'microsite')
    return match.method === 'requested' ? services.tenants.findById(match.providerId) : null;
  if (submission.seller_shown === undefined) return null;
  const matched = await services.tenants.findById(match.providerId);
  return matched !== null && cleanText(toView(matched).label) === submission.seller_shown ? matched : null;
}

function buildLeadRow(
  caller: Caller,
  { judged: { submission, person, now }, admission: { quarantineReason } }: AdmittedSubmission,
  match: Match,
): NewLead['lead'] & { publicId: string } {
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
    zip5: zipInText(submission.zip_code),
    matchMethod: match.method,
    matchReason: match.reason,
    matchDistanceMiles: match.distanceMiles,
    quarantinedAt: quarantineReason === null ? null : now,
    quarantineReason,
    filledHoneypot: readHoneypot(submission) === undefined ? null : true,
    answers: toAnswers(submission),
    publicId: crypto.randomUUID(),
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
  { services, caller }: Scope,
  submitted: Omit<AdmittedSubmission, 'floodKeys' | 'formShown'>,
  { providerId }: Match,
): Promise<AdmittedSubmission> {
  const { judged, admission } = submitted;
  const { verdict, person, now } = judged;
  const isCounted = admission.quarantineReason === null && !judged.rights.isScoped;
  // Counted at the same time, by one statement.
  const [counted, { flood, keys }] = await Promise.all([
    services.submissions.tokenUses.count(verdict),
    isCounted
      ? services.limits.floods.take({ phoneE164: person.phoneE164, ip: caller.ip, providerId })
      : notCounted,
  ]);
  const admitted: AdmittedSubmission = {
    ...submitted,
    judged: { ...judged, verdict: counted },
    floodKeys: keys,
    formShown: counted.isFormShown ? judged.submission.form : 'api',
  };
  if (flood === null) return admitted;
  await reportFlood(services, flood, providerId);
  const releaseAt = verdict.kind === 'form' ? new Date(now.getTime() + flood.waitMs) : null;
  const quarantineReason = releaseAt === null ? 'burst' : 'over-limit';
  return { ...admitted, admission: { ...admission, quarantineReason, releaseAt } };
}

/** When a lead above a limit may leave the queue: not before its honeypot's wait ends, and not too late. */
function findReleaseTime({ judged, admission }: AdmittedSubmission, deliverAt: Date): Date | null {
  const last = new Date(judged.now.getTime() + waitMaxMs);
  if (admission.releaseAt === null) return null;
  return admission.releaseAt > last ? last : latest(admission.releaseAt, deliverAt);
}

function planFirst(
  { channels }: Services,
  { judged: { rights, now }, admission }: AdmittedSubmission,
  { providerId, dueAt }: { providerId: number | null; dueAt: Date },
): PlannedDelivery[] {
  const { mayMailPerson } = rights;
  return admission.quarantineReason === null
    ? planDeliveries({ channels, providerId, now, dueAt, mayMailPerson })
    : [];
}

/** The evidence of what the visitor saw, with the snapshot of the form stored. */
async function gatherEvidence(
  scope: Scope,
  admitted: AdmittedSubmission,
  match: Match,
): Promise<Omit<ConsentInput, 'leadId' | 'leadPublicId'>> {
  const { services, caller } = scope;
  const { judged, formShown } = admitted;
  const provider = await findProviderShown(scope, admitted, match);
  const form = services.submissions.formSnapshots.of(formShown, caller.site, provider);
  if (form !== null) await storeSnapshot(services.db, form);
  return {
    ...{ caller, submission: judged.submission, formShown, acceptedAt: judged.now },
    seller: provider === null ? null : toView(provider),
    formSha256: form?.sha256 ?? null,
    msFromRender: judged.verdict.msFromRender,
  };
}

async function storeMatched(scope: Scope, admitted: AdmittedSubmission, match: Match): Promise<CreatedLead> {
  const { services, caller } = scope;
  const { judged, claim, admission } = admitted;
  const evidence = await gatherEvidence(scope, admitted, match);
  const { first, last } = judged.submission.attribution ?? {};
  const deliverAt = new Date(judged.now.getTime() + (judged.verdict.honeypotWaitMs ?? 0));
  const deliveries = planFirst(services, admitted, { providerId: match.providerId, dueAt: deliverAt });
  const lead = buildLeadRow(caller, admitted, match);
  const result = await services.submissions.leadBatches.store({
    claim,
    lead,
    buildConsent: (leadId) => consentRecord({ ...evidence, leadId, leadPublicId: lead.publicId }),
    attribution: [
      ...(first === undefined ? [] : [{ touch: 'first' as const, values: first }]),
      ...(last === undefined ? [] : [{ touch: 'last' as const, values: last }]),
    ],
    deliveries,
    deliverAt,
    releaseAt: findReleaseTime(admitted, deliverAt),
  });
  if (!result.stored) return { body: leadCreateOutput.parse(answerFor(claim, result)), replayed: true };
  if (admission.quarantineReason === 'test') return { body: result.body, replayed: false };
  leadsStored.inc();
  leadsMatched.inc({ method: match.method });
  if (admission.quarantineReason !== null) leadsQuarantined.inc({ reason: admission.quarantineReason });
  if (deliveries.length > 0) services.wakeSignal.wake();
  return { body: result.body, replayed: false };
}

/** SQLSTATE 23503: the matched provider or a stored form snapshot was deleted before the insert. */
const foreignKeyViolation = new Set(['23503']);

/** Stores a submission, matched once more if what it referred to is gone. Throws SERVICE_UNAVAILABLE. */
async function storeAdmitted(scope: Scope, admitted: AdmittedSubmission, match: Match): Promise<CreatedLead> {
  try {
    return await storeMatched(scope, admitted, match);
  } catch (error) {
    if (!hasCode(error, foreignKeyViolation)) throw error;
  }
  forgetSnapshots(scope.services.db);
  try {
    return await storeMatched(scope, admitted, await findMatch(scope, admitted.judged));
  } catch (error) {
    // Fails again if the site's own provider was deleted and this process has not been notified yet.
    throw hasCode(error, foreignKeyViolation) ? unavailable(error) : error;
  }
}

/** What was counted of a submission whose first copy was stored after `replays.find`: only that one counts. */
async function giveBack({ services, caller }: Scope, admitted: AdmittedSubmission): Promise<void> {
  await services.limits.leads.giveBack(caller.ip, admitted.admission.countedAs);
  await services.submissions.tokenUses.giveBack(admitted.judged.verdict);
  await services.limits.floods.giveBack({ keys: admitted.floodKeys });
}

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
  const scope = { services, caller };
  const judged = await judgeSubmission(scope, submission, requestedId);
  const claim = claimSubmission(caller, judged);
  const replay = await services.submissions.replays.find(caller.ip, claim);
  if (replay !== null) {
    caller.responseHeaders.set('Idempotent-Replayed', 'true');
    return { body: leadCreateOutput.parse(replay), replayed: true };
  }
  const admission = await admit(services, caller, judged.verdict);
  const match = await findMatch(scope, judged);
  const admitted = await countMatched(scope, { judged, claim, admission }, match);
  const created = await storeAdmitted(scope, admitted, match);
  if (created.replayed) {
    await giveBack(scope, admitted);
    caller.responseHeaders.set('Idempotent-Replayed', 'true');
  } else if (caller.transport === 'trpc' && admitted.formShown !== 'api') {
    // A plain form post took none of the steps that scripts report.
    services.submissions.formSteps.count(admitted.formShown, 'sent');
  }
  return created;
}

/**
 * The way of `createLead` for a lead that staff send to see it: no limit counts it, and its quarantine, which never ends,
 * keeps it from providers, the CRM, webhooks and figures.
 */
export async function createTestLead(
  services: Services,
  caller: Caller,
  submission: LeadSubmission,
): Promise<CreatedLead> {
  const scope = { services, caller };
  const judged = await judgeSubmission(scope, submission, null);
  const claim = claimSubmission(caller, judged);
  const admission = { quarantineReason: 'test', releaseAt: null, countedAs: 'script' } as const;
  const admitted = { judged, claim, admission, floodKeys: [], formShown: 'api' as const };
  return storeAdmitted(scope, admitted, await findMatch(scope, judged));
}
