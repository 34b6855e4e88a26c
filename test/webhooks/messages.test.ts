import { describe, expect, test } from 'vitest';
import { webhookEndpoints } from '#server/db/schema/index.ts';
import { rotateSecret } from '#server/features/webhooks/endpoints.ts';
import { erasePerson } from '#server/features/erasure/erasePerson.ts';
import { suppress } from '#server/features/withdrawals/suppress.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { eventSetup } from '#test/support/webhookSetup.ts';
import { insertProvider } from '#test/support/factories.ts';
import { leadUpdated } from '#server/features/leads/leadEvents.ts';
import { providerChanged } from '#server/features/providers/providerChanges.ts';
import { recordEvents } from '#server/features/webhooks/recordEvents.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { answers, startReceiver } from '#test/support/receiver.ts';
import { testDb } from '#test/support/testDb.ts';
import { testIdentityKey } from '#test/support/testKeys.ts';
import { getEndpoint, hourMs, onlyMessage, verified } from '#test/support/sentWebhooks.ts';
import { waitUntil } from '#test/support/waitFor.ts';

describe('a message', () => {
  test('follows Standard Webhooks, and the reference library verifies it', async () => {
    await using database = await testDb();
    await using receiver = await startReceiver();
    const { addEndpoint, sendDue } = eventSetup(database);
    const { secret } = await addEndpoint(receiver.url);
    const lead = await insertLead(database.db);
    expect(await sendDue()).toBe(1);
    const [message] = receiver.received;
    if (message === undefined) throw new Error('nothing came');
    const body = verified(secret, message);
    expect(body).toEqual({
      type: 'lead.created',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: { id: lead.id, uuid: lead.publicId, provider_id: null },
    });
    expect(Object.keys(JSON.parse(message.body) as object)).toEqual(['type', 'timestamp', 'data']);
    expect(message.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(message.headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
    expect(() => verified(`whsec_${Buffer.alloc(32).toString('base64')}`, message)).toThrow(
      'No matching signature',
    );
    const { state, webhook_id: id, attempts, last_status: status } = await onlyMessage(database);
    expect({ state, id, attempts, status }).toEqual({
      state: 'delivered',
      id: message.headers['webhook-id'],
      attempts: 1,
      status: 'HTTP 200',
    });
    expect(await sendDue()).toBe(0);
  });

  test('has contact details only if requested, and only of contactable people', async () => {
    await using database = await testDb();
    await using receiver = await startReceiver();
    const { addEndpoint, sendDue } = eventSetup(database);
    const { secret } = await addEndpoint(receiver.url, { payload: 'full' });
    const provider = await insertProvider(database.db);
    await recordEvents(database.db, [providerChanged(provider, { isDeactivated: false })]);
    const lead = await insertLead(database.db, { providerId: provider.id });
    await sendDue();
    const bodies = () => receiver.received.splice(0).map((message) => verified(secret, message));
    const [ofProvider, ofLead] = bodies().toSorted((a, b) => b.type.localeCompare(a.type));
    expect(ofLead?.data).toEqual({
      id: lead.id,
      uuid: lead.publicId,
      provider_id: provider.id,
      first_name: lead.firstName,
      last_name: lead.lastName,
      email: lead.email,
      phone: lead.phone,
      zip_code: lead.zipCode,
      created_at: lead.createdAt.toISOString(),
    });
    expect(ofProvider?.data).toMatchObject({ id: provider.id, name: provider.name, domain: provider.domain });
    expect(JSON.stringify(ofProvider)).not.toContain(provider.email);

    const person = lead;
    const by = { reason: 'withdrawn', how: 'page', by: 'Visitor', ip: null, now: new Date() } as const;
    const identityKey = await testIdentityKey(database);
    await suppress(database.db, { person, identityKey, leadId: lead.id, ...by });
    await sendDue();
    expect(bodies().map(({ type, data }) => [type, data])).toEqual([
      ['lead.consent_revoked', { id: lead.id, uuid: lead.publicId, provider_id: provider.id }],
    ]);
    await recordEvents(database.db, leadUpdated(lead, ['deleted']));
    await sendDue();
    expect(bodies()[0]?.data).toEqual({
      id: lead.id,
      uuid: lead.publicId,
      provider_id: provider.id,
      changed: ['deleted'],
    });
  });
});

describe('an erasure', () => {
  test('is sent signed, with ids only', async () => {
    await using database = await testDb();
    await using receiver = await startReceiver();
    const { addEndpoint, sendDue } = eventSetup(database);
    const { secret } = await addEndpoint(receiver.url, { types: ['lead.erased'], payload: 'full' });
    const lead = await insertLead(database.db);
    await erasePerson(staffActionOn(database), { leadId: lead.id, reason: 'asked' });
    expect(await sendDue()).toBe(1);
    const [message] = receiver.received;
    if (message === undefined) throw new Error('nothing came');
    expect(verified(secret, message)).toEqual({
      type: 'lead.erased',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: { id: lead.id, uuid: expect.any(String), provider_id: null },
    });
  });

  test('deletes stored responses of endpoints, also of attempts in progress', async () => {
    await using database = await testDb();
    const { db, sql } = database;
    await using receiver = await startReceiver(answers(500, 'I know our Addie'));
    const { addEndpoint, sendDue } = eventSetup(database);
    await addEndpoint(receiver.url, { types: ['lead.created'], payload: 'full' });
    const lead = await insertLead(db, { firstName: 'Ada', lastName: 'Lovelace' });
    await sendDue();
    const [kept] = await sql`select answer from delivery_attempts`;
    expect(kept).toEqual({ answer: 'I know our Addie' });
    // The second try is under way when the person is erased.
    await sql`update deliveries set next_attempt_at = now()`;
    const answer = Promise.withResolvers<void>();
    receiver.become((response) => void answer.promise.then(() => response.end('Addie still')));
    const sending = sendDue();
    await waitUntil(() => receiver.received.length === 2);
    await erasePerson(staffActionOn(database), { leadId: lead.id, reason: 'asked' });
    answer.resolve();
    expect(await sending).toBe(1);
    const attempts = await sql`select outcome, answer from delivery_attempts order by id`;
    expect([...attempts]).toEqual([
      { outcome: 'failed', answer: null },
      { outcome: 'delivered', answer: null },
    ]);
  });
});

describe('after a rotation', () => {
  test('both secrets verify for a day, then only the new one', async () => {
    await using database = await testDb();
    await using receiver = await startReceiver();
    const { addEndpoint, sendDue, staffAction, clock } = eventSetup(database);
    const { endpoint, secret: old } = await addEndpoint(receiver.url);
    const { secret, endpoint: rotated } = await rotateSecret(staffAction, endpoint.id);
    expect(rotated.both_secrets_until).toBe(new Date(clock.ms + 24 * hourMs).toISOString());
    await insertLead(database.db);
    await sendDue();
    const [both] = receiver.received;
    if (both === undefined) throw new Error('nothing came');
    expect(both.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    expect(verified(secret, both)).toEqual(verified(old, both));
    // The last day's end, by the database's own times: the messages are of now.
    await database.db.update(webhookEndpoints).set({ previousUntil: new Date(clock.ms) });
    await insertLead(database.db);
    await sendDue();
    const single = receiver.received[1];
    if (single === undefined) throw new Error('nothing came');
    expect(verified(secret, single).type).toBe('lead.created');
    expect(() => verified(old, single)).toThrow('No matching signature');
    const kept = JSON.stringify(await getEndpoint(database, endpoint.id));
    for (const shown of [old, secret]) expect(kept).not.toContain(shown.slice('whsec_'.length));
  });
});
