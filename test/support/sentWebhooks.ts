import { eq } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { webhookEndpoints } from '#server/db/schema/index.ts';
import type { WebhookAction } from '#server/features/webhooks/endpoints.ts';
import { replayDeliveries } from '#server/features/webhooks/replays.ts';
import type { Received } from '#test/support/receiver.ts';
import type { TestDb } from '#test/support/testDb.ts';

export const hourMs = 3_600_000;

export interface Body {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

/** Parses a message with the reference library, which throws if the signature is wrong. */
export function verified(secret: string, { body, headers }: Received): Body {
  // The library verified the body; the test checks its shape.
  const { type, timestamp, data } = Object(new Webhook(secret).verify(body, headers)) as Body;
  return { type, timestamp, data };
}

interface Sent {
  id: string;
  state: string;
  attempts: number;
  attempts_before_round: number;
  next_attempt_at: string | null;
  reason: string | null;
  webhook_id: string;
  last_status: string | null;
}

/** Webhook deliveries, newest first. */
export async function listSent({ sql }: TestDb, state = ''): Promise<Sent[]> {
  return sql<Sent[]>`
    select d.id, d.state, d.attempts, d.attempts_before_round, d.reason, 'msg_' || d.event_id as webhook_id,
      to_char(d.next_attempt_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as next_attempt_at,
      (select status from delivery_attempts a where a.delivery_id = d.id order by a.id desc limit 1) as last_status
    from deliveries d where ${state} in ('', d.state) order by d.created_at desc, d.ctid desc`;
}

export function listAttempts({ sql }: TestDb, id: string) {
  return sql<{ outcome: string; status: string | null; answer: string | null }[]>`
    select outcome, status, answer from delivery_attempts where delivery_id = ${id} order by id`;
}

export async function onlyMessage(database: TestDb): Promise<Sent> {
  const sent = await listSent(database);
  expect(sent).toHaveLength(1);
  const [message] = sent;
  if (message === undefined) throw new Error('no delivery');
  return message;
}

export async function getEndpoint({ db }: TestDb, id: string) {
  const [row] = await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id));
  if (row === undefined) throw new Error('no endpoint');
  return row;
}

/** Retries one delivery as staff. */
export function replay({ services, actor, ip }: WebhookAction, id: string): Promise<string[]> {
  return services.db.transaction((tx) => replayDeliveries(tx, { actor, ip, now: services.now() }, [id]));
}
