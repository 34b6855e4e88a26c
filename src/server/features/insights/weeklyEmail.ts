import { and, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { InsightsRange, PeriodFigures } from '#shared/admin/insights.ts';
import { previousRange } from '#shared/admin/insights.ts';
import { summaryCopy, weeklyEmailCopy as copy } from '#shared/admin/summaryCopy.ts';
import { brand } from '#shared/brand/brand.ts';
import { durationText } from '#shared/formats/durations.ts';
import { type RenderedMail, renderPlainMail } from '#shared/mail/mail.ts';
import { publicConfig } from '#server/config/config.ts';
import type { Queryable } from '#server/db/connect.ts';
import { readRow } from '#server/db/readRows.ts';
import { staffAccounts, weeklyEmails } from '#server/db/schema/index.ts';
import { readSigned, signText } from '#server/security/signedText.ts';
import type { Services } from '#server/services.ts';
import { recordAudit } from '../audit/audit.ts';
import type { StaffActor } from '../auth/actor.ts';
import { leaseDue, sendPlain } from '../mail/plainMessages.ts';
import { summary } from './summary.ts';

const week = z.object({ from: z.string(), to: z.string(), next: z.coerce.date() });

/** The week before this one, and the next Monday at eight, in a time zone. */
function readWeek(db: Queryable, { zone, now }: { zone: string; now: Date }): Promise<z.output<typeof week>> {
  const local = sql`(${now.toISOString()}::timestamptz at time zone ${zone})`;
  return readRow(db, week)`
    select to_char(monday - interval '7 days', 'YYYY-MM-DD') as "from", to_char(monday - interval '1 day', 'YYYY-MM-DD') as "to",
      to_char((case when ${local} < monday + interval '8 hours' then monday else monday + interval '7 days' end + interval '8 hours')
        at time zone ${zone} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as next
    from (select date_trunc('week', ${local}) as monday) as this_week`;
}

export async function isSubscribed(db: Queryable, accountId: number): Promise<boolean> {
  return (await db.$count(weeklyEmails, eq(weeklyEmails.accountId, accountId))) > 0;
}

interface Choice {
  actor: StaffActor & { accountId: number };
  ip: string;
  /** Null: no email. */
  zone: string | null;
}

/** Turns an owner's own weekly email on or off, with an audit entry. */
export async function setWeeklyEmail(
  { db, now }: Pick<Services, 'db' | 'now'>,
  { actor, ip, zone }: Choice,
): Promise<void> {
  const { accountId } = actor;
  await db.transaction(async (tx) => {
    if (zone === null) await tx.delete(weeklyEmails).where(eq(weeklyEmails.accountId, accountId));
    else {
      const { next: nextAttemptAt } = await readWeek(tx, { zone, now: now() });
      await tx
        .insert(weeklyEmails)
        .values({ accountId, zone, nextAttemptAt })
        .onConflictDoUpdate({ target: weeklyEmails.accountId, set: { zone, nextAttemptAt } });
    }
    const action = zone === null ? 'weekly-email.off' : 'weekly-email.on';
    await recordAudit(tx, { actor, ip, action, subject: { kind: 'account', id: accountId } });
  });
}

/** The account of a link that is ours, and whether it gets no email any more; null for any other link. */
export async function findSubscription(
  { config, db }: Pick<Services, 'config'> & { db: Queryable },
  token: string,
): Promise<{ accountId: number; isDone: boolean } | null> {
  const text = readSigned(config.secretKeys, 'weekly-email', token);
  if (text === null) return null;
  const accountId = Number(text);
  return { accountId, isDone: !(await isSubscribed(db, accountId)) };
}

/** Turns the email off for the account whose mailbox got the link. */
export function stopByLink(
  services: Pick<Services, 'config' | 'db'>,
  { token, ip }: { token: string; ip: string },
): Promise<void> {
  return services.db.transaction(async (tx) => {
    const found = await findSubscription({ ...services, db: tx }, token);
    if (found === null || found.isDone) return;
    await tx.delete(weeklyEmails).where(eq(weeklyEmails.accountId, found.accountId));
    const subject = { kind: 'account', id: found.accountId };
    await recordAudit(tx, {
      ...{ actor: { kind: 'visitor', name: 'Link' }, ip, action: 'weekly-email.off', subject },
    });
  });
}

type MailServices = Pick<Services, 'config' | 'db' | 'mail' | 'now'>;

/**
 * Mails the figures of the week before to the owners whose Monday at eight has come, in their own time zones. An attempt
 * that fails is repeated each hour, with the same Message-ID. Any number of processes may call it. Returns how many were
 * sent.
 */
export async function mailWeeklyFigures(services: MailServices): Promise<number> {
  const { db, mail } = services;
  if (mail.mailer.heldReason() !== null) return 0;
  let sent = 0;
  for (const id of await leaseDue(db, weeklyEmails, undefined)) if (await mailOne(services, id)) sent += 1;
  return sent;
}

async function mailOne(services: MailServices, id: string): Promise<boolean> {
  const { config, db, now } = services;
  const [found] = await db
    .select({ account: staffAccounts, zone: weeklyEmails.zone })
    .from(weeklyEmails)
    .innerJoin(staffAccounts, eq(staffAccounts.id, weeklyEmails.accountId))
    .where(eq(weeklyEmails.id, id));
  if (found === undefined) return false;
  const { account, zone } = found;
  const { from, to, next } = await readWeek(db, { zone, now: now() });
  const token = signText(config.secretKeys, 'weekly-email', String(account.id));
  const unsubscribeUrl = `${publicConfig(config).mainOrigin}/weekly-email/${token}`;
  // A former owner's row waits: the role may come back.
  const result =
    account.role === 'owner'
      ? await sendPlain(services, {
          ...{ id, address: account.email, unsubscribeUrl, hasNoContact: true },
          rendered: await render(services, { range: { from, to, zone }, unsubscribeUrl }),
        })
      : null;
  if (result !== null && result.outcome !== 'delivered') return false;
  await db
    .update(weeklyEmails)
    .set({ id: sql`gen_random_uuid()`, nextAttemptAt: next })
    .where(and(eq(weeklyEmails.id, id), eq(weeklyEmails.accountId, account.id)));
  return result !== null;
}

const counts = ['leads', 'clinicReached', 'reached', 'booked', 'noOutcome', 'failed'] as const;

async function render(
  { config, db }: MailServices,
  { range, unsubscribeUrl }: { range: InsightsRange; unsubscribeUrl: string },
): Promise<RenderedMail> {
  const { current, previous } = await summary(db, range);
  const { names } = summaryCopy;
  const lineOf = (key: (typeof counts)[number]): string =>
    copy.line(
      names[key],
      current[key].toLocaleString('en-US'),
      summaryCopy.change(current[key], previous[key]),
    );
  const [leads, reached, ...others] = counts.map(lineOf);
  const days = ({ from, to }: InsightsRange): string => `${from} – ${to}`;
  const href = `${publicConfig(config).mainOrigin}/admin?tab=insights&since=${range.from}&until=${range.to}`;
  return renderPlainMail(copy.subject(brand.name, days(range)), [
    copy.intro(days(range), days(previousRange(range))),
    {
      items: [leads, reached, medianLine(current, previous), ...others].filter((line) => line !== undefined),
    },
    { href },
    copy.unsubscribe,
    { href: unsubscribeUrl },
  ]);
}

function medianLine({ medianSeconds: now }: PeriodFigures, { medianSeconds: before }: PeriodFigures): string {
  const figure = now === null ? copy.noFigure : durationText(now);
  return copy.line(summaryCopy.names.median, figure, summaryCopy.timeChange(now, before));
}
