import { describe, expect, test } from 'vitest';
import { insertProvider } from '#test/support/factories.ts';
import { insertAgreed, insertLead } from '#test/support/leadRows.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { loadZipTable } from '#server/features/matching/zipTable.ts';
import { assignLeads, takeAwayLeads } from './assignLeads.ts';
import { previewAssignment } from './chooseProviders.ts';
import { requestRematch, rematchUnmatched } from './rematch.ts';
import { undoAssignments } from './undoAssignments.ts';
import { parseConfig } from '#server/config/config.ts';
import { testDataKeys } from '#test/support/testKeys.ts';

async function toRow({ sql }: TestDb, id: number): Promise<unknown> {
  return (
    await sql`select provider_id::int as provider, match_method, match_reason, match_distance_miles as miles from leads where id = ${id}`
  )[0];
}

async function getState({ sql }: TestDb, id: string): Promise<unknown> {
  return (await sql`select state from deliveries where id = ${id}`)[0]?.['state'];
}

describe('a lead that is taken away from its provider', () => {
  test('is unmatched; what wasn’t sent to the provider is canceled, what was sent stays', async () => {
    await using database = await testDb();
    const provider = await insertProvider(database.db);
    const lead = await insertLead(database.db, { providerId: provider.id });
    const about = { leadId: lead.id, providerId: provider.id, channel: 'provider-email' } as const;
    const waiting = await insertDelivery(database, about);
    const sent = await insertDelivery(database, { ...about, state: 'delivered' });
    expect(await takeAwayLeads(staffActionOn(database), [lead.id])).toEqual([lead.id]);
    expect(await toRow(database, lead.id)).toEqual({
      ...{ provider: null, match_method: 'none', miles: null },
      match_reason: 'Taken away from its provider by Robin Staff.',
    });
    expect([await getState(database, waiting), await getState(database, sent)]).toEqual([
      'cancelled',
      'delivered',
    ]);
    const entries = await database.sql`select action, detail from audit_log`;
    expect([...entries]).toEqual([
      {
        action: 'lead.take-away',
        detail: expect.objectContaining({
          providerId: null,
          before: expect.objectContaining({ providerId: provider.id }),
        }),
      },
    ]);
    // Nothing is left to take away.
    expect(await takeAwayLeads(staffActionOn(database), [lead.id])).toEqual([]);
  });

  test('is with its provider again after an Undo, and the waiting email too', async () => {
    await using database = await testDb();
    const provider = await insertProvider(database.db);
    const lead = await insertLead(database.db, { providerId: provider.id });
    const waiting = await insertDelivery(database, {
      ...{ leadId: lead.id, providerId: provider.id, channel: 'provider-email' },
    });
    const staff = staffActionOn(database);
    const before = await toRow(database, lead.id);
    await takeAwayLeads(staff, [lead.id]);
    expect(await undoAssignments(staff, [lead.id])).toEqual({ changed: [lead.id], refused: [] });
    expect(await toRow(database, lead.id)).toEqual(before);
    expect(await getState(database, waiting)).toBe('queued');
  });

  test('is never matched with that provider again automatically, but staff may assign it', async () => {
    await using database = await testDb();
    const { db } = database;
    const near = await insertProvider(db, { zipCode: '80202' });
    const lead = await insertAgreed(db, { providerId: near.id, zipCode: '80202' });
    const staff = staffActionOn(database);
    await takeAwayLeads(staff, [lead.id]);
    await requestRematch(db);
    const services = { ...staff.services, dataKeys: testDataKeys({ db }), config: parseConfig({}) };
    expect(await rematchUnmatched(services)).toBe(0);
    const zipTable = loadZipTable();
    const nearest = { ids: [lead.id], providerId: null };
    expect(await previewAssignment({ db, config: parseConfig({}), zipTable }, nearest)).toMatchObject({
      leads: 0,
    });
    const next = await insertProvider(db, { zipCode: '80301' });
    await requestRematch(db);
    expect(await rematchUnmatched(services)).toBe(1);
    expect(await toRow(database, lead.id)).toMatchObject({ provider: next.id });
    expect(await assignLeads(staff, [lead.id], near.id)).toEqual([lead.id]);
  });
});
