import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { deliveries, leads, providers } from '#server/db/schema/index.ts';
import {
  assignLeads,
  purgeDeletedLeads,
  releaseLeads,
  removeLeads,
  restoreLeads,
} from '#server/features/leads/leadChanges.ts';
import { switchEndpoint } from '#server/features/webhooks/endpoints.ts';
import { erasePerson } from '#server/features/erasure/erasePerson.ts';
import { purgeDeliveries } from '#server/features/outbox/purgeDeliveries.ts';
import { suppress } from '#server/features/suppression/suppressions.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { eventSetup } from '#test/support/webhookSetup.ts';
import { providerRow, insertProvider } from '#test/support/factories.ts';
import { insertLead, leadRow } from '#test/support/leadRows.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { testIdentityKey } from '#test/support/testKeys.ts';

const url = 'https://integrator.example/hook';

interface Told {
  type: string;
  data: Record<string, unknown>;
}

/** What was written down since it was last asked, in order. */
function teller({ sql: query }: TestDb): () => Promise<Told[]> {
  let seen = 0;
  return async () => {
    const rows = await query<{ id: string; type: string; data: Told['data'] }[]>`
      select d.id, e.type, e.data from deliveries d join webhook_events e on e.id = d.event_id order by d.created_at, d.ctid`;
    const told = rows.slice(seen).map(({ type, data }) => ({ type, data }));
    seen = rows.length;
    return told;
  };
}

async function countOf({ sql: query }: TestDb, table: string): Promise<number> {
  const [row] = await query<{ count: number }[]>`select count(*)::int as count from ${query(table)}`;
  return row?.count ?? 0;
}

describe('of a lead', () => {
  test('everything that befalls it is told, by ids alone', async () => {
    await using database = await testDb();
    const { db } = database;
    await eventSetup(database).addEndpoint(url);
    const [one, two] = [await insertProvider(db), await insertProvider(db)];
    const told = teller(database);
    await told();
    const staffAction = staffActionOn(database);
    const lead = await insertLead(db, { providerId: one.id });
    const { id } = lead;
    const data = { id, provider_id: one.id };
    expect(await told()).toEqual([{ type: 'lead.created', data }]);

    await assignLeads(staffAction, [id], two.id);
    const assigned = { id, provider_id: two.id, previous_provider_id: one.id };
    expect(await told()).toEqual([{ type: 'lead.assigned', data: assigned }]);

    await db.update(leads).set({ firstName: 'Grace', phone: '303 555 0199' }).where(eq(leads.id, id));
    const changed = { id, provider_id: two.id, changed: ['first_name', 'phone'] };
    expect(await told()).toEqual([{ type: 'lead.updated', data: changed }]);

    // How a delivery goes is the lead's clinic's business; only its end without success is told.
    await db.update(leads).set({ crmSyncStatus: 'success' }).where(eq(leads.id, id));
    const deliveryId = crypto.randomUUID();
    await db
      .insert(deliveries)
      .values({ id: deliveryId, leadId: id, channel: 'crm', nextAttemptAt: new Date() });
    expect(await told()).toEqual([]);
    await db
      .update(deliveries)
      .set({ state: 'failed', nextAttemptAt: null, finishedAt: new Date(), reason: 'HTTP 400.' })
      .where(eq(deliveries.id, deliveryId));
    const failed = { id, provider_id: two.id, delivery_id: deliveryId, channel: 'crm' };
    expect(await told()).toEqual([{ type: 'lead.delivery_failed', data: failed }]);

    await db.execute(sql`insert into lead_outcomes (lead_id, provider_id, outcome, by)
      values (${id}, ${two.id}, 'booked', 'Clinic')`);
    const outcome = { id, provider_id: two.id, changed: ['outcome'], outcome: 'booked' };
    expect(await told()).toEqual([{ type: 'lead.updated', data: outcome }]);

    await suppress(db, {
      person: lead,
      identityKey: await testIdentityKey(database),
      leadId: id,
      reason: 'withdrawn',
      how: 'page',
      by: 'Visitor',
      ip: null,
      now: new Date(),
    });
    expect(await told()).toEqual([{ type: 'lead.consent_revoked', data: { id, provider_id: two.id } }]);

    await removeLeads(staffAction, [id]);
    expect(await told()).toEqual([{ type: 'lead.deleted', data: { id, provider_id: two.id } }]);
    await restoreLeads(staffAction, [id]);
    const restored = { id, provider_id: two.id, changed: ['deleted'] };
    expect(await told()).toEqual([{ type: 'lead.updated', data: restored }]);
    await removeLeads(staffAction, [id]);
    await told();
    // It was told when it was deleted.
    await purgeDeletedLeads(db, new Date(Date.now() + 40 * 86_400_000));
    expect(await told()).toEqual([]);
    const kept = await database.sql`select * from webhook_events`;
    expect(JSON.stringify(kept)).not.toContain(lead.email);
  });

  test('an erasure is told of whether it was deleted before or not, and tells of nothing that was changed', async () => {
    await using database = await testDb();
    const { db } = database;
    await eventSetup(database).addEndpoint(url);
    const told = teller(database);
    const staffAction = staffActionOn(database);
    const [one, two] = [await insertLead(db), await insertLead(db)];
    await removeLeads(staffAction, [two.id]);
    await told();
    for (const { id } of [one, two]) {
      await erasePerson(staffAction, { leadId: id, reason: 'asked' });
      const data = { id, provider_id: null };
      const types = (await told()).map(({ type, data: of }) => (expect(of).toEqual(data), type));
      const deleted = id === one.id ? ['lead.deleted'] : [];
      expect(types.toSorted()).toEqual(['lead.consent_revoked', ...deleted, 'lead.erased']);
    }
  });

  test('in quarantine nothing is told until it is released, then that it is there', async () => {
    await using database = await testDb();
    await eventSetup(database).addEndpoint(url, { types: ['lead.created', 'lead.updated', 'lead.deleted'] });
    const told = teller(database);
    const staffAction = staffActionOn(database);
    const spam = { quarantinedAt: new Date(), quarantineReason: 'honeypot' } as const;
    const [kept, released] = [await insertLead(database.db, spam), await insertLead(database.db, spam)];
    await removeLeads(staffAction, [kept.id]);
    await database.db.delete(leads).where(eq(leads.id, kept.id));
    expect(await told()).toEqual([]);
    await releaseLeads(staffAction, [released.id]);
    expect(await told()).toEqual([{ type: 'lead.created', data: { id: released.id, provider_id: null } }]);
    // Erased at once, without having been deleted before.
    await database.db.delete(leads).where(eq(leads.id, released.id));
    expect(await told()).toEqual([{ type: 'lead.deleted', data: { id: released.id, provider_id: null } }]);
  });

  test('that was taken back nothing is told', async () => {
    await using database = await testDb();
    await eventSetup(database).addEndpoint(url);
    const failing = database.db.transaction(async (tx) => {
      await tx.insert(leads).values(leadRow());
      throw new Error('taken back');
    });
    await expect(failing).rejects.toThrow('taken back');
    expect(await countOf(database, 'webhook_events')).toBe(0);
  });
});

describe('of clinics', () => {
  test('changes that integrators can see are told, once a transaction', async () => {
    await using database = await testDb();
    const { db } = database;
    await eventSetup(database).addEndpoint(url);
    const told = teller(database);
    const provider = await insertProvider(db, { wordpressId: 77 });
    const data = { id: provider.id, wordpress_id: 77 };
    expect(await told()).toEqual([{ type: 'provider.updated', data }]);
    const change = (set: Partial<typeof provider>) =>
      db.update(providers).set(set).where(eq(providers.id, provider.id));
    await change({ name: provider.name });
    await change({ mpxapi: 'v1.sealed' });
    expect(await told()).toEqual([]);
    await db.transaction(async (tx) => {
      await tx.update(providers).set({ phone: '303 555 0111' });
      await tx.update(providers).set({ phone: '303 555 0112' });
    });
    expect(await told()).toEqual([{ type: 'provider.updated', data }]);
    await change({ status: 'f' });
    expect(await told()).toEqual([{ type: 'provider.deactivated', data }]);
    await change({ status: 't' });
    expect(await told()).toEqual([{ type: 'provider.updated', data }]);
  });

  test('a sync that writes many at once tells of each, and of its own end', async () => {
    await using database = await testDb();
    await eventSetup(database).addEndpoint(url, { types: ['provider.updated', 'sync.completed'] });
    const told = teller(database);
    const query = database.sql;
    const [run] = await query<{ id: string }[]>`
      insert into sync_runs (source, kind, started_by) values ('wordpress', 'full', 'Schedule') returning id`;
    await database.db.insert(providers).values(Array.from({ length: 30 }, () => providerRow()));
    expect((await told()).filter(({ type }) => type === 'provider.updated')).toHaveLength(30);
    await query`update sync_runs set read = 30, created = 30`;
    await query`update sync_runs set outcome = 'done', finished_at = now()`;
    expect(await told()).toEqual([
      {
        type: 'sync.completed',
        data: expect.objectContaining({ run_id: Number(run?.id), outcome: 'done', created: 30 }),
      },
    ]);
    await query`insert into sync_runs (source, kind, started_by, dry_run) values ('file', 'full', 'Ada', true)`;
    await query`update sync_runs set outcome = 'done', finished_at = now() where dry_run`;
    expect(await told()).toEqual([]);
  });
});

test('nothing is written while no endpoint wants the type; of what one that is off wants, the event is kept without a message', async () => {
  await using database = await testDb();
  const { db } = database;
  const { addEndpoint, staffAction } = eventSetup(database);
  await insertLead(db);
  await insertProvider(db);
  const { endpoint } = await addEndpoint(url, { types: ['lead.deleted', 'provider.updated'] });
  const lead = await insertLead(db);
  expect(await countOf(database, 'webhook_events')).toBe(0);
  await switchEndpoint(staffAction, endpoint.id, false);
  await insertLead(db);
  await removeLeads(staffActionOn(database), [lead.id]);
  await insertProvider(db);
  const kept = await database.sql`select type from webhook_events order by type`;
  expect([...kept]).toEqual([{ type: 'lead.deleted' }, { type: 'provider.updated' }]);
  expect(await countOf(database, 'deliveries')).toBe(0);
});

test('one event goes to each endpoint that wants it, and is gone after thirty days', async () => {
  await using database = await testDb();
  const { addEndpoint } = eventSetup(database);
  await addEndpoint(url);
  await addEndpoint(url, { types: ['lead.created'] });
  await addEndpoint(url, { types: ['sync.completed'] });
  await insertLead(database.db);
  expect([await countOf(database, 'webhook_events'), await countOf(database, 'deliveries')]).toEqual([1, 2]);
  const day = 86_400_000;
  await purgeDeliveries(database.db, new Date(Date.now() + 29 * day));
  expect(await countOf(database, 'webhook_events')).toBe(1);
  await purgeDeliveries(database.db, new Date(Date.now() + 31 * day));
  expect([await countOf(database, 'webhook_events'), await countOf(database, 'deliveries')]).toEqual([0, 0]);
});
