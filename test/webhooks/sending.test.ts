import { eq } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test, vi } from 'vitest';
import { deliveries, webhookEndpoints } from '#server/db/schema/index.ts';
import { removeLeads } from '#server/features/leads/leadChanges.ts';
import {
  removeEndpoint,
  rotateSecret,
  switchEndpoint,
  type WebhookAction,
} from '#server/features/webhooks/endpoints.ts';
import { startOutboxWorker } from '#server/features/outbox/outboxWorker.ts';
import { replayDeliveries, replaySince } from '#server/features/webhooks/replays.ts';
import { testEndpoint } from '#server/features/webhooks/testEndpoint.ts';
import { erasePerson } from '#server/features/erasure/erasePerson.ts';
import { suppress } from '#server/features/withdrawals/suppress.ts';
import { retrySeconds } from '#shared/admin/deliveries.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { eventSetup } from '#test/support/webhookSetup.ts';
import { insertProvider } from '#test/support/factories.ts';
import { leadUpdated } from '#server/features/leads/leadEvents.ts';
import { providerChanged } from '#server/features/providers/providerEvents.ts';
import { recordEvents } from '#server/features/webhooks/recordEvents.ts';
import { insertLead, insertLeads } from '#test/support/leadRows.ts';
import { answers, hangs, type Received, startReceiver } from '#test/support/receiver.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { testIdentityKey } from '#test/support/testKeys.ts';

const hourMs = 3_600_000;

interface Body {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

/** What the reference library makes of a message; it throws when the signature is wrong. */
function verified(secret: string, { body, headers }: Received): Body {
  // It has judged the body; its shape is this test's to expect.
  const { type, timestamp, data } = Object(new Webhook(secret).verify(body, headers)) as Body;
  return { type, timestamp, data };
}

interface Sent {
  id: string;
  state: string;
  attempts: number;
  attempts_before_round: number;
  next_attempt_at: string | null;
  reason: string | null;
  webhook_id: string;
  last_status: string | null;
}

/** Webhook deliveries, newest first. */
async function listSent({ sql }: TestDb, state = ''): Promise<Sent[]> {
  return sql<Sent[]>`
    select d.id, d.state, d.attempts, d.attempts_before_round, d.reason, 'msg_' || d.event_id as webhook_id,
      to_char(d.next_attempt_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as next_attempt_at,
      (select status from delivery_attempts a where a.delivery_id = d.id order by a.id desc limit 1) as last_status
    from deliveries d where ${state} in ('', d.state) order by d.created_at desc, d.ctid desc`;
}

function attemptsOf({ sql }: TestDb, id: string) {
  return sql<{ outcome: string; status: string | null; answer: string | null }[]>`
    select outcome, status, answer from delivery_attempts where delivery_id = ${id} order by id`;
}

async function onlyMessage(database: TestDb): Promise<Sent> {
  const sent = await listSent(database);
  expect(sent).toHaveLength(1);
  const [message] = sent;
  if (message === undefined) throw new Error('no delivery');
  return message;
}

async function endpointOf({ db }: TestDb, id: string) {
  const [row] = await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id));
  if (row === undefined) throw new Error('no endpoint');
  return row;
}

/** Who switched an endpoint off, as the audit log tells it. */
function switchesOff({ sql }: TestDb, id: string): Promise<Record<string, unknown>[]> {
  return sql`select actor_kind, actor_name, ip, detail from audit_log
    where action = 'endpoint.disable' and subject_kind = 'endpoint' and subject_id = ${id}`;
}

/** Queues one delivery again as staff. */
function replay({ services, actor, ip }: WebhookAction, id: string): Promise<string[]> {
  return services.db.transaction((tx) => replayDeliveries(tx, { actor, ip, now: services.now() }, [id]));
}

const bySystem = { actor_kind: 'command', actor_name: 'System', ip: null };

describe('a message', () => {
  test('is what Standard Webhooks wants, and the reference library finds it genuine', async () => {
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
      data: { id: lead.id, provider_id: null },
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

  test('has contact details only where they were asked for, and only of whom may be contacted', async () => {
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
      ['lead.consent_revoked', { id: lead.id, provider_id: provider.id }],
    ]);
    await recordEvents(database.db, leadUpdated(lead, ['deleted']));
    await sendDue();
    expect(bodies()[0]?.data).toEqual({ id: lead.id, provider_id: provider.id, changed: ['deleted'] });
  });
});

describe('an erasure', () => {
  test('is told of, signed, by ids alone even where contact details were asked for', async () => {
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
      data: { id: lead.id, provider_id: null },
    });
  });

  test('leaves nothing of what an endpoint answered, before or while the person was erased', async () => {
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
    await vi.waitUntil(() => receiver.received.length === 2);
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

describe('a failure', () => {
  test('is tried again by the schedule under the same id, each time signed anew, and given up after the eighth', async () => {
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
      reason: 'The endpoint answered 503.',
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
    const kept = await attemptsOf(database, id);
    expect(kept).toHaveLength(8);
    expect(kept[0]).toMatchObject({ outcome: 'failed', status: 'HTTP 503', answer: 'down; call […]' });
  });

  test('waits as long as Retry-After says', async () => {
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
  ])('%s (%d) leaves the message %s', async (_, status, state) => {
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

  test('may also be an endpoint that hangs, breaks off or isn’t there; a long answer is no failure', async () => {
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
    expect(await reasonNow()).toBe('The endpoint could not be reached, or broke off (ECONNRESET).');
    await database.db.update(webhookEndpoints).set({ url: 'http://127.0.0.1:1/hook' });
    expect(await reasonNow()).toBe('The endpoint could not be reached, or broke off (ECONNREFUSED).');
    expect((await endpointOf(database, endpoint.id)).failures).toBe(3);
    await database.db.update(webhookEndpoints).set({ url: receiver.url });
    receiver.become(answers(200, 'x'.repeat(1_000_000)));
    await sendDue();
    const { id, state } = await onlyMessage(database);
    expect(state).toBe('delivered');
    expect((await attemptsOf(database, id)).at(-1)?.answer).toHaveLength(1024);
    expect((await endpointOf(database, endpoint.id)).failures).toBe(0);
  });
});

describe('in production', () => {
  test('nothing is sent to an address inside a network, whatever name leads there', async () => {
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
    expect([state, reason]).toEqual(['failed', 'The endpoint is at an address that must not be asked.']);
    await database.db.update(webhookEndpoints).set({ url: receiver.url });
    await replay(staffAction, id);
    await sendDue();
    expect((await onlyMessage(database)).reason).toBe('Only https addresses are sent to.');
    expect(receiver.received).toHaveLength(0);
    expect((await endpointOf(database, endpoint.id)).failures).toBe(2);
  });
});

test.each(['http://10.0.0.1/hook', 'http://169.254.169.254/hook'])(
  'in development this machine is sent to, but no network behind it: %s',
  async (url) => {
    await using database = await testDb();
    const { addEndpoint, sendDue } = eventSetup(database);
    await addEndpoint(url);
    await insertLead(database.db);
    await sendDue();
    const { state, reason } = await onlyMessage(database);
    expect([state, reason]).toEqual(['failed', 'The endpoint is at an address that must not be asked.']);
  },
);

describe('after a rotation', () => {
  test('both secrets verify for a day, then the new one alone', async () => {
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
    const alone = receiver.received[1];
    if (alone === undefined) throw new Error('nothing came');
    expect(verified(secret, alone).type).toBe('lead.created');
    expect(() => verified(old, alone)).toThrow('No matching signature');
    const kept = JSON.stringify(await endpointOf(database, endpoint.id));
    for (const shown of [old, secret]) expect(kept).not.toContain(shown.slice('whsec_'.length));
  });
});

describe('an endpoint is switched off', () => {
  test('by 410 at once, and what else was queued for it is cancelled', async () => {
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
    const row = await endpointOf(database, endpoint.id);
    expect([row.disabledReason, row.disabledAt?.getTime()]).toEqual(['gone', clock.ms]);
    expect(await switchesOff(database, endpoint.id)).toEqual([{ ...bySystem, detail: { reason: 'gone' } }]);
    const after = await listSent(database);
    expect(after.map(({ state }) => state)).toEqual(['cancelled', 'failed']);
    await insertLead(database.db);
    expect(await listSent(database)).toHaveLength(2);
  });

  test('by twenty failures in a row, but not before a day has passed since the first', async () => {
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
    const begun = await endpointOf(database, endpoint.id);
    expect([begun.failures, begun.disabledAt]).toEqual([25, null]);
    expect(await switchesOff(database, endpoint.id)).toEqual([]);
    // One success begins the count anew.
    receiver.become(answers(204));
    await insertLead(database.db);
    await sendDue();
    expect((await endpointOf(database, endpoint.id)).failures).toBe(0);
    receiver.become(answers(500));
    await database.db.delete(deliveries);
    await fail(19);
    await database.db.delete(deliveries);
    clock.ms += 24 * hourMs;
    await fail(1);
    const off = await endpointOf(database, endpoint.id);
    expect([off.failures, off.disabledReason]).toEqual([20, 'failing']);
    expect(await switchesOff(database, endpoint.id)).toEqual([
      { ...bySystem, detail: { reason: 'failing' } },
    ]);
    expect((await onlyMessage(database)).state).toBe('cancelled');
  });
});

describe('staff', () => {
  test('send a test to one endpoint and hear how it ended; a failing one is neither repeated nor held against it', async () => {
    await using database = await testDb();
    await using receiver = await startReceiver();
    const { addEndpoint, sendDue, staffAction } = eventSetup(database);
    const { endpoint, secret } = await addEndpoint(receiver.url, { types: ['lead.created'] });
    await addEndpoint('http://127.0.0.1:1/other');
    expect(await testEndpoint(staffAction, endpoint.id)).toMatchObject({
      delivered: true,
      status: 'HTTP 200',
    });
    const [message] = receiver.received;
    if (message === undefined) throw new Error('nothing came');
    expect(verified(secret, message)).toMatchObject({
      type: 'webhook.test',
      data: { endpoint_id: endpoint.id },
    });
    receiver.become(answers(500));
    expect(await testEndpoint(staffAction, endpoint.id)).toMatchObject({
      delivered: false,
      status: 'HTTP 500',
      reason: 'The endpoint answered 500.',
    });
    expect(await sendDue()).toBe(0);
    expect((await endpointOf(database, endpoint.id)).failures).toBe(0);
    const [failed] = await listSent(database, 'failed');
    expect(failed).toBeDefined();
    expect(await replay(staffAction, failed?.id ?? '')).toEqual([]);
  });

  test('replay one message, delivered or not, under its old id', async () => {
    await using database = await testDb();
    await using receiver = await startReceiver();
    const { addEndpoint, sendDue, staffAction } = eventSetup(database);
    const { endpoint } = await addEndpoint(receiver.url);
    await insertLead(database.db);
    await sendDue();
    const { id } = await onlyMessage(database);
    await replay(staffAction, id);
    await sendDue();
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    expect(await attemptsOf(database, id)).toHaveLength(2);
    await switchEndpoint(staffAction, endpoint.id, false);
    expect(await replay(staffAction, id)).toEqual([]);
  });

  test('replay every event since an instant: failed, cancelled, delivered, and what happened while it was off', async () => {
    await using database = await testDb();
    await using receiver = await startReceiver();
    receiver.become(answers(400));
    const { addEndpoint, sendDue, staffAction, clock } = eventSetup(database);
    const { endpoint } = await addEndpoint(receiver.url, { types: ['lead.created', 'lead.deleted'] });
    await insertLeads(database.db, [{}, {}, {}]);
    await sendDue();
    await database.sql`update webhook_events set at = now() - interval '2 hours'
      where id in (select id from webhook_events limit 1)`;
    receiver.become(answers(204));
    const delivered = await insertLead(database.db);
    await sendDue();
    await insertLead(database.db);
    await switchEndpoint(staffAction, endpoint.id, false);
    // Nothing it asks for, and what nobody is on for.
    await insertProvider(database.db);
    const missed = await insertLead(database.db);
    await removeLeads(staffActionOn(database), [missed.id]);
    await switchEndpoint(staffAction, endpoint.id, true);
    await testEndpoint(staffAction, endpoint.id);
    receiver.received.length = 0;
    const asked = { endpointId: endpoint.id, since: new Date(clock.ms - hourMs).toISOString() };
    expect(await replaySince(staffAction, asked)).toEqual({ queued: 6, next: null });
    // What is on its way isn't begun anew.
    expect(await replaySince(staffAction, asked)).toEqual({ queued: 0, next: null });
    expect(await sendDue()).toBe(6);
    const replayed = receiver.received.map(({ body }) => {
      const { type, data } = JSON.parse(body) as Body;
      return `${type} ${String(data['id'])}`;
    });
    expect(replayed).toContain(`lead.created ${delivered.id}`);
    expect(replayed).toContain(`lead.created ${missed.id}`);
    expect(replayed).toContain(`lead.deleted ${missed.id}`);
    expect(await listSent(database, 'failed')).toHaveLength(1);
  });

  test('go on where ten thousand ended, through events of one instant too', async () => {
    await using database = await testDb();
    const { addEndpoint, staffAction } = eventSetup(database);
    const { endpoint } = await addEndpoint('http://127.0.0.1:9/');
    const since = '2026-11-01T08:00:00.000Z';
    await database.sql`insert into webhook_events (id, type, at, data)
      select gen_random_uuid(), 'sync.completed', ${since}, '{}' from generate_series(1, 10003)`;
    const first = await replaySince(staffAction, { endpointId: endpoint.id, since });
    expect(first).toMatchObject({ queued: 10_000, next: { since } });
    await database.sql`update deliveries set state = 'delivered', reason = null, next_attempt_at = null, finished_at = now()`;
    if (first.next === null) throw new Error('there is no rest');
    expect(await replaySince(staffAction, { endpointId: endpoint.id, ...first.next })).toEqual({
      queued: 3,
      next: null,
    });
    const [replayed] = await database.sql`select count(distinct event_id)::int as n from deliveries`;
    expect(replayed).toEqual({ n: 10_003 });
  });

  test('remove an endpoint while leads come in: no lead waits or fails, and nothing more is sent', async () => {
    await using database = await testDb();
    await using receiver = await startReceiver();
    const { addEndpoint, sendDue, staffAction } = eventSetup(database);
    const { endpoint } = await addEndpoint(receiver.url);
    await insertLead(database.db);
    await Promise.all([
      removeEndpoint(staffAction, endpoint.id),
      ...Array.from({ length: 8 }, () => insertLead(database.db)),
    ]);
    expect(await sendDue()).toBe(0);
    expect(receiver.received).toHaveLength(0);
  });
});

describe('workers', () => {
  test('share the messages, each sent once, and an endpoint that hangs keeps no other waiting', async () => {
    await using database = await testDb();
    await using receiver = await startReceiver();
    await using hanging = await startReceiver();
    hanging.become(hangs);
    const { addEndpoint, staffAction } = eventSetup(database);
    await addEndpoint(hanging.url);
    await addEndpoint(receiver.url);
    await insertLeads(
      database.db,
      Array.from({ length: 60 }, () => ({})),
    );
    const workers = [startOutboxWorker(staffAction.services), startOutboxWorker(staffAction.services)];
    await vi.waitUntil(() => receiver.received.length >= 60);
    // Eight hands for each endpoint in each process.
    expect(hanging.received.length).toBeLessThanOrEqual(16);
    await Promise.all(workers.map((worker) => worker.stop(50)));
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(60);
    expect(receiver.received).toHaveLength(60);
    // What hung was interrupted: its attempt doesn't count.
    const open = await listSent(database, 'queued');
    expect(open.filter((sent) => sent.attempts > sent.attempts_before_round)).toEqual([]);
    const [left] = await database.sql<{ count: number }[]>`
      select count(*)::int as count from deliveries where state = 'queued' and next_attempt_at <= ${staffAction.services.now().toISOString()}`;
    expect(left?.count).toBe(60);
  });
});
