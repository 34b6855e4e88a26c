import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { Database } from '#server/db/connect.ts';
import { insertProvider } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import { testDb } from '#test/support/testDb.ts';
import { matchLead, type MatchRequest } from './match.ts';
import { findNearestProvider } from './matchQueries.ts';
import { loadZipTable } from './zipTable.ts';

const zipTable = loadZipTable();

function request(overrides: Partial<MatchRequest> = {}): MatchRequest {
  const zip5 = overrides.zip5 === undefined ? '80202' : overrides.zip5;
  return {
    zip5,
    zipCode: zip5 ?? '',
    tenant: null,
    requestedId: null,
    radiusMiles: 100,
    zipTable,
    findActive: async () => false,
    ...overrides,
  };
}

/** Coordinates so many miles north of the center of a ZIP. */
function getNorth(zip: string, miles: number): { latitude: number; longitude: number } {
  const place = zipTable.lookup(zip);
  if (place === null) throw new Error(`${zip} is not in the table`);
  return { latitude: Number((place.latitude + miles / 69.0934).toFixed(6)), longitude: place.longitude };
}

async function unmatched(db: Database, overrides: Partial<MatchRequest>): Promise<string> {
  const { reason, ...rest } = await matchLead(db, request(overrides));
  expect(rest).toEqual({ providerId: null, method: 'none', distanceMiles: null });
  return reason;
}

test('the nearest active provider within the radius gets the lead', async () => {
  meets('D.leads.52 D.leads.53');
  await using database = await testDb();
  const { db } = database;
  await insertProvider(db, { ...getNorth('80202', 1), status: 'f' });
  const near = await insertProvider(db, getNorth('80202', 3.2));
  await insertProvider(db, getNorth('80202', 5));
  const match = await matchLead(db, request());
  expect(match).toMatchObject({
    providerId: near.id,
    method: 'nearest',
    reason: 'Nearest active provider, 3.2 miles from the center of 80202.',
  });
  expect(match.distanceMiles).toBeCloseTo(3.2, 3);
});

test("the host's provider wins over the requested and the nearest one", async () => {
  meets('D.conformity.26');
  await using database = await testDb();
  const { db } = database;
  const near = await insertProvider(db, { zipCode: '80202' });
  const host = await insertProvider(db, getNorth('80202', 1204));
  const asked = { tenant: { id: host.id }, findActive: async () => true };
  expect(await matchLead(db, request(asked))).toMatchObject({
    providerId: host.id,
    method: 'tenant',
    reason: 'Sent from the provider’s own site, 1,204.0 miles from the center of 80202.',
  });
  const overruled = await matchLead(db, request({ ...asked, requestedId: near.id }));
  expect(overruled).toMatchObject({ providerId: host.id, method: 'tenant' });
  expect(overruled.reason).toContain(`provider ${near.id} was requested; the site’s own provider wins`);
});

test('an active requested provider wins over the nearest one', async () => {
  meets('D.leads.48');
  await using database = await testDb();
  const { db } = database;
  const near = await insertProvider(db, { zipCode: '80202' });
  const asked = await insertProvider(db, getNorth('80202', 300));
  const activeIds = new Set([near.id, asked.id]);
  const findActive = async (id: number) => activeIds.has(id);
  const match = await matchLead(db, request({ requestedId: asked.id, findActive }));
  expect(match).toMatchObject({
    providerId: asked.id,
    method: 'requested',
    reason: 'Requested by its id, 300.0 miles from the center of 80202.',
  });
  expect(match.distanceMiles).toBeCloseTo(300, 2);
  activeIds.delete(asked.id);
  expect(await matchLead(db, request({ requestedId: asked.id, findActive }))).toMatchObject({
    providerId: near.id,
    method: 'nearest',
    reason: `Provider ${asked.id} was requested, but is unknown or inactive. Nearest active provider, 0.0 miles from the center of 80202.`,
  });
});

test('a provider by host or request gets a lead with an unknown distance', async () => {
  await using database = await testDb();
  const { db } = database;
  const lost = await insertProvider(db, { latitude: null, longitude: null, zipCode: '00001' });
  const found = await insertProvider(db, { zipCode: '80202' });
  const bare = { method: 'tenant', reason: 'Sent from the provider’s own site.', distanceMiles: null };
  expect(await matchLead(db, request({ tenant: { id: lost.id } }))).toEqual({ ...bare, providerId: lost.id });
  expect(await matchLead(db, request({ tenant: { id: found.id }, zip5: '00001' }))).toEqual({
    ...bare,
    providerId: found.id,
  });
  expect(await matchLead(db, request({ tenant: { id: found.id }, zip5: null, zipCode: 'SW1A 1AA' }))).toEqual(
    { ...bare, providerId: found.id },
  );
});

test('an unassigned ZIP is matched from the center of its prefix, with a reason', async () => {
  meets('D.leads.59');
  await using database = await testDb();
  const { db } = database;
  const provider = await insertProvider(db, getNorth('80200', 2));
  const note = 'ZIP 80200 is not in the table; placed at the center of the 802 area.';
  const nearest = await matchLead(db, request({ zip5: '80200' }));
  expect(nearest).toMatchObject({
    providerId: provider.id,
    reason: `Nearest active provider, 2.0 miles from the center of the 802 area. ${note}`,
  });
  const given = await matchLead(db, request({ zip5: '80200', tenant: { id: provider.id } }));
  expect(given.reason).toBe(
    `Sent from the provider’s own site, 2.0 miles from the center of the 802 area. ${note}`,
  );
});

test("a lead outside every provider's radius is unmatched, with a reason", async () => {
  await using database = await testDb();
  const { db } = database;
  expect(await unmatched(db, {})).toBe('There is no active provider to match.');
  await insertProvider(db, getNorth('59301', 143));
  expect(await unmatched(db, { zip5: '59301' })).toBe(
    'No active provider within 100 miles of 59301; the nearest is 143.0 miles away.',
  );
  expect(await unmatched(db, { zip5: '00001' })).toBe('ZIP 00001 is unknown and so is its prefix.');
  expect(await unmatched(db, { zip5: null, zipCode: 'SW1A 1AA' })).toBe("'SW1A 1AA' is not a US ZIP code.");
  expect(await unmatched(db, { zip5: null, zipCode: 'x', requestedId: 77 })).toBe(
    "Provider 77 was requested, but is unknown or inactive. 'x' is not a US ZIP code.",
  );
});

test('a provider exactly at the radius is within it, slightly farther is not', async () => {
  meets('D.leads.54');
  await using database = await testDb();
  const { db } = database;
  const provider = await insertProvider(db, getNorth('80202', 100));
  const place = zipTable.lookup('80202');
  if (place === null) throw new Error('80202 is not in the table');
  const distanceMiles = (await findNearestProvider(db, place))?.distanceMiles ?? 0;
  expect(distanceMiles).toBeCloseTo(100, 2);
  expect(await matchLead(db, request({ radiusMiles: distanceMiles }))).toMatchObject({
    providerId: provider.id,
    distanceMiles,
  });
  expect(await unmatched(db, { radiusMiles: distanceMiles - 1e-6 })).toContain('No active provider within');
});

test('a paused provider is matched by its own site or by request only', async () => {
  await using database = await testDb();
  const { db } = database;
  const paused = await insertProvider(db, { ...getNorth('80202', 1), paused: true });
  const next = await insertProvider(db, getNorth('80202', 20));
  expect((await matchLead(db, request())).providerId).toBe(next.id);
  const asked = { requestedId: paused.id, findActive: async () => true };
  expect(await matchLead(db, request(asked))).toMatchObject({ providerId: paused.id, method: 'requested' });
  const own = { tenant: { id: paused.id } };
  expect(await matchLead(db, request(own))).toMatchObject({ providerId: paused.id, method: 'tenant' });
});

test("a provider's own radius replaces the configured one", async () => {
  await using database = await testDb();
  const { db } = database;
  const small = await insertProvider(db, { ...getNorth('80202', 12), matchRadiusMiles: 10 });
  const usual = await insertProvider(db, getNorth('80202', 60));
  expect((await matchLead(db, request())).providerId).toBe(usual.id);
  await db.execute(sql`update providers set match_radius_miles = 13 where id = ${small.id}`);
  expect((await matchLead(db, request())).providerId).toBe(small.id);
  const large = await insertProvider(db, { ...getNorth('80202', -300), matchRadiusMiles: 400 });
  expect((await matchLead(db, request({ radiusMiles: 5 }))).providerId).toBe(small.id);
  await db.execute(sql`update providers set paused = true where id = ${small.id}`);
  expect((await matchLead(db, request({ radiusMiles: 5 }))).providerId).toBe(large.id);
  await db.execute(sql`update providers set match_radius_miles = 299 where id = ${large.id}`);
  expect(await unmatched(db, { radiusMiles: 5 })).toBe(
    'No active provider within 5 miles of 80202; the nearest is 60.0 miles away.',
  );
});

test('of equally near providers, the lower id wins, with or without its own radius', async () => {
  meets('D.leads.57');
  await using database = await testDb();
  const { db } = database;
  const here = getNorth('80202', 5);
  const older = await insertProvider(db, { ...here, matchRadiusMiles: 10 });
  const younger = await insertProvider(db, here);
  expect((await matchLead(db, request())).providerId).toBe(older.id);
  await db.execute(sql`update providers set match_radius_miles = 4 where id = ${older.id}`);
  expect((await matchLead(db, request())).providerId).toBe(younger.id);
});
