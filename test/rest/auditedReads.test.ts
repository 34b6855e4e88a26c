import { expect, test } from 'vitest';
import { insertLead } from '#test/support/leadRows.ts';
import { signedIn, tokenOf } from '#test/support/staff.ts';
import { testApp } from '#test/support/testApp.ts';

test('a script that reads leads is audited once in ten minutes, staff are not', async () => {
  await using app = await testApp();
  const [one, other] = [await tokenOf(app, ['leads:read']), await tokenOf(app, ['leads:read'])];
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
    const blind = await tokenOf(app, ['deliveries:read']);
    await app.get(path, blind);
    await app.get(path, await signedIn(app, 'viewer'));
    expect(await app.sql`select 1 from audit_log`).toHaveLength(0);
    const script = await tokenOf(app, ['deliveries:read', 'leads:read']);
    for (const status of [200, 200]) expect((await app.get(path, script)).status).toBe(status);
    const lines = await app.sql`select action, actor_kind, subject_kind from audit_log`;
    expect([...lines]).toEqual([{ action: 'leads.list', actor_kind: 'token', subject_kind: 'token' }]);
  },
);

test('a script that reads applications is audited, staff are not', async () => {
  await using app = await testApp();
  const token = await tokenOf(app, ['providers:read']);
  for (const headers of [token, token, await signedIn(app, 'viewer')])
    expect((await app.get('/trpc/adminApplications.list?input={}', headers)).status).toBe(200);
  const lines = await app.sql`select action, actor_kind, subject_kind from audit_log`;
  expect([...lines]).toEqual([{ action: 'applications.list', actor_kind: 'token', subject_kind: 'token' }]);
});

test('opening a message of the outbox is audited, listing them is not', async () => {
  await using app = await testApp();
  const id = crypto.randomUUID();
  await app.services.mail.mailer.send({
    id,
    to: { name: '', address: 'kit@example.com' },
    replyTo: { name: '', address: 'desk@brand.example' },
    drawn: { subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' },
    unsubscribeUrl: null,
  });
  const headers = await signedIn(app, 'manager');
  const listed = await app.post('/trpc/mailOutbox.list', {}, headers);
  const name = /"name":"([^"]+)"/.exec(listed.text)?.[1];
  expect(await app.sql`select 1 from audit_log`).toHaveLength(0);
  for (const status of [200, 200])
    expect((await app.post('/trpc/mailOutbox.get', { name }, headers)).status).toBe(status);
  const lines = await app.sql`select action, actor_name, subject_kind, subject_id from audit_log`;
  expect([...lines]).toEqual([
    { action: 'mail.view', actor_name: 'Test manager', subject_kind: 'delivery', subject_id: id },
  ]);
});
