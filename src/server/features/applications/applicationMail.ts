import { randomUUID } from 'node:crypto';
import { and, asc, eq, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { mail as copy } from '#shared/brand/mail.ts';
import { longTime } from '#shared/formats/localTime.ts';
import { counted } from '#shared/formats/writing.ts';
import { type RenderedMail, renderPlainMail } from '#shared/mail/mail.ts';
import { withoutClaims } from '#shared/claims/claim.ts';
import { publicConfig } from '#server/config/config.ts';
import { advisoryLocks, tryAdvisoryLock } from '#server/db/advisoryLocks.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { applicationMessages, providerApplications, suppressions } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { sendPlain, leaseDue } from '../mail/plainMessages.ts';
import { toHiddenClaims } from '../claims/hiddenClaims.ts';
import { findNearestProvider } from '../matching/matchQueries.ts';
import { findZones } from '#shared/leads/zipZones.ts';
import type { DeliveryResult } from '../outbox/types.ts';
import { getDueAt, endOldMessages, isWaiting, recordResult, endMessages } from './applicationMessages.ts';
import { deliverableEmail } from '#shared/leads/emailAddress.ts';
import { suppressedReason } from '#shared/leads/suppression.ts';
import { getIdentity } from '../identity/identity.ts';
import { greetingName } from '../mail/greetingName.ts';
import { ceilingReason, dayReason, domainReason, prefixReason, weekReason } from '../mail/recipientLimits.ts';
import { findUnreachable, unreachableReasons } from '../mail/unreachableAddresses.ts';
import { isMailboxListed, listSuppressions } from '../suppression/suppressions.ts';

type NoticeServices = Pick<Services, 'config' | 'db' | 'mail' | 'zipTable'>;

const listedMax = 20;
const noticeText = copy.applicationNotice;

/** Applications that are in one email, which has the batch's id. */
interface Batch {
  id: string;
  applicationIds: number[];
}

/**
 * Mails the contact address one message about all applications that wait, at most every 15 minutes, however many there
 * are and however many processes call it. One that isn't accepted is tried again with those that came since, for two
 * days. A process that dies in between may send one twice, with the same Message-ID. Returns whether one was sent.
 */
export async function mailNotices(services: NoticeServices): Promise<boolean> {
  const { config, db, mail } = services;
  await endOldMessages(db);
  if (mail.mailer.heldReason() !== null) return false;
  const batch = await leaseBatch(db);
  if (batch === null) return false;
  const rendered = await renderNoticeMail(services, batch.applicationIds);
  const result = await sendPlain(services, {
    id: batch.id,
    address: config.contacts.email,
    rendered,
    hasNoContact: false,
  });
  await recordAttempt(db, batch.id, result);
  return result.outcome === 'delivered';
}

/** Chooses what the next message lists, and leases it for an hour; null: nothing waits, or it is too early. */
function leaseBatch(db: Database): Promise<Batch | null> {
  return db.transaction(async (tx) => {
    const isHolder = await tryAdvisoryLock(tx, advisoryLocks.applicationNotices);
    if (!isHolder || (await wasRecent(tx))) return null;
    const { applicationId, attemptedAt, batch, nextAttemptAt } = applicationMessages;
    const isDue = lte(nextAttemptAt, sql`now()`);
    const [first] = await tx
      .select({ batch })
      .from(applicationMessages)
      .where(and(isWaiting('notice'), isDue))
      // One that may have arrived goes first, and unchanged: a repeat of its Message-ID may be dropped.
      .orderBy(sql`${batch} nulls last`)
      .limit(1);
    if (first === undefined) return null;
    const id = first.batch ?? randomUUID();
    const isInBatch =
      first.batch === null ? and(isNull(batch), or(isDue, isNotNull(attemptedAt))) : eq(batch, first.batch);
    const rows = await tx
      .update(applicationMessages)
      .set({ batch: id, attemptedAt: sql`now()`, nextAttemptAt: sql`now() + interval '1 hour'` })
      .where(and(isWaiting('notice'), isInBatch))
      .returning({ applicationId });
    return rows.length === 0 ? null : { id, applicationIds: rows.map((row) => row.applicationId) };
  });
}

/** Whether a message to staff was attempted within 15 minutes. */
async function wasRecent(tx: Queryable): Promise<boolean> {
  const { kind, attemptedAt } = applicationMessages;
  const isRecent = sql`${attemptedAt} > now() - interval '15 minutes'`;
  return (await tx.$count(applicationMessages, and(eq(kind, 'notice'), isRecent))) > 0;
}

/** Without an answer it may have arrived: then it is repeated as it is. Otherwise, the next one lists what it listed. */
async function recordAttempt(db: Queryable, batch: string, result: DeliveryResult): Promise<void> {
  const isOfBatch = eq(applicationMessages.batch, batch);
  await recordResult(db, isOfBatch, result);
  const isRefused = result.outcome === 'failed' && (result.status !== null || result.pausesChannel === true);
  if (isRefused)
    await db
      .update(applicationMessages)
      .set({ batch: null })
      .where(and(isWaiting('notice'), isOfBatch));
}

/** The message to staff. Of what was typed, it repeats ZIP codes only. */
async function renderNoticeMail(
  services: NoticeServices,
  applicationIds: readonly number[],
): Promise<RenderedMail> {
  const { config, db } = services;
  const { id, zipCode, createdAt } = providerApplications;
  const listed = await db
    .select({ id, zipCode, createdAt })
    .from(providerApplications)
    .where(inArray(id, [...applicationIds]))
    .orderBy(asc(id))
    .limit(listedMax);
  const lines: string[] = [];
  for (const application of listed) {
    const nearest = await nearestText(services, application.zipCode);
    const due = longTime(getDueAt(application.createdAt).toISOString(), findZones(application.zipCode));
    lines.push(noticeText.line(application.id, application.zipCode, nearest, due));
  }
  const more = applicationIds.length - listed.length;
  return renderPlainMail(noticeText.subject(applicationIds.length), [
    noticeText.intro,
    ...lines,
    ...(more > 0 ? [noticeText.more(more)] : []),
    noticeText.open(`${publicConfig(config).mainOrigin}/admin?tab=applications`),
  ]);
}

async function nearestText({ config, db, zipTable }: NoticeServices, zipCode: string): Promise<string> {
  const place = zipTable.lookup(zipCode);
  // A prefix's center would give a mistyped ZIP code an area of its own.
  if (place?.placement !== 'zip') return noticeText.unknownZip;
  const { matchRadiusMiles } = config;
  const nearest = await findNearestProvider(db, place, matchRadiusMiles);
  return nearest?.isWithinRadius === true
    ? noticeText.nearest(counted(Math.max(1, Math.round(nearest.distanceMiles)), 'mile'))
    : noticeText.noneNear(counted(matchRadiusMiles, 'mile'));
}

const otherSpellingReason = 'Someone withdrew under another spelling of this email address.';

/** The limits' reasons for a receipt. It may be another receipt that counts toward them, not a lead email. */
export const receiptLimitReasons: Readonly<Record<string, string>> = {
  [dayReason]: 'This address received an email from us within the last 24 hours.',
  [weekReason]: 'This address received three emails from us within the last seven days.',
  [prefixReason]: 'Similar addresses of this domain received many emails from us within the last 24 hours.',
  [domainReason]: 'This domain received many emails from us within the last 24 hours.',
};

type ReceiptServices = Pick<
  Services,
  'config' | 'db' | 'dataKeys' | 'mail' | 'now' | 'tenants' | 'zipTable'
> & {
  limits: Pick<Services['limits'], 'recipients'>;
};
type Application = typeof providerApplications.$inferSelect;

/**
 * Mails the due receipts to applicants. Those that aren't accepted are due again in an hour, for two days, unless the
 * recipient is refused for good. The limits, and who gets none, are those of emails to leads. Any number of processes
 * may call it. A process that dies in between may send one twice, with the same Message-ID. Returns how many were sent.
 */
export async function mailReceipts(services: ReceiptServices): Promise<number> {
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
  services: ReceiptServices,
  id: string,
  application: Application,
): Promise<boolean> {
  const { db, limits, now } = services;
  const isThis = eq(applicationMessages.id, id);
  const { email } = application;
  const obstacle = await findObstacle(services, application);
  const request = { deliveryId: id, requestedBy: null, address: email, now: now() };
  const permission =
    obstacle === null
      ? await limits.recipients.permit(request)
      : ({ kind: 'withheld', reason: obstacle } as const);
  if (permission.kind === 'withheld') {
    const { reason } = permission;
    await endMessages(db, isThis, { state: 'withheld', reason: receiptLimitReasons[reason] ?? reason });
    return false;
  }
  if (permission.kind === 'full') {
    const later = { reason: ceilingReason, nextAttemptAt: sql`now() + interval '10 minutes'` };
    await db.update(applicationMessages).set(later).where(isThis);
    return false;
  }
  const rendered = renderReceiptMail(services, application);
  const result = await sendPlain(services, {
    id,
    address: deliverableEmail(email),
    rendered,
    hasNoContact: false,
  });
  await recordResult(db, isThis, result);
  return result.outcome === 'delivered';
}

export type Addressee = Pick<Application, 'email' | 'phone' | 'phoneE164'>;

/** Why the applicant gets no message: a bounce, complaint or suppression, or a withdrawal under another spelling. */
export async function findObstacle(
  { db, dataKeys }: Pick<ReceiptServices, 'db' | 'dataKeys'>,
  { email, phone, phoneE164 }: Addressee,
): Promise<string | null> {
  const cause = await findUnreachable({ db, dataKeys }, email);
  if (cause !== null) return unreachableReasons[cause];
  const { key } = await dataKeys.current('identity');
  const person = { ...getIdentity({ email, phone }), phoneE164 };
  if ((await db.$count(suppressions, listSuppressions(key, person))) > 0) return suppressedReason;
  return (await isMailboxListed(db, key, email)) ? otherSpellingReason : null;
}

/** The receipt. Of what was typed, it repeats a plain first name and the ZIP code only. */
function renderReceiptMail(
  { config: { contacts }, tenants, zipTable }: Pick<ReceiptServices, 'config' | 'tenants' | 'zipTable'>,
  application: Application,
): RenderedMail {
  const { id, contactName, zipCode, createdAt, consentText, consentVersion } = application;
  const text = copy.applicationReceipt;
  const next = withoutClaims(text.next, toHiddenClaims(tenants.hiddenClaims()));
  const at = longTime(createdAt.toISOString(), findZones(zipCode));
  const [firstName = ''] = contactName.trim().split(/\s+/);
  return renderPlainMail(text.subject, [
    `${text.heading(greetingName(firstName))} ${text.received(id, zipCode)}`,
    ...(zipTable.lookup(zipCode)?.placement === 'zip' ? [] : [text.unknownZip]),
    ...(next === '' ? [] : [next]),
    consentVersion === null ? text.consentNotShown(at) : text.consent(at, consentText),
    text.questions(contacts.email),
    text.notYou(contacts.email),
    text.sender(contacts.postalAddress),
  ]);
}
