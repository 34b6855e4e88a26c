import { describe, expect, test } from 'vitest';
import { removeLeads } from '#server/features/leads/changes/leadChanges.ts';
import { removeEndpoint, switchEndpoint } from '#server/features/webhooks/endpoints.ts';
import { slotsPerEndpoint } from '#server/features/outbox/allocateSlots.ts';
import { startOutboxWorker } from '#server/features/outbox/outboxWorker.ts';
import { replaySince, undoSwitchOff } from '#server/features/webhooks/replays.ts';
import { testEndpoint } from '#server/features/webhooks/endpoints.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { eventSetup } from '#test/support/webhookSetup.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertLead, insertLeads } from '#test/support/leadRows.ts';
import { answers, hangs, startReceiver } from '#test/support/receiver.ts';
import { testDb } from '#test/support/testDb.ts';
import {
  listAttempts,
  type Body,
  getEndpoint,
  hourMs,
  listSent,
  onlyMessage,
  replay,
  verified,
} from '#test/support/sentWebhooks.ts';
import { waitUntil } from '#test/support/waitFor.ts';

describe('staff', () => {
  test('send a test to one endpoint and get its result, without retry or penalty', async () => {
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
      reason: 'The endpoint returned HTTP 500.',
    });
    expect(await sendDue()).toBe(0);
    expect((await getEndpoint(database, endpoint.id)).failures).toBe(0);
    const [failed] = await listSent(database, 'failed');
    expect(failed).toBeDefined();
    expect(await replay(staffAction, failed?.id ?? '')).toEqual([]);
  });

  test('replay one message, delivered or not, with its id', async () => {
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
    expect(await listAttempts(database, id)).toHaveLength(2);
    await switchEndpoint(staffAction, endpoint.id, false);
    expect(await replay(staffAction, id)).toEqual([]);
  });

  test('undo switching an endpoint off: what it canceled and the events since are sent', async () => {
    await using database = await testDb();
    await using receiver = await startReceiver();
    const { addEndpoint, sendDue, staffAction, clock } = eventSetup(database);
    const { endpoint } = await addEndpoint(receiver.url, { types: ['lead.created'] });
    await insertLead(database.db);
    clock.ms -= 10_000;
    await switchEndpoint(staffAction, endpoint.id, false);
    // What an earlier switch canceled stays so.
    await switchEndpoint(staffAction, endpoint.id, true);
    const waiting = await insertLead(database.db);
    clock.ms += 5_000;
    await switchEndpoint(staffAction, endpoint.id, false);
    const missed = await insertLead(database.db);
    expect((await undoSwitchOff(staffAction, endpoint.id)).state).toBe('on');
    await undoSwitchOff(staffAction, endpoint.id);
    expect(await sendDue()).toBe(2);
    const ids = receiver.received.map(({ body }) => (JSON.parse(body) as Body).data['id']);
    expect(new Set(ids)).toEqual(new Set([waiting.id, missed.id]));
    const acts = await database.sql`select from audit_log where action = 'endpoint.enable'`;
    expect(acts).toHaveLength(2);
  });

  test('replay every event since a time, in any state or while it was off', async () => {
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
    const asked = { id: endpoint.id, since: new Date(clock.ms - hourMs).toISOString() };
    expect(await replaySince(staffAction, asked)).toEqual({ queued: 6, next: null });
    // A delivery in progress isn't started again.
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

  test('continue after ten thousand events, also of the same time', async () => {
    await using database = await testDb();
    const { addEndpoint, staffAction } = eventSetup(database);
    const { endpoint } = await addEndpoint('http://127.0.0.1:9/');
    const since = '2026-11-01T08:00:00.000Z';
    await database.sql`insert into webhook_events (id, type, at, data)
      select gen_random_uuid(), 'sync.completed', ${since}, '{}' from generate_series(1, 10003)`;
    const first = await replaySince(staffAction, { id: endpoint.id, since });
    expect(first).toMatchObject({ queued: 10_000, next: { since } });
    await database.sql`update deliveries set state = 'delivered', reason = null, next_attempt_at = null, finished_at = now()`;
    if (first.next === null) throw new Error('there is no rest');
    expect(await replaySince(staffAction, { id: endpoint.id, ...first.next })).toEqual({
      queued: 3,
      next: null,
    });
    const [replayed] = await database.sql`select count(distinct event_id)::int as n from deliveries`;
    expect(replayed).toEqual({ n: 10_003 });
  });

  test('remove an endpoint while leads arrive: no lead fails, and nothing is sent', async () => {
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
  test('send each message once, and an endpoint that hangs delays no other', async () => {
    await using database = await testDb();
    await using receiver = await startReceiver();
    await using hanging = await startReceiver();
    hanging.become(hangs);
    const { addEndpoint, workerServices } = eventSetup(database);
    await addEndpoint(hanging.url);
    await addEndpoint(receiver.url);
    await insertLeads(
      database.db,
      Array.from({ length: 60 }, () => ({})),
    );
    const workers = [startOutboxWorker(workerServices), startOutboxWorker(workerServices)];
    // Recorded, not only received: a stop interrupts an attempt that is not recorded yet.
    await waitUntil(async () => (await listSent(database, 'delivered')).length >= 60);
    expect(hanging.received.length).toBeLessThanOrEqual(2 * slotsPerEndpoint);
    await Promise.all(workers.map((worker) => worker.stop(50)));
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(60);
    expect(receiver.received).toHaveLength(60);
    // What hung was interrupted: its attempt doesn't count.
    const open = await listSent(database, 'queued');
    expect(open.filter((sent) => sent.attempts > sent.attempts_before_round)).toEqual([]);
    const [left] = await database.sql<{ count: number }[]>`
      select count(*)::int as count from deliveries where state = 'queued' and next_attempt_at <= ${workerServices.now().toISOString()}`;
    expect(left?.count).toBe(60);
  });
});
