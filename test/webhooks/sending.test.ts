import { eq } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { deliveries, webhookEndpoints } from '#server/db/schema/index.ts';
import { retrySeconds } from '#shared/admin/deliveries.ts';
import { eventSetup } from '#test/support/webhookSetup.ts';
import { insertLead, insertLeads } from '#test/support/leadRows.ts';
import { answers, hangs, startReceiver } from '#test/support/receiver.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import {
  listAttempts,
  getEndpoint,
  hourMs,
  listSent,
  onlyMessage,
  replay,
} from '#test/support/sentWebhooks.ts';

/** Who switched an endpoint off, as the audit log records it. */
function switchesOff({ sql }: TestDb, id: string): Promise<Record<string, unknown>[]> {
  return sql`select actor_kind, actor_name, ip, detail from audit_log
    where action = 'endpoint.disable' and subject_kind = 'endpoint' and subject_id = ${id}`;
}

const bySystem = { actor_kind: 'command', actor_name: 'System', ip: null };

describe('a failure', () => {
  test('is retried by the schedule with the same id, and fails after the eighth', async () => {
    await using database = await testDb();
    await using receiver = await startReceiver();
    receiver.become(answers(503, 'down; call 303 555 0100'));
    const { addEndpoint, sendDue, clock } = eventSetup(database);
    const { secret } = await addEndpoint(receiver.url);
    await insertLead(database.db);
    const waits: number[] = [];
    for (let attempts = 1; attempts <= retrySeconds.length; attempts += 1) {
      expect(await sendDue()).toBe(1);
      const sentAt = clock.ms;
      expect(await sendDue()).toBe(0);
      const { next_attempt_at: next } = await onlyMessage(database);
      if (next === null) continue;
      waits.push((Date.parse(next) - sentAt) / 1000);
      clock.ms = Date.parse(next);
    }
    for (const [index, wait] of waits.entries()) {
      const planned = retrySeconds[index + 1] ?? 0;
      expect(wait).toBeGreaterThanOrEqual(planned * 0.9 - 0.01);
      expect(wait).toBeLessThanOrEqual(planned * 1.1 + 0.01);
    }
    expect(waits).toHaveLength(retrySeconds.length - 1);
    const { id, state, attempts, reason } = await onlyMessage(database);
    expect({ state, attempts, reason }).toEqual({
      state: 'failed',
      attempts: 8,
      reason: 'The endpoint returned HTTP 503.',
    });
    const { received } = receiver;
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(8);
    for (const { headers, body } of received) {
      // Not verify(): by its clock all but the first are of the future.
      const at = new Date(Number(headers['webhook-timestamp']) * 1000);
      const signature = new Webhook(secret).sign(headers['webhook-id'] ?? '', at, body);
      expect(headers['webhook-signature']).toBe(signature);
    }
    const kept = await listAttempts(database, id);
    expect(kept).toHaveLength(8);
    expect(kept[0]).toMatchObject({ outcome: 'failed', status: 'HTTP 503', answer: 'down; call […]' });
  });

  test('respects Retry-After', async () => {
    await using database = await testDb();
    await using receiver = await startReceiver();
    receiver.become(answers(429, '', { 'retry-after': '600' }));
    const { addEndpoint, sendDue, clock } = eventSetup(database);
    await addEndpoint(receiver.url);
    await insertLead(database.db);
    await sendDue();
    expect((await onlyMessage(database)).next_attempt_at).toBe(new Date(clock.ms + 600_000).toISOString());
    receiver.become(answers(200));
    clock.ms += 600_000;
    await sendDue();
    expect((await onlyMessage(database)).state).toBe('delivered');
  });

  test.each<[name: string, status: number, state: string]>([
    ['a refusal', 400, 'failed'],
    ['a redirect', 302, 'queued'],
    ['a bad gateway', 502, 'queued'],
  ])('with %s (%d) leaves the message %s', async (_, status, state) => {
    await using database = await testDb();
    await using receiver = await startReceiver();
    receiver.become(answers(status, '', { location: receiver.url }));
    const { addEndpoint, sendDue } = eventSetup(database);
    await addEndpoint(receiver.url);
    await insertLead(database.db);
    await sendDue();
    expect((await onlyMessage(database)).state).toBe(state);
    expect(receiver.received).toHaveLength(1);
  });

  test('is also an endpoint that hangs, resets or is missing, not a long response', async () => {
    await using database = await testDb();
    await using receiver = await startReceiver();
    const { addEndpoint, sendDue, clock } = eventSetup(database);
    const { endpoint } = await addEndpoint(receiver.url);
    await insertLead(database.db);
    const reasonNow = async (): Promise<string | null> => {
      await sendDue({ limitMs: 300 });
      const { reason, next_attempt_at: next } = await onlyMessage(database);
      clock.ms = Date.parse(next ?? '');
      return reason;
    };
    receiver.become(hangs);
    expect(await reasonNow()).toBe('There was no answer within 0.3 seconds.');
    receiver.become((response) => void response.destroy());
    expect(await reasonNow()).toBe(
      'The endpoint couldn’t be reached, or the connection dropped (ECONNRESET).',
    );
    await database.db.update(webhookEndpoints).set({ url: 'http://127.0.0.1:1/hook' });
    expect(await reasonNow()).toBe(
      'The endpoint couldn’t be reached, or the connection dropped (ECONNREFUSED).',
    );
    expect((await getEndpoint(database, endpoint.id)).failures).toBe(3);
    await database.db.update(webhookEndpoints).set({ url: receiver.url });
    receiver.become(answers(200, 'x'.repeat(1_000_000)));
    await sendDue();
    const { id, state } = await onlyMessage(database);
    expect(state).toBe('delivered');
    expect((await listAttempts(database, id)).at(-1)?.answer).toHaveLength(1024);
    expect((await getEndpoint(database, endpoint.id)).failures).toBe(0);
  });
});

describe('in production', () => {
  test('nothing is sent to a private address by any name', async () => {
    await using database = await testDb();
    await using receiver = await startReceiver();
    const { addEndpoint, sendDue, staffAction } = eventSetup(database, { production: true });
    for (const url of [
      'http://hook.example/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://169.254.169.254/',
    ])
      await expect(async () => addEndpoint(url)).rejects.toMatchObject({ code: 'UNPROCESSABLE_CONTENT' });
    const { endpoint } = await addEndpoint('https://localhost/hook');
    await insertLead(database.db);
    await sendDue();
    const { id, state, reason } = await onlyMessage(database);
    expect([state, reason]).toEqual([
      'failed',
      'The endpoint has a private address, so no request was sent.',
    ]);
    await database.db.update(webhookEndpoints).set({ url: receiver.url });
    await replay(staffAction, id);
    await sendDue();
    expect((await onlyMessage(database)).reason).toBe('Only https addresses are sent to.');
    expect(receiver.received).toHaveLength(0);
    expect((await getEndpoint(database, endpoint.id)).failures).toBe(2);
  });
});

test.each(['http://10.0.0.1/hook', 'http://169.254.169.254/hook'])(
  'in development, private networks get no request: %s',
  async (url) => {
    await using database = await testDb();
    const { addEndpoint, sendDue } = eventSetup(database);
    await addEndpoint(url);
    await insertLead(database.db);
    await sendDue();
    const { state, reason } = await onlyMessage(database);
    expect([state, reason]).toEqual([
      'failed',
      'The endpoint has a private address, so no request was sent.',
    ]);
  },
);

describe('an endpoint is disabled', () => {
  test('by 410 immediately, and its queued deliveries are canceled', async () => {
    await using database = await testDb();
    await using receiver = await startReceiver();
    receiver.become(answers(410));
    const { addEndpoint, sendDue, clock } = eventSetup(database);
    const { endpoint } = await addEndpoint(receiver.url);
    await insertLead(database.db);
    const later = { nextAttemptAt: new Date(clock.ms + hourMs) };
    await insertLead(database.db);
    const [newest] = await listSent(database);
    await database.db
      .update(deliveries)
      .set(later)
      .where(eq(deliveries.id, newest?.id ?? ''));
    await sendDue();
    const row = await getEndpoint(database, endpoint.id);
    expect([row.disabledReason, row.disabledAt?.getTime()]).toEqual(['gone', clock.ms]);
    expect(await switchesOff(database, endpoint.id)).toEqual([{ ...bySystem, detail: { reason: 'gone' } }]);
    const after = await listSent(database);
    expect(after.map(({ state }) => state)).toEqual(['cancelled', 'failed']);
    await insertLead(database.db);
    expect(await listSent(database)).toHaveLength(2);
  });

  test('by twenty failures in a row, at the earliest after a day', async () => {
    await using database = await testDb();
    await using receiver = await startReceiver();
    receiver.become(answers(500));
    const { addEndpoint, sendDue, clock } = eventSetup(database);
    const { endpoint } = await addEndpoint(receiver.url, { types: ['lead.created'] });
    const fail = async (times: number): Promise<void> => {
      await insertLeads(
        database.db,
        Array.from({ length: times }, () => ({})),
      );
      expect(await sendDue()).toBe(times);
    };
    await fail(25);
    const counted = await getEndpoint(database, endpoint.id);
    expect([counted.failures, counted.disabledAt]).toEqual([25, null]);
    expect(await switchesOff(database, endpoint.id)).toEqual([]);
    // One success resets the count.
    receiver.become(answers(204));
    await insertLead(database.db);
    await sendDue();
    expect((await getEndpoint(database, endpoint.id)).failures).toBe(0);
    receiver.become(answers(500));
    await database.db.delete(deliveries);
    await fail(19);
    await database.db.delete(deliveries);
    clock.ms += 24 * hourMs;
    await fail(1);
    const off = await getEndpoint(database, endpoint.id);
    expect([off.failures, off.disabledReason]).toEqual([20, 'failing']);
    expect(await switchesOff(database, endpoint.id)).toEqual([
      { ...bySystem, detail: { reason: 'failing' } },
    ]);
    expect((await onlyMessage(database)).state).toBe('cancelled');
  });
});
