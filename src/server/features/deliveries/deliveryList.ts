import { and, asc, desc, eq, inArray, not, type SQL, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import {
  type AdminDelivery,
  type DeliveryAttempt,
  type DeliveryFilter,
  type DeliveryListInput,
  type DeliveryListOutput,
} from '#shared/admin/adminDeliveries.ts';
import { listCountMax } from '#shared/admin/worklist.ts';
import { giveUpAfter, readWithTimeout } from '#server/db/readWithTimeout.ts';
import { deliveryChannels, leadChannels } from '#shared/admin/deliveries.ts';
import { endpointHost, testType } from '#shared/admin/webhooks.ts';
import { suppressedReason } from '#shared/leads/suppression.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { isWithin } from '#server/db/readRows.ts';
import {
  deliveries,
  deliveryAttempts,
  type DeliveryRow,
  leads,
  providers,
  webhookEndpoints,
  webhookEvents,
} from '#server/db/schema/index.ts';
import { notFound } from '#server/errors.ts';
import type { Services } from '#server/services.ts';
import { authorFor } from '../auth/actor.ts';
import { channelRules } from '../outbox/channelRules.ts';
import { toAnswerText } from '../outbox/redact.ts';
import { isLeadSuppressed } from '../suppression/suppressions.ts';
import { getWebhookId } from '../webhooks/eventBody.ts';

type DeliveryServices = Pick<Services, 'channels' | 'db' | 'dataKeys' | 'now'>;

/** What a caller may see of deliveries. */
export interface Visibility {
  /** For owners, and tokens with `webhooks:read`. */
  withWebhooks: boolean;
  /** The names of leads: for staff, and tokens with `leads:read`. */
  withNames: boolean;
  /** Who asks: a token gets no names of staff. */
  reader: { kind: string };
}

/** A condition for the visible deliveries. Those by a channel that only a later version has are not. */
export function isVisible({ withWebhooks }: Pick<Visibility, 'withWebhooks'>): SQL {
  return inArray(deliveries.channel, withWebhooks ? [...deliveryChannels] : [...leadChannels]);
}

/** Deliveries of a lead and webhooks of its events, by the indexes of both. */
function isAboutLead(db: Queryable, leadId: number, { withWebhooks }: Visibility): SQL {
  if (!withWebhooks) return eq(deliveries.leadId, leadId);
  const ofLead = db.select({ id: deliveries.id }).from(deliveries).where(eq(deliveries.leadId, leadId));
  const ofEvents = db
    .select({ id: deliveries.id })
    .from(webhookEvents)
    .innerJoin(deliveries, eq(deliveries.eventId, webhookEvents.id))
    .where(eq(webhookEvents.leadId, leadId));
  return inArray(deliveries.id, unionAll(ofLead, ofEvents));
}

function buildCondition(db: Queryable, filter: DeliveryFilter & Visibility): SQL | undefined {
  const { state, channel, endpointId, eventType, leadId } = filter;
  const events = db.select({ id: webhookEvents.id }).from(webhookEvents);
  return and(
    isVisible(filter),
    state === undefined ? undefined : eq(deliveries.state, state),
    channel === undefined ? undefined : eq(deliveries.channel, channel),
    endpointId === undefined ? undefined : eq(deliveries.endpointId, endpointId),
    eventType === undefined
      ? undefined
      : inArray(deliveries.eventId, events.where(eq(webhookEvents.type, eventType))),
    leadId === undefined ? undefined : isAboutLead(db, leadId, filter),
    isWithin(deliveries.createdAt, filter),
  );
}

interface PageRange {
  limit: number;
  offset: number;
}

/** A page of rows: only these are joined. A webhook is about its event's lead and provider. */
function selectRows(db: Database, condition: SQL | undefined, { limit, offset }: PageRange) {
  const page = db
    .select()
    .from(deliveries)
    .where(condition)
    // Written as in the index: a plain `desc` puts nulls first, and the index would not be used.
    .orderBy(sql`${deliveries.createdAt} desc nulls last`, deliveries.id)
    .limit(limit)
    .offset(offset)
    .as('page');
  return db
    .select({
      id: page.id,
      leadId: page.leadId,
      firstName: leads.firstName,
      lastName: leads.lastName,
      deletedAt: leads.deletedAt,
      channel: page.channel,
      providerId: providers.id,
      providerName: providers.name,
      providerEmail: providers.email,
      eventId: page.eventId,
      eventType: webhookEvents.type,
      eventLeadId: webhookEvents.leadId,
      endpointId: page.endpointId,
      endpointUrl: webhookEndpoints.url,
      endpointDisabledAt: webhookEndpoints.disabledAt,
      state: page.state,
      leasedUntil: page.leasedUntil,
      attempts: page.attempts,
      nextAttemptAt: page.nextAttemptAt,
      reason: page.reason,
      latestAnswer: sql<string | null>`case when ${page.state} not in ('delivered', 'cancelled') then (
        select answer from delivery_attempts where delivery_id = ${page.id} order by id desc limit 1) end`,
      attemptedAddress: sql<string | null>`case when ${page.channel} = 'provider-email' then (
        select address from delivery_attempts where delivery_id = ${page.id} order by id desc limit 1) end`,
      requestedBy: page.requestedBy,
      createdAt: page.createdAt,
      finishedAt: page.finishedAt,
    })
    .from(page)
    .leftJoin(webhookEvents, eq(webhookEvents.id, page.eventId))
    .leftJoin(webhookEndpoints, eq(webhookEndpoints.id, page.endpointId))
    .leftJoin(leads, eq(leads.id, sql`coalesce(${page.leadId}, ${webhookEvents.leadId})`))
    .leftJoin(providers, eq(providers.id, sql`coalesce(${page.providerId}, ${webhookEvents.providerId})`))
    .orderBy(desc(page.createdAt), page.id);
}
type ListedRow = Awaited<ReturnType<typeof selectRows>>[number];

function wasSuppressed({ state, reason }: Pick<DeliveryRow, 'state' | 'reason'>): boolean {
  return state === 'cancelled' && reason === suppressedReason;
}

/** The leads that are not suppressed now. Loads the identity key only if there are leads to check. */
async function notSuppressed(
  { db, dataKeys }: Pick<Services, 'db' | 'dataKeys'>,
  leadIds: readonly number[],
): Promise<Set<number>> {
  if (leadIds.length === 0) return new Set();
  const { key } = await dataKeys.current('identity');
  const rows = await db
    .select({ id: leads.id })
    .from(leads)
    .where(and(inArray(leads.id, [...new Set(leadIds)]), not(isLeadSuppressed(key))));
  return new Set(rows.map(({ id }) => id));
}

interface PresentOptions {
  now: Date;
  /** Leads whose suppression was lifted. */
  lifted: ReadonlySet<number>;
  visibility: Visibility;
  channels: Services['channels'];
}

/** A retry of what its channel would only hold again changes nothing. */
export function isReady(channels: Services['channels'], channel: DeliveryRow['channel']): boolean {
  return channels[channel].heldReason() === null;
}

/** The same rule as in `retryDeliveries`, `requeue` and `replayDeliveries`, which check it under a lock. */
function isRetryable(row: ListedRow, { lifted, channels }: PresentOptions): boolean {
  if (!isReady(channels, row.channel)) return false;
  if (row.channel === 'webhook')
    return row.endpointUrl !== null && row.endpointDisabledAt === null && row.eventType !== testType;
  if (['queued', 'failed', 'held'].includes(row.state)) return true;
  return wasSuppressed(row) && row.leadId !== null && lifted.has(row.leadId);
}

function presentLead(row: ListedRow, withNames: boolean): AdminDelivery['lead'] {
  const id = row.leadId ?? row.eventLeadId;
  if (id === null) return null;
  const { firstName, lastName, deletedAt } = row;
  const name = !withNames || firstName === null || lastName === null ? null : `${firstName} ${lastName}`;
  return { id, name, isDeleted: deletedAt !== null };
}

function presentDelivery(row: ListedRow, options: PresentOptions): AdminDelivery {
  const { now, visibility } = options;
  const { providerId, providerName, eventId, eventType, endpointId, endpointUrl: url } = row;
  const isInProgress = row.leasedUntil !== null && row.leasedUntil > now;
  return {
    id: row.id,
    lead: presentLead(row, visibility.withNames),
    channel: row.channel,
    provider: providerId === null || providerName === null ? null : { id: providerId, name: providerName },
    event:
      eventId === null || eventType === null ? null : { type: eventType, webhookId: getWebhookId(eventId) },
    endpoint:
      endpointId === null ? null : { id: endpointId, host: url === null ? null : endpointHost({ url }) },
    state: row.state,
    isInProgress,
    isRetryable: !isInProgress && isRetryable(row, options),
    attempts: row.attempts,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    reason: row.reason,
    answerText:
      row.latestAnswer === null ? null : toAnswerText(row.latestAnswer, { isMail: isMail(row.channel) }),
    address: visibility.reader.kind === 'staff' ? getAddress(row) : null,
    requestedBy: row.requestedBy === null ? null : authorFor(visibility.reader, row.requestedBy),
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

/** Where an email to a provider went, or will go before its first attempt. */
function getAddress({ channel, attempts, attemptedAddress, providerEmail }: ListedRow): string | null {
  if (channel !== 'provider-email') return null;
  return attempts === 0 ? providerEmail : attemptedAddress;
}

/** Whether answers by the channel are those of a mail server. */
function isMail(channel: DeliveryRow['channel']): boolean {
  return channel !== 'webhook' && channelRules[channel].isEmail;
}

const countMs = 1_000;

/** A page of deliveries, newest first, and their number, counted up to `listCountMax` for at most a second. */
export async function listDeliveries(
  services: DeliveryServices,
  { page, limit, ...filter }: DeliveryListInput & Visibility,
): Promise<DeliveryListOutput> {
  const { db } = services;
  const condition = buildCondition(db, filter);
  const counted = db
    .select({ one: sql`1` })
    .from(deliveries)
    .where(condition)
    .limit(listCountMax + 1)
    .as('counted');
  const total = await readWithTimeout(
    db,
    (tx) => giveUpAfter(tx, countMs, (inner) => inner.$count(counted)),
    { tooLong: 'Counting the deliveries takes too long. Add a filter.' },
  );
  const rows = await selectRows(db, condition, { limit, offset: (page - 1) * limit });
  return {
    deliveries: await presentDeliveries(services, rows, filter),
    // With the delivery after a full page, so that staff can turn to the next one.
    total: Math.min(total ?? (page - 1) * limit + rows.length + Number(rows.length === limit), listCountMax),
    totalIsLeast: total === null || total > listCountMax,
  };
}

async function presentDeliveries(
  services: DeliveryServices,
  rows: readonly ListedRow[],
  visibility: Visibility,
): Promise<AdminDelivery[]> {
  const suppressedLeads = rows.filter(wasSuppressed).flatMap(({ leadId }) => leadId ?? []);
  const lifted = await notSuppressed(services, suppressedLeads);
  const options = { now: services.now(), lifted, visibility, channels: services.channels };
  return rows.map((row) => presentDelivery(row, options));
}

/** A delivery with its attempts, oldest first. Throws NOT_FOUND 'Delivery not found'. */
export async function getDelivery(
  services: DeliveryServices,
  { id, ...visibility }: { id: string } & Visibility,
): Promise<AdminDelivery & { history: DeliveryAttempt[] }> {
  const { db } = services;
  const rows = await selectRows(db, and(eq(deliveries.id, id), isVisible(visibility)), {
    limit: 1,
    offset: 0,
  });
  const [delivery] = await presentDeliveries(services, rows, visibility);
  if (delivery === undefined) throw notFound('Delivery');
  return { ...delivery, history: await readAttempts(db, id, visibility.reader.kind === 'staff') };
}

async function readAttempts(db: Database, id: string, isStaff: boolean): Promise<DeliveryAttempt[]> {
  const rows = await db
    .select()
    .from(deliveryAttempts)
    .where(eq(deliveryAttempts.deliveryId, id))
    .orderBy(asc(deliveryAttempts.id));
  return rows.map((row) => ({
    at: row.at.toISOString(),
    delivered: row.outcome === 'delivered',
    status: row.status,
    duration_ms: row.durationMs,
    reason: row.reason,
    answer: row.answer,
    address: isStaff ? row.address : null,
  }));
}
