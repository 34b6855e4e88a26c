import { randomUUID } from 'node:crypto';
import type { Queryable } from '#server/db/connect.ts';
import {
  type DeliveryInsert,
  webhookEndpoints,
  type WebhookEndpointRow,
  webhookEvents,
} from '#server/db/schema/index.ts';
import { insertDelivery } from './outboxSetup.ts';

interface Db {
  db: Queryable;
}

/** Inserts an endpoint, by default enabled for all events. Its secret cannot be opened. Returns its id. */
export async function insertEndpoint(
  { db }: Db,
  row: Partial<typeof webhookEndpoints.$inferInsert> = {},
): Promise<WebhookEndpointRow['id']> {
  const id = row.id ?? randomUUID();
  await db.insert(webhookEndpoints).values({
    id,
    url: 'https://integrator.example/hook',
    types: [],
    secret: 'v1.sealed',
    createdBy: 'Robin Staff',
    ...row,
  });
  return id;
}

interface WebhookRow extends Partial<DeliveryInsert> {
  endpointId: string;
  event: Partial<typeof webhookEvents.$inferInsert>;
}

/** Inserts an event, by default of a sync, with its webhook, by default queued and due. Returns the delivery's id. */
export async function insertWebhook({ db }: Db, { event, ...row }: WebhookRow): Promise<string> {
  const eventId = event.id ?? randomUUID();
  await db.insert(webhookEvents).values({ type: 'sync.completed', data: {}, ...event, id: eventId });
  return insertDelivery({ db }, { channel: 'webhook', template: 'event', eventId, ...row });
}
