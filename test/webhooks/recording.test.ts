import { describe, expect, test } from 'vitest';
import { assignLeads } from '#server/features/leads/changes/assignLeads.ts';
import { releaseLeads, removeLeads, restoreLeads } from '#server/features/leads/changes/leadChanges.ts';
import { purgeDeletedLeads } from '#server/features/leads/changes/purgeLeads.ts';
import { leadCreated } from '#server/features/leads/leadEvents.ts';
import { providerChanged } from '#server/features/providers/providerChanges.ts';
import { recordEvents } from '#server/features/webhooks/recordEvents.ts';
import { switchEndpoint } from '#server/features/webhooks/endpoints.ts';
import { erasePerson } from '#server/features/erasure/erasePerson.ts';
import { purgeEvents } from '#server/features/webhooks/recordEvents.ts';
import { suppress } from '#server/features/withdrawals/suppress.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { eventSetup } from '#test/support/webhookSetup.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { testIdentityKey } from '#test/support/testKeys.ts';

const url = 'https://integrator.example/hook';

interface RecordedEvent {
  type: string;
  data: Record<string, unknown>;
}

/** What was written down since it was last asked, in order. */
function listNewEvents({ sql: query }: TestDb): () => Promise<RecordedEvent[]> {
  let seen = 0;
  return async () => {
    const rows = await query<{ id: string; type: string; data: RecordedEvent['data'] }[]>`
      select d.id, e.type, e.data from deliveries d join webhook_events e on e.id = d.event_id order by d.created_at, d.ctid`;
    const events = rows.slice(seen).map(({ type, data }) => ({ type, data }));
    seen = rows.length;
    return events;
  };
}

async function countRows({ sql: query }: TestDb, table: string): Promise<number> {
  const [row] = await query<{ count: number }[]>`select count(*)::int as count from ${query(table)}`;
  return row?.count ?? 0;
}

describe('changes of a lead', () => {
  test('are recorded as events with ids only', async () => {
    meets('D.deliveries.01');
    await using database = await testDb();
    const { db } = database;
    await eventSetup(database).addEndpoint(url);
    const [one, two] = [await insertProvider(db), await insertProvider(db)];
    const newEvents = listNewEvents(database);
    await newEvents();
    const staffAction = staffActionOn(database);
    const lead = await insertLead(db, { providerId: one.id });
    const { id } = lead;
    const data = { id, provider_id: one.id };
    expect(await newEvents()).toEqual([{ type: 'lead.created', data }]);

    await assignLeads(staffAction, [id], two.id);
    const assigned = { id, provider_id: two.id, previous_provider_id: one.id };
    expect(await newEvents()).toEqual([{ type: 'lead.assigned', data: assigned }]);

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
    expect(await newEvents()).toEqual([{ type: 'lead.consent_revoked', data: { id, provider_id: two.id } }]);

    await removeLeads(staffAction, [id]);
    expect(await newEvents()).toEqual([{ type: 'lead.deleted', data: { id, provider_id: two.id } }]);
    await restoreLeads(staffAction, [id]);
    const restored = { id, provider_id: two.id, changed: ['deleted'] };
    expect(await newEvents()).toEqual([{ type: 'lead.updated', data: restored }]);
    await removeLeads(staffAction, [id]);
    await newEvents();
    // The deletion was recorded when it happened.
    await purgeDeletedLeads(db, new Date(Date.now() + 40 * 86_400_000));
    expect(await newEvents()).toEqual([]);
    const kept = await database.sql`select * from webhook_events`;
    expect(JSON.stringify(kept)).not.toContain(lead.email);
  });

  test('an erasure is recorded whether the lead was deleted before or not', async () => {
    await using database = await testDb();
    const { db } = database;
    await eventSetup(database).addEndpoint(url);
    const newEvents = listNewEvents(database);
    const staffAction = staffActionOn(database);
    const [one, two] = [await insertLead(db), await insertLead(db)];
    await removeLeads(staffAction, [two.id]);
    await newEvents();
    for (const { id } of [one, two]) {
      await erasePerson(staffAction, { leadId: id, reason: 'asked' });
      const data = { id, provider_id: null };
      const types = (await newEvents()).map(({ type, data: of }) => (expect(of).toEqual(data), type));
      const deleted = id === one.id ? ['lead.deleted'] : [];
      expect(types.toSorted()).toEqual(['lead.consent_revoked', ...deleted, 'lead.erased']);
    }
  });

  test('nothing is recorded in quarantine; a release is recorded as a new lead', async () => {
    await using database = await testDb();
    await eventSetup(database).addEndpoint(url, { types: ['lead.created', 'lead.updated', 'lead.deleted'] });
    const newEvents = listNewEvents(database);
    const staffAction = staffActionOn(database);
    const spam = { quarantinedAt: new Date(), quarantineReason: 'honeypot' } as const;
    const [kept, released] = [await insertLead(database.db, spam), await insertLead(database.db, spam)];
    await removeLeads(staffAction, [kept.id]);
    expect(await newEvents()).toEqual([]);
    await releaseLeads(staffAction, [released.id]);
    expect(await newEvents()).toEqual([
      { type: 'lead.created', data: { id: released.id, provider_id: null } },
    ]);
  });

  test('nothing is recorded when the transaction is rolled back', async () => {
    await using database = await testDb();
    await eventSetup(database).addEndpoint(url);
    const failing = database.db.transaction(async (tx) => {
      await recordEvents(tx, leadCreated({ id: 1, providerId: null, quarantinedAt: null }));
      throw new Error('taken back');
    });
    await expect(failing).rejects.toThrow('taken back');
    expect(await countRows(database, 'webhook_events')).toBe(0);
  });
});

test('an event is stored if an endpoint wants it, without a delivery if it is off', async () => {
  await using database = await testDb();
  const { db } = database;
  const { addEndpoint, staffAction } = eventSetup(database);
  await insertLead(db);
  const { endpoint } = await addEndpoint(url, { types: ['lead.deleted', 'provider.updated'] });
  const lead = await insertLead(db);
  expect(await countRows(database, 'webhook_events')).toBe(0);
  await switchEndpoint(staffAction, endpoint.id, false);
  await insertLead(db);
  await removeLeads(staffActionOn(database), [lead.id]);
  await recordEvents(db, [providerChanged({ id: 1, wordpressId: 77 }, { isDeactivated: false })]);
  const kept = await database.sql`select type from webhook_events order by type`;
  expect([...kept]).toEqual([{ type: 'lead.deleted' }, { type: 'provider.updated' }]);
  expect(await countRows(database, 'deliveries')).toBe(0);
});

test('an event goes to each endpoint that wants it and is deleted with its deliveries', async () => {
  await using database = await testDb();
  const { addEndpoint } = eventSetup(database);
  await addEndpoint(url);
  await addEndpoint(url, { types: ['lead.created'] });
  await addEndpoint(url, { types: ['sync.completed'] });
  await insertLead(database.db);
  expect([await countRows(database, 'webhook_events'), await countRows(database, 'deliveries')]).toEqual([
    1, 2,
  ]);
  const minute = 60_000;
  expect(await purgeEvents(database.db, new Date(Date.now() - minute))).toBe(0);
  expect(await purgeEvents(database.db, new Date(Date.now() + minute))).toBe(0);
  expect(await countRows(database, 'webhook_events')).toBe(1);
  await database.sql`update deliveries set state = 'delivered', next_attempt_at = null, finished_at = now()`;
  expect(await purgeEvents(database.db, new Date(Date.now() + minute))).toBe(1);
  expect([await countRows(database, 'webhook_events'), await countRows(database, 'deliveries')]).toEqual([
    0, 0,
  ]);
});
