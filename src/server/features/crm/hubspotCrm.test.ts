import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { deliveries, type LeadInsert } from '#server/db/schema/index.ts';
import type { DeliveryTemplate } from '#shared/admin/deliveries.ts';
import { noOtherContacts } from '#test/support/contactHistory.ts';
import { hubspot } from '#test/support/hubspot.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { answers, type Receiver, startReceiver } from '#test/support/receiver.ts';
import { testDb } from '#test/support/testDb.ts';
import type { DeliveryInput } from '../outbox/types.ts';
import { createHubspotCrm } from './hubspotCrm.ts';

async function inputOf(
  lead: Partial<LeadInsert> = {},
  remoteId: string | null = null,
  template: DeliveryTemplate = 'lead',
): Promise<DeliveryInput> {
  await using database = await testDb();
  const stored = await insertLead(database.db, lead);
  const [delivery] = await database.db
    .insert(deliveries)
    .values({ id: randomUUID(), leadId: stored.id, channel: 'crm', template, nextAttemptAt: new Date() })
    .returning();
  if (delivery === undefined) throw new Error('no delivery');
  const rest = {
    provider: null,
    now: new Date(),
    attemptNumber: 1,
    remoteId,
    isKnown: false,
    isUnanswered: false,
    contacts: noOtherContacts,
  };
  return { deliveryId: delivery.id, delivery, lead: stored, ...rest, signal: AbortSignal.timeout(20_000) };
}

function crmOf({ url }: Receiver, token = 'pat-na1-token', intervalMs = 10) {
  return createHubspotCrm({ url: new URL(url).origin, token, allowLoopback: true, intervalMs });
}

test('repeated deliveries and spellings of an address update one contact', async () => {
  const { behave, contacts } = hubspot();
  await using receiver = await startReceiver(behave);
  const deliver = crmOf(receiver);
  const first = await deliver(await inputOf({ email: 'Ada@example.com', firstName: 'Ada' }));
  expect(first).toMatchObject({ outcome: 'delivered', status: 'HTTP 200', remoteId: '900000000' });
  const again = await deliver(
    await inputOf({ email: 'ada@example.com', firstName: 'Adela', zipCode: '10016' }),
  );
  expect(again).toMatchObject({ remoteId: '900000000' });
  expect([...contacts.values()]).toEqual([expect.objectContaining({ firstname: 'Adela', zip: '10016' })]);
});

test('a contact has the number with its extension, and what was typed in the message', async () => {
  const { behave, contacts } = hubspot();
  await using receiver = await startReceiver(behave);
  const phone = '303-555-0142 ext. 44 before 10am, please';
  await crmOf(receiver)(await inputOf({ email: 'kit.o’brien@example.com', phone }));
  expect([...contacts.values()]).toEqual([
    expect.objectContaining({
      email: "kit.o'brien@example.com",
      phone: '+13035550142 ext. 44',
      message: expect.stringContaining('Phone as typed: 303-555-0142 ext 44 before 10am'),
    }),
  ]);
});

test('a contact is updated by its id, and a deleted contact is created again', async () => {
  const { behave, contacts } = hubspot();
  await using receiver = await startReceiver(behave);
  const deliver = crmOf(receiver);
  contacts.set('77', { email: 'changed@example.com' });
  expect(await deliver(await inputOf({ email: 'ada@example.com' }, '77'))).toMatchObject({ remoteId: '77' });
  expect([...contacts.keys()]).toEqual(['77']);
  contacts.clear();
  expect(await deliver(await inputOf({ email: 'ada@example.com' }, '77'))).toMatchObject({
    outcome: 'delivered',
    remoteId: '900000000',
  });
});

test('an erasure deletes the contact permanently by its id and sends nothing else', async () => {
  const { behave, contacts, erased } = hubspot();
  await using receiver = await startReceiver(behave);
  contacts.set('77', { email: 'ada@example.com' });
  contacts.set('78', { email: 'other@example.com' });
  const deliver = crmOf(receiver);
  const erase = await inputOf({}, '77', 'erased');
  expect(await deliver(erase)).toEqual({ outcome: 'delivered', status: 'HTTP 204', answer: '' });
  expect([...contacts.keys()]).toEqual(['78']);
  expect(erased).toEqual(['77']);
  expect(receiver.received.map(({ method, path, body }) => [method, path, JSON.parse(body)])).toEqual([
    ['POST', '/crm/v3/objects/contacts/gdpr-delete', { objectId: '77' }],
  ]);
  // Another lead of the same person has the same contact.
  expect(await deliver(erase)).toMatchObject({ outcome: 'delivered', status: 'HTTP 404' });
});

test('an erasure without a contact id sends nothing; staff check a possible contact', async () => {
  await using receiver = await startReceiver(hubspot().behave);
  const deliver = crmOf(receiver);
  const erase = await inputOf({}, null, 'erased');
  expect(await deliver(erase)).toEqual({ outcome: 'delivered', status: null, answer: null });
  expect(await deliver({ ...erase, isUnanswered: true })).toMatchObject({
    outcome: 'failed',
    refusal: 'recipient',
    reason: expect.stringContaining(`never said whether it took lead ${erase.lead.id}:`),
  });
  expect(receiver.received).toEqual([]);
});

test('an erasure that HubSpot refuses or delays has failed', async () => {
  await using receiver = await startReceiver(hubspot().behave);
  const erase = await inputOf({}, '77', 'erased');
  expect(await crmOf(receiver, 'pat-na1-revoked')(erase)).toMatchObject({
    outcome: 'failed',
    refusal: 'ours',
  });
  receiver.become(answers(429, '{"policyName":"DAILY"}'));
  expect(await crmOf(receiver)(erase)).toMatchObject({ refusal: 'later', retryAfterSeconds: 3600 });
});

const limit = (policyName: string): string =>
  JSON.stringify({
    status: 'error',
    errorType: 'RATE_LIMIT',
    message: 'You have reached your limit.',
    policyName,
  });

test.each([
  ['of ten seconds', answers(429, limit('TEN_SECONDLY_ROLLING')), 10],
  ['of a day', answers(429, limit('DAILY')), 3600],
  ['with Retry-After', answers(429, limit('DAILY'), { 'retry-after': '25' }), 25],
  ['without a body', answers(429), 10],
])('a rate limit %s delays the retry', async (_, behaviour, retryAfterSeconds) => {
  await using receiver = await startReceiver(behaviour);
  expect(await crmOf(receiver)(await inputOf())).toMatchObject({
    outcome: 'failed',
    refusal: 'later',
    retryAfterSeconds,
  });
});

test('a refused token is ours, and an empty batch result concerns the lead', async () => {
  await using receiver = await startReceiver(hubspot().behave);
  expect(await crmOf(receiver, 'pat-na1-revoked')(await inputOf())).toMatchObject({
    outcome: 'failed',
    refusal: 'ours',
    status: 'HTTP 401',
    reason: 'HubSpot returned HTTP 401. Check the key that the CRM expects of this installation.',
  });
  receiver.become(
    answers(
      207,
      JSON.stringify({
        status: 'COMPLETE',
        results: [],
        numErrors: 1,
        errors: [{ category: 'VALIDATION_ERROR' }],
      }),
    ),
  );
  expect(await crmOf(receiver)(await inputOf())).toMatchObject({
    outcome: 'failed',
    refusal: 'recipient',
    reason: 'HubSpot returned HTTP 207, but stored no contact.',
  });
});

test('requests of one process are sent at intervals', async () => {
  const { behave } = hubspot();
  await using receiver = await startReceiver(behave);
  const deliver = crmOf(receiver, undefined, 3_600_000);
  const input = await inputOf();
  expect(await deliver(input)).toMatchObject({ outcome: 'delivered' });
  const stopping = new AbortController();
  const waiting = deliver({ ...input, signal: stopping.signal });
  // A request of another process is not delayed and has finished.
  expect(await crmOf(receiver)(input)).toMatchObject({ outcome: 'delivered' });
  expect(receiver.received).toHaveLength(2);
  stopping.abort();
  await expect(waiting).rejects.toHaveProperty('name', 'AbortError');
  expect(receiver.received).toHaveLength(2);
});
