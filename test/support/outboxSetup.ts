import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { parseConfig } from '#server/config/config.ts';
import type { Queryable } from '#server/db/connect.ts';
import {
  deliveries,
  type DeliveryInsert,
  type DeliveryRow,
  type LeadInsert,
  type LeadRow,
} from '#server/db/schema/index.ts';
import { createChannels } from '#server/features/outbox/channels/deliveryChannels.ts';
import {
  attemptDelivery,
  type AttemptOptions,
  type AttemptOutcome,
  type DeliveryServices,
  startAttempts,
} from '#server/features/outbox/attemptDelivery.ts';
import { type Lease, leaseSelected } from '#server/features/outbox/lease.ts';
import type { Subject } from '#server/features/outbox/subject.ts';
import { createLog } from '#server/log.ts';
import { insertLead } from './leadRows.ts';
import { type Behaviour, type Receiver, startReceiver } from './receiver.ts';
import { testDb, type TestDb } from './testDb.ts';
import { testDataKeys, testSecret } from './testKeys.ts';

export const webhookSecret = `whsec_${Buffer.from('a secret of twenty-four.').toString('base64')}`;
const secretKeys = testSecret;

/** The environment of a process that delivers to a receiver. */
export function crmEnvironment({ url }: Pick<Receiver, 'url'>): Record<string, string> {
  return { CRM_WEBHOOK_URL: url, CRM_WEBHOOK_SECRET: webhookSecret };
}

const dueAt = new Date('2026-06-10T12:00:00Z');

/** Inserts a delivery, by default queued for the CRM and due. */
export async function insertDelivery(
  { db }: { db: Queryable },
  row: Partial<DeliveryInsert>,
): Promise<string> {
  const id = row.id ?? randomUUID();
  const state = row.state ?? 'queued';
  const usual =
    state === 'queued'
      ? { nextAttemptAt: dueAt }
      : {
          reason: state === 'delivered' ? null : 'Because.',
          finishedAt: state === 'held' ? null : (row.createdAt ?? dueAt),
        };
  await db.insert(deliveries).values({ id, channel: 'crm', state, ...usual, ...row });
  return id;
}

/**
 * Leases one delivery as a worker does; null if it isn't due. Throws, and leases nothing, if the identity key can't be
 * loaded.
 */
export async function leaseOne(services: DeliveryServices, id: string): Promise<Lease | null> {
  const now = services.now();
  await services.dataKeys.current('identity');
  const isDue = sql`state = 'queued' and next_attempt_at <= ${now.toISOString()}::timestamptz`;
  const selected = sql`select id from deliveries where id = ${id} and ${isDue} for update skip locked`;
  const [lease] = await leaseSelected(services.db, selected, now);
  return lease ?? null;
}

/** Makes the attempts of leases one after the other. Returns their outcomes. */
export async function attemptLeased(
  services: DeliveryServices,
  leases: readonly Lease[],
  options: Partial<AttemptOptions> = {},
): Promise<AttemptOutcome[]> {
  const found: { lease: Lease; subject: Subject }[] = [];
  await startAttempts(services, leases, (lease, subject) => found.push({ lease, subject }));
  const outcomes: AttemptOutcome[] = [];
  const stopping = new AbortController().signal;
  for (const leased of found)
    outcomes.push(await attemptDelivery(services, leased, { stopping, ...options }));
  return outcomes;
}

/** Makes the attempt of one delivery as a worker does, if it is due. */
export async function deliverOne(
  services: DeliveryServices,
  id: string,
  stopping = new AbortController().signal,
): Promise<void> {
  const lease = await leaseOne(services, id);
  if (lease !== null) await attemptLeased(services, [lease], { stopping });
}

export interface DeliverySetup extends AsyncDisposable {
  database: TestDb;
  receiver: Receiver;
  services: DeliveryServices;
  clock: { ms: number };
  /** Stores a lead with one delivery, to the CRM. */
  queue: (lead?: Partial<LeadInsert>) => Promise<{ lead: LeadRow; id: string }>;
  /** Makes an attempt like a worker. */
  deliver: (id: string, stopping?: AbortSignal) => Promise<void>;
  row: (id: string) => Promise<DeliveryRow>;
  /** Its recorded attempts, oldest first. */
  attempts: (id: string) => Promise<Record<string, unknown>[]>;
  statusOf: (lead: LeadRow) => Promise<unknown>;
}

/** Deliveries to a receiver on their own database, with a clock that tests control. */
export async function setUpDeliveries(
  behaviour?: Behaviour,
  env: (receiver: Receiver) => Record<string, string> = crmEnvironment,
): Promise<DeliverySetup> {
  const database = await testDb();
  const receiver = await startReceiver(behaviour);
  const clock = { ms: Date.parse('2026-06-10T12:00:00Z') };
  const { db } = database;
  const services: DeliveryServices = {
    db,
    dataKeys: testDataKeys({ db }),
    log: createLog('silent'),
    now: () => new Date(clock.ms),
    channels: createChannels(parseConfig({ SECRET_KEYS: secretKeys, ...env(receiver) })),
  };
  return {
    database,
    receiver,
    services,
    clock,
    async queue(overrides = {}) {
      const lead = await insertLead(db, overrides);
      const id = await insertDelivery(database, { leadId: lead.id, providerId: lead.providerId });
      return { lead, id };
    },
    deliver: (id, stopping = new AbortController().signal) => deliverOne(services, id, stopping),
    async row(id) {
      const [row] = await db.select().from(deliveries).where(eq(deliveries.id, id));
      if (row === undefined) throw new Error('there is no such delivery');
      return row;
    },
    attempts: (id) =>
      database.sql`select outcome, status, answer, duration_ms from delivery_attempts where delivery_id = ${id} order by id`,
    async statusOf(lead) {
      const [row] = await database.sql`select crm_sync_status from leads where id = ${lead.id}`;
      return row?.['crm_sync_status'];
    },
    async [Symbol.asyncDispose]() {
      await receiver[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
