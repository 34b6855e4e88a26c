import { expect, test, vi } from 'vitest';
import { defaultRetention } from '#server/config/retention.ts';
import { insertLeads } from '#test/support/leadRows.ts';
import { buildLines } from '#test/support/logLines.ts';
import { daysAgo, keptForever, purge, textAgo, listValues } from '#test/support/purges.ts';
import { testDb } from '#test/support/testDb.ts';
import { purgeUntilDone, expiryPurges, retentionPurges } from './retention.ts';

const nowText = textAgo(0);

test('nothing that is kept forever is purged', () => {
  expect(retentionPurges(keptForever)).toEqual([]);
  const tasks = retentionPurges(defaultRetention).map(({ task }) => task);
  expect(tasks).toContain('purge junk');
  expect(tasks).not.toContain('purge leads');
  expect(tasks).not.toContain('purge audit-log');
});

test('a machine whose clock is years ahead purges nothing early', async () => {
  await using database = await testDb();
  const { sql, db } = database;
  await insertLeads(db, [{ createdAt: daysAgo(0) }, { createdAt: daysAgo(0), deletedAt: daysAgo(0) }]);
  await sql`insert into webhook_events (id, type, at, data) values (gen_random_uuid(), 'lead.created', now(), '{}')`;
  const { signal } = new AbortController();
  vi.useFakeTimers({ toFake: ['Date'], now: daysAgo(-4_000) });
  try {
    const { log } = buildLines();
    for (const each of [...expiryPurges, ...retentionPurges({ ...defaultRetention, leads: 90 })])
      expect([each.task, await purgeUntilDone({ db, log }, each, { signal })]).toEqual([each.task, 0]);
  } finally {
    vi.useRealTimers();
  }
});

test('old attempts are purged, except the last one of what was not delivered', async () => {
  await using database = await testDb();
  const { sql } = database;
  const [lead] = await insertLeads(database.db, [{}]);
  const deliver = async (state: string, ages: readonly number[]): Promise<void> => {
    const finished = state === 'queued' || state === 'held' ? null : nowText;
    const [row] = await sql<{ id: string }[]>`
      insert into deliveries (id, channel, lead_id, state, next_attempt_at, reason, finished_at)
      values (gen_random_uuid(), 'crm', ${lead?.id ?? 0}, ${state}, ${state === 'queued' ? nowText : null},
        ${state === 'delivered' ? null : 'why'}, ${finished}) returning id`;
    for (const days of ages)
      await sql`insert into delivery_attempts (delivery_id, lead_id, channel, at, duration_ms, outcome, reason)
        values (${row?.id ?? ''}, ${lead?.id ?? 0}, 'crm', ${textAgo(days)}, 1, 'failed', ${`${state} ${days}`})`;
  };
  await deliver('delivered', [402, 401, 399]);
  await deliver('delivered', [401]);
  await deliver('failed', [403, 402]);
  await deliver('cancelled', [402, 10]);
  await deliver('queued', [402, 401]);
  await deliver('held', [402]);
  expect(await purge(database, { 'delivery-attempts': 400 })).toBe(5);
  expect(await listValues(database, 'select reason from delivery_attempts order by id')).toEqual([
    'delivered 399',
    'failed 402',
    'cancelled 10',
    'queued 402',
    'queued 401',
    'held 402',
  ]);
});

test('old events are purged with their deliveries', async () => {
  await using database = await testDb();
  const { sql } = database;
  for (const days of [31, 29]) {
    const id = crypto.randomUUID();
    await sql`insert into webhook_events (id, type, at, data) values (${id}, ${`type.${days}`}, ${textAgo(days)}, '{}')`;
    await sql`insert into deliveries (id, channel, template, event_id, endpoint_id, state, finished_at)
      values (${id}, 'webhook', 'event', ${id}, ${id}, 'delivered', ${nowText})`;
  }
  expect(await purge(database, { events: 30 })).toBe(1);
  expect(
    await listValues(
      database,
      'select type from webhook_events join deliveries on event_id = webhook_events.id',
    ),
  ).toEqual(['type.29']);
});

test('an event stays while one of its deliveries is queued', async () => {
  await using database = await testDb();
  const { sql } = database;
  const id = crypto.randomUUID();
  await sql`insert into webhook_events (id, type, at, data) values (${id}, 'lead.created', ${textAgo(31)}, '{}')`;
  for (const state of ['queued', 'delivered'])
    await sql`insert into deliveries (id, channel, template, event_id, endpoint_id, state, next_attempt_at, finished_at)
      values (gen_random_uuid(), 'webhook', 'event', ${id}, gen_random_uuid(), ${state},
        ${state === 'queued' ? nowText : null}, ${state === 'queued' ? null : nowText})`;
  expect(await purge(database, { events: 30 })).toBe(0);
  expect(await listValues(database, 'select state from deliveries order by 1')).toEqual([
    'delivered',
    'queued',
  ]);
  await sql`update deliveries set state = 'delivered', next_attempt_at = null, finished_at = now()`;
  expect(await purge(database, { events: 30 })).toBe(1);
  expect(await sql`select 1 from deliveries`).toHaveLength(0);
});

test('old applications are purged once they were decided', async () => {
  await using database = await testDb();
  await database.sql.unsafe(`
    insert into provider_applications (practice_name, contact_name, role, email, phone, phone_e164, zip_code, consent_text,
      host, idempotency_key, status, created_at)
    select status || ' ' || days, 'c', 'r', 'c@clinic.example', '1', '+13035550100', '80202', '', 'localhost', 'k', status,
      now() - days * interval '1 day'
    from unnest(array['new', 'contacted', 'accepted', 'declined']) as status, unnest(array[729, 731]) as days`);
  expect(await purge(database, { applications: 730 })).toBe(2);
  expect(await listValues(database, 'select practice_name from provider_applications order by 1')).toEqual([
    'accepted 729',
    'contacted 729',
    'contacted 731',
    'declined 729',
    'new 729',
    'new 731',
  ]);
});

test('old geocoder results are purged if no provider has the address', async () => {
  await using database = await testDb();
  const { sql } = database;
  for (const address of ['1  Main St', '2 Main St, 80202'])
    await sql`insert into providers (name, email, zip_code, address) values ('a', 'a@clinic.example', '80202', ${address})`;
  for (const address of ['1 main st, 80202', '2 main st, 80202', '3 main st, 80202'])
    await sql`insert into geocoded_addresses (address, asked_at) values (${address}, ${textAgo(366)})`;
  await sql`insert into geocoded_addresses (address, asked_at) values ('4 main st', ${textAgo(364)})`;
  expect(await purge(database, { 'geocoded-addresses': 365 })).toBe(1);
  expect(await listValues(database, 'select address from geocoded_addresses order by 1')).toEqual([
    '1 main st, 80202',
    '2 main st, 80202',
    '4 main st',
  ]);
});

test('old sync runs are purged, except the newest successful ones and one in progress', async () => {
  await using database = await testDb();
  const { sql } = database;
  const run = async (
    kind: string,
    outcome: string,
    days: number,
    { until = null, source = 'wordpress' }: { until?: string | null; source?: string } = {},
  ): Promise<number> => {
    const finished = outcome === 'running' ? null : textAgo(days);
    const [row] = await sql<{ id: string }[]>`
      insert into sync_runs (source, kind, started_by, started_at, finished_at, outcome, modified_until)
      values (${source}, ${kind}, 'Schedule', ${textAgo(days)}, ${finished}, ${outcome}, ${until}) returning id`;
    await sql`insert into sync_run_rows (run_id, change) values (${row?.id ?? 0}, 'created')`;
    return Number(row?.id);
  };
  await run('full', 'done', 200);
  const continued = await run('full', 'done', 190, { until: textAgo(190) });
  const full = await run('full', 'done', 180);
  const incremental = await run('incremental', 'done', 100);
  await run('incremental', 'failed', 91);
  await run('full', 'done', 170, { source: 'file' });
  const file = await run('full', 'done', 160, { source: 'file' });
  const running = await run('incremental', 'running', 91);
  const young = await run('incremental', 'failed', 89);
  expect(await purge(database, { 'sync-runs': 90 })).toBe(3);
  const left = [continued, full, incremental, file, running, young];
  expect(await listValues(database, 'select id::int from sync_runs order by id')).toEqual(left);
  expect(await listValues(database, 'select run_id::int from sync_run_rows order by 1')).toEqual(left);
});

test('done tasks and counts of form steps are purged after their days, others never', async () => {
  await using database = await testDb();
  const { sql } = database;
  const [lead] = await insertLeads(database.db, [{}]);
  for (const days of [366, 364, null])
    await sql`insert into staff_tasks (kind, lead_id, created_at, done_at, done_by)
      values ('reply-received', ${lead?.id ?? 0}, ${textAgo(400)}, ${days === null ? null : textAgo(days)},
        ${days === null ? null : 'Robin'})`;
  for (const days of [1096, 1094])
    await sql`insert into form_steps (day, form, step, count) values (${textAgo(days).slice(0, 10)}, 'quiz', 'zip', 1)`;
  expect(await purge(database, { 'staff-tasks': 365, 'form-steps': 1095 })).toBe(2);
  expect(await listValues(database, 'select done_at is null from staff_tasks order by id')).toEqual([
    false,
    true,
  ]);
  expect(await sql`select 1 from form_steps`).toHaveLength(1);
});
