import { expect, test } from 'vitest';
import type { ProviderRow } from '#server/db/schema/index.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { formToken } from '#test/support/formToken.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { getToken } from '#test/support/staff.ts';
import { type Answer, testApp, type TestApp } from '#test/support/testApp.ts';

interface Assigned {
  provider_id: number;
}

/** A lead whose form, on the provider's own site, showed the provider's name. */
async function leadNaming(app: TestApp, provider: ProviderRow): Promise<number> {
  const input = leadInput({ form: 'microsite', token: formToken('microsite') });
  const answer = await app.as(provider).post('/api/leads', input);
  return (answer.json() as { id: number }).id;
}

async function setUp(app: TestApp) {
  const named = await insertProvider(app.db, { practiceName: 'Named Practice' });
  const other = await insertProvider(app.db);
  await app.knows(named);
  return { named, other, lead: await leadNaming(app, named), headers: await getToken(app, ['leads:write']) };
}

function assign(
  app: TestApp,
  id: number,
  body: { providerId: number; confirmed?: boolean },
  headers: Record<string, string>,
): Promise<Answer> {
  return app.request('PATCH', `/api/leads/${id}/provider`, {
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

test('a lead whose consent names another provider moves only after confirmation', async () => {
  await using app = await testApp();
  const { named, other, lead, headers } = await setUp(app);
  const refused = await assign(app, lead, { providerId: other.id }, headers);
  const sentence = 'The consent of this lead names Named Practice.';
  expect([refused.status, refused.json()]).toEqual([
    409,
    expect.objectContaining({ error: sentence, reason: 'consent-names-other-provider' }),
  ]);
  const byRpc = await app.post('/trpc/admin.leads.assign', { id: lead, providerId: other.id }, headers);
  expect([byRpc.status, byRpc.json()]).toEqual([
    409,
    {
      error: expect.objectContaining({
        message: sentence,
        data: expect.objectContaining({ reason: 'consent-names-other-provider' }),
      }),
    },
  ]);
  const moved = await assign(app, lead, { providerId: other.id, confirmed: true }, headers);
  expect([moved.status, (moved.json() as Assigned).provider_id]).toEqual([200, other.id]);
  const [entry] = await app.sql<
    { detail: object }[]
  >`select detail from audit_log where action = 'lead.assign'`;
  expect(entry?.detail).toMatchObject({ consentNames: 'Named Practice' });
  const back = await assign(app, lead, { providerId: named.id }, headers);
  expect(back.status).toBe(200);
});

test('a lead whose consent names nobody, or that stays, needs no confirmation', async () => {
  await using app = await testApp();
  const { other, lead, headers } = await setUp(app);
  const unnamed = await insertLead(app.db);
  expect((await assign(app, unnamed.id, { providerId: other.id }, headers)).status).toBe(200);
  await assign(app, lead, { providerId: other.id, confirmed: true }, headers);
  expect((await assign(app, lead, { providerId: other.id }, headers)).status).toBe(200);
});

test('a bulk assignment lists the leads that need a confirmation and moves the others', async () => {
  await using app = await testApp();
  const { other, lead, headers } = await setUp(app);
  const unnamed = await insertLead(app.db);
  const input = { ids: [lead, unnamed.id], providerId: other.id };
  const result = async (body: object) =>
    (await app.post('/trpc/admin.leads.bulkAssign', body, headers)).json() as { result: { data: unknown } };
  expect((await result(input)).result.data).toEqual({
    changed: [unnamed.id],
    needConfirmation: [{ id: lead, provider: 'Named Practice' }],
  });
  expect((await result({ ...input, confirmed: true })).result.data).toEqual({
    changed: [lead, unnamed.id],
    needConfirmation: [],
  });
});
