import { expect, test } from 'vitest';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import { storeEvidence } from '#test/support/evidence.ts';
import { setUpIntake } from '#test/support/intakeSetup.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { connect } from '../db/connect.ts';
import { createDatabaseMetrics } from './databaseMetrics.ts';
import { backlogMax } from '../features/outbox/lease.ts';
import { disableEndpoint } from '../features/webhooks/endpointStates.ts';
import { registry } from '../metrics.ts';
import { eventSetup } from '#test/support/webhookSetup.ts';
import { databaseLink } from '#test/tenancy/databaseLink.ts';

const unreachable = 'postgres://nobody@127.0.0.1:9/none?sslmode=disable';

/** The samples of the database's metrics, such as `consent_unsealed` or `delivery_backlog{channel="crm"}`. */
async function samples(): Promise<Record<string, number>> {
  const lines = (await registry.metrics()).matchAll(
    /^((?:database_metrics|database_conn|delivery_(?!try)|webhook_|consent_|sync_last)\S*) (\S+)$/gm,
  );
  return Object.fromEntries([...lines].map(([, name = '', value]) => [name, Number(value)]));
}

test('the gauges show what waits in the database, and since when', async () => {
  await using at = await setUpIntake({ WORDPRESS_URL: 'https://cms.example' });
  const { database, services, clock } = at;
  const { id: leadId } = await insertLead(database.db);
  const ago = (seconds: number): Date => new Date(clock.ms - seconds * 1000);
  await insertDelivery(database, { leadId, channel: 'crm', nextAttemptAt: ago(700) });
  await insertDelivery(database, { leadId, channel: 'crm', nextAttemptAt: ago(30) });
  await insertDelivery(database, { leadId, channel: 'crm', nextAttemptAt: ago(-3600) });
  await insertDelivery(database, { leadId, channel: 'crm', state: 'delivered' });
  await insertDelivery(database, { leadId, channel: 'lead-email', state: 'held' });
  const { addEndpoint } = eventSetup(database);
  const { endpoint: off } = await addEndpoint('https://off.example');
  await disableEndpoint(database.db, { endpointId: off.id, reason: 'gone', now: ago(0) });
  const { endpoint: on } = await addEndpoint('https://on.example', { types: ['provider.updated'] });
  for (const seconds of [5, 10])
    await insertDelivery(database, {
      ...{ leadId: null, channel: 'webhook', template: 'event', endpointId: on.id },
      ...{ eventId: crypto.randomUUID(), nextAttemptAt: ago(seconds) },
    });
  await storeEvidence(database, 2);
  await database.sql`insert into sync_runs (source, kind, started_by, outcome, dry_run, started_at, finished_at) values
    ('wordpress', 'full', 'test', 'done', false, '2026-05-30', '2026-05-30T08:20:00Z'),
    ('wordpress', 'full', 'test', 'done', true, '2026-05-31', '2026-05-31'),
    ('wordpress', 'full', 'test', 'failed', false, '2026-06-01', '2026-06-01'),
    ('file', 'full', 'test', 'done', false, '2026-06-01', '2026-06-01')`;
  // The evidence has the time of the machine, the other rows that of the test.
  clock.ms = Date.now() + 60_000;
  await createDatabaseMetrics(services)();
  const found = await samples();
  expect(found).toMatchObject({
    database_metrics_success: 1,
    'delivery_backlog{channel="crm",state="queued"}': 3,
    'delivery_backlog{channel="crm",state="held"}': 0,
    'delivery_backlog{channel="lead-email",state="held"}': 1,
    'delivery_backlog{channel="webhook",state="queued"}': 2,
    'delivery_oldest_due_seconds{channel="lead-email"}': 0,
    'webhook_endpoints_disabled{reason="gone"}': 1,
    'webhook_endpoints_disabled{reason="staff"}': 0,
    consent_unsealed: 2,
    consent_chain_sequence: 0,
    'sync_last_success_timestamp_seconds{kind="full"}': Date.parse('2026-05-30T08:20:00Z') / 1000,
    'sync_last_success_timestamp_seconds{kind="incremental"}': 0,
  });
  expect(found['consent_unsealed_oldest_seconds']).toBeGreaterThan(59);
  expect(found['consent_unsealed_oldest_seconds']).toBeLessThan(120);
  expect(found['database_connections{pool="main",state="active"}']).toBeGreaterThan(0);
});

test('the oldest due delivery of a channel is the one that has waited longest', async () => {
  await using at = await setUpIntake();
  const { id: leadId } = await insertLead(at.database.db);
  for (const seconds of [30, 700, -900])
    await insertDelivery(at.database, {
      ...{ leadId, channel: 'provider-email' },
      nextAttemptAt: new Date(at.clock.ms - seconds * 1000),
    });
  await createDatabaseMetrics(at.services)();
  expect(await samples()).toMatchObject({
    'delivery_oldest_due_seconds{channel="provider-email"}': 700,
    'delivery_oldest_due_seconds{channel="crm"}': 0,
  });
});

test('a long backlog is counted up to its limit only', async () => {
  await using at = await setUpIntake();
  const { id: leadId } = await insertLead(at.database.db);
  await at.database.sql`insert into deliveries (id, lead_id, channel, state, reason)
    select gen_random_uuid(), ${leadId}, 'crm', 'held', 'Because.' from generate_series(1, ${backlogMax + 5})`;
  await createDatabaseMetrics(at.services)();
  expect(await samples()).toMatchObject({
    'delivery_backlog{channel="crm",state="held"}': backlogMax,
    'delivery_channel_ready{channel="crm"}': 0,
    'delivery_channel_ready{channel="webhook"}': 1,
  });
});

test('scrapes within ten seconds show the same figures without another query', async () => {
  await using at = await setUpIntake();
  const read = createDatabaseMetrics(at.services);
  await read();
  await storeEvidence(at.database, 1);
  await read();
  expect(await samples()).toMatchObject({ consent_unsealed: 0 });
  await createDatabaseMetrics(at.services)();
  expect(await samples()).toMatchObject({ consent_unsealed: 1 });
});

test('without a database, gauges are left out instead of showing old values or zeros', async () => {
  await using at = await setUpIntake();
  await createDatabaseMetrics(at.services)();
  expect(await samples()).toHaveProperty('consent_unsealed');
  const away = connect(unreachable, { applicationName: 'metrics-test', max: 1 });
  await createDatabaseMetrics({ ...at.services, db: away.db })();
  const left = Object.keys(await samples()).filter((name) => !name.startsWith('delivery_channel_ready'));
  expect(left).toEqual(['database_metrics_success']);
  expect(await samples()).toMatchObject({ database_metrics_success: 0 });
  await away.close();
});

test('while the database hangs, a scrape ends without its figures', async () => {
  await using at = await setUpIntake();
  await using link = await databaseLink(at.database.url);
  const hanging = connect(link.url(at.database.url), { applicationName: 'metrics-test', max: 1 });
  await hanging.sql`select 1`;
  link.freeze();
  const read = createDatabaseMetrics({ ...at.services, db: hanging.db });
  // The second one waits for the same query.
  await Promise.all([read(), read()]);
  expect(await samples()).toMatchObject({ database_metrics_success: 0 });
  link.thaw();
  await expect.poll(async () => read().then(samples)).toMatchObject({ database_metrics_success: 1 });
  await hanging.close();
});
