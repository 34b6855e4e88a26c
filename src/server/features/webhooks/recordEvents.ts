import { randomUUID } from 'node:crypto';
import { and, asc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { testType } from '#shared/admin/webhooks.ts';
import type { Queryable } from '#server/db/connect.ts';
import { readRow } from '#server/db/readRows.ts';
import { deliveries, webhookEvents } from '#server/db/schema/index.ts';
import { enqueueWebhooksQuery } from '../outbox/enqueueDeliveries.ts';
import { deleteFinishedOfEvents } from '../outbox/cancelDeliveries.ts';

/** Something that happened. `data`, which is stored, has ids and names of fields, never contact details. */
export interface NewEvent {
  type: string;
  /** Lead whose details a full body adds when it is sent. */
  leadId: number | null;
  /** Provider that the event is about; its public record is added only where `leadId` is null. */
  providerId: number | null;
  data: Record<string, unknown>;
  /** The time of the first attempts. Immediately by default. */
  dueAt?: Date;
}

interface IdentifiedEvent extends NewEvent {
  id: string;
}

/** Events in one statement, so that its parameter stays below some megabytes. */
const batchSize = 5_000;

/** An endpoint wants an event type. An empty list means all types, including future ones. */
const wants = (endpoint: string, type: SQL): SQL =>
  sql`(${sql.raw(endpoint)}.types = '{}' or ${type} = any (${sql.raw(endpoint)}.types))`;

/** An event that no endpoint wants, on or off, is not stored. A disabled one gets it from `replaySince` later. */
function recordEventsQuery(events: readonly IdentifiedEvent[]): SQL {
  const rows = events.map(({ id, type, leadId, providerId, data, dueAt }) => ({
    id,
    type,
    lead_id: leadId,
    provider_id: providerId,
    data,
    due_at: dueAt?.toISOString() ?? null,
  }));
  return sql`
    with wanted as materialized (
      select event.id, date_trunc('milliseconds', now()) as at, event.type, event.lead_id, event.provider_id, event.data, event.due_at
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as event (id uuid, type text, lead_id bigint, provider_id bigint, data jsonb, due_at timestamptz)
      where exists (select from webhook_endpoints endpoint where ${wants('endpoint', sql`event.type`)})
    ), stored as (
      insert into webhook_events (id, type, at, lead_id, provider_id, data)
      select id, type, at, lead_id, provider_id, data from wanted
    )
    ${enqueueWebhooksQuery(sql`
      select wanted.id as event_id, endpoint.id as endpoint_id, wanted.at,
        coalesce(wanted.due_at, wanted.at) as due_at
      from wanted join webhook_endpoints endpoint on endpoint.disabled_at is null and ${wants('endpoint', sql`wanted.type`)}`)}`;
}

/**
 * Records what happened, with one delivery per enabled endpoint that wants it, in the caller's transaction. Nothing is
 * sent before that transaction commits. Returns the ids that the events have if they were stored.
 */
export async function recordEvents(tx: Queryable, events: readonly NewEvent[]): Promise<string[]> {
  const rows = events.map((event) => ({ id: randomUUID(), ...event }));
  for (let from = 0; from < rows.length; from += batchSize)
    await tx.execute(recordEventsQuery(rows.slice(from, from + batchSize)));
  return rows.map(({ id }) => id);
}

/** Deletes events that an undone change recorded. Their deliveries are deleted with `takeBackDeliveries`. */
export async function takeBackEvents(tx: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.delete(webhookEvents).where(inArray(webhookEvents.id, [...ids]));
}

const answer = z.object({ isWanted: z.boolean() });

/** Whether any endpoint, enabled or disabled, wants one of these types. Check it before building many events. */
export async function isEventWanted(tx: Queryable, types: readonly string[]): Promise<boolean> {
  const wanted = sql.join(
    types.map((type) => wants('endpoint', sql`${type}`)),
    sql` or `,
  );
  const { isWanted } = await readRow(tx, answer)`
    select exists (select from webhook_endpoints endpoint where ${wanted}) as "isWanted"`;
  return isWanted;
}

/** Stores a test event for one endpoint, whichever types it wants. Returns its id. */
export async function recordTestEvent(
  tx: Queryable,
  { endpointId, now }: { endpointId: string; now: Date },
): Promise<string> {
  const id = randomUUID();
  await tx.insert(webhookEvents).values({ id, type: testType, at: now, data: { endpoint_id: endpointId } });
  return id;
}

const purgedPerBatch = 5_000;

/** No delivery of the event, or none that matches. */
function hasNoDelivery(matches = sql`true`): SQL {
  const isOfEvent = sql`${deliveries.eventId} = ${webhookEvents.id}`;
  return sql`not exists (select from ${deliveries} where ${isOfEvent} and ${matches})`;
}

/**
 * Deletes a batch of events from before a time, with their deliveries and attempts, except those with a queued
 * delivery. A lead's deliveries are deleted with the lead. Safe in any number of processes. Returns how many.
 */
export function purgeEvents(db: Queryable, before: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const old = await tx
      .select({ id: webhookEvents.id })
      .from(webhookEvents)
      .where(and(lt(webhookEvents.at, before), hasNoDelivery(eq(deliveries.state, 'queued'))))
      .orderBy(asc(webhookEvents.at))
      .limit(purgedPerBatch)
      .for('update', { skipLocked: true });
    if (old.length === 0) return 0;
    const ids = old.map(({ id }) => id);
    await deleteFinishedOfEvents(tx, ids);
    // A delivery that was queued again in between stays, with its event.
    return (await tx.delete(webhookEvents).where(and(inArray(webhookEvents.id, ids), hasNoDelivery()))).count;
  });
}
