import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { LeadChannel } from '#shared/admin/deliveries.ts';
import { dayMs, hourMs, minuteMs } from '#shared/formats/time.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { readRow } from '#server/db/readRows.ts';
import { channelRefusals, deliveries, deliveryAttempts } from '#server/db/schema/index.ts';
import { crmOnly, type Family, getFamily, emailChannels } from '../channelRules.ts';
import { markRun } from './channelRefusals.ts';
import { changeDeliveries } from '../deliveryStates.ts';
import { clearFailureFlags, updateCrmStatus } from '../leadStatus.ts';
import { lockLeadsByDelivery } from '../requeue.ts';
import type { Subject } from '../subject.ts';
import type { DeliveryResult } from '../types.ts';

/** So many addresses at so many domains refused within an hour, and none accepted: the refusals are ours. */
const addressesMin = 5;
const domainsMin = 3;
const addressWindowMs = hourMs;
/** So many leads refused by the CRM in a row, and none accepted. */
const leadsMin = 5;
/** The latest attempts in which the CRM's row is looked for. */
const crmAttemptsRead = 50;
/** Older ones are no row, and without a CRM there are none: the attempts of other channels aren't read through. */
const crmWindowMs = 7 * dayMs;
/** What failed before the row was noticed is attempted again after this time. */
const revisedAfterMs = 5 * minuteMs;

/** A delivery that its recipient refused, before the attempt is recorded. */
interface Refused {
  deliveryId: string;
  address: string;
}

const runReasons = {
  email: (status: string) =>
    `The mail server refused five addresses at three domains within an hour and accepted none (${status}). Check the mail account’s limits, sender and reputation.`,
  crm: (status: string) =>
    `The CRM refused five leads in a row and accepted none (${status}). Read its answer, and check its settings.`,
};

function runReason(channel: LeadChannel, status: string): string {
  return channel === 'crm' ? runReasons.crm(status) : runReasons.email(status);
}

/** The addresses that were refused within the hour, if none was accepted: from `delivery_attempts_at_idx`. */
async function isAddressRun(db: Queryable, refused: Refused | null, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - addressWindowMs);
  const { at, channel, outcome } = deliveryAttempts;
  const isRecent = and(gt(at, since), inArray(channel, [...emailChannels]));
  const accepted = await db
    .select({ at })
    .from(deliveryAttempts)
    .where(and(isRecent, eq(outcome, 'delivered')))
    .limit(1);
  if (accepted.length > 0) return false;
  const found = await readRow(db, z.object({ addresses: z.number(), domains: z.number() }))`
    select count(distinct address)::int as addresses, count(distinct split_part(address, '@', 2))::int as domains
    from (
      select lower(trim(case d.channel when 'lead-email' then l.email else p.email end)) as address
      from delivery_attempts a
        join deliveries d on d.id = a.delivery_id
        join leads l on l.id = d.lead_id
        left join providers p on p.id = d.provider_id
      where a.at > ${since.toISOString()}::timestamptz and a.refusal = 'recipient'
        and a.channel = any (${sql.param([...emailChannels])}::text[])
      union all
      select lower(${refused?.address ?? null}::text)
    ) as refused
    where address <> ''`;
  return found.addresses >= addressesMin && found.domains >= domainsMin;
}

/** The deliveries that the CRM refused since it accepted one. */
async function crmRun(db: Queryable, now: Date): Promise<Set<string>> {
  const { id, at, channel, outcome, refusal, deliveryId } = deliveryAttempts;
  const latest = await db
    .select({ deliveryId, outcome, refusal })
    .from(deliveryAttempts)
    .where(and(eq(channel, 'crm'), gt(at, new Date(now.getTime() - crmWindowMs))))
    .orderBy(desc(at), desc(id))
    .limit(crmAttemptsRead);
  const accepted = latest.findIndex((attempt) => attempt.outcome === 'delivered');
  const since = accepted === -1 ? latest : latest.slice(0, accepted);
  return new Set(since.filter((attempt) => attempt.refusal === 'recipient').map((one) => one.deliveryId));
}

/** Whether recipients are refused one after the other and none is accepted. `refused`: also counts. */
async function isRun(db: Queryable, family: Family, refused: Refused | null, now: Date): Promise<boolean> {
  if (family !== crmOnly) return isAddressRun(db, refused, now);
  const run = await crmRun(db, now);
  return (refused === null ? run : run.add(refused.deliveryId)).size >= leadsMin;
}

async function isMarked(db: Queryable, family: Family): Promise<boolean> {
  const found = await db
    .select({ channel: channelRefusals.channel })
    .from(channelRefusals)
    .where(and(inArray(channelRefusals.channel, [...family]), eq(channelRefusals.isRun, true)))
    .limit(1);
  return found.length > 0;
}

/** The result of an attempt. A recipient's refusal counts as ours while all in a row are refused. Reads only then. */
export async function judgeResult(
  db: Database,
  subject: Subject,
  { result, now }: { result: DeliveryResult; now: Date },
): Promise<DeliveryResult> {
  if (subject.kind !== 'lead' || result.outcome !== 'failed') return result;
  const { status } = result;
  const { channel, id: deliveryId } = subject.delivery;
  if (channel === 'webhook' || result.refusal !== 'recipient' || status === null) return result;
  const address = (channel === 'lead-email' ? subject.lead.email : (subject.provider?.email ?? '')).trim();
  const family = getFamily(channel);
  const reason = runReason(channel, status);
  if (!(await isMarked(db, family))) {
    if (!(await isRun(db, family, { deliveryId, address }, now))) return result;
    await reviseRun(db, family, { reason, now });
  }
  return { ...result, refusal: 'ours', ownRefusal: 'recipient', isUnreachable: false, reason };
}

/** What failed in the same row was refused for our fault: retries deliveries of the last hour, or of the CRM's row. */
async function reviseRun(
  db: Database,
  family: Family,
  { reason, now }: { reason: string; now: Date },
): Promise<void> {
  const { at, channel, refusal, deliveryId } = deliveryAttempts;
  const isRecent = gt(at, new Date(now.getTime() - addressWindowMs));
  await db.transaction(async (tx) => {
    const listRefused = () =>
      tx
        .selectDistinct({ id: deliveryId })
        .from(deliveryAttempts)
        .where(and(isRecent, inArray(channel, [...family]), eq(refusal, 'recipient')));
    const run = family === crmOnly ? [...(await crmRun(tx, now))] : (await listRefused()).map(({ id }) => id);
    const leadIds = await lockLeadsByDelivery(tx, run);
    const isFailed = and(inArray(deliveries.id, run), eq(deliveries.state, 'failed'));
    const nextAttemptAt = new Date(now.getTime() + revisedAfterMs);
    await changeDeliveries(tx, isFailed, { state: 'queued', reason, nextAttemptAt });
    await clearFailureFlags(tx, leadIds);
    if (family === crmOnly) await updateCrmStatus(tx, leadIds);
    await markRun(tx, { channels: family, message: reason, now });
  });
}

/** Finds what processes recorded at the same time, each before it saw the others. */
export async function reviseRuns(db: Database, now: Date): Promise<void> {
  for (const family of [emailChannels, crmOnly]) {
    if (!(await isMarked(db, family)) && !(await isRun(db, family, null, now))) continue;
    const [channel] = family;
    const reason = runReason(channel ?? 'crm', 'several answers');
    await reviseRun(db, family, { reason, now });
  }
}
