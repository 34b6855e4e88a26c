import { z } from 'zod';
import {
  applicationCreateOutput,
  type ApplicationCreateOutput,
  applicationFormKey,
  type ApplicationSubmission,
} from '#shared/applications/applications.ts';
import { applicationConsent } from '#shared/brand/application.ts';
import { honeypotName } from '#shared/leads/quarantine.ts';
import type { Caller } from '#server/caller.ts';
import type { Services } from '#server/services.ts';
import { type ProviderApplicationInsert, providerApplications } from '../../db/schema/index.ts';
import { makePerson } from '../identity/identity.ts';
import { insertMessages, planMessages } from './applicationMessages.ts';
import { type Admission, admit, judge, type Verdict } from '../submissions/spam.ts';
import {
  answerFor,
  claimKeys,
  toClaim,
  type IdempotencyClaim,
  getSender,
  type StoreResult,
  type SubmittedContent,
} from '../submissions/idempotency.ts';
import type { Database } from '../../db/connect.ts';
import { bigintColumn, readRow } from '#server/db/readRows.ts';

type RequiredServices = Pick<Services, 'config' | 'db' | 'now'> & {
  submissions: Pick<Services['submissions'], 'formTokens' | 'tokenUses' | 'replays'>;
  limits: Pick<Services['limits'], 'leads'>;
};

/**
 * The single entry point for a provider's application, for every transport: spam verdict → replay or limit → one
 * transaction (application, its messages, idempotency key) → response. The submission satisfies the shared schema. As
 * for leads, a suspicious one is quarantined and gets the same response, and the limit counts both. Throws
 * TOO_MANY_REQUESTS, BAD_REQUEST (unusable Idempotency-Key), UNPROCESSABLE_CONTENT (key used with other content). Adds
 * its headers to `caller.responseHeaders`.
 */
export async function createApplication(
  services: RequiredServices,
  caller: Caller,
  submission: ApplicationSubmission,
): Promise<ApplicationCreateOutput> {
  const { token } = submission;
  const honeypot = submission[honeypotName] ?? submission.homepage;
  const verdict = judge(services, caller, { form: applicationFormKey, token, honeypot });
  const now = services.now();
  const quarantined = verdict.quarantineReason !== null;
  const claim = toClaim({
    ...{ caller, sender: getSender(verdict), content: getContent(submission) },
    ...{ quarantined, now },
  });
  const replay = await services.submissions.replays.find(caller.ip, claim);
  if (replay !== null) {
    caller.responseHeaders.set('Idempotent-Replayed', 'true');
    return applicationCreateOutput.parse(replay);
  }
  const admission = await admit(services, caller, verdict);
  const counted = await services.submissions.tokenUses.count(verdict);
  const application = toRow(caller, submission, {
    ...counted,
    ...admission,
    filledHoneypot: honeypot !== undefined,
    now,
  });
  const messages = planMessages({ ...admission, verdict, now });
  const result = await storeApplication(services.db, { claim, now, application, messages });
  if (result.stored) return result.body;
  const body = applicationCreateOutput.parse(answerFor(claim, result));
  // Its first copy was stored after `replays.find`, and only that one counts.
  await services.limits.leads.giveBack(caller.ip, admission.countedAs);
  await services.submissions.tokenUses.giveBack(counted);
  caller.responseHeaders.set('Idempotent-Replayed', 'true');
  return body;
}

function getContent(submission: ApplicationSubmission): SubmittedContent {
  const { emailNorm, phoneE164 } = makePerson(submission);
  return [
    applicationFormKey,
    submission.practice_name,
    submission.contact_name,
    submission.role,
    emailNorm,
    phoneE164,
    submission.zip_code,
    submission.website ?? null,
    submission.message ?? null,
    submission.acceptance_message ?? null,
  ];
}

/** The text that the client says it showed, else the form's own. Unknown unless a form was shown. */
function getConsent(
  { acceptance_message }: ApplicationSubmission,
  isFormShown: boolean,
): Pick<ProviderApplicationInsert, 'consentText' | 'consentVersion'> {
  const consentText = acceptance_message ?? (isFormShown ? applicationConsent.text : '');
  const isKnown = isFormShown && consentText === applicationConsent.text;
  const consentVersion = isKnown ? applicationConsent.version : null;
  return { consentText, consentVersion };
}

function toRow(
  caller: Caller,
  submission: ApplicationSubmission,
  {
    isFormShown,
    quarantineReason,
    filledHoneypot,
    now,
  }: Pick<Verdict, 'isFormShown'> & Admission & { filledHoneypot: boolean; now: Date },
): Omit<ProviderApplicationInsert, 'id' | 'idempotencyKey'> {
  return {
    practiceName: submission.practice_name,
    contactName: submission.contact_name,
    role: submission.role,
    email: submission.email,
    phone: submission.phone,
    phoneE164: makePerson(submission).phoneE164,
    zipCode: submission.zip_code,
    website: submission.website ?? null,
    message: submission.message ?? null,
    ...getConsent(submission, isFormShown),
    createdAt: now,
    ip: caller.ip,
    host: caller.site.host,
    quarantinedAt: quarantineReason === null ? null : now,
    quarantineReason,
    filledHoneypot: filledHoneypot || null,
  };
}

interface NewApplication {
  claim: IdempotencyClaim;
  now: Date;
  application: Omit<ProviderApplicationInsert, 'id' | 'idempotencyKey'>;
  messages: ReturnType<typeof planMessages>;
}

/** Stores an application with its messages and claims its key, in one transaction. */
function storeApplication(
  db: Database,
  { claim, now, application, messages }: NewApplication,
): Promise<StoreResult<ApplicationCreateOutput>> {
  return db.transaction(async (tx): Promise<StoreResult<ApplicationCreateOutput>> => {
    const body = await readRow(tx, z.object({ id: bigintColumn }))`
      select nextval('provider_applications_id_seq') as id`;
    const [answer = null] = await claimKeys(tx, [{ claim, body, leadId: null }], now);
    if (answer !== null) return { stored: false, ...answer };
    await tx.insert(providerApplications).values({ ...application, id: body.id, idempotencyKey: claim.key });
    await insertMessages(tx, body.id, messages);
    return { stored: true, body };
  });
}
