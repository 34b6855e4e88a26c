import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { identityHash } from '#server/features/identity/identityHashes.ts';
import { findUnreachable } from '#server/features/mail/unreachableAddresses.ts';
import { signWebhook } from '#server/features/outbox/httpResult.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertAgreed } from '#test/support/leadRows.ts';
import { mailServer } from '#scripts/demo/mailServer.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import { formToken } from '#test/support/formToken.ts';
import { leadInput } from '#test/support/factories.ts';
import { testIdentityKey } from '#test/support/testKeys.ts';
import { type Answer, testApp, type TestApp } from '#test/support/testApp.ts';

const secret = `whsec_${'A'.repeat(44)}`;
const env = { INBOUND_MAIL_ADDRESS: 'stop@reply.example', INBOUND_MAIL_SECRET: secret };
const path = '/api/mail/inbound';

function report(app: TestApp, event: object, by = secret): Promise<Answer> {
  const body = JSON.stringify(event);
  const headers = signWebhook({ id: 'msg_1', body, secrets: [by], now: new Date() });
  return app.post(path, body, { ...headers, 'content-type': 'application/json' });
}

async function getState({ sql }: TestApp, id: string): Promise<unknown[]> {
  const [row] = await sql`
    select d.state, d.reason, l.delivery_failed from deliveries d join leads l on l.id = d.lead_id where d.id = ${id}`;
  return Object.values(row ?? {});
}

async function given(app: TestApp) {
  const provider = await insertProvider(app.db, { email: 'front@quay.example', zipCode: '80202' });
  const lead = await insertAgreed(app.db, { providerId: provider.id, email: 'Kit+x@example.com' });
  const row = { leadId: lead.id, providerId: provider.id, state: 'delivered' } as const;
  return {
    lead,
    toLead: await insertDelivery(app, { ...row, channel: 'lead-email' }),
    toProvider: await insertDelivery(app, { ...row, channel: 'provider-email' }),
  };
}

test('a permanent bounce fails the delivery once; its reason has no contact details', async () => {
  await using app = await testApp({ env });
  const { toLead, toProvider } = await given(app);
  const bounce = { type: 'bounce', message_id: `<${toLead}@brand.example>`, recipient: 'kit@example.com' };
  for (const reason of ['550 no mailbox Kit+x@example.com', 'again']) {
    const answer = await report(app, { ...bounce, permanent: true, reason });
    expect([answer.status, answer.json()]).toEqual([200, { success: true }]);
    expect(await getState(app, toLead)).toEqual(['failed', 'The email bounced: 550 no mailbox […]', true]);
  }
  expect(await getState(app, toProvider)).toEqual(['delivered', null, true]);
  const rows = await app.sql`select cause, recipient_hmac from unreachable_addresses`;
  expect(rows.map(({ cause }) => cause)).toEqual(['bounce']);
  expect(JSON.stringify(rows)).not.toContain('kit');
  expect([...(await app.sql`select kind from suppressions`)]).toEqual([]);
});

test('a temporary or forged bounce changes nothing', async () => {
  await using app = await testApp({ env });
  const { toLead } = await given(app);
  const bounce = { type: 'bounce', message_id: `<${toLead}@brand.example>`, recipient: 'kit@example.com' };
  const answers = [
    await report(app, { ...bounce, permanent: false, reason: '550 5.1.1 no such user' }),
    await report(app, { ...bounce, reason: '452 4.2.2 mailbox full' }),
    await report(app, { ...bounce, reason: '552 5.2.2 mailbox full' }),
    await report(app, bounce),
    await report(app, { ...bounce, recipient: 'other@example.com' }),
    await report(app, { ...bounce, message_id: `<${randomUUID()}@brand.example>` }),
    await report(app, { ...bounce, message_id: 'x' }),
    await report(app, bounce, `whsec_${'B'.repeat(44)}`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200, 401]);
  expect(await getState(app, toLead)).toEqual(['delivered', null, false]);
  expect([...(await app.sql`select cause from unreachable_addresses`)]).toEqual([]);
});

test('a lead’s complaint suppresses its address; a provider’s stops only email to it', async () => {
  await using app = await testApp({ env });
  const { lead, toLead, toProvider } = await given(app);
  const to = (id: string, recipient: string) => ({
    type: 'complaint',
    message_id: `${id}@x.example`,
    recipient,
  });
  await report(app, to(toProvider, 'FRONT@quay.example'));
  expect([...(await app.sql`select kind from suppressions`)]).toEqual([]);
  const marks = await app.sql`select address, cause from unreachable_providers`;
  expect([...marks]).toEqual([{ address: 'front@quay.example', cause: 'complaint' }]);
  await report(app, to(toLead, 'kit@example.com'));
  expect([...(await app.sql`select kind, reason from suppressions`)]).toEqual([
    { kind: 'email', reason: 'unsubscribed' },
  ]);
  const withdrawn = await app.sql`select lead_id::int, how from consent_withdrawals`;
  expect([...withdrawn]).toEqual([{ lead_id: lead.id, how: 'complaint' }]);
});

test('a report about an email to a former address of a lead concerns that address only', async () => {
  await using app = await testApp({ env });
  const { lead, toLead } = await given(app);
  await app.sql`update deliveries set finished_at = now() - interval '10 minutes' where id = ${toLead}`;
  await app.sql`
    insert into lead_corrections (lead_id, at, by, field, before)
    values (${lead.id}, now() - interval '5 minutes', 'Staff', 'email', 'Kit+x@example.com')`;
  await app.sql`update leads set email = 'right@mail.example', email_norm = 'right@mail.example' where id = ${lead.id}`;
  const about = { message_id: `${toLead}@x.example`, reason: '550 5.1.1 no such user' };
  // What a report claims proves nothing: the email never went there.
  for (const type of ['complaint', 'bounce'])
    await report(app, { ...about, type, recipient: 'right@mail.example' });
  expect(await app.sql`select 1 from suppressions union select 1 from unreachable_addresses`).toHaveLength(0);
  await report(app, { ...about, type: 'complaint', recipient: 'kit+x@example.com' });
  const key = await testIdentityKey(app.database);
  expect([...(await app.sql`select value_hmac from suppressions`)]).toEqual([
    { value_hmac: identityHash(key, 'email', 'kit+x@example.com') },
  ]);
  expect(await app.sql`select 1 from consent_withdrawals`).toHaveLength(0);
  await report(app, { ...about, type: 'bounce', recipient: 'kit+x@example.com' });
  expect(await getState(app, toLead)).toMatchObject(['failed', expect.stringContaining('5.1.1'), true]);
  expect(await findUnreachable(app.services, 'right@mail.example')).toBeNull();
  expect(await findUnreachable(app.services, 'kit+x@example.com')).toBe('bounce');
});

test('a report that names another address than the email went to changes nothing', async () => {
  await using app = await testApp({ env });
  const { lead, toProvider } = await given(app);
  await app.sql`
    insert into delivery_attempts (delivery_id, lead_id, channel, duration_ms, outcome, address)
    values (${toProvider}, ${lead.id}, 'provider-email', 1, 'delivered', 'front@quay.example')`;
  await app.sql`update providers set email = 'new@quay.example', updated_at = now() where id = ${lead.providerId}`;
  const about = { message_id: `${toProvider}@x.example`, reason: '550 5.1.1 no such user' };
  for (const recipient of ['new@quay.example', 'else@quay.example'])
    for (const type of ['bounce', 'complaint']) await report(app, { ...about, type, recipient });
  expect(await getState(app, toProvider)).toEqual(['delivered', null, false]);
  expect(await app.sql`select 1 from unreachable_providers`).toHaveLength(0);
  await report(app, { ...about, type: 'bounce', recipient: 'front@quay.example' });
  expect(await getState(app, toProvider)).toMatchObject(['queued', expect.any(String), false]);
});

test('after a bounce, no email is sent to either address by itself', async () => {
  await using server = await mailServer();
  await using app = await testApp({
    env: { ...env, SMTP_URL: `smtp://127.0.0.1:${server.port}` },
    worker: true,
  });
  const { toLead, toProvider } = await given(app);
  const bounce = { type: 'bounce', reason: '550 5.1.1 no such user' };
  await report(app, { ...bounce, message_id: `${toLead}@x.example`, recipient: 'kit@example.com' });
  await report(app, {
    ...bounce,
    message_id: `${toProvider}@x.example`,
    recipient: 'front@quay.example',
  });
  const body = leadInput({ email: 'kit+x@example.com', zip_code: '80202' });
  const sent = await app.post('/api/leads', { ...body, form: 'landing', token: formToken('landing') });
  expect(sent.status).toBe(201);
  const states = () => app.sql`
    select channel, state, hold_cause from deliveries where channel <> 'crm' and lead_id = ${z.object({ id: z.number() }).parse(sent.json()).id} order by channel`;
  await expect
    .poll(async () => [...(await states())])
    .toEqual([
      { channel: 'lead-email', state: 'cancelled', hold_cause: null },
      { channel: 'provider-email', state: 'held', hold_cause: 'unreachable' },
    ]);
  expect(server.received).toEqual([]);
});
