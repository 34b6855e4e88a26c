import { expect, test } from 'vitest';
import { purgeOldLeads } from '#server/features/leads/changes/purgeLeads.ts';
import { removeLeads, restoreLeads } from '#server/features/leads/changes/leadChanges.ts';
import { insertLead, insertLeads } from '#test/support/leadRows.ts';
import { daysAgo, purge, textAgo, listValues } from '#test/support/purges.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';

const nowText = textAgo(0);

test('junk is purged after its days, and leads above the limit are kept at any age', async () => {
  await using database = await testDb();
  const rows = await insertLeads(
    database.db,
    (
      [
        ['honeypot', 91],
        ['honeypot', 89],
        ['over-limit', 400],
        ['token-forged', 400],
      ] as const
    ).map(([quarantineReason, days]) => ({
      ...{ quarantineReason, quarantinedAt: daysAgo(days), createdAt: daysAgo(days) },
    })),
  );
  const [active] = await insertLeads(database.db, [{ createdAt: daysAgo(400) }]);
  const [, young, waiting] = rows;
  const applications = `
    insert into provider_applications (practice_name, contact_name, role, email, phone, phone_e164, zip_code, consent_text,
      host, idempotency_key, status, quarantined_at, quarantine_reason, created_at)
    select 'p' || n, 'c', 'r', 'c@clinic.example', '1', '+13035550100', '80202', '', 'localhost', 'k', status, at, reason,
      now() - days * interval '1 day'
    from (values (1, 91, 'new', now(), 'honeypot'), (2, 89, 'new', now(), 'honeypot'), (3, 91, 'new', now(), 'over-limit'),
      (4, 91, 'contacted', now(), 'honeypot'), (5, 91, 'new', null, null)) as t (n, days, status, at, reason)`;
  await database.sql.unsafe(applications);
  expect(await purge(database, { junk: 90 })).toBe(3);
  expect(await listValues(database, 'select id::int from leads order by id')).toEqual([
    young?.id,
    waiting?.id,
    active?.id,
  ]);
  expect(await listValues(database, 'select practice_name from provider_applications order by 1')).toEqual([
    'p2',
    'p3',
    'p4',
    'p5',
  ]);
});

test('a repeat whose first lead is purged is no repeat any more, which changes it', async () => {
  await using database = await testDb();
  const [first] = await insertLeads(database.db, [{ createdAt: daysAgo(366) }]);
  const [again, other] = await insertLeads(database.db, [
    { createdAt: daysAgo(10), duplicateOf: first?.id ?? 0 },
    { createdAt: daysAgo(10) },
  ]);
  expect(await purgeOldLeads(database.db, daysAgo(365))).toBe(1);
  expect(
    await database.sql`
      select id::int, duplicate_of, updated_at > now() - interval '1 minute' as changed from leads order by id`,
  ).toEqual([
    { id: again?.id, duplicate_of: null, changed: true },
    { id: other?.id, duplicate_of: null, changed: null },
  ]);
});

test('old leads are purged with all of theirs, unless something waits to be sent', async () => {
  await using database = await testDb();
  const { sql } = database;
  await sql`
    insert into webhook_endpoints (id, url, types, secret, created_by) values (gen_random_uuid(), 'https://a.example', '{}', 's', 'x')`;
  const old = { createdAt: daysAgo(366) };
  const leads = await insertLeads(database.db, [
    old,
    { createdAt: daysAgo(364) },
    old,
    old,
    old,
    { ...old, deletedAt: daysAgo(1) },
    { ...old, quarantinedAt: daysAgo(366), quarantineReason: 'over-limit' },
    { ...old, deletedAt: daysAgo(300), erasedAt: daysAgo(300) },
  ]);
  const ids = leads.map(({ id }) => id);
  const [first = 0, young, queued = 0, held = 0, notice = 0, ...kept] = ids;
  const deliver = (lead: number, state: string, template = 'lead') => sql`
    insert into deliveries (id, channel, template, lead_id, state, next_attempt_at, reason, finished_at)
    values (gen_random_uuid(), 'crm', ${template}, ${lead}, ${state}, ${state === 'queued' ? nowText : null},
      ${state === 'held' ? 'No CRM.' : null}, ${state === 'delivered' ? nowText : null})`;
  await deliver(first, 'delivered');
  await deliver(queued, 'queued');
  await deliver(held, 'held');
  await deliver(notice, 'held', 'erased');
  await sql`insert into lead_attribution (lead_id, touch) values (${first}, 'first')`;
  await sql`insert into idempotency_keys (key, request_sha256, status, body, lead_id, expires_at)
    values ('k', '', 201, '{}', ${first}, ${nowText})`;
  expect(await purge(database, { leads: 365 })).toBe(2);
  expect(await listValues(database, 'select id::int from leads order by id')).toEqual([
    young,
    queued,
    notice,
    ...kept,
  ]);
  expect(
    await listValues(database, 'select lead_id::int from deliveries where lead_id is not null order by 1'),
  ).toEqual([queued, notice]);
  expect(await sql`select 1 from lead_attribution union all select 1 from idempotency_keys`).toHaveLength(0);
  // A first run would delay news about other leads by thousands of events.
  expect(await sql`select 1 from webhook_events where type = 'lead.deleted'`).toHaveLength(0);
});

async function idsLeft(database: TestDb): Promise<unknown[]> {
  return listValues(database, 'select id::int from leads order by id');
}

test('a lead with an open task stays, also as junk, until staff have done it', async () => {
  await using database = await testDb();
  const { sql } = database;
  const old = { createdAt: daysAgo(100) };
  const junk = { ...old, quarantinedAt: daysAgo(100), quarantineReason: 'honeypot' } as const;
  const leads = await insertLeads(database.db, [old, junk, old]);
  const [open, openJunk, done] = leads.map(({ id }) => id);
  for (const lead of [open, openJunk, done])
    await sql`insert into staff_tasks (kind, lead_id, created_at) values ('reply-received', ${lead ?? 0}, now())`;
  await sql`update staff_tasks set done_at = now(), done_by = 'Robin' where lead_id = ${done ?? 0}`;
  expect(await purge(database, { junk: 90, leads: 90 })).toBe(1);
  expect(await idsLeft(database)).toEqual([open, openJunk]);
  await sql`update staff_tasks set done_at = now(), done_by = 'Robin' where done_at is null`;
  expect(await purge(database, { junk: 90, leads: 90 })).toBe(2);
});

test('a lead that staff restored stays for thirty days, also as junk', async () => {
  await using database = await testDb();
  const { sql } = database;
  const old = { createdAt: daysAgo(100) };
  const junk = { ...old, quarantinedAt: daysAgo(100), quarantineReason: 'honeypot' } as const;
  const ids = (await insertLeads(database.db, [old, junk])).map(({ id }) => id);
  const staff = staffActionOn(database, { ms: Date.now() });
  await removeLeads(staff, ids);
  expect(await restoreLeads(staff, ids)).toEqual(ids);
  await sql`delete from deliveries`;
  expect(await purge(database, { junk: 90, leads: 90 })).toBe(0);
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update audit_log set at = at - interval '31 days' where action = 'lead.undo'`;
  });
  expect(await purge(database, { junk: 90, leads: 90 })).toBe(2);
});

test('a delivery that is queued between the choice and the deletion of a lead keeps it', async () => {
  await using database = await testDb();
  const { sql, db } = database;
  const lead = await insertLead(db, { createdAt: daysAgo(100) });
  const other = await insertLead(db, {});
  await sql`insert into staff_tasks (kind, lead_id, created_at) values ('reply-received', ${other.id}, now())`;
  // The choice of leads reads the tasks, where it waits here with its snapshot taken.
  await sql.unsafe(`
    alter table staff_tasks rename to stored_tasks;
    create function wait_for_test() returns boolean language plpgsql volatile as $$
      begin perform pg_advisory_xact_lock_shared(1); return true; end $$;
    create view staff_tasks as with tasks as materialized (select *, wait_for_test() from stored_tasks) select * from tasks`);
  const holder = await sql.reserve();
  await holder`select pg_advisory_lock(1)`;
  const purging = purgeOldLeads(db, daysAgo(90));
  await expect
    .poll(() => sql`select 1 from pg_locks where locktype = 'advisory' and not granted`)
    .toHaveLength(1);
  await sql`insert into deliveries (id, channel, lead_id, state, next_attempt_at)
    values (gen_random_uuid(), 'crm', ${lead.id}, 'queued', now())`;
  await holder`select pg_advisory_unlock(1)`;
  holder.release();
  expect(await purging).toBe(0);
  expect(await idsLeft(database)).toEqual([lead.id, other.id]);
});
