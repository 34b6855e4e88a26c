import { expect, test } from 'vitest';
import { runDeliveries } from '#scripts/deliveries.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import { testDb } from '#test/support/testDb.ts';
import { testSecret } from '#test/support/testKeys.ts';

test('the command queues every failed delivery of a channel, in batches, each audited', async () => {
  await using database = await testDb();
  const lead = await insertLead(database.db, { crmSyncStatus: 'failed', deliveryFailed: true });
  await database.sql`
    insert into deliveries (id, lead_id, channel, state, reason, attempts, finished_at)
    select gen_random_uuid(), ${lead.id}, 'crm', 'failed', 'No.', 8, now() from generate_series(1, 501)`;
  const others = [
    await insertDelivery(database, { leadId: lead.id, channel: 'provider-email', state: 'failed' }),
    await insertDelivery(database, { leadId: lead.id, state: 'held' }),
    await insertDelivery(database, { leadId: lead.id, state: 'delivered' }),
    await insertDelivery(database, { leadId: lead.id, state: 'cancelled' }),
  ];
  const run = (...args: string[]) => runDeliveries({ url: database.url, secretKeys: [testSecret] }, args);
  await expect(run('retry', '--channel', 'crm')).rejects.toThrow('npm run deliveries -- retry');
  await expect(run('retry', '--channel', 'webhook', '--state', 'failed')).rejects.toThrow('--channel');
  await run('retry', '--channel', 'crm', '--state', 'failed');
  const [queued] = await database.sql`
    select count(*)::int as count, min(attempts_before_round) as before from deliveries where state = 'queued'`;
  expect(queued).toEqual({ count: 501, before: 8 });
  const untouched = await database.sql<{ id: string }[]>`select id from deliveries where state <> 'queued'`;
  expect(untouched.map(({ id }) => id).toSorted()).toEqual(others.toSorted());
  const [audited] = await database.sql`
    select count(*)::int as count, min(actor_name) as by from audit_log where action = 'lead.retry'`;
  expect(audited).toEqual({ count: 501, by: 'npm run deliveries' });
  await run('retry', '--channel', 'crm', '--state', 'held');
  expect(await database.sql`select 1 from deliveries where state = 'held'`).toHaveLength(0);
});
