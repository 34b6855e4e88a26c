import { eq, sql } from 'drizzle-orm';
import { mail as copy } from '#shared/brand/mail.ts';
import { longTime } from '#shared/formats/writing.ts';
import { deliverableEmail } from '#shared/leads/emailAddress.ts';
import { suppressedReason } from '#shared/leads/suppression.ts';
import { type RenderedMail, renderPlainMail } from '#shared/mail/mail.ts';
import type { Config } from '#server/config/config.ts';
import type { Queryable } from '#server/db/connect.ts';
import { applicationMessages, providerApplications, suppressions } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { getIdentity } from '../identity/identity.ts';
import { greetingName } from '../mail/greetingName.ts';
import { leaseDue, sendPlain } from '../mail/plainMessages.ts';
import { ceilingReason } from '../mail/recipientLimits.ts';
import { findUnreachable, unreachableReasons } from '../mail/unreachableAddresses.ts';
import { isMailboxListed, listSuppressions } from '../suppression/suppressions.ts';
import { endMessages, endOldMessages, isWaiting, recordResult } from './applicationMessages.ts';

const otherSpellingReason = 'Someone withdrew under another spelling of this email address.';

type RequiredServices = Pick<Services, 'config' | 'db' | 'dataKeys' | 'mail' | 'now'> & {
  limits: Pick<Services['limits'], 'recipients'>;
};
type Application = typeof providerApplications.$inferSelect;

/**
 * Mails the due receipts to applicants. Those that aren't accepted are due again in an hour, for two days, unless the
 * recipient is refused for good. The limits, and who gets none, are those of emails to leads. Any number of processes
 * may call it. A process that dies in between may send one twice, with the same Message-ID. Returns how many were sent.
 */
export async function mailReceipts(services: RequiredServices): Promise<number> {
  const { db, mail } = services;
  await endOldMessages(db);
  if (mail.mailer.heldReason() !== null) return 0;
  let sent = 0;
  for (const id of await leaseDue(db, applicationMessages, isWaiting('receipt'))) {
    const application = await findApplication(db, id);
    if (application !== null && (await mailReceipt(services, id, application))) sent += 1;
  }
  return sent;
}

async function findApplication(db: Queryable, messageId: string): Promise<Application | null> {
  const [row] = await db
    .select({ application: providerApplications })
    .from(applicationMessages)
    .innerJoin(providerApplications, eq(providerApplications.id, applicationMessages.applicationId))
    .where(eq(applicationMessages.id, messageId));
  return row?.application ?? null;
}

/** Makes one attempt. Returns whether the message was accepted. */
async function mailReceipt(
  services: RequiredServices,
  id: string,
  application: Application,
): Promise<boolean> {
  const { config, db, limits, now } = services;
  const isThis = eq(applicationMessages.id, id);
  const { email } = application;
  const obstacle = await findObstacle(services, application);
  const request = { deliveryId: id, requestedBy: null, address: email, now: now() };
  const permission =
    obstacle === null
      ? await limits.recipients.permit(request)
      : ({ kind: 'withheld', reason: obstacle } as const);
  if (permission.kind === 'withheld') {
    await endMessages(db, isThis, { state: 'withheld', reason: permission.reason });
    return false;
  }
  if (permission.kind === 'full') {
    const later = { reason: ceilingReason, nextAttemptAt: sql`now() + interval '10 minutes'` };
    await db.update(applicationMessages).set(later).where(isThis);
    return false;
  }
  const rendered = renderReceiptMail(config, application);
  const result = await sendPlain(services, { id, address: deliverableEmail(email), rendered });
  await recordResult(db, isThis, result);
  return result.outcome === 'delivered';
}

/**
 * Why the applicant gets no automatic message: the address bounced or complained, the person is suppressed, or somebody
 * withdrew under another spelling of the mailbox. Null: they may get one.
 */
async function findObstacle(
  { db, dataKeys }: RequiredServices,
  { email, phone, phoneE164 }: Application,
): Promise<string | null> {
  const cause = await findUnreachable({ db, dataKeys }, email);
  if (cause !== null) return unreachableReasons[cause];
  const { key } = await dataKeys.current('identity');
  const person = { ...getIdentity({ email, phone }), phoneE164 };
  if ((await db.$count(suppressions, listSuppressions(key, person))) > 0) return suppressedReason;
  return (await isMailboxListed(db, key, email)) ? otherSpellingReason : null;
}

/** The receipt. Of what was typed, it repeats a plain first name and the ZIP code only. */
function renderReceiptMail({ contacts }: Config, application: Application): RenderedMail {
  const { id, contactName, zipCode, createdAt, consentText, consentVersion } = application;
  const text = copy.applicationReceipt;
  const at = longTime(createdAt.toISOString());
  const [firstName = ''] = contactName.trim().split(/\s+/);
  return renderPlainMail(text.subject, [
    text.heading(greetingName(firstName)),
    text.received(id, zipCode),
    text.next,
    consentVersion === null ? text.consentNotShown(at) : text.consent(at, consentText),
    text.questions(contacts.email),
    text.notYou(contacts.email),
    text.sender(contacts.postalAddress),
  ]);
}
