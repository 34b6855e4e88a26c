import { drizzle } from 'drizzle-orm/postgres-js';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import * as schema from '#server/db/schema/index.ts';
import { staffAccounts, staffSessions } from '#server/db/schema/index.ts';
import {
  createNewLeads,
  listNewIds,
  listRecentIds,
  type Watcher,
} from '#server/features/leads/list/newLeads.ts';
import { messages } from '#shared/brand/messages.ts';
import { hourMs, minuteMs } from '#shared/formats/time.ts';
import { listPlans } from '#test/bench/plans.ts';
import { type EventStream, openStream } from '#test/support/eventStream.ts';
import { insertLead, insertLeads } from '#test/support/leadRows.ts';
import { getSession, insertAccount, signedIn, cheapHash } from '#test/support/staff.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';
import { waitUntil } from '#test/support/waitFor.ts';
import { databaseLink } from '../tenancy/databaseLink.ts';
import { testDb } from '#test/support/testDb.ts';

const recent = (): { createdAt: Date } => ({ createdAt: new Date() });

/** A stream that has its first round behind it: whatever is stored from now on is new. */
async function startedStream(app: TestApp) {
  const stream = await openStream(app.port, await signedIn(app, 'viewer'));
  const { id } = await insertLead(app.db, recent());
  await waitUntil(() => stream.ids().includes(id));
  return { stream, first: id };
}

test('a stream of new leads sends ids in the order of commits, not of numbers', async () => {
  await using app = await testApp();
  const { stream, first } = await startedStream(app);
  const inserted = Promise.withResolvers<number>();
  const mayCommit = Promise.withResolvers<void>();
  const early = app.sql.begin(async (tx) => {
    const [row] = await tx<{ id: number }[]>`
      insert into leads (first_name, last_name, email, phone, zip_code, email_norm, phone_e164, match_method, match_reason)
      select first_name, last_name, email, phone, zip_code, email_norm, phone_e164, match_method, match_reason
      from leads where id = ${first} returning id::int`;
    inserted.resolve(row?.id ?? 0);
    await mayCommit.promise;
  });
  const lower = await inserted.promise;
  const higher = (await insertLead(app.db, recent())).id;
  await waitUntil(() => stream.ids().includes(higher));
  expect(higher).toBeGreaterThan(lower);
  expect(stream.ids()).toEqual([first, higher]);
  mayCommit.resolve();
  await early;
  await waitUntil(() => stream.ids().includes(lower));
  expect(stream.ids()).toEqual([first, higher, lower]);
  stream.close();
});

test('a stream has the ids of leads that the default list shows, and no personal data', async () => {
  await using app = await testApp();
  const { stream, first } = await startedStream(app);
  const held = { ...recent(), quarantinedAt: new Date(), quarantineReason: 'honeypot' as const };
  const [hidden] = await insertLeads(app.db, [held, { ...recent(), deletedAt: new Date() }]);
  const { id } = await insertLead(app.db, recent());
  await waitUntil(() => stream.ids().includes(id));
  expect(stream.ids()).toEqual([first, id]);
  await app.sql`update leads set quarantined_at = null, quarantine_reason = null, updated_at = now() where id = ${hidden?.id ?? 0}`;
  await waitUntil(() => stream.ids().includes(hidden?.id ?? 0));
  expect(stream.text()).toMatch(
    /^(?:retry: \d+|(?:id: \d+\n)?event: (?:leads|gap)\ndata: \{"ids":\[[\d,]*\]\}|\n\n)+$/,
  );
  expect(stream.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  expect(stream.headers['content-encoding']).toBeUndefined();
  stream.close();
});

test('a stream resumes after its last event, and reports a gap after a longer break', async () => {
  let aheadMs = 0;
  await using app = await testApp({ now: () => new Date(Date.now() + aheadMs) });
  const session = await signedIn(app, 'viewer');
  const first = await openStream(app.port, session);
  await insertLead(app.db, recent());
  await waitUntil(() => first.events().some(({ id }) => id !== undefined));
  expect(first.events()[0]?.event).toBe('gap');
  const last = first.events().at(-1)?.id ?? '';
  first.close();
  const missed = await insertLead(app.db, recent());
  const second = await openStream(app.port, { ...session, 'last-event-id': last });
  await waitUntil(() => second.ids().includes(missed.id));
  expect(second.events().map(({ event }) => event)).not.toContain('gap');
  aheadMs = minuteMs;
  const third = await openStream(app.port, { ...session, 'last-event-id': last });
  await waitUntil(() => third.events().length > 0);
  expect(third.events()[0]).toMatchObject({ event: 'gap', ids: [] });
  // The open stream had no round for a minute, too.
  await waitUntil(() => second.events().some(({ event }) => event === 'gap'));
  for (const { close } of [second, third]) close();
});

test('a stream ends when its session does or its role changes', async () => {
  let aheadMs = 0;
  await using app = await testApp({ now: () => new Date(Date.now() + aheadMs) });
  const open = async () => {
    const account = await insertAccount(app, 'manager');
    const session = await getSession(app, account);
    return { account, session, stream: await openStream(app.port, session) };
  };
  const [signsOut, revoked, demoted, newPassword] = [await open(), await open(), await open(), await open()];
  const other = await open();
  const change = (id: number, values: object) =>
    app.db.update(staffAccounts).set(values).where(eq(staffAccounts.id, id));
  await app.post('/trpc/admin.session.signOut', {}, signsOut.session);
  await app.db.delete(staffSessions).where(eq(staffSessions.accountId, revoked.account.id));
  await change(demoted.account.id, { role: 'viewer' });
  await change(newPassword.account.id, { passwordHash: cheapHash('another password') });
  await waitUntil(() => [signsOut, revoked, demoted, newPassword].every(({ stream }) => stream.hasEnded()));
  expect(other.stream.hasEnded()).toBe(false);
  expect((await openStream(app.port, signsOut.session)).status).toBe(401);
  const again = await openStream(app.port, demoted.session);
  expect(again.status).toBe(200);
  // Nobody uses the dashboard: two hours later, the session is over.
  aheadMs = 2 * hourMs;
  await waitUntil(() => other.stream.hasEnded() && again.hasEnded());
});

test('an open stream is no use of the session', async () => {
  let aheadMs = 0;
  await using app = await testApp({ now: () => new Date(Date.now() + aheadMs) });
  const session = await signedIn(app, 'viewer');
  const seen = async () => [...(await app.sql`select last_seen_at::text from staff_sessions`)];
  const before = await seen();
  aheadMs = 10 * minuteMs;
  const stream = await openStream(app.port, session);
  const { id } = await insertLead(app.db, { createdAt: app.services.now() });
  await waitUntil(() => stream.ids().includes(id));
  expect(await seen()).toEqual(before);
  await app.get('/trpc/admin.session.me', session);
  expect(await seen()).not.toEqual(before);
  stream.close();
});

test('of six streams of a session, the first ends', async () => {
  await using app = await testApp();
  const session = await signedIn(app, 'viewer');
  const streams: EventStream[] = [];
  for (let count = 0; count < 6; count += 1) streams.push(await openStream(app.port, session));
  await waitUntil(() => streams[0]?.hasEnded());
  // The browser comes back later, or the two would end each other in turns.
  expect(streams[0]?.text()).toMatch(/retry: 60000\n\n$/);
  expect(streams.map(({ hasEnded }) => hasEnded())).toEqual([true, false, false, false, false, false]);
  for (const { close } of streams) close();
});

test('a process refuses more than two hundred streams, and every stream when it stops', async () => {
  await using app = await testApp();
  const { config, db, health, log, now } = app.services;
  const stopping = new AbortController();
  const newLeads = createNewLeads({
    ...{ config, db, log, now },
    health: { ...health, stopping: stopping.signal },
  });
  const ends: string[] = [];
  const watcher = (session: string): Watcher => ({
    actor: {
      kind: 'staff',
      name: 'Staff',
      role: 'viewer',
      accountId: null,
      sessionId: session,
      provedAt: new Date(),
    },
    send: () => undefined,
    end: (cause) => ends.push(cause),
  });
  const stops = Array.from({ length: 200 }, () => newLeads.watch(watcher(crypto.randomUUID()), null));
  const one = () => newLeads.watch(watcher(crypto.randomUUID()), null);
  expect(one).toThrow('Too many open dashboards.');
  stops[0]?.();
  stops.push(one());
  stopping.abort();
  expect(ends).toEqual(Array.from({ length: 200 }, () => 'over'));
  for (const stop of stops) stop();
  expect(one).toThrow(messages.unavailable);
});

test('twenty streams cost one query for leads and one for sessions a second', async () => {
  await using app = await testApp();
  const queries: string[] = [];
  const logger = { logQuery: (query: string) => void queries.push(query) };
  const db = Object.assign(drizzle(app.sql, { schema, logger }), { $client: app.sql });
  const { config, health, log, now } = app.services;
  const newLeads = createNewLeads({ config, db, health, log, now });
  const sent: number[] = [];
  for (let count = 0; count < 20; count += 1) await signedIn(app, 'viewer');
  const sessions = await app.db.select().from(staffSessions);
  const startedAtMs = performance.now();
  const stops = sessions.map(({ id, accountId }) =>
    newLeads.watch(
      {
        actor: { kind: 'staff', name: '', role: 'viewer', accountId, sessionId: id, provedAt: new Date() },
        send: (_, ids) => sent.push(...ids),
        end: () => expect.unreachable('no session has ended'),
      },
      null,
    ),
  );
  await waitUntil(() => queries.length >= 6);
  const rounds = 1 + Math.floor((performance.now() - startedAtMs) / 1_000);
  expect(queries.length).toBeLessThanOrEqual(2 * rounds);
  expect(queries.filter((query) => query.includes('from "leads"'))).toHaveLength(queries.length / 2);
  const { id } = await insertLead(app.db, recent());
  await waitUntil(() => sent.length > 0);
  expect(sent).toEqual(Array.from({ length: 20 }, () => id));
  for (const stop of stops) stop();
});

test('recent and new leads are read from an index among many leads', async () => {
  await using own = await testDb();
  await insertLead(own.db, { createdAt: new Date(Date.now() - hourMs) });
  await own.sql`
    insert into leads (first_name, last_name, email, phone, zip_code, email_norm, phone_e164, match_method, match_reason, created_at)
    select first_name, last_name, email, phone, zip_code, email_norm, phone_e164, match_method, match_reason,
      created_at - n * interval '1 second'
    from leads, generate_series(1, 19999) as n`;
  await own.sql`vacuum analyze leads`;
  const { id } = await insertLead(own.db, recent());
  const since = new Date(Date.now() - minuteMs);
  expect(await listRecentIds(own.db, since)).toEqual([id]);
  expect(await listNewIds(own.db, id - 2)).toEqual([id, id - 1]);
  const [ofRecent, ofNew] = await listPlans({ ...own, close: () => Promise.resolve() }, async (db) => {
    await listRecentIds(db, since);
    await listNewIds(db, id - 2);
  });
  expect(ofRecent).toMatch(
    /^Limit \| -> {2}Index (Only )?Scan using leads_created_idx on leads \| Index Cond/,
  );
  expect(ofNew).toMatch(/^Limit \| -> {2}Index Scan Backward using leads_pkey on leads \| Index Cond/);
});

test('a stream outlives an outage of the database, and then has what it missed', async () => {
  await using database = await testDb();
  await using link = await databaseLink(database.url);
  await using app = await testApp({ database, url: link.url(database.url) });
  const { stream, first } = await startedStream(app);
  const session = await signedIn(app);
  link.freeze();
  const { id } = await insertLead(database.db, recent());
  expect((await openStream(app.port, session)).status).toBe(503);
  link.thaw();
  await waitUntil(() => stream.ids().includes(id));
  expect(stream.ids()).toEqual([first, id]);
  expect(stream.hasEnded()).toBe(false);
  stream.close();
});
