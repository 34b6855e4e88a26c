import { randomUUID } from 'node:crypto';
import { and, asc, eq, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { mail as copy } from '#shared/brand/mail.ts';
import { counted, longTime } from '#shared/formats/writing.ts';
import { type RenderedMail, renderPlainMail } from '#shared/mail/mail.ts';
import { publicConfig } from '#server/config/config.ts';
import { advisoryLocks, tryAdvisoryLock } from '#server/db/advisoryLocks.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { applicationMessages, providerApplications } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { sendPlain } from '../mail/plainMessages.ts';
import { findNearestProvider } from '../matching/matchQueries.ts';
import type { DeliveryResult } from '../outbox/types.ts';
import { getDueAt, endOldMessages, isWaiting, recordResult } from './applicationMessages.ts';

type RequiredServices = Pick<Services, 'config' | 'db' | 'mail' | 'zipTable'>;

const listedMax = 20;
const text = copy.applicationNotice;

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
export async function mailNotices(services: RequiredServices): Promise<boolean> {
  const { config, db, mail } = services;
  await endOldMessages(db);
  if (mail.mailer.heldReason() !== null) return false;
  const batch = await leaseBatch(db);
  if (batch === null) return false;
  const rendered = await renderNoticeMail(services, batch.applicationIds);
  const result = await sendPlain(services, { id: batch.id, address: config.contacts.email, rendered });
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
  services: RequiredServices,
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
    const due = longTime(getDueAt(application.createdAt).toISOString());
    lines.push(text.line(application.id, application.zipCode, nearest, due));
  }
  const more = applicationIds.length - listed.length;
  return renderPlainMail(text.subject(applicationIds.length), [
    text.intro,
    ...lines,
    ...(more > 0 ? [text.more(more)] : []),
    text.open(`${publicConfig(config).mainOrigin}/admin?tab=applications`),
  ]);
}

async function nearestText({ config, db, zipTable }: RequiredServices, zipCode: string): Promise<string> {
  const place = zipTable.lookup(zipCode);
  if (place === null) return text.unknownZip;
  const { matchRadiusMiles } = config;
  const nearest = await findNearestProvider(db, place, matchRadiusMiles);
  return nearest?.isWithinRadius === true
    ? text.nearest(counted(Math.max(1, Math.round(nearest.distanceMiles)), 'mile'))
    : text.noneNear(counted(matchRadiusMiles, 'mile'));
}
