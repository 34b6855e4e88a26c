import { setTimeout as delay } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { sql as statement } from 'drizzle-orm';
import { connect, type Database } from '#server/db/connect.ts';
import { deliveries } from '#server/db/schema/index.ts';
import { slotsPerChannel } from '#server/features/outbox/allocateSlots.ts';
import { makeSecret, sealSecret } from '#server/features/webhooks/endpointSecret.ts';
import { crmEnvironment } from '#test/support/outboxSetup.ts';
import { insertEndpoint } from '#test/support/webhookRows.ts';
import { insertLeads } from '#test/support/leadRows.ts';
import { startBareServer } from '#test/support/serverProcess.ts';
import { startWorkerProcess } from '#test/support/workerProcess.ts';
import { benchSecretKey } from './anonymousRequests.ts';
import type { Figure } from './figure.ts';

const batch = 1_000;
const batches = 20;
const finishedDeliveries = 1_000_000;

async function queueDeliveries(db: Database): Promise<void> {
  // Or each lead would cause webhooks, too.
  await db.execute(statement`truncate webhook_endpoints, webhook_events`);
  for (let made = 0; made < batches; made++) {
    const leads = await insertLeads(
      db,
      Array.from({ length: batch }, () => ({})),
    );
    const nextAttemptAt = new Date();
    await db
      .insert(deliveries)
      .values(
        leads.map(({ id: leadId }) => ({ id: randomUUID(), leadId, channel: 'crm' as const, nextAttemptAt })),
      );
  }
}

/** Few enough for the slots that endpoints share, and enough to use them all. */
const endpointCount = 4;

/** Webhooks for endpoints at one receiver. */
async function queueWebhooks(db: Database, receiverPort: number): Promise<void> {
  const url = `http://127.0.0.1:${receiverPort}/`;
  await db.execute(statement`truncate webhook_endpoints, webhook_events`);
  for (let endpoint = 0; endpoint < endpointCount; endpoint += 1) {
    const id = randomUUID();
    await insertEndpoint({ db }, { id, url, secret: sealSecret([benchSecretKey], id, makeSecret()) });
  }
  await db.execute(statement`
    with events as (
      insert into webhook_events (id, type, data)
      select gen_random_uuid(), 'lead.created', '{"id": 1, "provider_id": null}' from generate_series(1, ${(batch * batches) / endpointCount}::int)
      returning id
    )
    insert into deliveries (id, channel, template, event_id, endpoint_id, next_attempt_at)
    select gen_random_uuid(), 'webhook', 'event', events.id, webhook_endpoints.id, now() from events, webhook_endpoints`);
}

/** Deliveries per second from the first attempt to the last of a backlog, by one worker in a process of its own. */
async function drain(
  databaseUrl: string,
  receiverPort: number,
  queue: (db: Database) => Promise<void>,
): Promise<number> {
  const { sql, db, close } = connect(databaseUrl, { applicationName: 'bench-deliveries', max: 2 });
  try {
    await sql`delete from deliveries where attempts = 0 or id in (select delivery_id from delivery_attempts)`;
    await queue(db);
    await sql`vacuum analyze leads, deliveries, delivery_attempts`;
    const crm = crmEnvironment({ url: `http://127.0.0.1:${receiverPort}/` });
    await using worker = await startWorkerProcess({
      DATABASE_URL: databaseUrl,
      SECRET_KEYS: benchSecretKey,
      ...crm,
    });
    for (;;) {
      const [row] = await sql<{ n: string; seconds: string }[]>`
        select count(*) as n, extract(epoch from max(at) - min(at)) as seconds from delivery_attempts where outcome = 'delivered'`;
      if (Number(row?.n) >= batch * batches) {
        await worker.kill('SIGTERM');
        return Number(row?.n) / Number(row?.seconds);
      }
      await delay(200);
    }
  } finally {
    await close();
  }
}

/** Nothing but requests of the same size, as many at a time. */
async function bareFetches(port: number): Promise<number> {
  const body = JSON.stringify({ type: 'lead.created', data: 'x'.repeat(400) });
  const headers = { 'content-type': 'application/json' };
  let left = batch * batches;
  const startedAt = performance.now();
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: slotsPerChannel }, worker));
  return (batch * batches) / ((performance.now() - startedAt) / 1000);
}

/** Deliveries of one lead, without attempts. */
async function addFinished(databaseUrl: string): Promise<void> {
  const { sql, db, close } = connect(databaseUrl, { applicationName: 'bench-deliveries', max: 1 });
  const [lead] = await insertLeads(db, [{}]);
  await sql`
    insert into deliveries (id, lead_id, channel, state, attempts, finished_at)
    select gen_random_uuid(), ${lead?.id ?? 0}, 'crm', 'delivered', 1, now() from generate_series(1, ${finishedDeliveries})`;
  await sql`vacuum analyze deliveries`;
  await close();
}

/**
 * How fast a worker empties the queue, beside a bare loop of requests, and with a million finished deliveries in the
 * table.
 */
export async function deliveriesDrained(databaseUrl: string, say: (line: string) => void): Promise<Figure[]> {
  await using receiver = await startBareServer(Buffer.from('{"id":"contact-1"}'), {
    'content-type': 'application/json',
  });
  say(`${(batch * batches).toLocaleString('en')} deliveries`);
  const bare = await bareFetches(receiver.port);
  const webhooks = await drain(databaseUrl, receiver.port, (db) => queueWebhooks(db, receiver.port));
  const empty = await drain(databaseUrl, receiver.port, queueDeliveries);
  say('a million finished deliveries');
  await addFinished(databaseUrl);
  const full = await drain(databaseUrl, receiver.port, queueDeliveries);
  const unit = 'deliveries/s';
  return [
    {
      name: 'webhooks by one worker',
      measured: webhooks,
      baseline: bare,
      unit,
      against: `a loop of bare requests, ${slotsPerChannel} at a time`,
      bar: { of: 'ratio', sign: '>=', value: 0.3 },
    },
    {
      name: 'deliveries by one worker',
      measured: empty,
      baseline: bare,
      unit,
      against: `a loop of bare requests, ${slotsPerChannel} at a time`,
      bar: { of: 'measured', sign: '>=', value: 500 },
    },
    {
      name: 'the same with 1,000,000 finished deliveries',
      measured: full,
      baseline: empty,
      unit,
      against: 'the same with none',
      bar: { of: 'ratio', sign: '>=', value: 0.8 },
    },
  ];
}
