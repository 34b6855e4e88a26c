import { expect, test } from 'vitest';
import { signAddressHash, signWithdrawal } from '#server/features/mail/linkTokens.ts';
import { identityHash } from '#server/features/identity/identityHashes.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertAgreed, insertLead } from '#test/support/leadRows.ts';
import { getSession, insertAccount, signedIn, getToken } from '#test/support/staff.ts';
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
  const headers = await getToken(app, ['leads:write', 'leads:read']);
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
  const reading = await getToken(app, ['leads:read']);
  expect(
    (await patch(app, `/api/leads/${id}`, { body: { phone: '(303) 555-0142' }, headers: reading })).status,
  ).toBe(403);
});

/** A lead that staff corrected to each of these addresses in turn, and what its messages contained. */
async function correctedLead(app: TestApp, first: string, ...others: string[]) {
  const lead = await insertAgreed(app.db, { email: first });
  const headers = await getToken(app, ['leads:write']);
  const { secretKeys } = app.services.config;
  const key = await testIdentityKey(app.database);
  const getHash = (email: string) => identityHash(key, 'email', email);
  for (const email of others) await patch(app, `/api/leads/${lead.id}`, { body: { email }, headers });
  /** The query of a link in a message to this address: `hash` as 1.0.1 has it. */
  const linkTo = (email: string, { hash = email, isFirst = email === first } = {}): string => {
    const token = signWithdrawal(secretKeys, lead.publicId, isFirst ? null : getHash(email));
    return `token=${token}${hash === '' ? '' : `&hash=${signAddressHash(secretKeys, getHash(hash))}`}`;
  };
  return {
    lead,
    linkTo,
    press: async (query: string) => (await app.post(`/api/unsubscribe?${query}`, '')).status,
    hashOf: getHash,
    listed: async () =>
      (await app.sql`select value_hmac from suppressions order by at`).map(
        (row) => row['value_hmac'] as unknown,
      ),
    withdrawn: async () =>
      (await app.sql`select lead_id::int from consent_withdrawals`).map((row) => row['lead_id'] as unknown),
  };
}

test.each([
  ['the link', 'kit@exmaple.com'],
  ['the link of 1.0.0', ''],
  ['the link with the hash of another lead', 'other@mail.example'],
])('%s in a message to a mistyped address ends contact with that address only', async (_, hash) => {
  await using app = await testApp();
  const kit = await correctedLead(app, 'kit@exmaple.com', 'kit@example.com');
  expect(await kit.press(kit.linkTo('kit@exmaple.com', { hash }))).toBe(200);
  expect(await kit.withdrawn()).toEqual([]);
  expect(await kit.listed()).toEqual([kit.hashOf('kit@exmaple.com')]);
  // The person’s own link still ends contact with the person.
  expect(await kit.press(kit.linkTo('kit@example.com', { hash: '' }))).toBe(200);
  expect(await kit.withdrawn()).toEqual([kit.lead.id]);
  expect(await kit.listed()).toEqual([kit.hashOf('kit@exmaple.com'), kit.hashOf('kit@example.com')]);
});

test('a link to a corrected address can’t be cut to one that stops the first address', async () => {
  await using app = await testApp();
  const kit = await correctedLead(app, 'first@mail.example', 'second@mail.example', 'third@mail.example');
  const [text = '', mac = ''] = kit
    .linkTo('second@mail.example', { hash: '' })
    .slice('token='.length)
    .split('.');
  const cut = `token=${text.slice(0, 36)}.${mac}`;
  expect((await app.post(`/api/unsubscribe?${cut}`, '')).status).toBe(404);
  expect(await kit.press(kit.linkTo('second@mail.example'))).toBe(200);
  expect(await kit.listed()).toEqual([kit.hashOf('second@mail.example')]);
  expect(await kit.withdrawn()).toEqual([]);
});

test('a link to an address that staff corrected back ends contact with the person', async () => {
  await using app = await testApp();
  const kit = await correctedLead(app, 'kit@mail.example', 'slip@mail.example', 'kit@mail.example');
  expect(await kit.press(kit.linkTo('kit@mail.example', { hash: '' }))).toBe(200);
  expect(await kit.withdrawn()).toEqual([kit.lead.id]);
  expect(await kit.listed()).toEqual([kit.hashOf('kit@mail.example')]);
});

test('a link to a former address asks, then ends contact with every lead that has it', async () => {
  await using app = await testApp();
  const berta = await correctedLead(app, 'berta@mail.example', 'anna@mail.example');
  const own = await insertAgreed(app.db, { email: 'berta@mail.example', phone: '(303) 555-0199' });
  await berta.press(berta.linkTo('anna@mail.example'));
  expect(await berta.withdrawn()).toEqual([berta.lead.id]);
  const [token, query] = berta.linkTo('berta@mail.example').replace('token=', '').split('&');
  const page = async () => (await app.get(`/withdraw/${token}?${query}`)).text;
  expect(await page()).toContain('<form');
  await berta.press(`token=${token}&${query}`);
  expect(await berta.withdrawn()).toEqual([berta.lead.id, own.id]);
  expect(await page()).not.toContain('<form');
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
      await app.get(`/trpc/admin.audit.list?input=${encodeURIComponent('{"action":"lead.assign"}')}`, headers)
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

test('a change by a page that shows another account is refused, and names the current', async () => {
  await using app = await testApp();
  const [first, second] = [await insertAccount(app, 'manager'), await insertAccount(app, 'manager')];
  const lead = await insertLead(app.db);
  const headers = { ...(await getSession(app, second)), 'content-type': 'application/json' };
  const remove = (account: string) =>
    app.post('/trpc/admin.leads.remove', { id: lead.id }, { ...headers, 'x-account': account });
  const refused = await remove(String(first.id));
  expect([refused.status, refused.text]).toEqual([
    409,
    expect.stringContaining(`You are signed in as ${second.name}.`),
  ]);
  expect(refused.text).toContain('other-account');
  expect((await remove('shared')).status).toBe(409);
  expect(await app.sql`select 1 from leads where deleted_at is not null`).toHaveLength(0);
  // Reading changes nothing, and shows the same to both.
  const list = await app.get('/trpc/admin.leads.list?input=%7B%7D', { ...headers, 'x-account': 'shared' });
  expect(list.status).toBe(200);
  expect((await remove(String(second.id))).status).toBe(200);
});
