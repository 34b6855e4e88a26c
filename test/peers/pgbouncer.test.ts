import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { connect } from '#server/db/connect.ts';
import { providers } from '#server/db/schema/index.ts';
import { syncRunOutcome } from '#shared/admin/sync.ts';
import { runCommand } from '#test/support/command.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { buildLines } from '#test/support/logLines.ts';
import { crmEnvironment } from '#test/support/outboxSetup.ts';
import { skipWithoutPgbouncer, startPgbouncer } from '#test/support/pgbouncer.ts';
import { answers, startReceiver } from '#test/support/receiver.ts';
import { startServer } from '#test/support/serverProcess.ts';
import { getToken } from '#test/support/staff.ts';
import { testApp } from '#test/support/testApp.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { testSecret } from '#test/support/testKeys.ts';
import { waitUntil } from '#test/support/waitFor.ts';
import { feedRecord, wordpressFeed } from '#scripts/demo/wordpressFeed.ts';
import { startWorkerProcess } from '#test/support/workerProcess.ts';

const sessions = 2;
const leadsAtOnce = 40;

/** Sessions of the application's own pool in Postgres: PgBouncer's. Side connections have a purpose in their names. */
async function pooledSessions({ sql }: TestDb, name: string): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and application_name like ${`${name}%`}`;
  return row?.n ?? 0;
}

describe.skipIf(skipWithoutPgbouncer())('behind PgBouncer in transaction mode', () => {
  test('statements with and without parameters that are sent together get their rows', async () => {
    await using database = await testDb();
    await using pgbouncer = await startPgbouncer(database.url, sessions);
    const { sql, close } = connect(pgbouncer.url, { applicationName: 'together', max: 3, prepare: false });
    const numbers = Array.from({ length: 300 }, (_, index) => index);
    for (const round of numbers) {
      const rows = await Promise.all([
        sql<{ n: number }[]>`select -1 as n`,
        ...numbers.slice(0, 8).map((n) => sql<{ n: number }[]>`select ${round + n}::int as n`),
        sql<{ n: number }[]>`select -2 as n`,
      ]);
      expect(rows.map(([row]) => row?.n)).toEqual([-1, ...numbers.slice(0, 8).map((n) => round + n), -2]);
    }
    await close();
  });

  test('leads are stored, delivered and exported over two sessions', async () => {
    await using database = await testDb();
    await using pgbouncer = await startPgbouncer(database.url, sessions);
    await using receiver = await startReceiver(answers(200, '{"id":"contact-1"}'));
    await using app = await testApp({
      database,
      url: pgbouncer.url,
      worker: true,
      env: {
        DATABASE_URL: pgbouncer.url,
        DATABASE_DIRECT_URL: database.url,
        DATABASE_PREPARE: 'off',
        ...crmEnvironment(receiver),
      },
    });
    await insertProvider(app.db, { zipCode: '80202' });
    const sent = Array.from({ length: leadsAtOnce }, () =>
      app.post('/api/leads', leadInput({ zip_code: '80202' })),
    );
    expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([201]));
    expect(await pooledSessions(database, 'test-app')).toBeLessThanOrEqual(sessions);
    await expect
      .poll(() => app.sql`select 1 from leads where crm_sync_status = 'success'`)
      .toHaveLength(leadsAtOnce);
    const { status, text } = await app.get('/api/leads.csv', await getToken(app, ['leads:read']));
    expect(status).toBe(200);
    expect(text.trimEnd().split('\r\n')).toHaveLength(1 + leadsAtOnce);
  });

  test('a changed provider is shown, and a sync runs', async () => {
    await using database = await testDb();
    await using pgbouncer = await startPgbouncer(database.url, sessions);
    await using feed = await wordpressFeed([feedRecord(1), feedRecord(2)]);
    await using app = await testApp({
      database,
      url: pgbouncer.url,
      env: {
        DATABASE_URL: pgbouncer.url,
        DATABASE_DIRECT_URL: database.url,
        DATABASE_PREPARE: 'off',
        WORDPRESS_URL: feed.url,
      },
    });
    const provider = await insertProvider(app.db, { name: 'Gable End', practiceName: null });
    await app.knows(provider);
    const pageText = async (): Promise<string> => (await app.as(provider).get('/')).text;
    expect(await pageText()).toContain('Gable End');
    await app.services.db.update(providers).set({ name: 'Amber Quay' }).where(eq(providers.id, provider.id));
    await expect.poll(pageText).toContain('Amber Quay');

    const sync = await app.post('/api/sync?kind=full', {}, await getToken(app, ['sync:run']));
    expect(syncRunOutcome.parse(sync.json())).toMatchObject({ success: true, run: { created: 2 } });
  });

  test('web and worker processes and commands take the same variables', async () => {
    await using database = await testDb();
    await using pgbouncer = await startPgbouncer(database.url, sessions);
    await using receiver = await startReceiver(answers(200, '{"id":"contact-1"}'));
    await insertProvider(database.db, { zipCode: '80202' });
    const urls = {
      DATABASE_URL: pgbouncer.url,
      DATABASE_DIRECT_URL: database.url,
      DATABASE_PREPARE: 'off',
    };
    const release = await runCommand('dbMigrate', [], urls);
    expect(release).toEqual({ status: 0, output: 'The database is up to date.\n' });
    const env = { ...urls, SECRET_KEYS: testSecret, ...crmEnvironment(receiver) };
    await using web = await startServer({ ...env, WORKER: 'off' });
    await using worker = await startWorkerProcess(env);
    const send = (): Promise<Response> =>
      fetch(`http://127.0.0.1:${web.port}/api/leads`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(leadInput({ zip_code: '80202' })),
      });
    const sent = await Promise.all(Array.from({ length: leadsAtOnce }, send));
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([201]));
    await expect
      .poll(() => database.sql`select 1 from leads where crm_sync_status = 'success'`)
      .toHaveLength(leadsAtOnce);
    expect(worker.ended()).toBeNull();
    expect(await pooledSessions(database, 'clinic-leads-')).toBeLessThanOrEqual(sessions);
    const listeners = await database.sql<{ name: string }[]>`
      select substring(application_name from '^[a-z -]+') as name from pg_stat_activity
      where datname = current_database() and application_name like 'listener of %' order by 1`;
    expect(listeners.map(({ name }) => name.trim())).toEqual([
      'listener of clinic-leads-web',
      'listener of clinic-leads-worker',
    ]);
  });

  test('a process whose statements use every session of PgBouncer stays up', async () => {
    await using database = await testDb();
    await using pgbouncer = await startPgbouncer(database.url, sessions);
    const { log, lines } = buildLines();
    const { sql, health, close } = connect(pgbouncer.url, {
      applicationName: 'busy',
      max: sessions + 1,
      prepare: false,
      directUrl: database.url,
      watch: { upEveryMs: 50, downEveryMs: 20, lateAfterMs: 10_000, replaceAfterMs: 400 },
      log,
    });
    await waitUntil(() => health.state() === 'up');
    const waiting: Promise<unknown>[] = [];
    await database.sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(1)`;
      for (let at = 0; at < sessions; at += 1) waiting.push(sql`select pg_advisory_xact_lock(1)`.execute());
      await waitUntil(() => lines().some(({ msg }) => msg === 'every database connection is busy'));
      expect([health.state(), health.replacements()]).toEqual(['up', 0]);
    });
    await Promise.all(waiting);
    await close();
  });
});
