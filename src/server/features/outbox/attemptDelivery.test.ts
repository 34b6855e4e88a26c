import { describe, expect, test, vi } from 'vitest';
import { createDataKeys } from '#server/security/dataKeys.ts';
import { connect } from '#server/db/connect.ts';
import { suppressions } from '#server/db/schema/index.ts';
import { deliverOne, insertDelivery, setUpDeliveries } from '#test/support/outboxSetup.ts';
import { insertProvider } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import { answers, answersAfter, hangs, takes } from '#test/support/receiver.ts';
import { testIdentityKey } from '#test/support/testKeys.ts';
import { identityHash } from '../identity/identityHashes.ts';
import type { Channel } from './types.ts';
import { waitUntil } from '#test/support/waitFor.ts';

const secondMs = 1000;

describe('a delivery', () => {
  test('that succeeds is finished, its attempt recorded, and the lead synced', async () => {
    meets('D.deliveries.30');
    await using at = await setUpDeliveries(answers(201, '{"id":"contact-7"}'));
    const { lead, id } = await at.queue();
    await at.deliver(id);
    expect(await at.row(id)).toMatchObject({
      state: 'delivered',
      attempts: 1,
      nextAttemptAt: null,
      leasedUntil: null,
      reason: null,
      remoteId: 'contact-7',
      finishedAt: new Date(at.clock.ms),
    });
    expect(await at.attempts(id)).toEqual([
      {
        outcome: 'delivered',
        status: 'HTTP 201',
        answer: '{"id":"contact-7"}',
        duration_ms: expect.any(Number),
      },
    ]);
    expect(await at.statusOf(lead)).toBe('success');
  });

  test('an attempt during which the database is lost uses up none of the attempts', async () => {
    await using at = await setUpDeliveries();
    const { id } = await at.queue();
    const lost = connect(at.database.url, { applicationName: 'lost', max: 1 });
    await lost.close();
    const crm: Channel = {
      ...at.services.channels.crm,
      deliver: async () => {
        await lost.sql`select 1`;
        throw new Error('the connection was still there');
      },
    };
    const services = { ...at.services, channels: { ...at.services.channels, crm } };
    await deliverOne(services, id, new AbortController().signal);
    expect(await at.row(id)).toMatchObject({
      state: 'queued',
      attempts: 0,
      leasedUntil: null,
      nextAttemptAt: expect.any(Date),
    });
    at.clock.ms += 6_000;
    await at.deliver(id);
    expect(await at.row(id)).toMatchObject({ state: 'delivered', attempts: 1 });
  });

  test('that fails is retried on schedule with the same key, then held and tried hourly', async () => {
    meets('D.deliveries.11 D.deliveries.16 D.deliveries.29');
    await using at = await setUpDeliveries(answers(503));
    const { lead, id } = await at.queue();
    const waits: number[] = [];
    for (let attempts = 1; attempts <= 7; attempts++) {
      await at.deliver(id);
      const { nextAttemptAt, state } = await at.row(id);
      expect(state).toBe('queued');
      waits.push(((nextAttemptAt?.getTime() ?? 0) - at.clock.ms) / secondMs);
      expect(await at.statusOf(lead)).toBe('pending');
      // It isn't due sooner.
      await at.deliver(id);
      expect(at.receiver.received).toHaveLength(attempts);
      at.clock.ms = nextAttemptAt?.getTime() ?? 0;
    }
    for (const [index, seconds] of [5, 300, 1800, 7200, 18_000, 36_000, 36_000].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(seconds * 0.899);
      expect(waits[index]).toBeLessThanOrEqual(seconds * 1.101);
    }
    await at.deliver(id);
    expect(await at.row(id)).toMatchObject({
      state: 'held',
      holdCause: 'later',
      attempts: 8,
      nextAttemptAt: new Date(at.clock.ms + 3_600_000),
      reason: 'The CRM returned HTTP 503.',
    });
    expect(await at.statusOf(lead)).toBe('pending');
    expect(new Set(at.receiver.received.map(({ key }) => key))).toEqual(new Set([id]));
    expect(await at.attempts(id)).toHaveLength(8);
  });

  test('about a provider that no longer has the lead is cancelled', async () => {
    await using at = await setUpDeliveries(takes);
    const { id } = await at.queue();
    const other = await insertProvider(at.database.db);
    await at.database.sql`update deliveries set provider_id = ${other.id}`;
    await at.deliver(id);
    expect(await at.row(id)).toMatchObject({
      state: 'cancelled',
      reason: 'The lead was given to another provider.',
    });
    expect(at.receiver.received).toEqual([]);
  });

  test('that hangs is ended after fifteen seconds', async () => {
    await using at = await setUpDeliveries(hangs);
    const { id } = await at.queue();
    // The limit ends when the test says so.
    const limit = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(limit.signal);
    const attempting = at.deliver(id);
    await waitUntil(() => at.receiver.received.length === 1);
    expect(timeout.mock.calls).toEqual([[15_000]]);
    timeout.mockRestore();
    limit.abort();
    await attempting;
    expect(await at.row(id)).toMatchObject({
      state: 'queued',
      reason: 'There was no answer within 15 seconds.',
    });
  });

  test('is attempted once by many workers at the same time', async () => {
    meets('D.deliveries.04');
    const released = Promise.withResolvers<void>();
    await using at = await setUpDeliveries(answersAfter(released.promise));
    const { id } = await at.queue();
    let ended = 0;
    const attempting = Array.from({ length: 8 }, () => at.deliver(id).then(() => (ended += 1)));
    // The others find it leased.
    await waitUntil(() => ended === 7);
    released.resolve();
    await Promise.all(attempting);
    expect(at.receiver.received).toHaveLength(1);
    await at.deliver(id);
    expect(at.receiver.received).toHaveLength(1);
  });

  test('stores the answer without contact details', async () => {
    await using at = await setUpDeliveries((response, { body }) => void response.end(body));
    const { lead, id } = await at.queue({ firstName: 'Zebedee', lastName: 'Quillfeather' });
    await at.deliver(id);
    const [stored] = await at.attempts(id);
    expect(String(stored?.['answer'])).toContain('"zip_code":"80202"');
    for (const part of ['Zebedee', 'Quillfeather', lead.email, lead.phoneE164])
      expect(String(stored?.['answer'])).not.toContain(part);
  });
});

describe('a worker', () => {
  test('that stops interrupts the attempt: it is due now and does not count', async () => {
    await using at = await setUpDeliveries(hangs);
    const { id } = await at.queue();
    const stopping = new AbortController();
    const attempting = at.deliver(id, stopping.signal);
    await waitUntil(() => at.receiver.received.length === 1);
    stopping.abort();
    await attempting;
    expect(await at.row(id)).toMatchObject({
      state: 'queued',
      attempts: 1,
      attemptsBeforeRound: 1,
      nextAttemptAt: new Date(at.clock.ms),
      leasedUntil: null,
    });
    at.receiver.become(takes);
    await at.deliver(id);
    expect((await at.row(id)).state).toBe('delivered');
    expect(at.receiver.received.map(({ key }) => key)).toEqual([id, id]);
    expect((await at.attempts(id)).map(({ outcome }) => outcome)).toEqual(['failed', 'delivered']);
  });

  test('that dies leaves the delivery due again, with the attempt recorded', async () => {
    meets('D.deliveries.06 D.deliveries.16');
    await using at = await setUpDeliveries();
    const { id } = await at.queue();
    // What a killed process leaves.
    const leasedUntil = new Date(at.clock.ms + 25_000).toISOString();
    await at.database
      .sql`update deliveries set attempts = 1, leased_until = ${leasedUntil}, next_attempt_at = ${leasedUntil}`;
    await at.deliver(id);
    expect(at.receiver.received).toEqual([]);
    at.clock.ms += 25_000;
    await at.deliver(id);
    expect(await at.row(id)).toMatchObject({ state: 'delivered', attempts: 2 });
    expect(await at.attempts(id)).toEqual([
      {
        outcome: 'failed',
        status: null,
        answer: 'The process ended during this attempt.',
        duration_ms: 0,
      },
      expect.objectContaining({ outcome: 'delivered' }),
    ]);
  });

  test('whose lease ended changes nothing but the list of attempts', async () => {
    const released = Promise.withResolvers<void>();
    await using at = await setUpDeliveries(answersAfter(released.promise, answers(500)));
    const { id } = await at.queue();
    const frozen = at.deliver(id);
    await waitUntil(() => at.receiver.received.length === 1);
    at.clock.ms += 60_000;
    at.receiver.become(takes);
    await at.deliver(id);
    released.resolve();
    await frozen;
    expect((await at.row(id)).state).toBe('delivered');
    expect((await at.attempts(id)).map(({ outcome }) => outcome)).toEqual(['failed', 'delivered', 'failed']);
  });
});

describe('nothing is delivered', () => {
  test.each([
    ['of a deleted lead', { deletedAt: new Date() }, 'The lead was deleted.'],
    [
      'of a quarantined lead',
      { quarantinedAt: new Date(), quarantineReason: 'honeypot' as const },
      'The lead is in quarantine.',
    ],
    [
      'without consent',
      { acceptanceConsent: false },
      'The person has not agreed to be contacted, or withdrew this request.',
    ],
  ])('%s', async (_, overrides, reason) => {
    meets('D.leads.83');
    await using at = await setUpDeliveries();
    const { lead, id } = await at.queue(overrides);
    await at.deliver(id);
    expect(await at.row(id)).toMatchObject({ state: 'cancelled', reason, attempts: 0, leasedUntil: null });
    expect(at.receiver.received).toEqual([]);
    expect(await at.attempts(id)).toEqual([]);
    expect(await at.statusOf(lead)).toBe('pending');
  });

  test('to a person who withdrew, by email or by phone', async () => {
    meets('D.deliveries.34');
    await using at = await setUpDeliveries();
    const byEmail = await at.queue();
    const byPhone = await at.queue();
    const entry = { reason: 'withdrawn', by: 'Visitor' } as const;
    const key = await testIdentityKey(at.database);
    await at.database.db.insert(suppressions).values([
      { ...entry, kind: 'email', valueHmac: identityHash(key, 'email', byEmail.lead.emailNorm) },
      { ...entry, kind: 'phone', valueHmac: identityHash(key, 'phone', byPhone.lead.phoneE164) },
    ]);
    for (const { id } of [byEmail, byPhone]) {
      await at.deliver(id);
      expect(await at.row(id)).toMatchObject({
        state: 'cancelled',
        reason: 'This person must not be contacted.',
      });
    }
    expect(at.receiver.received).toEqual([]);
  });

  test('while no secret opens the identity key, and the error says which key to add', async () => {
    await using at = await setUpDeliveries(takes);
    const { id } = await at.queue();
    await testIdentityKey(at.database);
    const before = await at.row(id);
    const dataKeys = createDataKeys({
      db: at.database.db,
      secretKeys: ['not-the-secret-of-this-database-1'],
    });
    const never = new AbortController().signal;
    await expect(deliverOne({ ...at.services, dataKeys }, id, never)).rejects.toThrow(
      "None of SECRET_KEYS opens the database's identity key. Add the key that was used before.",
    );
    expect(at.receiver.received).toEqual([]);
    expect(await at.row(id)).toEqual(before);
    await at.deliver(id);
    expect(at.receiver.received).toHaveLength(1);
  });

  test('while the channel is not configured: it is held, with the reason', async () => {
    meets('D.deliveries.27 D.deliveries.32');
    await using at = await setUpDeliveries(takes, () => ({}));
    const { lead, id } = await at.queue();
    await at.deliver(id);
    expect(await at.row(id)).toMatchObject({
      state: 'held',
      reason: 'CRM sync is not configured.',
      attempts: 0,
      nextAttemptAt: null,
    });
    expect(await at.statusOf(lead)).toBe('pending');
  });
});

test('a CRM gets the contact id of its earlier response', async () => {
  await using at = await setUpDeliveries(answers(200, '{"contact_id":42}'));
  const provider = await insertProvider(at.database.db);
  const { lead, id } = await at.queue();
  await at.deliver(id);
  await at.database.sql`update leads set provider_id = ${provider.id}, match_method = 'manual'`;
  const second = await insertDelivery(at.database, { leadId: lead.id, providerId: provider.id });
  at.receiver.become(answers(500));
  await at.deliver(second);
  const sent = at.receiver.received.map(({ body }) => JSON.parse(body) as { type: string; data: object });
  expect(sent).toEqual([
    {
      type: 'lead.created',
      timestamp: lead.createdAt.toISOString(),
      data: expect.objectContaining({ contact_id: null, provider_id: null }),
    },
    {
      type: 'lead.assigned',
      timestamp: new Date(at.clock.ms).toISOString(),
      data: expect.objectContaining({ contact_id: '42', provider_id: provider.id }),
    },
  ]);
  // The lead's status is the newest delivery's.
  expect(await at.statusOf(lead)).toBe('pending');
});
