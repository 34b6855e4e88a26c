import { problemMessage } from '#shared/admin/alerts.ts';
import { claims } from '#shared/brand/claims.ts';
import type { Claim } from '#shared/claims/claim.ts';
import { problemFormKey } from '#shared/claims/problemFields.ts';
import type { ProblemSubmission } from '#shared/claims/problemReport.ts';
import { honeypotName } from '#shared/leads/quarantine.ts';
import type { Caller } from '#server/caller.ts';
import { problemReports } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { raiseAlert } from '../alerts/alerts.ts';
import { admit, judge } from '../submissions/spam.ts';

type RequiredServices = Pick<Services, 'config' | 'db' | 'now'> & {
  submissions: Pick<Services['submissions'], 'formTokens'>;
  limits: Pick<Services['limits'], 'leads'>;
};

/**
 * Stores a visitor's report of a problem, with the limits and the spam verdict of other submissions. It opens an alert,
 * which says nothing that was typed; a quarantined one doesn't. Throws TOO_MANY_REQUESTS.
 */
export async function createProblem(
  services: RequiredServices,
  caller: Caller,
  submission: ProblemSubmission,
): Promise<{ received: true }> {
  const { what, contact = '', token } = submission;
  const honeypot = submission[honeypotName];
  const verdict = judge(services, caller, { form: problemFormKey, token, honeypot });
  const { quarantineReason } = await admit(services, caller, verdict);
  const registry: readonly Claim[] = claims;
  const claim = registry.find(({ id }) => id === submission.claim) ?? null;
  const now = services.now();
  const { ip, site } = caller;
  const report = { claimId: claim?.id ?? null, what, contact: contact === '' ? null : contact, ip };
  await services.db.transaction(async (tx) => {
    await tx.insert(problemReports).values({ ...report, host: site.host, createdAt: now, quarantineReason });
    if (quarantineReason !== null && quarantineReason !== 'over-limit') return;
    const message = problemMessage(claim?.text ?? null);
    await raiseAlert(tx, { kind: 'problem-reported', subject: claim?.id ?? '', message, now });
  });
  return { received: true };
}
