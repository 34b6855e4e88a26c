import { and, eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { leadChannels, type RefusalClass, retrySeconds } from '#shared/admin/deliveries.ts';
import { dayMs } from '#shared/formats/time.ts';
import { rematchDaysMax } from '#shared/leads/leadOutcomes.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { deliveries, deliveryAttempts } from '#server/db/schema/index.ts';
import { isHeldAtLast } from '../backoff.ts';
import { changeDeliveries, queueAt } from '../deliveryStates.ts';
import { clearFailureFlags, updateCrmStatus } from '../leadStatus.ts';
import { classifyHttp, classifySmtp } from '../refusals.ts';
import { lockLeadsByDelivery } from '../requeue.ts';

/** Per run, so that no statement judges a backlog of months. */
const batchSize = 1_000;

/** The latest attempt of a delivery of 1.0.0, which stored no class. */
interface OldAttempt {
  /** 'HTTP 403' or 'SMTP 550'; null: no answer. */
  status: string | null;
  reason: string | null;
  answer: string | null;
}

/** How reasons of 1.0.0 begin that concern the recipient although nobody answered. */
const finalReasons = [
  'The provider’s record has no valid email address.',
  'The address is none that mail can be sent to.',
  'An earlier email to this address bounced.',
  'The recipient reported an earlier email as spam.',
  'HubSpot never said',
];

/**
 * The class of an attempt of 1.0.0. Its step isn't known: a refusal of the sender has no code of a recipient, or says
 * in its text whom it concerns. Pure.
 */
function classifyOld({ status, reason, answer }: OldAttempt): RefusalClass {
  const [, protocol, digits] = /^(SMTP|HTTP) (\d{3})$/.exec(status ?? '') ?? [];
  if (protocol === undefined)
    return finalReasons.some((start) => reason?.startsWith(start)) ? 'recipient' : 'later';
  const code = Number(digits);
  return protocol === 'HTTP'
    ? classifyHttp(code, 'installation')
    : classifySmtp({ stage: 'rcpt', code, text: answer ?? '' });
}

const failedRow = z.object({
  id: z.uuid(),
  channel: z.enum(leadChannels),
  template: z.string(),
  isOld: z.boolean(),
  isReplaced: z.boolean(),
  attemptsOfRound: z.number(),
  attemptId: z.coerce.number(),
  status: z.string().nullable(),
  reason: z.string().nullable(),
  answer: z.string().nullable(),
});
type FailedRow = z.output<typeof failedRow>;

async function readFailed(tx: Queryable, now: Date): Promise<FailedRow[]> {
  const oldest = new Date(now.getTime() - rematchDaysMax * dayMs).toISOString();
  const rows = await tx.execute(sql`
    select d.id, d.channel, d.template, d.created_at < ${oldest}::timestamptz as "isOld",
      exists (
        select from deliveries later
        where later.lead_id = d.lead_id and later.channel = d.channel and later.created_at > d.created_at
      ) as "isReplaced",
      d.attempts - d.attempts_before_round as "attemptsOfRound",
      latest.id as "attemptId", latest.status, latest.reason, latest.answer
    from deliveries d cross join lateral (
      select * from delivery_attempts a where a.delivery_id = d.id order by a.id desc limit 1) as latest
    where d.state = 'failed' and d.channel = any (${sql.param([...leadChannels])}::text[]) and latest.refusal is null
      and coalesce(latest.status, '') !~ ' 2' -- A bounce: the server had accepted it.
    order by d.created_at desc limit ${batchSize}`);
  return z.array(failedRow).parse([...rows]);
}

/** Whether this version would still try it: not a message that is too old, or that a later one replaced. */
function isAlive(row: FailedRow, refusal: RefusalClass): boolean {
  const { channel, template, isOld, isReplaced, attemptsOfRound } = row;
  if (refusal === 'recipient' || isReplaced) return false;
  if (channel !== 'crm' && template === 'lead' && isOld) return false;
  return isHeldAtLast(channel, { refusal }) || attemptsOfRound < retrySeconds.length;
}

/** Judges a batch that 1.0.0 left as failed, each once, and queues those whose refusal may end. Returns how many. */
export function reclassifyFailed(db: Database, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const rows = await readFailed(tx, now);
    const judged = rows.map((row) => ({ ...row, refusal: classifyOld(row) }));
    const alive = judged.filter((row) => isAlive(row, row.refusal));
    const ids = alive.map(({ id }) => id);
    const leadIds = await lockLeadsByDelivery(tx, ids);
    const isFailed = and(inArray(deliveries.id, ids), eq(deliveries.state, 'failed'));
    const set = { attemptsBeforeRound: sql`${deliveries.attempts}` };
    await changeDeliveries(tx, isFailed, { ...queueAt(now), set });
    await clearFailureFlags(tx, leadIds);
    await updateCrmStatus(tx, leadIds);
    for (const [refusal, own] of Map.groupBy(judged, (row) => row.refusal)) {
      const deliveryIds = own.map(({ id }) => id);
      const attemptIds = own.map(({ attemptId }) => attemptId);
      const { deliveryId, id } = deliveryAttempts;
      const isOwn = and(inArray(deliveryId, deliveryIds), inArray(id, attemptIds));
      await tx.update(deliveryAttempts).set({ refusal }).where(isOwn);
    }
    return rows.length;
  });
}
