import { describe, expect, test } from 'vitest';
import { overLimitLeads } from '#server/db/schema/index.ts';
import { createDataKeys } from '#server/security/dataKeys.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { insertLead, insertLeads } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';
import { signedIn, getToken } from '#test/support/staff.ts';
import { type Answer, testApp, type TestApp } from '#test/support/testApp.ts';

interface Audited {
  action: string;
  actor_name: string;
  subject_id: string | null;
  detail: unknown;
}

/** The audit log, looking left out, as it was written. */
async function audited({ sql }: TestApp): Promise<Audited[]> {
  return [
    ...(await sql<
      Audited[]
    >`select action, actor_name, subject_id, detail from audit_log where action not in ('lead.view', 'leads.list') order by id`),
  ];
}

const json = { 'content-type': 'application/json' };

function patch(app: TestApp, id: number, body: unknown, headers: Record<string, string>): Promise<Answer> {
  const text = JSON.stringify(body);
  return app.request('PATCH', `/api/leads/${id}/provider`, {
    headers: { ...json, ...headers, 'content-length': String(Buffer.byteLength(text)) },
    body: text,
  });
}

describe('GET /api/leads', () => {
  test('returns forty leads, newest first, with the exact total', async () => {
    meets('P3.lead.13 P7.call.26 P9.const.02 P9.const.03 D.people.10');
    await using app = await testApp();
    const rows = await insertLeads(
      app.db,
      Array.from({ length: 45 }, (_, index) => ({ createdAt: new Date(Date.UTC(2026, 5, 1, 0, index)) })),
    );
    const headers = await signedIn(app, 'viewer');
    const first = await app.get('/api/leads?page=1&limit=40&sort=-created_at', headers);
    expect([first.status, first.headers['cache-control']]).toEqual([200, 'no-store']);
    const newestFirst = rows.toReversed().map(({ id }) => id);
    const ids = (answer: Answer) => (answer.json() as { leads: { id: number }[] }).leads.map(({ id }) => id);
    expect(first.json()).toMatchObject({ total: 45, totalIsEstimate: false });
    expect(ids(first)).toEqual(newestFirst.slice(0, 40));
    expect(ids(await app.get('/api/leads', headers))).toEqual(newestFirst.slice(0, 40));
    expect(ids(await app.get('/api/leads?page=2', headers))).toEqual(newestFirst.slice(40));
    expect(ids(await app.get('/api/leads?page=9', headers))).toEqual([]);
  });

  test('accepts every filter; an invalid value is a 422', async () => {
    meets('D.people.10 D.admin.50 D.admin.51 D.admin.52 D.admin.53');
    await using app = await testApp();
    const provider = await insertProvider(app.db);
    const wanted = await insertLead(app.db, {
      lastName: "O'Brien%",
      providerId: provider.id,
      quarantinedAt: new Date(),
      quarantineReason: 'honeypot',
      crmSyncStatus: 'failed',
    });
    const repeat = await insertLead(app.db, { duplicateOf: wanted.id });
    const headers = await getToken(app, ['leads:read']);
    const found = async (query: string) => {
      const answer = await app.get(`/api/leads?${query}`, headers);
      return (answer.json() as { leads: { id: number }[] }).leads.map(({ id }) => id);
    };
    for (const query of [
      `search=${encodeURIComponent("o'brien%")}`,
      `search=%23${wanted.id}`,
      `providerId=${provider.id}`,
      'match=matched',
      'quarantined=true',
      'repeat=false',
      'status=failed',
    ])
      expect([query, await found(query)]).toEqual([query, [wanted.id]]);
    expect(await found('repeat=true&match=unmatched&status=pending')).toEqual([repeat.id]);
    expect(await found('from=2026-06-01&to=2026-06-01&search=')).toHaveLength(2);
    const over = { quarantinedAt: new Date(), quarantineReason: 'over-limit' } as const;
    const waiting = await insertLead(app.db, { ...over, createdAt: new Date('2026-06-03T12:00:00Z') });
    await app.db.insert(overLimitLeads).values({ leadId: waiting.id, releaseAt: new Date('2099-01-01') });
    expect(await found('overLimit=true')).toEqual([waiting.id]);
    expect(await found('overLimit=false')).toEqual([repeat.id, wanted.id]);
    expect(await found('quarantined=true')).toEqual([wanted.id]);
    expect(await found('quarantined=false')).toEqual([repeat.id]);
    expect(await found('from=2026-06-04')).toEqual([]);
    for (const query of [
      'page=0',
      'page=x',
      'limit=101',
      'sort=email',
      'status=odd',
      'from=tomorrow',
      'repeat=1',
      'providerId=-1',
      'search=%00&match=x',
    ])
      expect([query, (await app.get(`/api/leads?${query}`, headers)).status]).toEqual([query, 422]);
    expect((await app.get('/api/leads?search=%00%ff%5C', headers)).status).toBe(200);
  });
});

describe('PATCH /api/leads/{id}/provider', () => {
  test('assigns the lead manually, with distance, reason and audit entry', async () => {
    meets('P4.state.25 P7.call.34');
    await using app = await testApp();
    const provider = await insertProvider(app.db, { zipCode: '80203' });
    const lead = await insertLead(app.db, { zipCode: '80202' });
    const headers = await signedIn(app, 'manager');
    const answer = await patch(app, lead.id, { providerId: provider.id }, headers);
    expect([answer.status, answer.json()]).toEqual([
      200,
      expect.objectContaining({
        id: lead.id,
        provider_id: provider.id,
        provider: { name: provider.name, status: 't' },
        match: {
          method: 'manual',
          reason: expect.stringMatching(
            /^Assigned by Test manager, \d\.\d miles from the center of 80202\.$/,
          ),
          miles: expect.any(Number),
        },
      }),
    ]);
    expect(await audited(app)).toEqual([
      {
        action: 'lead.assign',
        actor_name: 'Test manager',
        subject_id: String(lead.id),
        detail: expect.objectContaining({
          providerId: provider.id,
          before: expect.objectContaining({ providerId: null, method: 'none' }),
        }),
      },
    ]);
  });

  test('rejects inactive and unknown providers and deleted leads without a change', async () => {
    meets('P5.valid.28');
    await using app = await testApp();
    const [active, inactive] = [await insertProvider(app.db), await insertProvider(app.db, { status: 'f' })];
    const lead = await insertLead(app.db);
    const deleted = await insertLead(app.db, { deletedAt: new Date() });
    const headers = await getToken(app, ['leads:write']);
    const refusals = [
      [lead.id, inactive.id, 422],
      [lead.id, 999_999, 422],
      [lead.id, 'x', 422],
      [lead.id, undefined, 422],
      [deleted.id, active.id, 404],
      [999_999, active.id, 404],
    ] as const;
    for (const [id, providerId, status] of refusals)
      expect([id, providerId, (await patch(app, id, { providerId }, headers)).status]).toEqual([
        id,
        providerId,
        status,
      ]);
    expect((await patch(app, lead.id, { providerId: inactive.id }, headers)).json()).toMatchObject({
      error: 'This provider is inactive.',
      errors: { providerId: 'This provider is inactive.' },
    });
    const [kept] = await app.sql`select provider_id, match_method from leads where id = ${lead.id}`;
    expect(kept).toEqual({ provider_id: null, match_method: 'none' });
    expect(await audited(app)).toEqual([]);
  });
});

describe('DELETE /api/leads/{id}', () => {
  test('hides the lead, keeps its row and consent, and is undone by restore', async () => {
    meets('P7.call.36 D.admin.35');
    await using app = await testApp();
    const { id } = (await app.post('/api/leads', leadInput())).json() as { id: number };
    const headers = await signedIn(app);
    const remove = () => app.request('DELETE', `/api/leads/${id}`, { headers: { ...headers, ...json } });
    const total = async () => ((await app.get('/api/leads', headers)).json() as { total: number }).total;
    const removed = await remove();
    expect([removed.status, removed.json(), await total()]).toEqual([200, { id }, 0]);
    expect((await remove()).status).toBe(404);
    const [kept] = await app.sql`select deleted_at is not null as deleted from leads where id = ${id}`;
    expect(kept).toEqual({ deleted: true });
    const restored = await app.post('/trpc/admin.leads.restore', { id }, headers);
    expect([restored.status, await total()]).toEqual([200, 1]);
    expect((await app.post('/trpc/admin.leads.restore', { id }, headers)).status).toBe(404);
    expect((await audited(app)).map(({ action }) => action)).toEqual(['lead.delete', 'lead.undo']);
    expect(await app.sql`select 1 from consent_records where lead_id = ${id}`).toHaveLength(1);
  });
});

test('a change by cookie needs JSON’s type even without a body, one by token doesn’t', async () => {
  meets('D.admin.30');
  await using app = await testApp();
  const headers = await signedIn(app);
  const remove = async (sent: Record<string, string>) =>
    (await app.request('DELETE', `/api/leads/${(await insertLead(app.db)).id}`, { headers: sent })).status;
  expect(await remove(headers)).toBe(403);
  expect(await remove({ ...headers, 'content-type': 'text/plain' })).toBe(403);
  expect(await remove({ ...headers, ...json, origin: 'https://evil.example' })).toBe(403);
  expect(await remove({ ...headers, ...json })).toBe(200);
  expect(await remove(await getToken(app, ['leads:write']))).toBe(200);
  expect((await app.request('POST', '/api/sync', { headers })).status).toBe(403);
  expect((await app.request('POST', '/api/sync', { headers: { ...headers, ...json } })).status).toBe(200);
});

describe('POST /api/leads/{id}/retry-sync and /retry-email', () => {
  test('report why nothing was delivered and keep the status', async () => {
    meets('D.errors.20');
    await using app = await testApp();
    const lead = await insertLead(app.db);
    const headers = await getToken(app, ['leads:write']);
    const retry = (id: number | string, what: string) => app.post(`/api/leads/${id}/${what}`, {}, headers);
    for (const [what, error] of [
      ['retry-sync', 'CRM sync is not configured.'],
      ['retry-email', 'There is no consent on record.'],
    ] as const) {
      const answer = await retry(lead.id, what);
      expect([answer.status, answer.json()]).toEqual([200, { success: false, error }]);
      for (const id of [999_999, 'x', '0', '1e3']) expect((await retry(id, what)).status).toBe(404);
    }
    const [kept] = await app.sql`select crm_sync_status from leads where id = ${lead.id}`;
    expect(kept).toEqual({ crm_sync_status: 'pending' });
    expect((await audited(app)).map(({ action }) => action)).toEqual(['lead.retry', 'lead.retry']);
  });
});

test('an impossible day is rejected in every list', async () => {
  await using app = await testApp();
  const headers = await signedIn(app, 'owner');
  for (const query of ['from=0000-01-01', 'to=9999-12-31'])
    for (const path of ['/api/leads', '/api/leads.csv'])
      expect((await app.get(`${path}?${query}`, headers)).status).toBe(422);
  const asked = (path: string, input: object) => app.post(`/trpc/${path}`, input, headers);
  for (const path of ['admin.leads.list', 'admin.audit.list', 'admin.deliveries.list']) {
    for (const input of [{ from: '0000-01-01' }, { to: '9999-12-31' }])
      expect([path, (await asked(path, input)).status]).toEqual([path, 422]);
    expect((await asked(path, { from: '2000-01-01', to: '9999-12-30' })).status).toBe(200);
  }
});

test('a bulk retry and a sync run are audited, also without a result', async () => {
  await using app = await testApp();
  const [lead, other, gone] = await insertLeads(app.db, [{}, {}, { deletedAt: new Date() }]);
  const headers = await signedIn(app, 'manager');
  const ids = [other, gone, lead].map((row) => row?.id ?? 0);
  const retried = await app.post('/trpc/admin.leads.bulkRetrySync', { ids }, headers);
  expect(retried.text).toContain('CRM sync is not configured.');
  expect((await app.post('/api/sync', {}, headers)).status).toBe(200);
  const by = { actor_name: 'Test manager' };
  const detail = { what: 'sync', success: false, error: 'CRM sync is not configured.' };
  const retry = { ...by, action: 'lead.retry', detail };
  expect(await audited(app)).toEqual([
    { ...retry, subject_id: String(lead?.id) },
    { ...retry, subject_id: String(other?.id) },
    { ...by, action: 'sync.run', subject_id: null, detail: { success: false } },
  ]);
});

test('each row requires its role or scope and exists on the main site only', async () => {
  await using app = await testApp();
  const provider = await insertProvider(app.db);
  await app.knows(provider);
  const lead = await insertLead(app.db);
  const viewer = await signedIn(app, 'viewer');
  const manager = await signedIn(app, 'manager');
  const wrongScope = await getToken(app, ['providers:read', 'sync:run']);
  const reading = { viewerMay: true, foreignMay: true };
  const writing = { viewerMay: false, foreignMay: false };
  const rows = [
    ['GET', '/api/leads', reading],
    ['GET', '/api/leads.csv', reading],
    ['PATCH', `/api/leads/${lead.id}/provider`, writing],
    ['DELETE', `/api/leads/${lead.id}`, writing],
    ['POST', `/api/leads/${lead.id}/retry-sync`, writing],
    ['POST', `/api/leads/${lead.id}/retry-email`, writing],
  ] as const;
  for (const [method, path, { viewerMay, foreignMay }] of rows) {
    const status = async (headers: Record<string, string>, host?: { domain: string | null }) => {
      const answer = await (host === undefined ? app : app.as(host)).request(method, path, {
        headers: { ...json, ...headers, 'content-length': method === 'GET' ? '0' : '2' },
        ...(method === 'GET' ? {} : { body: '{}' }),
      });
      return answer.status;
    };
    const foreign = { ...manager, origin: 'https://evil.example' };
    expect([path, await status({})]).toEqual([path, 401]);
    expect([path, await status(viewer)]).toEqual([path, viewerMay ? 200 : 403]);
    expect([path, await status(manager, provider)]).toEqual([path, 404]);
    expect([path, await status(wrongScope)]).toEqual([path, 403]);
    // A foreign page may send for what it can't read; it changes nothing.
    expect([path, await status(foreign)]).toEqual([path, foreignMay ? 200 : 403]);
  }
  const [kept] = await app.sql`select deleted_at, provider_id from leads where id = ${lead.id}`;
  expect(kept).toEqual({ deleted_at: null, provider_id: null });
});

test('staff get the list of leads also if no secret opens the identity key', async () => {
  await using app = await testApp();
  const { id } = await insertLead(app.db, {});
  await createDataKeys({ db: app.db, secretKeys: ['a-secret-that-was-lost-a-secret-that-was-lost'] }).current(
    'identity',
  );
  const answer = await app.get('/api/leads', await getToken(app, ['leads:read']));
  expect([answer.status, answer.json()]).toMatchObject([200, { leads: [{ id, unreachable: null }] }]);
});
