import { expect, test } from 'vitest';
import { leadOutcomes } from '#server/db/schema/index.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { formToken } from '#test/support/formToken.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { getToken } from '#test/support/staff.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';

/** Providers in Denver, Billings and Rapid City, and what a script with a token gets from the procedures. */
async function setUp(app: TestApp) {
  const headers = await getToken(app, ['leads:write', 'leads:read']);
  const call = async (name: string, input: object): Promise<unknown> => {
    const answer = await app.post(`/trpc/admin.leads.${name}`, input, headers);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    const { result }: { result: { data: unknown } } = Object(answer.json());
    return result.data;
  };
  const at = (zipCode: string, rest: object = {}) => insertProvider(app.db, { zipCode, ...rest });
  return { call, at, denver: await at('80202'), billings: await at('59101'), rapidCity: await at('57701') };
}

const listProviders = async ({ sql }: TestApp): Promise<unknown[]> =>
  (await sql`select provider_id::int as at from leads order by id`).map(({ at }) => at as unknown);

test('each lead goes to its own nearest provider, with its own distance', async () => {
  await using app = await testApp();
  const { call, denver, billings, rapidCity } = await setUp(app);
  const leads = [];
  // Fort Benton, Rock Springs, Rapid City, Denver, and a ZIP that doesn’t exist.
  for (const zipCode of ['59430', '82901', '57701', '80205', '00000'])
    leads.push((await insertLead(app.db, { zipCode })).id);
  const preview = await call('previewAssign', { ids: leads, providerId: null });
  expect(preview).toEqual({
    leads: 4,
    kept: 0,
    providers: 3,
    miles: { least: expect.closeTo(0, 0), most: expect.closeTo(256, 0) },
    outside: 2,
    unplaced: 1,
    nextNearest: 0,
    radiusMiles: 100,
  });
  const input = { ids: leads, providerId: null };
  expect(await call('bulkAssign', input)).toEqual({ changed: leads.slice(0, 4), needConfirmation: [] });
  expect(await listProviders(app)).toEqual([billings.id, denver.id, rapidCity.id, denver.id, null]);
  const audited =
    await app.sql`select (detail->>'miles')::float8 as miles from audit_log where action = 'lead.assign' order by subject_id::int`;
  expect(new Set(audited.map(({ miles }) => miles as unknown)).size).toBe(4);
  // Everyone has the nearest now.
  expect(await call('bulkAssign', input)).toEqual({ changed: [], needConfirmation: [] });
  expect(await call('previewAssign', input)).toMatchObject({ leads: 0, kept: 4, unplaced: 1 });
});

test('paused, inactive and refusing providers are nobody’s nearest', async () => {
  await using app = await testApp();
  const { call, at, denver, billings } = await setUp(app);
  await at('59430', { paused: true });
  await at('59430', { status: 'f' });
  // Its own radius doesn’t reach the lead.
  await at('59401', { matchRadiusMiles: 5 });
  const first = await insertLead(app.db, { zipCode: '59430' });
  const returned = await insertLead(app.db, { zipCode: '59101' });
  await app.db.insert(leadOutcomes).values({
    ...{ leadId: returned.id, providerId: billings.id, outcome: 'wrong-area', by: 'Clinic' },
  });
  const input = { ids: [first.id, returned.id], providerId: null };
  // Staff are asked before a lead passes its nearest provider.
  expect(await call('previewAssign', input)).toMatchObject({ leads: 2, nextNearest: 1 });
  await call('bulkAssign', input);
  const [nearest, another] = await listProviders(app);
  expect(nearest).toBe(billings.id);
  expect(another).not.toBe(billings.id);
  expect(another).not.toBe(denver.id);
});

test('a consent that names another provider than the nearest waits for an answer', async () => {
  await using app = await testApp();
  const { call, denver } = await setUp(app);
  const named = await insertProvider(app.db, { practiceName: 'Named Practice', zipCode: '99501' });
  await app.knows(named);
  const form = leadInput({ form: 'microsite', token: formToken('microsite'), zip_code: '80205' });
  const { id }: { id: number } = Object((await app.as(named).post('/api/leads', form)).json());
  const other = await insertLead(app.db, { zipCode: '80205' });
  const input = { ids: [id, other.id], providerId: null };
  expect(await call('bulkAssign', input)).toEqual({
    changed: [other.id],
    needConfirmation: [{ id, provider: 'Named Practice' }],
  });
  expect(await listProviders(app)).toEqual([named.id, denver.id]);
  expect(await call('bulkAssign', { ...input, confirmed: true })).toMatchObject({ changed: [id] });
  expect(await listProviders(app)).toEqual([denver.id, denver.id]);
});

test('the preview of one provider has the range, its own radius and unknown ZIPs', async () => {
  await using app = await testApp();
  const { call, at, denver } = await setUp(app);
  const ids = [];
  for (const zipCode of ['80205', '82901', '57701', '00000'])
    ids.push((await insertLead(app.db, { zipCode })).id);
  expect(await call('previewAssign', { ids, providerId: denver.id })).toEqual({
    leads: 4,
    kept: 0,
    providers: 1,
    miles: { least: expect.closeTo(2, -1), most: expect.closeTo(300, -2) },
    outside: 2,
    unplaced: 1,
    nextNearest: 0,
    radiusMiles: 100,
  });
  const wide = await at('80202', { matchRadiusMiles: 1000 });
  expect(await call('previewAssign', { ids, providerId: wide.id })).toMatchObject({
    outside: 0,
    radiusMiles: 1000,
  });
  expect(await listProviders(app)).toEqual([null, null, null, null]);
});
