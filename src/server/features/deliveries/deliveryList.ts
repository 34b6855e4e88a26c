import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import {
  type AdminDelivery,
  deliveriesCountMax,
  type DeliveryFilter,
  type DeliveryListInput,
} from '#shared/adminDeliveries.ts';
import type { Queryable } from '../../db/connect.ts';
import { deliveries, leads, providers } from '../../db/schema/index.ts';

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
  claimedUntil: deliveries.claimedUntil,
  tries: deliveries.tries,
  nextTryAt: deliveries.nextTryAt,
  reason: deliveries.reason,
  requestedBy: deliveries.requestedBy,
  createdAt: deliveries.createdAt,
  finishedAt: deliveries.finishedAt,
} as const;

/** A page of deliveries, newest first, and how many there are, counted as far as `deliveriesCountMax`. */
export async function listDeliveries(
  db: Queryable,
  { page, limit, ...filter }: DeliveryListInput,
  now: Date,
): Promise<{ deliveries: AdminDelivery[]; total: number; totalIsLeast: boolean }> {
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
  return {
    deliveries: rows.map(({ leadId, firstName, lastName, deletedAt, providerId, providerName, ...row }) => ({
      id: row.id,
      lead: { id: leadId, name: `${firstName} ${lastName}`, isDeleted: deletedAt !== null },
      channel: row.channel,
      provider: providerId === null || providerName === null ? null : { id: providerId, name: providerName },
      state: row.state,
      isTried: row.claimedUntil !== null && row.claimedUntil > now,
      tries: row.tries,
      nextTryAt: row.nextTryAt?.toISOString() ?? null,
      reason: row.reason,
      requestedBy: row.requestedBy,
      createdAt: row.createdAt.toISOString(),
      finishedAt: row.finishedAt?.toISOString() ?? null,
    })),
    total,
    totalIsLeast: total === deliveriesCountMax,
  };
}
