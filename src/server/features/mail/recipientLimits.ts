import { and, count, eq, gt, inArray, lt, ne, type SQL, sql } from 'drizzle-orm';
import { recipientResendsPerDayMax } from '#shared/admin/deliveries.ts';
import { dayMs, hourMs, minuteMs } from '#shared/formats/time.ts';
import type { DataKeys } from '#server/security/dataKeys.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { purgeRows } from '../../db/purgeRows.ts';
import { deliveries, recipientEmails } from '../../db/schema/index.ts';
import type { Log } from '../../log.ts';
import { leadEmailCeilingReached } from '../../metrics.ts';
import { groupHashes, limitHashes } from '../identity/identityHashes.ts';
import { recipientGroups } from '../identity/mailbox.ts';
import { unreachableReasons } from './unreachableAddresses.ts';
import { unprovenReason } from '../outbox/enqueueDeliveries.ts';
import { system } from '../audit/audit.ts';

const weekMs = 7 * dayMs;
const perDayMax = 1;
const perWeekMax = 3;
/**
 * For catch-all domains and tags that we don't know. A mail service would have to bring ten thousand leads a day before
 * twenty of them began with the same letters up to a digit: more than `LEAD_EMAILS_PER_HOUR` allows by default.
 */
const perPrefixMax = 20;
/** For domains that strangers don't share. */
const perDomainMax = 100;
const alertEveryMs = 10 * minuteMs;

export const dayReason = 'This address received a lead email within the last 24 hours.';
export const weekReason = 'This address received three lead emails within the last seven days.';
export const prefixReason =
  'Similar addresses of this domain received many lead emails within the last 24 hours.';
export const domainReason = 'This domain received many lead emails within the last 24 hours.';
export const resendReason = `Staff resent ${recipientResendsPerDayMax} emails to this address within the last 24 hours. Please try again later.`;
/** Why a lead email waits; the queue's health counts by it. */
export const ceilingReason = 'The hourly limit for lead emails is reached (LEAD_EMAILS_PER_HOUR).';

/** Why a lead email was withheld. Staff may resend an email that was withheld for one of these reasons. */
export const withheldReasons: readonly string[] = [
  dayReason,
  weekReason,
  prefixReason,
  domainReason,
  resendReason,
  unprovenReason,
  ...Object.values(unreachableReasons),
];

interface LeadEmail {
  deliveryId: string;
  /** Who requested the delivery; null: the lead's own arrival. */
  requestedBy: string | null;
  /** The recipient's address, as typed. */
  address: string;
  now: Date;
}

/** Whether a lead email may be sent now. `withheld`: not at all. `full`: later, as the hourly limit is reached. */
type Permission = { kind: 'granted' } | { kind: 'withheld'; reason: string } | { kind: 'full' };

interface Options {
  db: Database;
  dataKeys: DataKeys;
  log: Log;
  /** Lead emails in one hour, to all recipients together. */
  perHour: number;
}

/** Whether staff requested the email. */
export function isResend({ requestedBy }: Pick<LeadEmail, 'requestedBy'>): boolean {
  return requestedBy !== null && requestedBy !== system.name;
}

/** Another lead email, sent within this time. A row counts unless its delivery was not sent after all. */
function isOther({ deliveryId, now }: LeadEmail, withinMs: number): SQL | undefined {
  return and(
    gt(recipientEmails.sentAt, new Date(now.getTime() - withinMs)),
    ne(recipientEmails.deliveryId, deliveryId),
    sql`(${deliveries.id} is null or ${deliveries.state} not in ('failed', 'cancelled'))`,
  );
}

async function countSent(tx: Queryable, where: SQL | undefined): Promise<number> {
  const [row] = await tx
    .select({ sent: count() })
    .from(recipientEmails)
    .leftJoin(deliveries, eq(deliveries.id, recipientEmails.deliveryId))
    .where(where);
  return row?.sent ?? 0;
}

interface Counts {
  day: number;
  week: number;
  resends: number;
}

/** Other lead emails to a recipient. */
async function countOthers(tx: Queryable, email: LeadEmail, hmacs: readonly string[]): Promise<Counts> {
  const isOfDay = sql`${recipientEmails.sentAt} > ${new Date(email.now.getTime() - dayMs).toISOString()}::timestamptz`;
  const isByStaff = sql`${deliveries.requestedBy} is not null and ${deliveries.requestedBy} <> ${system.name}`;
  const [counts] = await tx
    .select({
      day: sql<number>`count(*) filter (where ${isOfDay})::int`,
      week: sql<number>`count(*)::int`,
      resends: sql<number>`count(*) filter (where ${isOfDay} and ${isByStaff})::int`,
    })
    .from(recipientEmails)
    .leftJoin(deliveries, eq(deliveries.id, recipientEmails.deliveryId))
    .where(and(inArray(recipientEmails.recipientHmac, [...hmacs]), isOther(email, weekMs)));
  return counts ?? { day: 0, week: 0, resends: 0 };
}

function catchRefusal(email: LeadEmail, { day, week, resends }: Counts): string | null {
  if (isResend(email)) return resends >= recipientResendsPerDayMax ? resendReason : null;
  if (day >= perDayMax) return dayReason;
  return week >= perWeekMax ? weekReason : null;
}

interface RecipientHmacs {
  recipientHmac: string;
  prefixHmac: string;
  domainHmac: string;
}

/** Why an email is one too many to addresses that may all be one person's; null: it isn't. */
async function crowdReason(
  tx: Queryable,
  email: LeadEmail,
  { prefixHmac, domainHmac }: RecipientHmacs,
): Promise<string | null> {
  const isOfDomain = eq(recipientEmails.domainHmac, domainHmac);
  const isOfDay = isOther(email, dayMs);
  const ofPrefix = await countSent(tx, and(isOfDay, isOfDomain, eq(recipientEmails.prefixHmac, prefixHmac)));
  if (ofPrefix >= perPrefixMax) return prefixReason;
  if (recipientGroups(email.address).isShared) return null;
  return (await countSent(tx, and(isOfDay, isOfDomain))) >= perDomainMax ? domainReason : null;
}

/** Counts the email unless the hourly limit is reached. Returns whether it was counted. */
async function countEmail(
  tx: Queryable,
  email: LeadEmail,
  { counted, perHour }: { counted: RecipientHmacs; perHour: number },
): Promise<boolean> {
  if ((await countSent(tx, isOther(email, hourMs))) >= perHour) return false;
  const { deliveryId, now } = email;
  const row = { ...counted, sentAt: now };
  await tx
    .insert(recipientEmails)
    .values({ deliveryId, ...row })
    .onConflictDoUpdate({ target: recipientEmails.deliveryId, set: row });
  return true;
}

/** Locks until the transaction ends. */
async function lock(tx: Queryable, what: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`lead emails ${what}`}, 0))`);
}

/** Limits lead emails per recipient and per hour, and raises an alert while the hourly limit is reached. */
export function createRecipientLimits({ db, dataKeys, log, perHour }: Options) {
  let alertedAt = Number.NEGATIVE_INFINITY;

  function alert(now: Date): void {
    leadEmailCeilingReached.inc();
    if (now.getTime() - alertedAt < alertEveryMs) return;
    alertedAt = now.getTime();
    log.error(
      { event: 'lead-email.ceiling-reached', perHour },
      'the hourly limit for lead emails is reached; they wait',
    );
  }

  return {
    /**
     * Requests permission for one attempt of a lead email, and counts the email once per delivery. Deliveries that
     * failed for good or were cancelled don't count. Exact across all processes.
     */
    async permit(email: LeadEmail): Promise<Permission> {
      const { key } = await dataKeys.current('identity');
      const hmacs = limitHashes(key, email.address);
      const [hmac = ''] = hmacs;
      const counted = { recipientHmac: hmac, ...groupHashes(key, email.address) };
      const permission = await db.transaction(async (tx): Promise<Permission> => {
        await lock(tx, hmac);
        const reason = catchRefusal(email, await countOthers(tx, email, hmacs));
        if (reason !== null) return { kind: 'withheld', reason };
        // Always after the recipient's lock: no deadlock.
        await lock(tx, 'of all');
        const crowd = isResend(email) ? null : await crowdReason(tx, email, counted);
        if (crowd !== null) return { kind: 'withheld', reason: crowd };
        return { kind: (await countEmail(tx, email, { counted, perHour })) ? 'granted' : 'full' };
      });
      if (permission.kind === 'full') alert(email.now);
      return permission;
    },
  };
}

/** Deletes a batch of rows older than a week, which no limit counts. Returns how many. */
export function purgeRecipientEmails(db: Queryable, now: Date): Promise<number> {
  const { deliveryId, sentAt } = recipientEmails;
  return purgeRows(db, deliveryId, lt(sentAt, new Date(now.getTime() - weekMs)));
}

export type RecipientLimits = ReturnType<typeof createRecipientLimits>;
