import { and, eq, gt, inArray, isNull, like, ne, or, sql } from 'drizzle-orm';
import { dayMs } from '#shared/formats/time.ts';
import { rematchDaysMax } from '#shared/leads/leadOutcomes.ts';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries, type DeliveryRow, leads, providers } from '#server/db/schema/index.ts';
import { unreachableReasons } from '../mail/unreachableAddresses.ts';
import { bouncedStart } from '../outbox/bounce.ts';
import { parseEnhancedCode, marksUnreachable } from '../outbox/refusals.ts';
import { holdFailed } from '../outbox/unreachableHolds.ts';
import { lockLeadsByDelivery } from '../outbox/requeue.ts';
import { openLeadTasks } from '../suppression/staffTasks.ts';
import { complaintReason, markAddress, toSentence, updateMark } from './addressMarks.ts';
import { markedAddress } from './listUnreachable.ts';

const batchSize = 500;

interface Failed extends Pick<DeliveryRow, 'id' | 'template' | 'createdAt'> {
  leadId: number;
  reason: string;
  /** The answer of a mail server that refused it. */
  refusedWith: string | null;
  address: string;
}

/**
 * Judges again the emails to providers that 1.0.0 failed because an address was refused as unknown, had bounced or was
 * reported, which ended all emails to it for a year. Only a code that says so marks the address, and it is tried
 * immediately. What is older than 72 hours becomes a task.
 */
export async function judgeBounced(tx: Queryable, now: Date): Promise<void> {
  const failed = await listFailed(tx, now);
  if (failed.length === 0) return;
  // All at once, by ascending id: the addresses below are in no order.
  await lockLeadsByDelivery(
    tx,
    failed.map(({ id }) => id),
  );
  for (const [address, list] of Map.groupBy(failed, (row) => row.address))
    await judge(tx, { address, list, now });
}

async function listFailed(tx: Queryable, now: Date): Promise<Failed[]> {
  const { id, leadId, providerId, channel, template, state, reason, createdAt } = deliveries;
  const isOfLead = and(eq(leads.providerId, providerId), isNull(leads.deletedAt), isNull(leads.erasedAt));
  const later = sql`(select from deliveries later where later.lead_id = ${leadId} and later.channel = ${channel}
    and later.template = ${template} and later.created_at > ${createdAt})`;
  // What the server said, if it refused the email: 1.0.0 looked at the first three digits only.
  const refusedWith = sql<string | null>`(select case when a.status like 'SMTP 5%' then a.answer end
    from delivery_attempts a where a.delivery_id = ${id} order by a.id desc limit 1)`;
  const rows = await tx
    .select({
      refusedWith,
      id,
      leadId: leads.id,
      template,
      createdAt,
      reason,
      address: markedAddress(providers.email),
    })
    .from(deliveries)
    .innerJoin(leads, eq(leads.id, leadId))
    .innerJoin(providers, eq(providers.id, providerId))
    .where(
      and(
        eq(state, 'failed'),
        eq(channel, 'provider-email'),
        gt(createdAt, new Date(now.getTime() - rematchDaysMax * dayMs)),
        or(
          inArray(reason, Object.values(unreachableReasons)),
          like(reason, `${bouncedStart}%`),
          sql`${refusedWith} ~ '\\m5\\.(1\\.(1|2|3|6|10)|2\\.1)\\M'`,
        ),
        // This message's content was refused.
        sql`${reason} !~ '\\m5\\.6\\.'`,
        or(ne(template, 'lead'), isOfLead),
        sql`not exists ${later}`,
      ),
    )
    .orderBy(createdAt, id)
    .limit(batchSize);
  return rows.flatMap((row) => (row.reason === null ? [] : [{ ...row, reason: row.reason }]));
}

function getCode({ reason, refusedWith }: Failed): string | null {
  return parseEnhancedCode(reason) ?? parseEnhancedCode(refusedWith ?? '');
}

async function judge(
  tx: Queryable,
  { address, list, now }: { address: string; list: readonly Failed[]; now: Date },
): Promise<void> {
  const isComplaint = list.some(({ reason }) => reason === unreachableReasons.complaint);
  const refusal = list.findLast((row) => marksUnreachable(getCode(row)));
  const waited = await holdFailed(tx, {
    rows: list,
    now,
    complaintReason: isComplaint ? complaintReason : null,
  });
  if (isComplaint)
    await markAddress(tx, { address, cause: 'complaint', code: null, reason: complaintReason, now });
  else if (refusal !== undefined) {
    const said = { code: getCode(refusal), reason: toSentence(refusal.reason) };
    const mark = await markAddress(tx, { address, cause: 'bounce', ...said, now });
    if (mark.cause !== 'complaint' && mark.acceptedAt === null)
      await updateMark(tx, mark, { nextTrialAt: now });
  }
  await openLeadTasks(tx, { kind: 'not-reached', leadIds: waited, now });
}
