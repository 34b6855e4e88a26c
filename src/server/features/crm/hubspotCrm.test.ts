import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { deliveries, type LeadInsert } from '#server/db/schema/index.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { answers, type Behaviour, type Receiver, startReceiver } from '#test/support/receiver.ts';
import { testDb } from '#test/support/testDb.ts';
import type { DeliveryInput } from '../deliveries/channel.ts';
import { createHubspotCrm } from './hubspotCrm.ts';

/**
 * Answers as HubSpot's documentation says its contacts do:
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/objects/contacts/batch/upsert-contacts (and …/update-contact).
 */
function hubspot(): { behave: Behaviour; contacts: Map<string, Record<string, string>> } {
  const contacts = new Map<string, Record<string, string>>();
  const say = (response: Parameters<Behaviour>[0], status: number, body: object): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const error = { status: 'error', correlationId: randomUUID() };
  const behave: Behaviour = (response, { method, path, headers, body }) => {
    if (headers.authorization !== 'Bearer pat-na1-token')
      return say(response, 401, {
        ...error,
        message: 'Authentication credentials not found.',
        category: 'INVALID_AUTHENTICATION',
      });
    const sent = JSON.parse(body) as {
      properties?: Record<string, string>;
      inputs?: { id: string; idProperty: string; properties: Record<string, string> }[];
    };
    if (method === 'PATCH') {
      const id = path.replace('/crm/v3/objects/contacts/', '');
      const contact = contacts.get(id);
      if (contact === undefined)
        return say(response, 404, { ...error, message: 'resource not found', category: 'OBJECT_NOT_FOUND' });
      contacts.set(id, { ...contact, ...sent.properties });
      return say(response, 200, { id, properties: contacts.get(id), archived: false });
    }
    const [input] = sent.inputs ?? [];
    if (path !== '/crm/v3/objects/contacts/batch/upsert' || input?.idProperty !== 'email')
      return say(response, 400, { ...error, message: 'Invalid input JSON', category: 'VALIDATION_ERROR' });
    const known = [...contacts].find(([, { email }]) => email?.toLowerCase() === input.id.toLowerCase());
    const id = known?.[0] ?? String(900_000_000 + contacts.size);
    contacts.set(id, { ...known?.[1], ...input.properties });
    return say(response, 200, {
      status: 'COMPLETE',
      results: [{ id, properties: contacts.get(id), archived: false, new: known === undefined }],
    });
  };
  return { behave, contacts };
}

async function inputOf(
  lead: Partial<LeadInsert> = {},
  remoteId: string | null = null,
): Promise<DeliveryInput> {
  await using database = await testDb();
  const stored = await insertLead(database.db, lead);
  const [delivery] = await database.db
    .insert(deliveries)
    .values({ id: randomUUID(), leadId: stored.id, channel: 'crm', nextTryAt: new Date() })
    .returning();
  if (delivery === undefined) throw new Error('no delivery');
  const rest = { provider: null, now: new Date(), tryNumber: 1, remoteId, isKnown: false };
  return { deliveryId: delivery.id, delivery, lead: stored, ...rest, signal: AbortSignal.timeout(20_000) };
}

function crmOf({ url }: Receiver, token = 'pat-na1-token') {
  return createHubspotCrm({ url: new URL(url).origin, token, allowLoopback: true, intervalMs: 10 });
}

test('one person is one contact, however often and under whatever spelling of the address', async () => {
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

test('a contact whose number is known is updated even if its address was changed there; one that is gone is made again', async () => {
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
  ['without a word', answers(429), 10],
])('its limit %s is waited for', async (_, behaviour, retryAfterSeconds) => {
  await using receiver = await startReceiver(behaviour);
  expect(await crmOf(receiver)(await inputOf())).toMatchObject({
    outcome: 'failed',
    permanent: false,
    retryAfterSeconds,
  });
});

test('a token that is refused, and a batch that took nothing, are of no use to try again', async () => {
  await using receiver = await startReceiver(hubspot().behave);
  expect(await crmOf(receiver, 'pat-na1-revoked')(await inputOf())).toMatchObject({
    outcome: 'failed',
    permanent: true,
    status: 'HTTP 401',
    reason: 'HubSpot answered 401.',
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
    permanent: true,
    reason: 'HubSpot answered 207 but took no contact.',
  });
});

test('requests of one process keep their distance', async () => {
  const { behave } = hubspot();
  await using receiver = await startReceiver(behave);
  const deliver = crmOf(receiver);
  const input = await inputOf();
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: 11 }, () => deliver(input)));
  expect(performance.now() - startedAt).toBeGreaterThan(95);
});
