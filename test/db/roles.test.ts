import { once } from 'node:events';
import { expect, test } from 'vitest';
import { sealWaiting } from '#server/features/consent/consentChain.ts';
import { clearMailFolder } from '#server/features/erasure/clearMailFolder.ts';
import { forgetRemoteIds } from '#server/features/outbox/notices.ts';
import { purgeDeletedLeads } from '#server/features/leads/changes/purgeLeads.ts';
import { releaseOverLimit } from '#server/features/leads/intake/releaseOverLimit.ts';
import { rematchUnmatched } from '#server/features/leads/changes/rematch.ts';
import { retentionPurges } from '#server/background/retention.ts';
import { type RetentionName, retentionNames, retentionRules } from '#server/config/retention.ts';
import { purgeRecipientEmails } from '#server/features/mail/recipientLimits.ts';
import { releaseHeld } from '#server/features/outbox/releaseHeld.ts';
import { purgeExpiredKeys } from '#server/features/submissions/idempotency.ts';
import { purgeSessions } from '#server/features/auth/sessions.ts';
import { connect } from '#server/db/connect.ts';
import { purgeRateLimits } from '#server/security/sharedLimiter.ts';
import { prepareDatabase } from '#server/startup/prepareDatabase.ts';
import { syncRunOutcome } from '#shared/admin/sync.ts';
import { backupFolder } from '#test/support/backupSetup.ts';
import { runCommand } from '#test/support/command.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { formToken } from '#test/support/formToken.ts';
import { sendLead } from '#test/support/leadList.ts';
import { crmEnvironment } from '#test/support/outboxSetup.ts';
import { answers, startReceiver } from '#test/support/receiver.ts';
import { launchServer, startServer } from '#test/support/serverProcess.ts';
import { signedIn, getToken } from '#test/support/staff.ts';
import { testApp } from '#test/support/testApp.ts';
import { testSecret } from '#test/support/testKeys.ts';
import { twoRoles } from '#test/support/twoRoles.ts';
import { feedRecord, wordpressFeed } from '#scripts/demo/wordpressFeed.ts';
import { startWorkerProcess } from '#test/support/workerProcess.ts';

const denied = { code: '42501' };

test('the application role runs intake, deliveries, sync, erasure and maintenance', async () => {
  await using roles = await twoRoles();
  await prepareDatabase({ url: roles.appUrl, ownerUrl: roles.ownerUrl });
  await using receiver = await startReceiver(answers(201, '{"id":"contact-1"}'));
  await using feed = await wordpressFeed([feedRecord(1), feedRecord(2)]);
  await using ledger = await backupFolder();
  await using app = await testApp({
    database: roles.database,
    url: roles.appUrl,
    worker: true,
    formMinAgeMs: 0,
    env: { WORDPRESS_URL: feed.url, LEDGER_URL: ledger.ledgerUrl, ...crmEnvironment(receiver) },
  });
  const [user] = await app.services.db.$client<{ name: string }[]>`select current_user as name`;
  expect(user?.name).toBe(roles.appRole);
  await insertProvider(app.db, { zipCode: '80202' });

  const sync = await app.post('/api/sync?kind=full', {}, await getToken(app, ['sync:run']));
  expect(syncRunOutcome.parse(sync.json())).toMatchObject({ success: true, run: { created: 2 } });

  await app.get('/');
  const form = leadInput({ form: 'landing', token: formToken('landing'), zip_code: '80202' });
  expect((await app.post('/api/leads', form)).status).toBe(201);
  const id = await sendLead(app, leadInput({ zip_code: '80202' }), await getToken(app, ['leads:write']));
  await expect.poll(() => receiver.received.length).toBe(2);
  const open = () => app.sql`select 1 from deliveries where state = 'queued' and channel = 'crm'`;
  await expect.poll(open).toHaveLength(0);

  const { services } = app;
  const { db, dataKeys, channels } = services;
  const later = new Date(Date.now() + 40 * 86_400_000);
  await sealWaiting(db, dataKeys);
  expect(await app.sql`select 1 from consent_seals`).not.toHaveLength(0);

  const owner = await signedIn(app, 'owner');
  const body = { leadId: id, confirmation: String(id), reason: 'asked' };
  expect((await app.post('/trpc/admin.personalData.erase', body, owner)).status).toBe(200);
  const [record] = await app.sql`select email, ip from consent_records where lead_id = ${id}`;
  expect(record).toEqual({ email: '', ip: '0.0.0.0' });
  await expect.poll(ledger.entries).toBe(1);

  await app.sql`update leads set deleted_at = now() - interval '60 days' where erased_at is null`;
  await sealWaiting(db, dataKeys);
  await releaseHeld(db, channels, later);
  await releaseOverLimit(services);
  await app.sql`insert into rematch_requests default values`;
  await rematchUnmatched(services);
  expect(await app.sql`select 1 from rematch_requests`).toHaveLength(0);
  await purgeDeletedLeads(db, new Date());
  expect(await app.sql`select 1 from leads where erased_at is null`).toHaveLength(0);
  await purgeSessions(db, later);
  await purgeExpiredKeys(db, later);
  await purgeRateLimits(db, later);
  expect(await app.sql`select 1 from idempotency_keys`).toHaveLength(0);
  // As if it were forty days later.
  const floors = retentionNames.map((name) => [name, retentionRules[name].floorDays - 40]);
  const shortest = Object.fromEntries(floors) as Record<RetentionName, number>;
  for (const { removeBatch } of retentionPurges(shortest)) await removeBatch(db);
  await purgeRecipientEmails(db, later);
  await forgetRemoteIds(db);
  await clearMailFolder(services);
});

test('the application role has no DDL and changes neither evidence nor the audit log', async () => {
  await using roles = await twoRoles();
  await prepareDatabase({ url: roles.appUrl, ownerUrl: roles.ownerUrl });
  const app = connect(roles.appUrl, { applicationName: 'test', max: 1 });
  const forbidden = [
    'create table mine (id int)',
    'create schema mine',
    'create view mine as select 1',
    'create function mine() returns int language sql as $$ select 1 $$',
    'create index mine on leads (id)',
    'create extension hstore',
    'alter table leads add column mine int',
    'alter table leads disable trigger all',
    'drop table staff_tasks',
    'drop function refuse_change cascade',
    'drop trigger audit_log_append_only on audit_log',
    'truncate leads cascade',
    'update audit_log set ip = null',
    'update erasure_ledger set email_hmac = null',
    'delete from erasure_ledger',
    'delete from audit_log',
    'update consent_records set accepted_at = now()',
    'delete from consent_records',
    'update consent_seals set key_id = null',
    'delete from consent_seals',
    'delete from consent_withdrawals',
    'update consent_withdrawals set at = now()',
    'delete from consent_erasures',
    'insert into consent_checkpoints select * from consent_checkpoints',
    'update consent_checkpoints set records = 0',
    'delete from consent_checkpoints',
    'delete from consent_form_snapshots',
    'delete from schema_migrations',
    `insert into schema_functions (name, sha256) values ('mine', '')`,
  ];
  const codes: Record<string, unknown> = {};
  for (const statement of forbidden)
    codes[statement] = await app.sql.unsafe(statement).then(
      () => 'allowed',
      (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
    );
  expect(codes).toEqual(Object.fromEntries(forbidden.map((statement) => [statement, denied.code])));
  await app.close();
});

test('a table that the owner creates later is usable by the application role', async () => {
  await using roles = await twoRoles();
  await prepareDatabase({ url: roles.appUrl, ownerUrl: roles.ownerUrl });
  const owner = connect(roles.ownerUrl, { applicationName: 'test', max: 1 });
  await owner.sql`create table later (id bigserial primary key, note text)`;
  await owner.close();
  const app = connect(roles.appUrl, { applicationName: 'test', max: 1 });
  await app.sql`insert into later (note) values ('one')`;
  expect(await app.sql`update later set note = 'two' returning id::int`).toEqual([{ id: 1 }]);
  await expect(app.sql`truncate later`).rejects.toMatchObject(denied);
  await app.close();
});

test('an application role that owns tables is refused, with the statement to run', async () => {
  await using roles = await twoRoles();
  await roles.database.sql`grant create on schema public to ${roles.database.sql(roles.appRole)}`;
  const app = connect(roles.appUrl, { applicationName: 'test', max: 1 });
  await app.sql`create table mine (id int)`;
  await app.close();
  await expect(prepareDatabase({ url: roles.appUrl, ownerUrl: roles.ownerUrl })).rejects.toMatchObject({
    name: 'StartFault',
    message: expect.stringContaining(`reassign owned by "${roles.appRole}"`),
  });
});

test('MIGRATE_ON_START=off refuses pending migrations and starts after db:migrate', async () => {
  await using roles = await twoRoles();
  const env = { DATABASE_URL: roles.appUrl, MIGRATE_ON_START: 'off' };
  {
    await using refused = await launchServer(env);
    expect(await once(refused.child, 'exit')).toEqual([1, null]);
    expect(refused.output()).toContain('Run npm run db:migrate, then start again.');
  }
  expect(await roles.database.sql`select 1 from pg_tables where schemaname = 'public'`).toHaveLength(0);
  const migrated = await runCommand('dbMigrate', [], { ...env, DATABASE_OWNER_URL: roles.ownerUrl });
  expect(migrated).toEqual({ status: 0, output: expect.stringMatching(/^Applied [1-9]\d* migrations\.\n$/) });
  // Waits for 200 of /readyz.
  await using server = await startServer(env);
  expect((await fetch(`http://127.0.0.1:${server.port}/api/providers`)).status).toBe(200);
});

test('web and worker processes of the application role take a lead through delivery', async () => {
  await using roles = await twoRoles();
  await using receiver = await startReceiver(answers(200, '{"id":"contact-1"}'));
  const urls = { DATABASE_URL: roles.appUrl, MIGRATE_ON_START: 'off' };
  const release = await runCommand('dbMigrate', [], { ...urls, DATABASE_OWNER_URL: roles.ownerUrl });
  expect(release.status).toBe(0);
  await insertProvider(roles.database.db, { zipCode: '80202' });
  const env = { ...urls, SECRET_KEYS: testSecret, ...crmEnvironment(receiver) };
  await using web = await startServer({ ...env, WORKER: 'off' });
  await using worker = await startWorkerProcess(env);
  const answer = await fetch(`http://127.0.0.1:${web.port}/api/leads`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(leadInput({ zip_code: '80202' })),
  });
  expect(answer.status).toBe(201);
  const { sql } = roles.database;
  await expect.poll(() => sql`select 1 from leads where crm_sync_status = 'success'`).toHaveLength(1);
  expect(receiver.received).toHaveLength(1);
  expect(worker.ended()).toBeNull();

  const sessions = await sql<{ role: string; process: string }[]>`
    select distinct usename as role, substring(application_name from 'clinic-leads-[a-z]+') as process from pg_stat_activity
    where datname = current_database() and application_name like '%clinic-leads-%' order by 2`;
  const role = roles.appRole;
  expect(sessions).toEqual([
    { role, process: 'clinic-leads-web' },
    { role, process: 'clinic-leads-worker' },
  ]);
  const [owner] = await sql<{ role: string }[]>`
    select distinct pg_get_userbyid(relowner) as role from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'`;
  expect(owner).toEqual({ role: new URL(roles.ownerUrl).username });

  const app = connect(roles.appUrl, { applicationName: 'test', max: 1 });
  for (const statement of [
    'alter table consent_records disable trigger all',
    'create table mine (id int)',
    'delete from consent_records',
    "update consent_records set accepted_at = now(), row_hash = ''",
    'truncate consent_records',
  ])
    await expect(app.sql.unsafe(statement)).rejects.toMatchObject(denied);
  await app.close();
  expect(await sql`select 1 from consent_records`).toHaveLength(1);
});

test('a process with both addresses migrates as owner and serves as the application', async () => {
  await using roles = await twoRoles();
  await using server = await startServer({
    DATABASE_URL: roles.appUrl,
    DATABASE_OWNER_URL: roles.ownerUrl,
  });
  expect((await fetch(`http://127.0.0.1:${server.port}/api/providers`)).status).toBe(200);
  const users = await roles.database.sql<{ name: string }[]>`
    select distinct usename as name from pg_stat_activity
    where datname = current_database() and application_name like 'clinic-leads-%'`;
  expect(users).toEqual([{ name: roles.appRole }]);
});

test('migrating as the application role fails and names DATABASE_OWNER_URL', async () => {
  await using roles = await twoRoles();
  await expect(prepareDatabase({ url: roles.appUrl, ownerUrl: null })).rejects.toMatchObject({
    name: 'StartFault',
    message: expect.stringContaining('DATABASE_OWNER_URL'),
  });
});
