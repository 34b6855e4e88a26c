import { and, desc, eq, gte, inArray, lt, not, type SQL, sql } from 'drizzle-orm';
import {
  type AdminDelivery,
  deliveriesCountMax,
  type DeliveryFilter,
  type DeliveryListInput,
} from '#shared/admin/adminDeliveries.ts';
import { suppressedReason } from '#shared/leads/suppression.ts';
import { deliveries, type DeliveryRow, leads, providers } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { isLeadSuppressed } from '../suppression/suppressions.ts';

const dayMs = 86_400_000;

function conditionOf({ state, channel, leadId, from, to }: DeliveryFilter): SQL | undefined {
  return and(
    state === undefined ? undefined : eq(deliveries.state, state),
    channel === undefined ? undefined : eq(deliveries.channel, channel),
    leadId === undefined ? undefined : eq(deliveries.leadId, leadId),
    from === undefined ? undefined : gte(deliveries.createdAt, new Date(from)),
    to === undefined ? undefined : lt(deliveries.createdAt, new Date(Date.parse(to) + dayMs)),
  );
}

const columns = {
  id: deliveries.id,
  leadId: deliveries.leadId,
  firstName: leads.firstName,
  lastName: leads.lastName,
  deletedAt: leads.deletedAt,
  channel: deliveries.channel,
  providerId: deliveries.providerId,
  providerName: providers.name,
  state: deliveries.state,
  leasedUntil: deliveries.leasedUntil,
  attempts: deliveries.attempts,
  nextAttemptAt: deliveries.nextAttemptAt,
  reason: deliveries.reason,
  requestedBy: deliveries.requestedBy,
  createdAt: deliveries.createdAt,
  finishedAt: deliveries.finishedAt,
} as const;

function wasSuppressed({ state, reason }: Pick<DeliveryRow, 'state' | 'reason'>): boolean {
  return state === 'cancelled' && reason === suppressedReason;
}

/** Which of these leads are on no suppression list any more. Loads the identity key only where there are any. */
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

/** A page of deliveries, newest first, and how many there are, counted as far as `deliveriesCountMax`. */
export async function listDeliveries(
  services: Pick<Services, 'db' | 'dataKeys' | 'now'>,
  { page, limit, ...filter }: DeliveryListInput,
): Promise<{ deliveries: AdminDelivery[]; total: number; totalIsLeast: boolean }> {
  const { db } = services;
  const now = services.now();
  const condition = conditionOf(filter);
  const counted = db
    .select({ one: sql`1` })
    .from(deliveries)
    .where(condition)
    .limit(deliveriesCountMax)
    .as('counted');
  const total = await db.$count(counted);
  const rows = await db
    .select(columns)
    .from(deliveries)
    .innerJoin(leads, eq(leads.id, deliveries.leadId))
    .leftJoin(providers, eq(providers.id, deliveries.providerId))
    .where(condition)
    .orderBy(desc(deliveries.createdAt), deliveries.id)
    .limit(limit)
    .offset((page - 1) * limit);
  const suppressedLeads = rows.filter(wasSuppressed).map(({ leadId }) => leadId);
  const lifted = await notSuppressed(services, suppressedLeads);
  const isTried = ({ leasedUntil }: Pick<DeliveryRow, 'leasedUntil'>): boolean =>
    leasedUntil !== null && leasedUntil > now;
  // As `requeue` judges, which judges again.
  const isRetryable = (row: (typeof rows)[number]): boolean =>
    !isTried(row) &&
    (['queued', 'failed', 'held'].includes(row.state) || (wasSuppressed(row) && lifted.has(row.leadId)));
  return {
    deliveries: rows.map((row) => ({
      id: row.id,
      lead: {
        id: row.leadId,
        name: `${row.firstName} ${row.lastName}`,
        isDeleted: row.deletedAt !== null,
      },
      channel: row.channel,
      provider:
        row.providerId === null || row.providerName === null
          ? null
          : { id: row.providerId, name: row.providerName },
      state: row.state,
      isTried: isTried(row),
      isRetryable: isRetryable(row),
      attempts: row.attempts,
      nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
      reason: row.reason,
      requestedBy: row.requestedBy,
      createdAt: row.createdAt.toISOString(),
      finishedAt: row.finishedAt?.toISOString() ?? null,
    })),
    total,
    totalIsLeast: total === deliveriesCountMax,
  };
}
