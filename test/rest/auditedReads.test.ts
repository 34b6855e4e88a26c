import { expect, test } from 'vitest';
import { insertLead, insertLeads } from '#test/support/leadRows.ts';
import { signedIn, testPasswordHash, getToken } from '#test/support/staff.ts';
import { type TestApp, testApp } from '#test/support/testApp.ts';

test('a script that reads leads is audited once in ten minutes, before it gets any', async () => {
  await using app = await testApp();
  const [one, other] = [await getToken(app, ['leads:read']), await getToken(app, ['leads:read'])];
  for (const headers of [one, one, other, await signedIn(app, 'viewer')])
    expect((await app.get('/api/leads?search=ann', headers)).status).toBe(200);
  const tokens = await app.sql`select id::text from api_tokens order by id`;
  const lines = await app.sql`
    select action, actor_kind, subject_kind, subject_id as id, token_id::text as by, detail from audit_log order by id`;
  expect([...lines]).toEqual(
    tokens.map(({ id }) => ({
      action: 'leads.list',
      actor_kind: 'token',
      subject_kind: 'token',
      id,
      by: id,
      detail: null,
    })),
  );
});

test.each(['/api/deliveries', '/api/leads/1/outcome'])(
  'a script that reads %s is audited once',
  async (path) => {
    await using app = await testApp();
    await insertLead(app.db, { id: 1 });
    const blind = await getToken(app, ['deliveries:read']);
    await app.get(path, blind);
    await app.get(path, await signedIn(app, 'viewer'));
    expect(await app.sql`select 1 from audit_log`).toHaveLength(0);
    const script = await getToken(app, ['deliveries:read', 'leads:read']);
    for (const status of [200, 200]) expect((await app.get(path, script)).status).toBe(status);
    const lines = await app.sql`select action, actor_kind, subject_kind from audit_log`;
    expect([...lines]).toEqual([{ action: 'leads.list', actor_kind: 'token', subject_kind: 'token' }]);
  },
);

test('a script that reads applications is audited, staff are not', async () => {
  await using app = await testApp();
  const token = await getToken(app, ['providers:read']);
  for (const headers of [token, token, await signedIn(app, 'viewer')])
    expect((await app.get('/trpc/admin.applications.list?input={}', headers)).status).toBe(200);
  const lines = await app.sql`select action, actor_kind, subject_kind from audit_log`;
  expect([...lines]).toEqual([{ action: 'applications.list', actor_kind: 'token', subject_kind: 'token' }]);
});

/** The entries of counts that are due, without their times. */
async function storedCounts(app: TestApp, isLast = false) {
  const [{ before } = { before: 0 }] = await app.sql<{ before: number }[]>`
    select coalesce(max(id), 0)::int as before from audit_log`;
  await app.services.auditCounts.store({ isLast });
  return [
    ...(await app.sql`
      select action, actor_kind, actor_name, host(ip) as ip, subject_kind, detail from audit_log where id > ${before}
      order by id`),
  ];
}

test('lists of leads that staff and scripts read leave one entry an hour with counts', async () => {
  let ms = Date.parse('2031-05-01T08:00:00Z');
  await using app = await testApp({ now: () => new Date(ms) });
  await insertLeads(
    app.db,
    Array.from({ length: 7 }, () => ({})),
  );
  const [viewer, script] = [await signedIn(app, 'viewer'), await getToken(app, ['leads:read'])];
  for (const path of ['/api/leads?limit=5', '/api/leads?limit=5&page=2', '/api/leads?limit=5&search=zzz'])
    for (const headers of [viewer, script]) expect((await app.get(path, headers)).status).toBe(200);
  ms += 59 * 60_000;
  expect(await storedCounts(app)).toEqual([]);
  ms += 60_000;
  const detail = { attempts: 3, searches: 1, rows: 7 };
  const own = { action: 'leads.list', ip: '127.0.0.1', detail };
  expect(await storedCounts(app)).toEqual([
    { ...own, actor_kind: 'staff', actor_name: 'Test viewer', subject_kind: 'account' },
    { ...own, actor_kind: 'token', actor_name: 'Test script', subject_kind: 'token' },
  ]);
  expect(await storedCounts(app, true)).toEqual([]);
});

test('a script that pages through a thousand leads leaves a count within a minute', async () => {
  await using app = await testApp();
  await insertLeads(
    app.db,
    Array.from({ length: 1_001 }, () => ({})),
  );
  const script = await getToken(app, ['leads:read']);
  for (let page = 1; page <= 11; page += 1)
    expect((await app.get(`/api/leads?limit=100&page=${page}`, script)).status).toBe(200);
  expect(await storedCounts(app)).toMatchObject([
    { action: 'leads.list', actor_kind: 'token', detail: { attempts: 11, rows: 1_001 } },
  ]);
});

test('an account’s refused calls leave one entry a minute with what was tried', async () => {
  let ms = Date.parse('2031-05-01T08:00:00Z');
  await using app = await testApp({ now: () => new Date(ms) });
  const [viewer, script] = [await signedIn(app, 'viewer'), await getToken(app, ['leads:read'])];
  const tries = async () => {
    for (const [path, headers] of [
      ['/trpc/admin.accounts.list', viewer],
      ['/trpc/admin.accounts.list', viewer],
      ['/api/persons/1.json', viewer],
      ['/api/deliveries', script],
    ] as const)
      expect((await app.get(path, headers)).status).toBe(403);
  };
  await tries();
  // Nobody is signed in.
  expect((await app.get('/api/deliveries')).status).toBe(401);
  const names = { 'staffAccounts.list': 2, 'exports.person': 1 };
  const entries = [
    { action: 'access.denied', actor_name: 'Test viewer', detail: { attempts: 3, names } },
    {
      action: 'access.denied',
      actor_name: 'Test script',
      detail: { attempts: 1, names: { 'deliveries.list': 1 } },
    },
  ];
  expect(await storedCounts(app)).toMatchObject(entries);
  await tries();
  expect(await storedCounts(app)).toEqual([]);
  ms += 60_000;
  expect(await storedCounts(app)).toMatchObject(entries);
});

test('refused sign-ins count by masked claims, and typed passwords are stored nowhere', async () => {
  await using app = await testApp({ env: { ADMIN_PASSWORD_HASH: testPasswordHash } });
  const typed = 'hunter2-hunter2';
  for (const email of ['someone@mail.example', typed, '', 'p@ss word.x'])
    await app.post('/trpc/admin.session.signIn', { email, password: typed });
  await app.post('/trpc/admin.session.signIn', { password: typed });
  for (const email of ['someone@mail.example', 'someone@mail.example', typed, ''])
    expect((await app.post('/trpc/admin.session.signIn', { email, password: typed })).status).toBe(429);
  const failed = await app.sql`select detail from audit_log where action = 'sign-in-failed' order by id`;
  const shared = { claimed: 'the shared password' };
  expect(failed.map(({ detail }) => detail)).toEqual([
    { claimed: 's…e at m…l.example' },
    { claimed: 'no address' },
    shared,
    { claimed: 'no address' },
    shared,
  ]);
  expect(await storedCounts(app)).toMatchObject([
    {
      action: 'sign-in-refused',
      actor_name: 'Visitor',
      detail: { attempts: 4, names: { 's…e at m…l.example': 2, 'no address': 1, 'the shared password': 1 } },
    },
  ]);
  expect(JSON.stringify(await app.sql`select * from audit_log`)).not.toMatch(/hunter2|someone|ss word/);
});

test('looking up a person’s data is audited with the number of leads', async () => {
  await using app = await testApp();
  const [lead] = await insertLeads(app.db, [{}]);
  const headers = await signedIn(app, 'owner');
  const input = encodeURIComponent(JSON.stringify({ leadId: lead?.id }));
  for (const status of [200, 200])
    expect((await app.get(`/trpc/admin.personalData.find?input=${input}`, headers)).status).toBe(status);
  const lines = await app.sql`select action, subject_kind, subject_id, detail from audit_log`;
  expect([...lines]).toEqual([
    { action: 'person.find', subject_kind: 'lead', subject_id: String(lead?.id), detail: { found: 1 } },
  ]);
});

test('an export leaves the number of rows that were read', async () => {
  await using app = await testApp();
  await insertLeads(
    app.db,
    Array.from({ length: 1_200 }, () => ({})),
  );
  const headers = await signedIn(app, 'viewer');
  expect((await app.get('/api/leads.csv', headers)).status).toBe(200);
  expect(await storedCounts(app)).toMatchObject([
    { action: 'leads.export', actor_name: 'Test viewer', detail: { attempts: 1, rows: 1_200 } },
  ]);
});

test('opening an unsent message is audited, listing them is not', async () => {
  await using app = await testApp();
  const id = crypto.randomUUID();
  await app.services.mail.mailer.send({
    id,
    to: { name: '', address: 'kit@example.com' },
    replyTo: { name: '', address: 'desk@brand.example' },
    rendered: { subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' },
    unsubscribeUrl: null,
  });
  const headers = await signedIn(app, 'manager');
  const listed = await app.post('/trpc/admin.unsentMail.list', {}, headers);
  const name = /"name":"([^"]+)"/.exec(listed.text)?.[1];
  expect(await app.sql`select 1 from audit_log`).toHaveLength(0);
  for (const status of [200, 200])
    expect((await app.post('/trpc/admin.unsentMail.get', { name }, headers)).status).toBe(status);
  const lines = await app.sql`select action, actor_name, subject_kind, subject_id from audit_log`;
  expect([...lines]).toEqual([
    { action: 'mail.view', actor_name: 'Test manager', subject_kind: 'delivery', subject_id: id },
  ]);
});
