import { and, asc, eq, exists, gte, inArray, isNull, ne, or, sql } from 'drizzle-orm';
import type { z } from 'zod';
import {
  replaysMax,
  type replaySinceInput,
  type replaySinceOutput,
  testType,
  type WebhookEndpoint,
} from '#shared/admin/webhooks.ts';
import type { Queryable } from '#server/db/connect.ts';
import {
  deliveries,
  type WebhookEndpointRow,
  webhookEndpoints,
  webhookEvents,
} from '#server/db/schema/index.ts';
import { AppError } from '#server/errors.ts';
import type { Services } from '#server/services.ts';
import { recordAuditOfEach } from '../audit/audit.ts';
import { endpointOffReason } from '../outbox/cancelDeliveries.ts';
import { enqueueWebhooks } from '../outbox/enqueueDeliveries.ts';
import { startRound } from '../outbox/requeue.ts';
import { auditEndpoint, type WebhookAction, getEndpoint, readEndpoint } from './endpoints.ts';
import { enableEndpoint } from './endpointStates.ts';

/** Throws NOT_FOUND, and UNPROCESSABLE_CONTENT while it is off. */
async function expectOn(tx: Queryable, endpointId: string): Promise<WebhookEndpointRow> {
  const endpoint = await getEndpoint(tx, endpointId);
  if (endpoint.disabledAt !== null)
    throw new AppError('UNPROCESSABLE_CONTENT', 'The endpoint is off. Switch it on first.');
  return endpoint;
}

/**
 * Queues webhook deliveries again, delivered or not, each audited, with the same `webhook-id`. Skips tests, deliveries
 * whose endpoint is off or removed, and those with an attempt in progress. Returns their ids.
 */
export async function replayDeliveries(
  tx: Queryable,
  { actor, ip, now }: Pick<WebhookAction, 'actor' | 'ip'> & { now: Date },
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const isRequested = inArray(deliveries.id, [...ids]);
  const requested = tx.select({ id: deliveries.endpointId }).from(deliveries).where(isRequested);
  // Endpoints are locked before their deliveries, as in disableEndpoint().
  const endpoints = await tx
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(and(inArray(webhookEndpoints.id, requested), isNull(webhookEndpoints.disabledAt)))
    .orderBy(asc(webhookEndpoints.id))
    .for('update');
  const endpointIds = endpoints.map(({ id }) => id);
  const realEvent = sql`(select from ${webhookEvents}
    where ${webhookEvents.id} = ${deliveries.eventId} and ${webhookEvents.type} <> ${testType})`;
  const isAllowed = and(isRequested, inArray(deliveries.endpointId, endpointIds), exists(realEvent));
  const queued = await startRound(tx, isAllowed, now);
  const entries = queued.map(({ id, endpointId }) => ({
    subject: { kind: 'endpoint', id: endpointId ?? '' },
    detail: { delivery: id },
  }));
  await recordAuditOfEach(tx, { actor, ip, action: 'endpoint.replay' }, entries);
  return queued.map(({ id }) => id);
}

/**
 * Queues every event since a time that matches the endpoint's event types: finished deliveries, and events from while
 * it was off. Queued deliveries stay. Returns `next` to continue with if there are more than `replaysMax`; the oldest
 * are first. Throws NOT_FOUND, and UNPROCESSABLE_CONTENT while the endpoint is off.
 */
export async function replaySince(
  staffAction: WebhookAction & { services: Pick<Services, 'wakeSignal'> },
  { id: endpointId, since, after }: z.output<typeof replaySinceInput>,
): Promise<z.infer<typeof replaySinceOutput>> {
  const { db, now, wakeSignal } = staffAction.services;
  const replayed = await db.transaction(async (tx) => {
    const { types } = await expectOn(tx, endpointId);
    const found = await findEvents(tx, { endpointId, types, since, after });
    const events = found.slice(0, replaysMax);
    const finished = events.flatMap(({ deliveryId }) => deliveryId ?? []);
    if (finished.length > 0) await startRound(tx, inArray(deliveries.id, finished), now());
    const missed = events.filter(({ deliveryId }) => deliveryId === null);
    await enqueueWebhooks(tx, { eventIds: missed.map(({ id }) => id), endpointId, now: now() });
    const detail = { since, deliveries: events.length };
    await auditEndpoint(tx, staffAction, { action: 'endpoint.replay', id: endpointId, detail });
    const last = found.length > replaysMax ? events.at(-1) : undefined;
    const next = last === undefined ? null : { since: last.at.toISOString(), after: last.id };
    return { queued: events.length, next };
  });
  wakeSignal.wake();
  return replayed;
}

/**
 * Switches an endpoint on again as if it had never been off: queues what switching it off cancelled, and the events
 * since. Does nothing if it is on. Throws NOT_FOUND.
 */
export async function undoSwitchOff(
  staffAction: WebhookAction & { services: Pick<Services, 'wakeSignal'> },
  id: string,
): Promise<WebhookEndpoint> {
  const { db, now, wakeSignal } = staffAction.services;
  await db.transaction(async (tx) => {
    const { disabledAt, types } = await getEndpoint(tx, id);
    if (disabledAt === null) return;
    await enableEndpoint(tx, id);
    const { queue, state, reason, finishedAt } = deliveries;
    const wasCancelled = and(eq(queue, id), eq(state, 'cancelled'), eq(reason, endpointOffReason));
    await startRound(tx, and(wasCancelled, gte(finishedAt, disabledAt)), now());
    const events = await findEvents(tx, { endpointId: id, types, since: disabledAt.toISOString() });
    const missed = events.filter(({ deliveryId }) => deliveryId === null);
    await enqueueWebhooks(tx, { eventIds: missed.map((event) => event.id), endpointId: id, now: now() });
    await auditEndpoint(tx, staffAction, { action: 'endpoint.enable', id });
  });
  wakeSignal.wake();
  return readEndpoint(staffAction.services, id);
}

interface Replay extends Omit<z.output<typeof replaySinceInput>, 'id'> {
  endpointId: string;
  /** The endpoint's event types; empty: all. */
  types: readonly string[];
}

interface ReplayedEvent {
  id: string;
  at: Date;
  /** Null if the endpoint was off. */
  deliveryId: string | null;
}

/** One more than `replaysMax`. Locked, so that no event is purged while it gets a delivery. */
function findEvents(tx: Queryable, { endpointId, types, since, after }: Replay): Promise<ReplayedEvent[]> {
  const { id, at, type } = webhookEvents;
  return tx
    .select({ id, at, deliveryId: deliveries.id })
    .from(webhookEvents)
    .leftJoin(deliveries, and(eq(deliveries.eventId, id), eq(deliveries.endpointId, endpointId)))
    .where(
      and(
        gte(at, new Date(since)),
        after === undefined
          ? undefined
          : sql`(${at}, ${id}) > (${new Date(since).toISOString()}::timestamptz, ${after}::uuid)`,
        types.length === 0 ? ne(type, testType) : inArray(type, [...types]),
        or(isNull(deliveries.id), ne(deliveries.state, 'queued')),
      ),
    )
    .orderBy(asc(at), asc(id))
    .limit(replaysMax + 1)
    .for('key share', { of: webhookEvents });
}
