import { expect, test } from 'vitest';
import { signAddressHash, signWithdrawal } from '#server/features/mail/linkTokens.ts';
import { identityHash } from '#server/features/identity/identityHashes.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertAgreed, insertLead } from '#test/support/leadRows.ts';
import { sessionOf, insertAccount, signedIn, tokenOf } from '#test/support/staff.ts';
import { type Answer, testApp, type TestApp } from '#test/support/testApp.ts';
import { testIdentityKey } from '#test/support/testKeys.ts';

function patch(
  app: TestApp,
  path: string,
  { body, headers }: { body: object; headers: Record<string, string> },
): Promise<Answer> {
  const json = { ...headers, 'content-type': 'application/json' };
  return app.request('PATCH', path, { headers: json, body: JSON.stringify(body) });
}

test('a lead is corrected and taken away by REST, each audited', async () => {
  await using app = await testApp();
  const headers = await tokenOf(app, ['leads:write', 'leads:read']);
  const provider = await insertProvider(app.db, { zipCode: '80202' });
  const { id } = await insertLead(app.db, { providerId: provider.id });
  const corrected = await patch(app, `/api/leads/${id}`, { body: { email: 'right@example.com' }, headers });
  expect([corrected.status, corrected.json()]).toMatchObject([200, { id, email: 'right@example.com' }]);
  const wrong = await patch(app, `/api/leads/${id}`, { body: { email: 'right' }, headers });
  expect([wrong.status, wrong.json()]).toMatchObject([422, { errors: { email: expect.any(String) } }]);
  const taken = await app.request('DELETE', `/api/leads/${id}/provider`, { headers });
  expect([taken.status, taken.json()]).toMatchObject([
    200,
    { provider_id: null, match: { method: 'none', reason: 'Taken away from its provider.' } },
  ]);
  const log = await app.sql`select action from audit_log where action <> 'lead.view' order by id`;
  expect(log.map(({ action }) => action as unknown)).toEqual(['lead.correct', 'lead.take-away']);
  const reading = await tokenOf(app, ['leads:read']);
  expect(
    (await patch(app, `/api/leads/${id}`, { body: { phone: '(303) 555-0142' }, headers: reading })).status,
  ).toBe(403);
});

test.each([
  ['the link', true],
  ['the link of 1.0.0', false],
])('%s in a message to a mistyped address ends contact with that address only', async (_, hasHash) => {
  await using app = await testApp();
  const lead = await insertAgreed(app.db, { email: 'kit@exmaple.com' });
  const headers = await tokenOf(app, ['leads:write']);
  const { secretKeys } = app.services.config;
  const key = await testIdentityKey(app.database);
  const hmac = identityHash(key, 'email', 'kit@exmaple.com');
  const token = signWithdrawal(secretKeys, lead.publicId);
  const hash = hasHash ? `&hash=${signAddressHash(secretKeys, hmac)}` : '';
  const link = `/api/unsubscribe?token=${token}${hash}`;
  await patch(app, `/api/leads/${lead.id}`, { body: { email: 'kit@example.com' }, headers });
  expect((await app.post(link, '')).status).toBe(200);
  expect(await app.sql`select 1 from consent_withdrawals`).toHaveLength(0);
  const listed = async (): Promise<unknown[]> =>
    (await app.sql`select value_hmac from suppressions`).map((row) => row['value_hmac'] as unknown);
  expect(await listed()).toEqual([hmac]);
  // The person’s own link still ends contact with the person.
  const own = identityHash(key, 'email', 'kit@example.com');
  await app.post(`/api/unsubscribe?token=${token}&hash=${signAddressHash(secretKeys, own)}`, '');
  expect(await app.sql`select 1 from consent_withdrawals where lead_id = ${lead.id}`).toHaveLength(1);
  expect(new Set(await listed())).toEqual(new Set([hmac, own]));
});

test('the audit log names the lead and the providers that exist', async () => {
  await using app = await testApp();
  const headers = await signedIn(app, 'owner');
  const provider = await insertProvider(app.db, { name: 'Quay Clinic' });
  const lead = await insertLead(app.db, { firstName: 'Kit', lastName: 'Elmsworth' });
  const assigned = await patch(app, `/api/leads/${lead.id}/provider`, {
    body: { providerId: provider.id },
    headers: { ...headers, 'content-type': 'application/json' },
  });
  expect(assigned.status).toBe(200);
  const read = async () =>
    (
      await app.get(`/trpc/audit.list?input=${encodeURIComponent('{"action":"lead.assign"}')}`, headers)
    ).json();
  const subject = { kind: 'lead', id: String(lead.id) };
  expect(await read()).toMatchObject({
    result: {
      data: {
        lines: [{ subject: { ...subject, name: 'Kit Elmsworth' } }],
        providers: [{ id: provider.id, name: 'Quay Clinic' }],
      },
    },
  });
  await app.sql`update leads set deleted_at = now(), erased_at = now() where id = ${lead.id}`;
  expect(await read()).toMatchObject({
    result: { data: { lines: [{ subject: { ...subject, name: null } }] } },
  });
});

test('a change by a page that shows another account is refused, and names the one that is signed in', async () => {
  await using app = await testApp();
  const [first, second] = [await insertAccount(app, 'manager'), await insertAccount(app, 'manager')];
  const lead = await insertLead(app.db);
  const headers = { ...(await sessionOf(app, second)), 'content-type': 'application/json' };
  const remove = (account: string) =>
    app.post('/trpc/adminLeads.remove', { id: lead.id }, { ...headers, 'x-account': account });
  const refused = await remove(String(first.id));
  expect([refused.status, refused.text]).toEqual([
    409,
    expect.stringContaining(`You are signed in as ${second.name}.`),
  ]);
  expect(refused.text).toContain('other-account');
  expect((await remove('shared')).status).toBe(409);
  expect(await app.sql`select 1 from leads where deleted_at is not null`).toHaveLength(0);
  // Reading changes nothing, and shows the same to both.
  const list = await app.get('/trpc/adminLeads.list?input=%7B%7D', { ...headers, 'x-account': 'shared' });
  expect(list.status).toBe(200);
  expect((await remove(String(second.id))).status).toBe(200);
});
