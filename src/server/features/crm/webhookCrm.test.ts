import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import type { LeadRow, ProviderRow } from '#server/db/schema/index.ts';
import { webhookSecret } from '#test/support/outboxSetup.ts';
import { insertProvider } from '#test/support/factories.ts';
import { noOtherContacts } from '#test/support/contactHistory.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';
import {
  answers,
  type Behaviour,
  cuts,
  endless,
  floods,
  type Receiver,
  startReceiver,
  takes,
} from '#test/support/receiver.ts';
import { testDb } from '#test/support/testDb.ts';
import { sealKey } from '../providers/sealedKey.ts';
import type { DeliveryInput } from '../outbox/types.ts';
import { deliveries } from '../../db/schema/index.ts';
import { createWebhookCrm, type WebhookCrm } from './webhookCrm.ts';

const secretKeys = ['webhook-test-key-webhook-test-key-1'];

async function buildInput(overrides: Partial<DeliveryInput> = {}, mpxapi?: string): Promise<DeliveryInput> {
  await using database = await testDb();
  const { db } = database;
  const inserted = await insertProvider(db);
  const lead = await insertLead(db, { providerId: inserted.id });
  const provider = {
    ...inserted,
    mpxapi: mpxapi === undefined ? null : sealKey(secretKeys, inserted.id, mpxapi),
  };
  const [delivery] = await db
    .insert(deliveries)
    .values({ id: randomUUID(), leadId: lead.id, channel: 'crm', nextAttemptAt: new Date() })
    .returning();
  if (delivery === undefined) throw new Error('no delivery');
  const known = {
    remoteId: null,
    isKnown: false,
    isUnanswered: false,
    leftOut: [],
    now: new Date(),
  };
  const signal = AbortSignal.timeout(20_000);
  const contacts = noOtherContacts;
  return { delivery, lead, provider, contacts, ...known, signal, ...overrides };
}

function toCrm({ url }: Pick<Receiver, 'url'>, overrides: Partial<WebhookCrm> = {}) {
  return createWebhookCrm({ url, secret: webhookSecret, secretKeys, allowLoopback: true, ...overrides });
}

describe('a request to the CRM', () => {
  test('has a valid signature with the delivery’s key and the attempt’s time', async () => {
    meets('D.deliveries.19');
    await using receiver = await startReceiver();
    const input = await buildInput();
    const deliver = toCrm(receiver);
    await deliver(input);
    await deliver({ ...input, now: new Date(input.now.getTime() + 60_000) });
    const [first, second] = receiver.received;
    if (first === undefined || second === undefined) throw new Error('nothing arrived');
    for (const { body, headers } of [first, second]) {
      expect(new Webhook(webhookSecret).verify(body, headers)).toEqual(JSON.parse(body));
      expect(() => new Webhook(webhookSecret).verify(`${body} `, headers)).toThrow('No matching signature');
    }
    expect([first.key, second.key]).toEqual([input.delivery.id, input.delivery.id]);
    expect(second.body).toBe(first.body);
    expect(Number(second.headers['webhook-timestamp']) - Number(first.headers['webhook-timestamp'])).toBe(60);
    expect(first).toMatchObject({ method: 'POST', path: '/hook' });
    expect(first.headers['authorization']).toBeUndefined();
  });

  test('has the lead and its provider, without evidence, IP addresses and sealed keys', async () => {
    meets('D.deliveries.20');
    await using receiver = await startReceiver();
    const input = await buildInput({}, 'clinic-key-1');
    await toCrm(receiver)(input);
    const [sent] = receiver.received;
    const { lead, provider }: { lead: LeadRow; provider: ProviderRow | null } = input;
    expect(JSON.parse(sent?.body ?? '')).toEqual({
      type: 'lead.created',
      timestamp: lead.createdAt.toISOString(),
      data: {
        id: lead.id,
        uuid: lead.publicId,
        created_at: lead.createdAt.toISOString(),
        first_name: lead.firstName,
        last_name: lead.lastName,
        email: lead.email,
        phone: lead.phoneE164,
        phone_extension: null,
        phone_typed: null,
        zip_code: '80202',
        acceptance_consent: true,
        provider_id: provider?.id,
        provider_name: provider?.name,
        is_repeat: false,
        contact_id: null,
      },
    });
    expect(sent?.headers['authorization']).toBe('Bearer clinic-key-1');
  });

  test.each([
    ['303-555-0142 ext. 44', '+13035550142', '44', null],
    ['home 303-555-0142, cell 720-555-0199', '+13035550142', null, 'home 303-555-0142, cell 720-555-0199'],
    ['001 303 555 0142 after 10am', '+13035550142', null, '001 303 555 0142 after 10am'],
  ])('has of the phone %j number, extension and what else was typed', async (phone, ...sent) => {
    await using receiver = await startReceiver();
    const input = await buildInput();
    await toCrm(receiver)({ ...input, lead: { ...input.lead, phone } });
    const { data }: { data: Record<string, unknown> } = JSON.parse(receiver.received[0]?.body ?? '');
    expect([data['phone'], data['phone_extension'], data['phone_typed']]).toEqual(sent);
  });

  test('about an erasure has only the ids of the lead and the contact, and is signed', async () => {
    await using receiver = await startReceiver();
    const input = await buildInput({ remoteId: 'contact-7', isKnown: true }, 'clinic-key-1');
    const erasedAt = new Date('2026-06-02T08:30:00Z');
    const erasure = { ...input.delivery, template: 'erased' } as const;
    const result = await toCrm(receiver)({ ...input, delivery: erasure, lead: { ...input.lead, erasedAt } });
    expect(result).toMatchObject({ outcome: 'delivered' });
    const [sent] = receiver.received;
    if (sent === undefined) throw new Error('nothing arrived');
    expect(new Webhook(webhookSecret).verify(sent.body, sent.headers)).toEqual({
      type: 'lead.erased',
      timestamp: '2026-06-02T08:30:00.000Z',
      data: { id: input.lead.id, uuid: input.lead.publicId, contact_id: 'contact-7' },
    });
    expect(sent.headers['authorization']).toBe('Bearer clinic-key-1');
  });

  test('is not sent if no secret opens the provider’s key', async () => {
    await using receiver = await startReceiver();
    const input = await buildInput({}, 'clinic-key-1');
    const result = await toCrm(receiver, { secretKeys: ['another-key-another-key-another-key'] })(input);
    expect(result).toMatchObject({ outcome: 'held', holdCause: 'ours' });
    expect(receiver.received).toEqual([]);
  });
});

describe('the result of an attempt', () => {
  const delivered = { outcome: 'delivered' };
  const later = { outcome: 'failed', refusal: 'later' };
  const ours = { outcome: 'failed', refusal: 'ours' };
  const aboutLead = { outcome: 'failed', refusal: 'recipient' };
  const cases: [string, Behaviour, object][] = [
    ['200 without a body', takes, { ...delivered, status: 'HTTP 200', answer: '' }],
    ['201 with an id', answers(201, '{"id":7}'), { ...delivered, remoteId: '7' }],
    ['202 with a contact_id', answers(202, '{"contact_id":"c-9"}'), { ...delivered, remoteId: 'c-9' }],
    ['204', answers(204), { ...delivered, status: 'HTTP 204' }],
    ['200 with invalid JSON', answers(200, '<p>OK</p>'), { ...delivered, answer: '<p>OK</p>' }],
    ['200 with an invalid id', answers(200, '{"id":{}}'), delivered],
    ['302', answers(302, '', { location: 'http://127.0.0.1:1/' }), { ...ours, status: 'HTTP 302' }],
    [
      '400',
      answers(400, 'no'),
      { ...aboutLead, status: 'HTTP 400', answer: 'no', reason: 'The CRM returned HTTP 400.' },
    ],
    ['404', answers(404), ours],
    ['408', answers(408), later],
    ['409', answers(409), ours],
    ['425', answers(425), later],
    ['429', answers(429, '', { 'retry-after': '30' }), { ...later, retryAfterSeconds: 30 }],
    ['503 with a date', answers(503, '', { 'retry-after': 'Sat, 01 Jan 2000 00:00:00 GMT' }), later],
    ['503 with an invalid retry-after', answers(503, '', { 'retry-after': 'soon' }), later],
    ['500', answers(500), later],
    ['200 and a cut body', cuts(200), { ...delivered, status: 'HTTP 200' }],
    ['200 and a body that never ends', endless, { ...delivered, status: 'HTTP 200' }],
    [
      '200 and more than 64 KiB',
      floods(200),
      { outcome: 'delivered', status: 'HTTP 200', answer: expect.stringMatching(/^x+$/) },
    ],
    ['a closed connection', (response) => void response.destroy(), { ...later, status: null }],
  ];
  test.each(cases)('follows from the response: %s', async (_, behaviour, expected) => {
    meets('D.deliveries.23');
    await using receiver = await startReceiver(behaviour);
    expect(await toCrm(receiver)(await buildInput())).toMatchObject(expected);
    expect(receiver.received).toHaveLength(1);
  });

  test('is a temporary failure if nothing listens', async () => {
    const receiver = await startReceiver();
    await receiver[Symbol.asyncDispose]();
    expect(await toCrm(receiver)(await buildInput())).toEqual({
      outcome: 'failed',
      refusal: 'later',
      status: null,
      answer: null,
      reason: 'The CRM couldn’t be reached, or the connection dropped (ECONNREFUSED).',
    });
  });
});

test.each([
  ['this machine, in production', (port: string) => `http://127.0.0.1:${port}/`, false],
  ['a name that resolves to it', (port: string) => `http://localhost:${port}/`, false],
  ['a cloud’s metadata service, even in development', () => 'http://169.254.169.254/latest/meta-data', true],
  ['a private network, even in development', () => 'http://10.0.0.1/', true],
])('a CRM at %s gets no request, and the lead is held', async (_, urlOf, allowLoopback) => {
  meets('D.deliveries.22');
  await using receiver = await startReceiver();
  const deliver = toCrm({ url: urlOf(new URL(receiver.url).port) }, { allowLoopback });
  expect(await deliver(await buildInput())).toMatchObject({
    outcome: 'held',
    holdCause: 'ours',
    reason: 'The CRM has a private address, so no request was sent.',
  });
  expect(receiver.received).toEqual([]);
});
