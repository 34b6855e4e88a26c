import { createServer, request as httpRequest } from 'node:http';
import Koa from 'koa';
import { expect, test } from 'vitest';
import { productionEnvironment } from '#test/support/productionEnvironment.ts';
import { testDb } from '#test/support/testDb.ts';
import { meets } from '#test/support/meets.ts';
import { createLoopWatch } from '../background/every.ts';
import { type Config, parseConfig } from '../config/config.ts';
import { connect } from '../db/connect.ts';
import { readMigrations } from '../db/applyMigrations.ts';
import { createLog } from '../log.ts';
import { leadsStored } from '../metrics.ts';
import type { AppState } from '../tenant/tenant.ts';
import { createTenantDirectory } from '../tenant/tenantDirectory.ts';
import { errorBoundary } from './errorBoundary.ts';
import { type CheckOptions, createChecks, health } from './health.ts';
import { metricsEndpoint } from './metrics.ts';
import { requestLog } from './requestLog.ts';
import { version } from '../version.ts';

const metricsToken = 'a-token-of-enough-length';

/** Operators' endpoints over real HTTP, with the database at `url`. */
async function operations(
  url: string,
  env: Record<string, string> = {},
  state: Pick<CheckOptions, 'isStalled' | 'isStopping'> = {},
) {
  const config: Config = parseConfig(env);
  const { sql, db, health: watched, close } = connect(url, { applicationName: 'operations', max: 2 });
  const log = createLog('silent');
  const services = {
    config,
    db,
    health: watched,
    tenants: createTenantDirectory({ sql, db, log, health: watched }),
    loops: createLoopWatch(),
  };
  const knownMigrations = readMigrations().map(({ name }) => name);
  const checks = createChecks({ services, knownMigrations, ...state });
  const app = new Koa<AppState>();
  app
    .use(requestLog({ log }))
    .use(errorBoundary({ log }))
    .use(health({ services, checks }))
    .use(metricsEndpoint({ services, checks, readDatabase: () => Promise.resolve() }));
  app.use((ctx) => {
    ctx.body = 'page';
  });
  const server = createServer((req, res) => void app.callback()(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  return {
    get: (path: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> =>
      new Promise((resolve, reject) => {
        const outgoing = httpRequest({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
          response.setEncoding('utf8');
          let text = '';
          response.on('data', (chunk: string) => (text += chunk));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        });
        outgoing.on('error', reject);
        outgoing.end();
      }),
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
      await close();
    },
  };
}

const unreachable = 'postgres://nobody@127.0.0.1:9/none?sslmode=disable';

test('a migrated database makes the process ready', async () => {
  meets('D.health.02');
  await using database = await testDb();
  await using process = await operations(database.url);
  expect(await process.get('/readyz')).toEqual({
    status: 200,
    text: '{"status":"ok","database":{"state":"unknown","poolReplacements":0,"pools":[]}}',
  });
  expect((await process.get('/healthz')).status).toBe(200);
});

test('a database without the newest migration, or without any, is not ready', async () => {
  meets('D.health.04');
  await using database = await testDb();
  await using process = await operations(database.url);
  const missing = { status: 503, text: expect.stringContaining('"missing":"migrations"') };
  await database.sql`delete from schema_migrations where name = (select max(name) from schema_migrations)`;
  expect(await process.get('/readyz')).toEqual(missing);
  await database.sql`drop table schema_migrations`;
  expect(await process.get('/readyz')).toEqual(missing);
});

test('a running process says that a newer version migrated, and stays ready', async () => {
  await using database = await testDb();
  await using process = await operations(database.url);
  expect((await process.get('/readyz')).status).toBe(200);
  await database.sql`insert into schema_migrations (name, sha256) values ('9999_newer', '')`;
  expect(await process.get('/readyz')).toEqual({
    status: 200,
    text: expect.stringContaining('"status":"ok","schema":"newer","note":"The database has migrations that'),
  });
});

test('a process without its database is alive and not ready', async () => {
  meets('D.health.01 D.health.03');
  await using process = await operations(unreachable);
  expect(await process.get('/readyz')).toEqual({
    status: 503,
    text: expect.stringContaining(
      '{"status":"unavailable","missing":"database","reason":"Postgres does not answer."',
    ),
  });
  expect((await process.get('/healthz')).status).toBe(200);
});

test('a process whose background work hangs is not alive, and is ready', async () => {
  await using database = await testDb();
  await using process = await operations(database.url, {}, { isStalled: () => true });
  expect(await process.get('/healthz')).toEqual({
    status: 503,
    text: `{"status":"unavailable","missing":"stalled","reason":"Background work of this process hangs: restart it.","version":"${version}"}`,
  });
  expect((await process.get('/readyz')).status).toBe(200);
});

test('a process that stops is neither alive nor ready', async () => {
  await using process = await operations(unreachable, {}, { isStopping: () => true });
  const stopping = { status: 503, text: expect.stringContaining('"missing":"stopping"') };
  expect([await process.get('/healthz'), await process.get('/readyz')]).toEqual([stopping, stopping]);
});

test('probes say no more than their status, except to operators', async () => {
  await using database = await testDb();
  await database.sql`insert into schema_migrations (name, sha256) values ('9999_newer', '')`;
  await using running = await operations(database.url, { METRICS_TOKEN: metricsToken });
  await using stopping = await operations(
    unreachable,
    { METRICS_TOKEN: metricsToken },
    { isStopping: () => true },
  );
  const strangers = [
    { 'x-forwarded-for': '203.0.113.9' },
    { via: '1.1 proxy' },
    { 'x-real-ip': '203.0.113.9' },
    { authorization: 'Bearer another-token-of-length' },
  ];
  for (const path of ['/healthz', '/readyz'])
    for (const headers of strangers) {
      expect(await running.get(path, headers)).toEqual({ status: 200, text: '{"status":"ok"}' });
      expect(await stopping.get(path, headers)).toEqual({ status: 503, text: '{"status":"unavailable"}' });
    }
  const authorization = `Bearer ${metricsToken}`;
  for (const headers of [{}, { authorization, 'x-forwarded-for': '203.0.113.9', host: 'brand.example' }]) {
    expect((await running.get('/healthz', headers)).text).toContain(`"version":"${version}"`);
    expect((await running.get('/readyz', headers)).text).toContain('"schema":"newer"');
    expect((await stopping.get('/readyz', headers)).text).toContain('"missing":"stopping"');
  }
});

test('metrics show readiness and pending migrations, also without a database', async () => {
  await using database = await testDb();
  await database.sql`delete from schema_migrations where name = (select max(name) from schema_migrations)`;
  await using process = await operations(database.url);
  const { text } = await process.get('/metrics');
  expect(text).toMatch(/^app_ready 0$/m);
  expect(text).toMatch(/^migrations_pending 1$/m);
  await using away = await operations(unreachable);
  const without = await away.get('/metrics');
  expect(without.status).toBe(200);
  expect(without.text).toMatch(/^app_ready 0$/m);
  expect(without.text).not.toMatch(/^migrations_pending /m);
  expect(without.text).toMatch(/^nodejs_heap_size_limit_bytes \d{8,}$/m);
});

test('metrics are readable on this machine and count requests, leads and the directory', async () => {
  meets('D.health.05 D.health.06');
  await using process = await operations(unreachable);
  leadsStored.inc();
  // The counters include all earlier responses of the process.
  const pages = async (): Promise<number> =>
    Number(
      /http_request_duration_seconds_count\{route="page",status="200"\} (\d+)/.exec(
        (await process.get('/metrics')).text,
      )?.[1] ?? 0,
    );
  const before = await pages();
  for (const path of ['/', '/api/leads', '/some/deep/path', '/trpc/leads.create', '/assets/a.js'])
    await process.get(path);
  await expect.poll(pages).toBeGreaterThanOrEqual(before + 2);
  const { text } = await process.get('/metrics');
  for (const route of ['api', 'trpc', 'asset'])
    expect(text).toContain(`http_request_duration_seconds_count{route="${route}",status="200"}`);
  expect(text).toMatch(/^leads_stored_total [1-9]/m);
  expect(text).toMatch(/^tenant_directory_current 0$/m);
  expect(text).toMatch(/^tenant_directory_entries\{kind="clinics"\} 0$/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d+/m);
  expect(text).not.toContain('deep');
});

const bearer = { authorization: `Bearer ${metricsToken}` };

test.each([
  ['from this machine', {}, 200],
  ['from this machine by name', { host: 'localhost' }, 200],
  ['through a proxy, with the token', { 'x-forwarded-for': '203.0.113.9', ...bearer }, 200],
  ['with a wrong token', { authorization: 'Bearer wrong-token-of-length' }, 404],
])(
  'metrics requested by %s in development: %s %i',
  async (_where, headers: Record<string, string>, status) => {
    meets('D.health.07 D.health.09');
    await using process = await operations(unreachable, { METRICS_TOKEN: metricsToken });
    expect((await process.get('/metrics', headers)).status).toBe(status);
  },
);

test.each(['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded', 'via', 'x-real-ip'])(
  'metrics are not shown through a local proxy that sends %s',
  async (name) => {
    meets('D.health.09');
    await using process = await operations(unreachable);
    expect((await process.get('/metrics', { [name]: '127.0.0.1' })).status).toBe(404);
  },
);

test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '203.0.113.9:3000', 'a b'])(
  'metrics are not shown to a page whose name %s was made to lead here',
  async (host) => {
    await using process = await operations(unreachable);
    expect((await process.get('/metrics', { host })).status).toBe(404);
  },
);

test('production metrics need the token, on loopback too, and are hidden without one', async () => {
  meets('D.health.07 D.health.09');
  await using withToken = await operations(unreachable, {
    ...productionEnvironment,
    METRICS_TOKEN: metricsToken,
  });
  expect((await withToken.get('/metrics')).status).toBe(404);
  expect((await withToken.get('/metrics', bearer)).status).toBe(200);
  await using without = await operations(unreachable, productionEnvironment);
  for (const headers of [{}, bearer, { authorization: 'Bearer null' }])
    expect((await without.get('/metrics', headers)).status).toBe(404);
});
