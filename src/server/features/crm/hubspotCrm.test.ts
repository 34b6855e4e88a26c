import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { deliveries, type LeadInsert } from '#server/db/schema/index.ts';
import type { DeliveryTemplate } from '#shared/admin/deliveries.ts';
import { noOtherContacts } from '#test/support/contactHistory.ts';
import { hubspot } from '#test/support/hubspot.ts';
import { insertLead } from '#test/support/leadRows.ts';
import {
  answers,
  type Behaviour,
  cuts,
  endless,
  type Receiver,
  startReceiver,
} from '#test/support/receiver.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { contactHistory } from '../outbox/subject.ts';
import type { DeliveryInput } from '../outbox/types.ts';
import { createHubspotCrm } from './hubspotCrm.ts';

const start = Date.now();

async function buildInput(
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
    remoteId,
    isKnown: false,
    isUnanswered: false,
    leftOut: [],
    contacts: noOtherContacts,
  };
  return { delivery, lead: stored, ...rest, signal: AbortSignal.timeout(20_000) };
}

function toCrm({ url }: Receiver, token = 'pat-na1-token', intervalMs = 10) {
  return createHubspotCrm({ url: new URL(url).origin, token, allowLoopback: true, intervalMs });
}

test('repeated deliveries and spellings of an address update one contact', async () => {
  const { behave, contacts } = hubspot();
  await using receiver = await startReceiver(behave);
  const deliver = toCrm(receiver);
  const first = await deliver(await buildInput({ email: 'Ada@example.com', firstName: 'Ada' }));
  expect(first).toMatchObject({ outcome: 'delivered', status: 'HTTP 200', remoteId: '900000000' });
  const again = await deliver(
    await buildInput({ email: 'ada@example.com', firstName: 'Adela', zipCode: '10016' }),
  );
  expect(again).toMatchObject({ remoteId: '900000000' });
  expect([...contacts.values()]).toEqual([expect.objectContaining({ firstname: 'Adela', zip: '10016' })]);
});

test('a contact has the number with its extension, and what was typed in the message', async () => {
  const { behave, contacts } = hubspot();
  await using receiver = await startReceiver(behave);
  const phone = '303-555-0142 ext. 44 before 10am, please';
  await toCrm(receiver)(await buildInput({ email: 'kit.o’brien@example.com', phone }));
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
  const deliver = toCrm(receiver);
  contacts.set('77', { email: 'changed@example.com' });
  expect(await deliver(await buildInput({ email: 'ada@example.com' }, '77'))).toMatchObject({
    remoteId: '77',
  });
  expect([...contacts.keys()]).toEqual(['77']);
  contacts.clear();
  expect(await deliver(await buildInput({ email: 'ada@example.com' }, '77'))).toMatchObject({
    outcome: 'delivered',
    remoteId: '900000000',
  });
});

test('an erasure deletes the contact permanently by its id and sends nothing else', async () => {
  const { behave, contacts, erased } = hubspot();
  await using receiver = await startReceiver(behave);
  contacts.set('77', { email: 'ada@example.com' });
  contacts.set('78', { email: 'other@example.com' });
  const deliver = toCrm(receiver);
  const erase = await buildInput({}, '77', 'erased');
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
  const deliver = toCrm(receiver);
  const erase = await buildInput({}, null, 'erased');
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
  const erase = await buildInput({}, '77', 'erased');
  expect(await toCrm(receiver, 'pat-na1-revoked')(erase)).toMatchObject({
    outcome: 'failed',
    refusal: 'ours',
  });
  receiver.become(answers(429, '{"policyName":"DAILY"}'));
  expect(await toCrm(receiver)(erase)).toMatchObject({ refusal: 'later', retryAfterSeconds: 3600 });
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
  expect(await toCrm(receiver)(await buildInput())).toMatchObject({
    outcome: 'failed',
    refusal: 'later',
    retryAfterSeconds,
  });
});

test('a refused token is ours, and an empty batch result concerns the lead', async () => {
  await using receiver = await startReceiver(hubspot().behave);
  expect(await toCrm(receiver, 'pat-na1-revoked')(await buildInput())).toMatchObject({
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
  expect(await toCrm(receiver)(await buildInput())).toMatchObject({
    outcome: 'failed',
    refusal: 'recipient',
    reason: 'HubSpot returned HTTP 207, but stored no contact.',
  });
});

test('requests of one process are sent at intervals', async () => {
  const { behave } = hubspot();
  await using receiver = await startReceiver(behave);
  const deliver = toCrm(receiver, undefined, 3_600_000);
  const input = await buildInput();
  expect(await deliver(input)).toMatchObject({ outcome: 'delivered' });
  const stopping = new AbortController();
  const waiting = deliver({ ...input, signal: stopping.signal });
  // A request of another process is not delayed and has finished.
  expect(await toCrm(receiver)(input)).toMatchObject({ outcome: 'delivered' });
  expect(receiver.received).toHaveLength(2);
  stopping.abort();
  await expect(waiting).rejects.toHaveProperty('name', 'AbortError');
  expect(receiver.received).toHaveLength(2);
});

const conflict = JSON.stringify({
  status: 'error',
  message: 'Contact already exists. Existing ID: 12345',
  category: 'CONFLICT',
});

test('a conflict updates the contact that it names, without the email address', async () => {
  const { behave, contacts } = hubspot();
  contacts.set('12345', { email: 'first@example.com', phone: '+13035550100' });
  await using receiver = await startReceiver((response, received, nth) =>
    received.method === 'POST'
      ? answers(409, conflict)(response, received, nth)
      : behave(response, received, nth),
  );
  const result = await toCrm(receiver)(await buildInput({ email: 'second@example.com', firstName: 'Ada' }));
  expect(result).toMatchObject({ outcome: 'delivered', remoteId: '12345' });
  expect(contacts.get('12345')).toMatchObject({ email: 'first@example.com', firstname: 'Ada' });
  expect(receiver.received.map(({ method }) => method)).toEqual(['POST', 'PATCH']);
});

test('a conflict with a contact that is gone, or that is not named, is ours', async () => {
  const { behave } = hubspot();
  await using receiver = await startReceiver((response, received, nth) =>
    received.method === 'POST'
      ? answers(409, conflict)(response, received, nth)
      : behave(response, received, nth),
  );
  expect(await toCrm(receiver)(await buildInput())).toMatchObject({ refusal: 'ours', status: 'HTTP 409' });
  receiver.become(answers(409, '{"message":"Conflict"}'));
  expect(await toCrm(receiver)(await buildInput())).toMatchObject({ refusal: 'ours', status: 'HTTP 409' });
});

test('an update never sends the email address, which may be corrected in HubSpot', async () => {
  const { behave, contacts } = hubspot();
  contacts.set('77', { email: 'corrected@example.com' });
  await using receiver = await startReceiver(behave);
  await toCrm(receiver)(await buildInput({ email: 'typo@example.com', firstName: 'Ada' }, '77'));
  expect(contacts.get('77')).toMatchObject({ email: 'corrected@example.com', firstname: 'Ada' });
});

/** The delivery of a lead with an address that other leads have too. `leaseMs`: of its attempt, from now. */
async function sharing({ db }: TestDb, firstName: string, leaseMs?: number): Promise<DeliveryInput> {
  const shared = { email: 'both@example.com', emailNorm: 'both@example.com' };
  const lead = await insertLead(db, { ...shared, firstName });
  const id = randomUUID();
  const leasedUntil = leaseMs === undefined ? null : new Date(start + leaseMs);
  const row = { id, leadId: lead.id, channel: 'crm' as const, nextAttemptAt: new Date(), leasedUntil };
  const [delivery] = await db.insert(deliveries).values(row).returning();
  if (delivery === undefined) throw new Error('no delivery');
  const input = { ...(await buildInput()), delivery, lead };
  return { ...input, contacts: contactHistory(db, { lead, leasedUntil, now: new Date(start) }) };
}

test('of two due leads with one address, the newer is delivered first', async () => {
  const { behave } = hubspot();
  await using receiver = await startReceiver(behave);
  await using database = await testDb();
  const deliver = toCrm(receiver);
  const older = await sharing(database, 'Mia', 20_000);
  const newer = await sharing(database, 'Max', 20_000);
  const later = await sharing(database, 'Moe', 21_000);
  const results = await Promise.all([older, newer, later].map((one) => deliver(one)));
  expect(results.map(({ outcome }) => outcome)).toEqual(['postponed', 'delivered', 'postponed']);
  // The process that delivered the newer one ended.
  await database.db.update(deliveries).set({ leasedUntil: new Date(start - 1) });
  expect(await deliver(older)).toMatchObject({ outcome: 'delivered' });
});

test('an older lead changes only the message of a contact that a newer lead has', async () => {
  const { behave, contacts } = hubspot();
  await using receiver = await startReceiver(behave);
  await using database = await testDb();
  const { db } = database;
  const deliver = toCrm(receiver);
  const [older, newer] = [await sharing(database, 'Mia'), await sharing(database, 'Max')];
  const arrived = await deliver(newer);
  if (arrived.outcome !== 'delivered') throw new Error('not delivered');
  const { remoteId = '' } = arrived;
  await db.update(deliveries).set({ remoteId }).where(eq(deliveries.id, newer.delivery.id));
  // Its first attempt came late; then staff assign it.
  expect(await deliver(older)).toMatchObject({ outcome: 'delivered', remoteId });
  await deliver({ ...older, remoteId });
  expect(contacts.size).toBe(1);
  expect(contacts.get(remoteId)).toMatchObject({
    firstname: 'Max',
    message: expect.stringContaining(`Lead ${older.lead.id} of`),
  });
  await deliver({ ...newer, remoteId });
  expect(contacts.get(remoteId)?.['message']).toContain(`Lead ${newer.lead.id} of`);
});

test.each([
  ['is cut', cuts(200)],
  ['never ends', endless],
  ['is no JSON', answers(200, '<p>OK')],
])('a 200 whose body %s is delivered without an id, and creates no second contact', async (_, broken) => {
  const { behave, contacts } = hubspot();
  const stores: Behaviour = (response, received, nth) => {
    // Stored, and then answered badly.
    const { inputs } = JSON.parse(received.body) as { inputs: { properties: Record<string, string> }[] };
    contacts.set('501', inputs[0]?.properties ?? {});
    broken(response, received, nth);
  };
  await using receiver = await startReceiver(stores);
  const deliver = toCrm(receiver);
  const input = await buildInput();
  const first = await deliver(input);
  expect(first).toMatchObject({ outcome: 'delivered', status: 'HTTP 200' });
  expect(first).not.toHaveProperty('remoteId');
  receiver.become(behave);
  expect(await deliver(input)).toMatchObject({ outcome: 'delivered', remoteId: [...contacts.keys()][0] });
  expect(contacts.size).toBe(1);
  // Without an id, an erasure can't delete it.
  const erase = { ...input, delivery: { ...input.delivery, template: 'erased' as const }, isKnown: true };
  expect(await deliver(erase)).toMatchObject({ outcome: 'failed', refusal: 'recipient' });
});

test.each([
  [
    {
      message:
        'Property values were not valid: [{"isValid":false,"message":"Email address x is invalid","error":"INVALID_EMAIL","name":"email"}]',
    },
    'HubSpot returned HTTP 400. Correct the lead’s email address (INVALID_EMAIL), then retry.',
  ],
  [
    {
      message:
        'Property values were not valid: [{"isValid":false,"message":"Property \\"message\\" does not exist","error":"PROPERTY_DOESNT_EXIST","name":"message"}]',
    },
    'HubSpot returned HTTP 400. Create the contact property “message” in HubSpot (PROPERTY_DOESNT_EXIST), then retry.',
  ],
  [
    {
      message: 'bad',
      errors: [
        { message: 'zip was not a number', code: 'INVALID_INTEGER', context: { propertyName: ['zip'] } },
      ],
    },
    'HubSpot returned HTTP 400. It refused the contact property “zip” (INVALID_INTEGER). Correct the lead, or the property in HubSpot, then retry.',
  ],
  [{ message: 'Invalid input JSON' }, 'HubSpot returned HTTP 400.'],
])('a 400 with %j says what to do', async (body, reason) => {
  await using receiver = await startReceiver(answers(400, JSON.stringify({ status: 'error', ...body })));
  expect(await toCrm(receiver)(await buildInput())).toMatchObject({ refusal: 'recipient', reason });
});
