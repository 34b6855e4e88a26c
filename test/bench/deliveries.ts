import { setTimeout as delay } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { sql as statement } from 'drizzle-orm';
import { connect, type Database } from '#server/db/connect.ts';
import { deliveries } from '#server/db/schema/index.ts';
import { slotsPerChannel } from '#server/features/outbox/allocateSlots.ts';
import { storeLeads } from '#server/features/leads/intake/storeLeads.ts';
import { makeSecret, sealSecret } from '#server/features/webhooks/endpointSecret.ts';
import { crmEnvironment } from '#test/support/outboxSetup.ts';
import { insertEndpoint } from '#test/support/webhookRows.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertLeads } from '#test/support/leadRows.ts';
import { mailServer, strangeServer } from '#scripts/demo/mailServer.ts';
import { newLead } from '#test/support/newLeads.ts';
import { startBareServer } from '#test/support/serverProcess.ts';
import { startWorkerProcess } from '#test/support/workerProcess.ts';
import { benchSecretKey } from './anonymousRequests.ts';
import type { Figure } from './figure.ts';

const backlogSize = 20_000;
const emailCount = 3_000;
const finishedDeliveries = 1_000_000;
const leadsAtOnce = 1_000;

/** Deliveries to queue, and how a worker delivers them. */
interface Backlog {
  queue: (db: Database) => Promise<void>;
  /** How many of them are delivered. */
  delivered: number;
  /** Of the worker. */
  env: Record<string, string>;
}

/** Leads with a delivery to the CRM each. */
async function queueForCrm(db: Database): Promise<void> {
  for (let made = 0; made < backlogSize; made += leadsAtOnce) {
    const leads = await insertLeads(
      db,
      Array.from({ length: leadsAtOnce }, () => ({})),
    );
    const nextAttemptAt = new Date();
    await db
      .insert(deliveries)
      .values(
        leads.map(({ id: leadId }) => ({ id: randomUUID(), leadId, channel: 'crm' as const, nextAttemptAt })),
      );
  }
}

/** Leads with their consent and an email to their provider each. */
async function queueEmails(db: Database): Promise<void> {
  const { id: providerId } = await insertProvider(db, { email: 'clinic@example.com' });
  for (let made = 0; made < emailCount; made += leadsAtOnce) {
    const leads = Array.from({ length: leadsAtOnce }, () => newLead({ providerId }));
    await db.transaction((tx) => storeLeads(tx, leads, { now: new Date(), identityKey: null }));
  }
}

/** Webhooks, as many for each of the given addresses. */
async function queueWebhooks(db: Database, urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    const id = randomUUID();
    await insertEndpoint({ db }, { id, url, secret: sealSecret([benchSecretKey], id, makeSecret()) });
  }
  await db.execute(statement`
    with events as (
      insert into webhook_events (id, type, data)
      select gen_random_uuid(), 'lead.created', '{"id": 1, "provider_id": null}' from generate_series(1, ${backlogSize / urls.length}::int)
      returning id
    )
    insert into deliveries (id, channel, template, event_id, endpoint_id, next_attempt_at)
    select gen_random_uuid(), 'webhook', 'event', events.id, webhook_endpoints.id, now() from events, webhook_endpoints`);
}

/** Deliveries per second from the first attempt to the last of a backlog, by one worker in a process of its own. */
async function drain(databaseUrl: string, { queue, delivered, env }: Backlog): Promise<number> {
  const { sql, db, close } = connect(databaseUrl, { applicationName: 'bench-deliveries', max: 2 });
  try {
    await sql`delete from deliveries where attempts = 0 or id in (select delivery_id from delivery_attempts)`;
    // Or each lead would cause webhooks, too.
    await sql`truncate webhook_endpoints, webhook_events, delivery_attempts`;
    await queue(db);
    await sql`vacuum analyze leads, deliveries, delivery_attempts`;
    await using worker = await startWorkerProcess({
      ...{ DATABASE_URL: databaseUrl, SECRET_KEYS: benchSecretKey },
      ...env,
    });
    for (;;) {
      const [row] = await sql<{ n: number; seconds: number }[]>`
        select count(*)::int as n, extract(epoch from max(at) - min(at))::float8 as seconds from delivery_attempts where outcome = 'delivered'`;
      if (row !== undefined && row.n >= delivered) {
        await worker.kill('SIGTERM');
        return row.n / row.seconds;
      }
      await delay(200);
    }
  } finally {
    await close();
  }
}

/** Nothing but requests of the same size, as many at a time as a channel has. */
async function bareFetches(port: number): Promise<number> {
  const body = JSON.stringify({ type: 'lead.created', data: 'x'.repeat(400) });
  const headers = { 'content-type': 'application/json' };
  let left = backlogSize;
  const startedAt = performance.now();
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: slotsPerChannel }, worker));
  return backlogSize / ((performance.now() - startedAt) / 1000);
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

/** Emails to one provider per second, to a server that discards them. */
async function emails(databaseUrl: string): Promise<number> {
  await using server = await mailServer({
    onData: (stream, _session, callback) => stream.on('end', callback).resume(),
  });
  return await drain(databaseUrl, {
    queue: queueEmails,
    delivered: emailCount,
    env: { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'Brand <us@brand.example>' },
  });
}

/**
 * How fast a worker empties the queue, beside a bare loop of requests: webhooks, also while one receiver of a hundred
 * hangs; deliveries to the CRM, also with a million finished deliveries in the table; emails.
 */
export async function deliveriesDrained(databaseUrl: string, say: (line: string) => void): Promise<Figure[]> {
  await using receiver = await startBareServer(Buffer.from('{"id":"contact-1"}'), {
    'content-type': 'application/json',
  });
  await using hanging = await strangeServer(() => undefined);
  const url = `http://127.0.0.1:${receiver.port}/`;
  const webhooksTo = (urls: readonly string[]): Promise<number> => {
    const answering = urls.filter((other) => other === url).length;
    const delivered = (backlogSize / urls.length) * answering;
    return drain(databaseUrl, { queue: (db) => queueWebhooks(db, urls), delivered, env: {} });
  };
  const toCrm = {
    queue: queueForCrm,
    delivered: backlogSize,
    env: crmEnvironment({ url }),
  };
  say(`${backlogSize.toLocaleString('en')} deliveries`);
  const bare = await bareFetches(receiver.port);
  const webhooks = await webhooksTo(Array.from({ length: 4 }, () => url));
  const hundred = Array.from({ length: 100 }, () => url);
  const toHundred = await webhooksTo(hundred);
  say('one receiver of a hundred hangs');
  const oneHangs = await webhooksTo([...hundred.slice(1), `http://127.0.0.1:${hanging.port}/`]);
  say(`${emailCount.toLocaleString('en')} emails`);
  const emailRate = await emails(databaseUrl);
  const crm = await drain(databaseUrl, toCrm);
  say('a million finished deliveries');
  await addFinished(databaseUrl);
  const crmBesideFinished = await drain(databaseUrl, toCrm);
  const unit = 'deliveries/s';
  const against = `a loop of bare requests, ${slotsPerChannel} at a time`;
  return [
    {
      ...{ name: 'webhooks by one worker', measured: webhooks, baseline: bare, unit, against },
      bar: { of: 'ratio', sign: '>=', value: 0.3 },
    },
    {
      ...{
        name: 'webhooks to 100 endpoints, of which one hangs',
        measured: oneHangs,
        baseline: toHundred,
        unit,
      },
      against: 'none hangs',
      bar: { of: 'ratio', sign: '>=', value: 0.9 },
    },
    {
      ...{ name: 'emails to an SMTP server', measured: emailRate, baseline: null, unit: 'emails/s' },
      against: 'that discards them',
      bar: { of: 'measured', sign: '>=', value: 150 },
    },
    {
      ...{ name: 'deliveries by one worker', measured: crm, baseline: bare, unit, against },
      bar: { of: 'measured', sign: '>=', value: 500 },
    },
    {
      ...{
        name: 'the same with 1,000,000 finished deliveries',
        measured: crmBesideFinished,
        baseline: crm,
        unit,
      },
      against: 'the same with none',
      bar: { of: 'ratio', sign: '>=', value: 0.8 },
    },
  ];
}
