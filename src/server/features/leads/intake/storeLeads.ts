import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { AttributionTouch, LeadCreateOutput } from '#shared/leads/leads.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { bigintColumn, readRows, setLockTimeout } from '#server/db/readRows.ts';
import { insertRows } from '#server/db/insertRows.ts';
import { sendTogether, withPreparedStatements } from '#server/db/preparedStatements.ts';
import { type LeadInsert, leads } from '#server/db/schema/index.ts';
import { insertConsent, type ConsentRecord } from '../../consent/recordConsent.ts';
import { lockPersons, type Person } from '../../identity/identity.ts';
import { isTo } from '../../outbox/channelRules.ts';
import { enqueueFirstDeliveries, type PlannedDelivery, toRows } from '../../outbox/enqueueDeliveries.ts';
import { applyRepeatRule } from '../../outbox/repeats.ts';
import type { DataKeys } from '#server/security/dataKeys.ts';
import { claimKeys, type IdempotencyClaim, type StoreResult } from '../../submissions/idempotency.ts';
import { openNumberTasks, openTasksForNewLeads } from '../../suppression/staffTasks.ts';
import { findLeftOut } from '../../suppression/suppressions.ts';
import { recordEvents } from '../../webhooks/recordEvents.ts';
import { insertAttribution } from './leadAttribution.ts';
import { leadCreated } from '../leadEvents.ts';
import { queueOverLimit } from './overLimitQueue.ts';

export interface NewLead {
  claim: IdempotencyClaim;
  /** `storeLeads` adds `id` and `duplicateOf`. */
  lead: Omit<LeadInsert, 'id' | 'duplicateOf'> & { createdAt: Date };
  buildConsent: (leadId: number) => ConsentRecord;
  attribution: { touch: 'first' | 'last'; values: AttributionTouch }[];
  /** None for a quarantined lead. */
  deliveries: readonly PlannedDelivery[];
  /** When webhooks get the event; immediately by default. */
  deliverAt?: Date;
  /** When a lead that is `over-limit` may be released; null for others. */
  releaseAt: Date | null;
}

interface StoreContext {
  now: Date;
  /** Of `dataKeys.current('identity')`. Null if it can't be loaded: then no staff task is opened. */
  identityKey: Buffer | null;
}

/** A lead whose key is claimed. */
interface StoredLead {
  id: number;
  /** The first lead of the same person, if there is one. */
  duplicateOf: number | null;
  newLead: NewLead;
}

/**
 * Stores leads in the caller's transaction with all that belongs to them. Returns one result per lead, in order. A lead
 * whose key is in use is not stored, and gets the earlier answer. Call `services.wakeSignal.wake()` after the commit.
 */
export async function storeLeads(
  tx: Queryable,
  newLeads: readonly NewLead[],
  context: StoreContext,
): Promise<StoreResult<LeadCreateOutput>[]> {
  const persons = newLeads.map(({ lead }) => lead);
  // Sent together and run in this order: one round trip. The others see what the last holder of the locks committed.
  const [, earlierLeads, ids] = await Promise.all([
    lockPersons(tx, persons),
    findFirstLeads(tx, persons),
    reserveIds(tx, newLeads.length),
  ]);
  const answered = newLeads.map(({ claim, lead: { providerId } }, index) => {
    const id = ids[index];
    if (id === undefined) throw new Error('the database returned too few lead ids');
    return { claim, leadId: id, body: { id, ...(providerId == null ? {} : { providerId }) } };
  });
  // When the first of them was submitted: a lead that waited must not count as expired.
  const submittedAt = new Date(Math.min(...persons.map(({ createdAt }) => createdAt.getTime())));
  const earlierAnswers = await claimKeys(tx, answered, submittedAt);
  const results = answered.map(({ body }, index): StoreResult<LeadCreateOutput> => {
    const earlier = earlierAnswers[index] ?? null;
    return earlier === null ? { stored: true, body } : { stored: false, ...earlier };
  });
  const stored = markRepeats(
    newLeads.flatMap((newLead, index) => {
      const result = results[index];
      return result?.stored === true ? [{ id: result.body.id, newLead }] : [];
    }),
    earlierLeads,
  );
  if (stored.length > 0) await insertAll(tx, stored, context);
  return results;
}

const batchLockWaitMs = 500;

interface StoreServices {
  db: Database;
  dataKeys: DataKeys;
  now: () => Date;
}

/** Stores leads in a transaction of their own (`storeLeads`). */
export async function storeLeadBatch(
  { db, dataKeys, now }: StoreServices,
  newLeads: readonly NewLead[],
): Promise<StoreResult<LeadCreateOutput>[]> {
  // Without the key, the leads are stored all the same.
  const identityKey = await dataKeys.current('identity').then(
    ({ key }) => key,
    () => null,
  );
  return withPreparedStatements(db).transaction(async (tx) => {
    // Sent together. A lead that waits for an erasure must not hold up the others: they are then stored one by one.
    const [, results] = await Promise.all([
      newLeads.length > 1 ? setLockTimeout(tx, batchLockWaitMs) : null,
      storeLeads(tx, newLeads, { now: now(), identityKey }),
    ]);
    return results;
  });
}

const reservedId = z.object({ id: bigintColumn });

async function reserveIds(tx: Queryable, count: number): Promise<number[]> {
  const rows = await readRows(tx, reservedId)`
    select nextval('leads_id_seq') as id from generate_series(1, ${count}::int)`;
  return rows.map(({ id }) => id);
}

/** A stored lead that makes a later lead of its person a repeat of `firstId`. */
const firstLead = z.object({ firstId: bigintColumn, emailNorm: z.string(), phoneE164: z.string() });
type FirstLead = z.output<typeof firstLead>;

/**
 * The first lead of this email or phone, without deleted leads and spam. They are excluded outside the inner query, so
 * that it can only use the index of its column: a plan made for an empty table would walk a partial index.
 */
const findFirstLead = (column: SQL, value: SQL): SQL => sql`(
  select * from (
    select id, duplicate_of, email_norm, phone_e164, deleted_at, quarantined_at, quarantine_reason from leads
    where ${column} = ${value} offset 0
  ) as same
  where deleted_at is null and (quarantined_at is null or quarantine_reason = 'over-limit')
  order by id limit 1)`;

/** The first leads with each person's email or phone, oldest first. JSON, because arrays are planned each time. */
function findFirstLeads(tx: Queryable, persons: readonly Person[]): Promise<FirstLead[]> {
  const asked = JSON.stringify(persons.map(({ emailNorm, phoneE164 }) => ({ emailNorm, phoneE164 })));
  return readRows(tx, firstLead)`
    select coalesce(earlier.duplicate_of, earlier.id) as "firstId", earlier.email_norm as "emailNorm", earlier.phone_e164 as "phoneE164"
    from json_to_recordset(${asked}::text::json) as person ("emailNorm" text, "phoneE164" text) cross join lateral (
      ${findFirstLead(sql`email_norm`, sql`person."emailNorm"`)}
      union all
      ${findFirstLead(sql`phone_e164`, sql`person."phoneE164"`)}
    ) as earlier
    order by earlier.id`;
}

/** Finds the first lead of each lead's person: one stored earlier, or one before it in the list. */
function markRepeats(
  claimed: readonly { id: number; newLead: NewLead }[],
  earlierLeads: readonly FirstLead[],
): StoredLead[] {
  const known = [...earlierLeads];
  return claimed.map(({ id, newLead }) => {
    const { emailNorm, phoneE164, quarantineReason = null } = newLead.lead;
    const first = known.find((lead) => lead.emailNorm === emailNorm || lead.phoneE164 === phoneE164);
    const firstLeadId = first?.firstId ?? null;
    if (quarantineReason === null || quarantineReason === 'over-limit')
      known.push({ firstId: firstLeadId ?? id, emailNorm, phoneE164 });
    return { id, duplicateOf: firstLeadId, newLead };
  });
}

async function insertAll(
  tx: Queryable,
  stored: readonly StoredLead[],
  { now, identityKey }: StoreContext,
): Promise<void> {
  const leadRows = stored.map(({ id, duplicateOf, newLead }) => ({ ...newLead.lead, id, duplicateOf }));
  await tx.execute(insertRows(leads, leadRows));
  // Sent together: one round trip.
  await sendTogether([
    insertConsent(
      tx,
      stored.map(({ id, newLead }) => newLead.buildConsent(id)),
    ),
    insertAttribution(
      tx,
      stored.flatMap(({ id, newLead: { attribution, lead } }) =>
        attribution.map((touch) => ({ leadId: id, touchedAt: lead.createdAt, ...touch })),
      ),
    ),
    queueOverLimit(
      tx,
      stored.flatMap(({ id, newLead: { releaseAt } }) =>
        releaseAt === null ? [] : [{ leadId: id, releaseAt }],
      ),
    ),
    enqueueFirstDeliveries(
      tx,
      stored.flatMap(({ id, newLead: { deliveries, lead } }) =>
        toRows(deliveries, { leadId: id, createdAt: lead.createdAt }),
      ),
    ),
    recordEvents(
      tx,
      stored.flatMap(({ id, newLead: { lead, deliverAt } }) => {
        const { providerId = null, quarantinedAt = null } = lead;
        return leadCreated({ id, providerId, quarantinedAt, dueAt: deliverAt });
      }),
    ),
  ]);
  const repeats = stored.filter(({ duplicateOf }) => duplicateOf !== null);
  await applyRepeatRule(tx, listProviderDeliveries(repeats), now);
  if (identityKey === null) return;
  const served = stored.filter(({ newLead: { lead } }) => lead.quarantinedAt == null);
  const typed = served.map(({ id, newLead: { lead } }) => ({ id, phone: lead.phone }));
  await openNumberTasks(tx, [...(await findLeftOut(tx, identityKey, typed)).keys()], { now });
  if (repeats.length === 0) return;
  const ids = repeats.map(({ id }) => id);
  await openTasksForNewLeads(tx, ids, { identityKey, now });
}

function listProviderDeliveries(stored: readonly StoredLead[]): string[] {
  return stored.flatMap(({ newLead: { deliveries } }) =>
    deliveries.flatMap(({ id, channel }) => (isTo('provider', channel) ? [id] : [])),
  );
}
