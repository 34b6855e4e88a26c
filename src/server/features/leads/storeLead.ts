import { getTableColumns, type SQL, type Table } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type postgres from 'postgres';
import type { AttributionTouch, LeadCreateOutput } from '#shared/leads/leads.ts';
import type { Sql } from '../../db/connect.ts';
import { consentRecords, leadAttribution, type LeadInsert, leads } from '../../db/schema/index.ts';
import type { Planned } from '../outbox/planDeliveries.ts';
import { applyRepeatRule } from '../outbox/repeats.ts';
import { openTasksForNewLeads } from '../suppression/staffTasks.ts';
import { recordEventsQuery } from '../webhooks/recordEvents.ts';
import { leadCreated } from './leadEvents.ts';
import type { ConsentRecord } from '../consent/recordConsent.ts';
import type { IdempotencyClaim } from '../submissions/idempotency.ts';
import { personLocks } from '../identity/identity.ts';

export interface LeadToStore {
  claim: IdempotencyClaim;
  now: Date;
  /** `id` and `duplicateOf` are decided here, inside the transaction. */
  lead: Omit<LeadInsert, 'id' | 'duplicateOf'>;
  consentOf: (leadId: number) => ConsentRecord;
  attribution: { touch: 'first' | 'last'; values: AttributionTouch }[];
  /** What is to be delivered; none of a quarantined lead. */
  deliveries: readonly Planned[];
  /** Of `dataKeys.current('identity')`. Null if it can't be loaded: no task is opened for a phone that somebody withdrew. */
  identityKey: Buffer | null;
  /** When a lead that is `over-limit` may be released. */
  releaseAt?: Date | null;
}

const dialect = new PgDialect();

/** Stored now, or what the holder of the same key was answered before. */
export type StoreResult =
  { stored: true; body: LeadCreateOutput } | { stored: false; requestSha256: string; body: unknown };

interface JsonRow {
  /** Quoted, comma-separated: the schema's own names. */
  columns: string;
  json: string;
}

/** A typed row under its column names, as JSON for jsonb_populate_record. What is undefined is null, so that equal tables give equal statements. */
function asColumns(table: Table, row: Record<string, unknown>): JsonRow {
  const columns = getTableColumns(table);
  const named = Object.entries(row).flatMap(([key, value]) => {
    const column = columns[key];
    return column === undefined ? [] : [[column.name, value ?? null] as const];
  });
  return {
    columns: named.map(([name]) => `"${name}"`).join(', '),
    json: JSON.stringify(Object.fromEntries(named)),
  };
}

/**
 * The next lead id, and the first lead of the same person (e-mail or phone) if there is one. The locks are a statement of their own: a
 * statement sees what was committed when it began, and the lead a rival has just stored must be seen.
 */
async function reserve(
  tx: postgres.TransactionSql,
  lead: LeadToStore['lead'],
): Promise<{ id: number; duplicateOf: number | null }> {
  const [lockA, lockB] = personLocks(lead);
  // Sent together: one round trip.
  const [, [row]] = await Promise.all([
    tx`select pg_advisory_xact_lock(${lockA}), pg_advisory_xact_lock(${lockB})`,
    tx<{ id: string; duplicate_of: string | null }[]>`
      with same_person as materialized (
        select id, duplicate_of from leads
        where (email_norm = ${lead.emailNorm} or phone_e164 = ${lead.phoneE164}) and deleted_at is null
          and (quarantined_at is null or quarantine_reason = 'over-limit')
      )
      select nextval('leads_id_seq') as id,
        (select coalesce(duplicate_of, id) from same_person order by id limit 1) as duplicate_of`,
  ]);
  if (row === undefined) throw new Error('the database gave no lead id');
  return { id: Number(row.id), duplicateOf: row.duplicate_of === null ? null : Number(row.duplicate_of) };
}

/** Runs a statement built by drizzle on the driver's own transaction. */
function run(tx: postgres.TransactionSql, query: SQL): PromiseLike<unknown> {
  const { sql: text, params } = dialect.sqlToQuery(query);
  return tx.unsafe(text, params.map(String), { prepare: true });
}

/** Applies the rules for later leads with the same email or phone. */
async function markRepeats(
  tx: postgres.TransactionSql,
  leadId: number,
  { identityKey, deliveries, now }: LeadToStore,
): Promise<void> {
  const ids = deliveries.flatMap(({ id, channel }) => (channel === 'provider-email' ? [id] : []));
  await applyRepeatRule((query) => run(tx, query), ids, now);
  if (identityKey !== null) await run(tx, openTasksForNewLeads([leadId], { identityKey, now }));
}

async function insertAttribution(
  tx: postgres.TransactionSql,
  leadId: number,
  { attribution, now }: LeadToStore,
): Promise<void> {
  for (const { touch, values } of attribution) {
    const row = {
      leadId,
      touch,
      utmSource: values.utm_source,
      utmMedium: values.utm_medium,
      utmCampaign: values.utm_campaign,
      utmTerm: values.utm_term,
      utmContent: values.utm_content,
      gclid: values.gclid,
      gbraid: values.gbraid,
      wbraid: values.wbraid,
      msclkid: values.msclkid,
      landingPath: values.landing_path,
      referrerHost: values.referrer_host,
      touchedAt: now,
    } satisfies typeof leadAttribution.$inferInsert;
    const { columns, json } = asColumns(leadAttribution, row);
    await tx`
      insert into lead_attribution (${tx.unsafe(columns)})
      select ${tx.unsafe(columns)} from jsonb_populate_record(null::lead_attribution, ${json}::text::jsonb)`;
  }
}

/**
 * Stores a lead, its consent record, its deliveries and its claim in one transaction, all or nothing. A rival with the same key waits here until the
 * holder has committed and is then told the holder's answer; if the holder fails, the rival stores. Written against the driver itself:
 * four round trips, and the statements stay prepared on their connections.
 */
export async function storeLead(sql: Sql, toStore: LeadToStore): Promise<StoreResult> {
  const { claim, now, lead } = toStore;
  return sql.begin(async (tx): Promise<StoreResult> => {
    const { id, duplicateOf } = await reserve(tx, lead);
    const body: LeadCreateOutput = {
      id,
      ...(lead.providerId == null ? {} : { providerId: lead.providerId }),
    };
    const leadRow = asColumns(leads, { ...lead, id, duplicateOf });
    const consentRow = asColumns(consentRecords, { ...toStore.consentOf(id) });
    const [claimed] = await tx`
      with claim as (
        insert into idempotency_keys as held (key, request_sha256, status, body, lead_id, expires_at)
        values (${claim.key}, ${claim.requestSha256}, 201, ${JSON.stringify(body)}::text::jsonb, ${id}, ${claim.expiresAt.toISOString()})
        on conflict (key) do update set request_sha256 = excluded.request_sha256, status = excluded.status, body = excluded.body,
          lead_id = excluded.lead_id, expires_at = excluded.expires_at
        where held.expires_at <= ${now.toISOString()}
        returning true
      ), lead as (
        insert into leads (${tx.unsafe(leadRow.columns)})
        select ${tx.unsafe(leadRow.columns)} from claim, jsonb_populate_record(null::leads, ${leadRow.json}::text::jsonb)
      ), consent as (
        insert into consent_records (${tx.unsafe(consentRow.columns)})
        select ${tx.unsafe(consentRow.columns)} from claim, jsonb_populate_record(null::consent_records, ${consentRow.json}::text::jsonb)
        returning id
      ), waiting as (
        insert into consent_seal_queue (record_id) select id from consent
      ), delivery as (
        insert into deliveries (id, lead_id, channel, provider_id, state, next_attempt_at, reason, created_at, finished_at)
        select d."id", ${id}::bigint, d."channel", d."providerId", d."state", d."nextAttemptAt", d."reason", ${now.toISOString()}::timestamptz,
          case when d."state" = 'cancelled' then ${now.toISOString()}::timestamptz end
        from claim, jsonb_to_recordset(${JSON.stringify(toStore.deliveries)}::text::jsonb)
          as d ("id" uuid, "channel" text, "providerId" bigint, "state" text, "nextAttemptAt" timestamptz, "reason" text)
      )
      select true from claim`;
    if (claimed === undefined) return readHolder(tx, claim.key);
    const { providerId = null, quarantinedAt = null } = lead;
    await run(tx, recordEventsQuery(leadCreated({ id, providerId, quarantinedAt })));
    if (duplicateOf !== null) await markRepeats(tx, id, toStore);
    await insertAttribution(tx, id, toStore);
    if (toStore.releaseAt != null)
      await tx`insert into over_limit_leads (lead_id, release_at) values (${id}, ${toStore.releaseAt.toISOString()})`;
    return { stored: true, body };
  });
}

async function readHolder(tx: postgres.TransactionSql, key: string): Promise<StoreResult> {
  // The refused claim has locked the row, so it can't be purged in between.
  const [held] = await tx<{ request_sha256: string; body: unknown }[]>`
    select request_sha256, body from idempotency_keys where key = ${key}`;
  if (held === undefined) throw new Error('a held idempotency key has vanished');
  return { stored: false, requestSha256: held.request_sha256, body: held.body };
}
