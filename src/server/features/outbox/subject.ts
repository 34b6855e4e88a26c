import { and, eq, getTableColumns, isNotNull, or, type SQL, sql, desc, gt, lt, ne } from 'drizzle-orm';
import { leadChannels } from '#shared/admin/deliveries.ts';
import { testType } from '#shared/admin/webhooks.ts';
import { suppressedReason } from '#shared/leads/suppression.ts';
import type { Queryable } from '#server/db/connect.ts';
import {
  deliveries,
  type DeliveryRow,
  type LeadRow,
  leads,
  providers,
  type WebhookEndpointRow,
  webhookEndpoints,
  type WebhookEventRow,
  webhookEvents,
} from '#server/db/schema/index.ts';
import { findLeftOut, isLeadSuppressed, isMailboxSuppressed } from '../suppression/suppressions.ts';
import { isTo } from './channelRules.ts';
import {
  endpointOffReason,
  assignedElsewhereReason,
  leadDeletedReason,
  noConsentReason,
} from './cancelDeliveries.ts';
import type { Lease } from './lease.ts';
import { isRepeat, repeatReason } from './repeats.ts';
import type { ContactHistory, LeadFacts } from './types.ts';

/** A leased delivery of a lead, as its rows are now. */
interface LeadSubject extends LeadFacts {
  kind: 'lead';
  delivery: DeliveryRow;
  isSuppressed: boolean;
  /** Somebody withdrew under another spelling of its email address, and staff haven't decided. */
  isMailboxSuppressed: boolean;
  /** The provider received the same contact details since the delivery was stored. */
  isRepeat: boolean;
}

/** A leased webhook, as its rows are now. */
interface EventSubject {
  kind: 'event';
  delivery: DeliveryRow;
  event: WebhookEventRow;
  /** Null: removed. */
  endpoint: WebhookEndpointRow | null;
}

export type Subject = LeadSubject | EventSubject;

interface Reading {
  identityKey: Buffer;
  now: Date;
}

/** One parameter for any number of ids: the statement's text stays the same and can stay prepared. */
function isAnyOf(ids: readonly string[]): SQL {
  return sql`${deliveries.id} = any (${sql.param([...ids])}::uuid[])`;
}

async function readLeadSubjects(
  db: Queryable,
  ids: readonly string[],
  { identityKey, now }: Reading,
): Promise<LeadSubject[]> {
  if (ids.length === 0) return [];
  const others = sql`from deliveries o where o.lead_id = ${deliveries.leadId} and o.channel = ${deliveries.channel} and o.id <> ${deliveries.id}`;
  const rows = await db
    .select({
      delivery: getTableColumns(deliveries),
      lead: leads,
      // An erasure gave the tombstone a new public id; recipients know the lead by the one that it had.
      formerId: sql<
        string | null
      >`case when ${leads.erasedAt} is not null then (select r.lead_public_id from consent_records r where r.lead_id = ${leads.id} and r.lead_public_id is not null order by r.id desc limit 1) end`,
      provider: providers,
      isSuppressed: isLeadSuppressed(identityKey),
      isMailboxSuppressed: isMailboxSuppressed(identityKey),
      isRepeat: isRepeat(now),
      isKnown: sql<boolean>`exists (select 1 ${others} and o.state = 'delivered')`,
      contactId: sql<
        string | null
      >`(select o.remote_id ${others} and o.remote_id is not null order by o.created_at desc limit 1)`,
    })
    .from(deliveries)
    .innerJoin(leads, eq(leads.id, deliveries.leadId))
    .leftJoin(providers, eq(providers.id, deliveries.providerId))
    .where(isAnyOf(ids));
  const leftOut = await findLeftOut(
    db,
    identityKey,
    rows.map(({ lead }) => lead),
  );
  return Promise.all(
    rows.map(async ({ contactId, formerId, ...row }) => {
      const { channel, remoteId, template } = row.delivery;
      return {
        kind: 'lead',
        ...row,
        lead: formerId === null ? row.lead : { ...row.lead, publicId: formerId },
        remoteId: remoteId ?? (channel === 'crm' ? contactId : null),
        leftOut: leftOut.get(row.lead.id) ?? [],
        isUnanswered: template === 'erased' && (await wasUnanswered(db, row.delivery)),
      } as const;
    }),
  );
}

async function readEventSubjects(db: Queryable, ids: readonly string[]): Promise<EventSubject[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ delivery: getTableColumns(deliveries), event: webhookEvents, endpoint: webhookEndpoints })
    .from(deliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, deliveries.eventId))
    .leftJoin(webhookEndpoints, eq(webhookEndpoints.id, deliveries.endpointId))
    .where(isAnyOf(ids));
  return rows.map((row) => ({ kind: 'event', ...row }));
}

const ofLeads: ReadonlySet<string> = new Set(leadChannels);

/** Reads leased deliveries with what they are about. Omits those whose lead or event was deleted. */
export async function readSubjects(
  db: Queryable,
  leases: readonly Pick<Lease, 'id' | 'queue'>[],
  reading: Reading,
): Promise<Subject[]> {
  const listIds = (isOfLead: boolean): string[] =>
    leases.flatMap(({ id, queue }) => (ofLeads.has(queue) === isOfLead ? [id] : []));
  const found = await Promise.all([
    readLeadSubjects(db, listIds(true), reading),
    readEventSubjects(db, listIds(false)),
  ]);
  return found.flat();
}

/** Whether an attempt to deliver the lead by the channel got no answer, or wasn't recorded because its process died. */
async function wasUnanswered(
  db: Queryable,
  { leadId, channel }: Pick<DeliveryRow, 'leadId' | 'channel'>,
): Promise<boolean> {
  if (leadId === null) return false;
  const hasNoAnswer = sql`exists (
    select from delivery_attempts a where a.delivery_id = ${deliveries.id} and a.outcome = 'failed' and a.status is null)`;
  const isUnanswered = or(isNotNull(deliveries.leasedUntil), hasNoAnswer);
  const isOfLead = and(eq(deliveries.leadId, leadId), eq(deliveries.channel, channel));
  const isUnknown = and(isOfLead, eq(deliveries.template, 'lead'), isUnanswered);
  return (await db.$count(deliveries, isUnknown)) > 0;
}

/**
 * A sentence why a delivery must not be attempted, or null. Notices of a withdrawal or an erasure may always be sent.
 */
export function obstacleTo(subject: Subject): string | null {
  if (subject.kind === 'event') return obstacleToEvent(subject);
  const { delivery, lead, isSuppressed, isRepeat: repeats } = subject;
  const { template, channel, providerId } = delivery;
  if (template !== 'lead') return null;
  if (lead.deletedAt !== null) return leadDeletedReason;
  if (!isTo('person', channel) && providerId !== lead.providerId) return assignedElsewhereReason;
  if (lead.quarantinedAt !== null) return 'The lead is in quarantine.';
  if (!lead.acceptanceConsent) return noConsentReason;
  if (isSuppressed) return suppressedReason;
  return repeats ? repeatReason : null;
}

/** Whether a delivery that has no obstacle waits for the decision of staff whether it is the same person. */
export function waitsForDecision(subject: Subject): boolean {
  return (
    subject.kind === 'lead' &&
    subject.delivery.template === 'lead' &&
    subject.isMailboxSuppressed &&
    obstacleTo(subject) === null
  );
}

function obstacleToEvent({ event, endpoint }: EventSubject): string | null {
  if (endpoint === null) return 'The endpoint was removed.';
  // A test may be sent to an endpoint that is off.
  return endpoint.disabledAt === null || event.type === testType ? null : endpointOffReason;
}

interface HistoryQuery {
  lead: Pick<LeadRow, 'id' | 'emailNorm'>;
  /** Of the attempt that asks. */
  leasedUntil: Date | null;
  now: Date;
}

/** The contacts of other leads, by the CRM's ids of them. Read only when a CRM asks. */
export function contactHistory(
  db: Queryable,
  { lead, leasedUntil: until, now }: HistoryQuery,
): ContactHistory {
  const { channel, leadId, leasedUntil, remoteId } = deliveries;
  const isNewer = and(eq(channel, 'crm'), gt(leadId, lead.id));
  return {
    async hasNewer(contactId) {
      const found = await db
        .select({ leadId })
        .from(deliveries)
        .where(and(isNewer, eq(remoteId, contactId)))
        .limit(1);
      return found.length > 0;
    },
    async findNewer() {
      const [found] = await db
        .select({ remoteId })
        .from(leads)
        .innerJoin(deliveries, eq(leadId, leads.id))
        .where(and(isNewer, isNotNull(remoteId), eq(leads.emailNorm, lead.emailNorm), gt(leads.id, lead.id)))
        .orderBy(desc(leads.id), desc(deliveries.createdAt))
        .limit(1);
      return found?.remoteId ?? null;
    },
    async isWaiting() {
      if (until === null) return false;
      const isFirst = or(lt(leasedUntil, until), and(eq(leasedUntil, until), gt(leads.id, lead.id)));
      const found = await db
        .select({ leadId })
        .from(leads)
        .innerJoin(deliveries, eq(leadId, leads.id))
        .where(
          and(
            ...[eq(leads.emailNorm, lead.emailNorm), ne(leads.id, lead.id)],
            ...[eq(channel, 'crm'), gt(leasedUntil, now), isFirst],
          ),
        )
        .limit(1);
      return found.length > 0;
    },
  };
}
