import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkEnd, signOutcome } from '#server/features/mail/linkTokens.ts';
import { signWithdrawal } from '#server/features/mail/linkTokens.ts';
import { applicationInput } from './support/applicationInput.ts';
import { insertProvider, leadInput } from './support/factories.ts';
import { insertAgreed } from './support/leadRows.ts';
import { signedIn, getToken } from './support/staff.ts';
import { type TestApp, testApp } from './support/testApp.ts';
import { linkForm } from '#test/support/linkForm.ts';
import { meets } from '#test/support/meets.ts';

// Only security/clientAddress.ts normalizes addresses. Postgres would keep this one as it is written.
const forwarded = { 'x-forwarded-for': '::ffff:198.51.100.7' };
const normalized = '198.51.100.7';
const form = { ...forwarded, 'content-type': 'application/x-www-form-urlencoded' };

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ env: { TRUSTED_PROXIES: '1' } });
});
afterAll(() => app[Symbol.asyncDispose]());

function plainForm(input: object): string {
  const texts = Object.entries(input).map(([name, value]) => [name, String(value)]);
  return new URLSearchParams(Object.fromEntries(texts)).toString();
}

test.each([
  ['tRPC', (input: object) => app.post('/trpc/leads.create', input, forwarded)],
  ['REST', (input: object) => app.post('/api/leads', input, forwarded)],
  ['a plain form', (input: object) => app.post('/api/leads', plainForm(input), form)],
])('a lead by %s is stored with the normalized address', async (_transport, send) => {
  meets('D.leads.33');
  const input = leadInput();
  expect((await send(input)).status).toBeLessThan(400);
  const rows = await app.sql`
    select acceptance_ip, ip from leads join consent_records on lead_id = leads.id where leads.email = ${input.email}`;
  expect([...rows]).toEqual([{ acceptance_ip: normalized, ip: normalized }]);
});

test.each([
  ['tRPC', (input: object) => app.post('/trpc/applications.create', input, forwarded)],
  ['REST', (input: object) => app.post('/api/provider-applications', input, forwarded)],
  ['a plain form', (input: object) => app.post('/api/provider-applications', plainForm(input), form)],
])('an application by %s is stored with the normalized address', async (transport, send) => {
  const email = `${transport.replaceAll(' ', '-').toLowerCase()}@practice.example`;
  expect((await send(applicationInput({ email }))).status).toBeLessThan(400);
  expect([...(await app.sql`select ip from provider_applications where email = ${email}`)]).toEqual([
    { ip: normalized },
  ]);
});

async function auditedAddresses(action: string, leadId: number): Promise<unknown[]> {
  const rows = await app.sql`
    select ip from audit_log where action = ${action} and subject_id = ${String(leadId)}`;
  return rows.map(({ ip }) => ip);
}

test('a staff action by tRPC and by REST is recorded with the normalized address', async () => {
  const first = await insertAgreed(app.db);
  const staff = { ...(await signedIn(app)), ...forwarded };
  expect((await app.post('/trpc/admin.leads.remove', { id: first.id }, staff)).status).toBe(200);
  expect(await auditedAddresses('lead.delete', first.id)).toEqual([normalized]);
  const second = await insertAgreed(app.db, { email: 'second@mail.example' });
  const headers = { ...(await getToken(app, ['leads:write'])), ...forwarded };
  expect((await app.request('DELETE', `/api/leads/${second.id}`, { headers })).status).toBeLessThan(300);
  expect(await auditedAddresses('lead.delete', second.id)).toEqual([normalized]);
});

test('a withdrawal by the page and by one click is stored with the normalized address', async () => {
  const paths = [
    (token: string) => `/withdraw/${token}`,
    (token: string) => `/api/unsubscribe?token=${token}`,
  ];
  for (const [index, pathOf] of paths.entries()) {
    const lead = await insertAgreed(app.db, { email: `withdrawn-${index}@mail.example` });
    const token = signWithdrawal(app.services.config.secretKeys, lead.publicId);
    const body = linkForm(app.services, pathOf(token));
    expect((await app.post(pathOf(token), body, form)).status).toBeLessThan(400);
    expect([...(await app.sql`select ip from consent_withdrawals where lead_id = ${lead.id}`)]).toEqual([
      { ip: normalized },
    ]);
  }
});

test('an outcome by a provider’s link is recorded with the normalized address', async () => {
  const provider = await insertProvider(app.db, { zipCode: '80202' });
  const lead = await insertAgreed(app.db, { providerId: provider.id, email: 'outcome@mail.example' });
  const link = { publicId: lead.publicId, providerId: provider.id, endsAt: linkEnd(new Date()) };
  const token = signOutcome(app.services.config.secretKeys, { ...link, outcome: 'booked' });
  const path = `/outcome/${token}`;
  const body = linkForm(app.services, path, 'outcome=booked');
  expect((await app.post(path, body, form)).status).toBe(303);
  expect(await auditedAddresses('lead.outcome', lead.id)).toEqual([normalized]);
});
