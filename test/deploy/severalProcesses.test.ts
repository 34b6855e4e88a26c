import { describe, expect, test } from 'vitest';
import { type Caddy, skipWithoutCaddy, startCaddy } from '#test/support/caddy.ts';
import { readCompose } from '#test/support/deployExamples.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { productionEnvironment } from '#test/support/productionEnvironment.ts';
import { freePort, type LaunchedServer, launchServer } from '#test/support/serverProcess.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';

const host = 'brand.example';

async function isReady(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
  return response?.ok === true;
}

/** A web process in production, not ready yet. */
async function startWeb(databaseUrl: string, port: number): Promise<LaunchedServer> {
  const environment = { ...productionEnvironment, TRUSTED_PROXIES: '1', HOST: '127.0.0.1', WORKER: 'off' };
  const server = await launchServer({ ...environment, DATABASE_URL: databaseUrl, PORT: String(port) });
  return { ...server, port };
}

/** A web process in production, ready; by default at a port of its own. */
async function webProcess(databaseUrl: string, port?: number): Promise<LaunchedServer> {
  const web = await startWeb(databaseUrl, port ?? (await freePort()));
  try {
    await expect.poll(() => isReady(web.port)).toBe(true);
  } catch (error) {
    await web[Symbol.asyncDispose]();
    throw error;
  }
  return web;
}

/** Pages and leads, one after the other, until it is stopped: the statuses of all answers, in order. */
function visitor(caddy: Caddy) {
  const statuses: number[] = [];
  const leaving = new AbortController();
  async function page(): Promise<number> {
    return (await caddy.ask(host)).status;
  }
  async function lead(): Promise<number> {
    const body = JSON.stringify(leadInput());
    const length = String(Buffer.byteLength(body));
    const headers = { 'content-type': 'application/json', 'content-length': length };
    return (await caddy.ask(host, { method: 'POST', path: '/api/leads', body, headers })).status;
  }
  async function visit(): Promise<void> {
    while (!leaving.signal.aborted) statuses.push(await page(), await lead());
  }
  const visiting = visit();
  return {
    statuses,
    async leave(): Promise<void> {
      leaving.abort();
      await visiting;
    },
  };
}

/** Waits until each of them has seen some more answers. */
async function allSeeMore(visitors: readonly ReturnType<typeof visitor>[]): Promise<void> {
  for (const { statuses } of visitors) {
    const before = statuses.length;
    await expect.poll(() => statuses.length).toBeGreaterThan(before + 4);
  }
}

/** Ends the visits. Returns the statuses that occurred, and how many leads got a 201 and aren't stored. */
async function outcome(
  visitors: readonly ReturnType<typeof visitor>[],
  { sql }: TestDb,
): Promise<{ statuses: Set<number>; lost: number }> {
  for (const one of visitors) await one.leave();
  const statuses = visitors.flatMap((one) => one.statuses);
  const [stored] = await sql<{ count: number }[]>`select count(*)::int as count from leads`;
  const confirmed = statuses.filter((status) => status === 201).length;
  return { statuses: new Set(statuses), lost: confirmed - (stored?.count ?? 0) };
}

const noFailure = { statuses: new Set([200, 201]), lost: 0 };

async function stopped({ child }: LaunchedServer): Promise<void> {
  child.kill('SIGTERM');
  await expect.poll(() => child.exitCode).toBe(0);
}

/** Two ready processes behind Caddy, and visitors who have seen answers. */
async function twoProcesses() {
  await using undo = new AsyncDisposableStack();
  const database = undo.use(await testDb());
  await insertProvider(database.db, { zipCode: '80202' });
  const first = undo.use(await webProcess(database.url));
  const second = undo.use(await webProcess(database.url));
  const APP_ADDRESS = `127.0.0.1:${first.port} 127.0.0.1:${second.port}`;
  const caddy = undo.use(await startCaddy({ APP_ADDRESS, MAIN_DOMAINS: host }));
  const visitors = [visitor(caddy), visitor(caddy)];
  await allSeeMore(visitors);
  const made = undo.move();
  return { database, first, second, visitors, [Symbol.asyncDispose]: () => made.disposeAsync() };
}

describe.skipIf(skipWithoutCaddy)('two web processes behind Caddy', () => {
  test('while one of them stops, no page and no lead fails', async () => {
    await using started = await twoProcesses();
    const { database, first, second, visitors } = started;
    await stopped(first);
    // Its port refuses connections now.
    await allSeeMore(visitors);
    expect(await outcome(visitors, database)).toEqual(noFailure);
    expect(second.child.exitCode).toBeNull();
  });

  test('while both are restarted, one after the other, no page and no lead fails', async () => {
    await using started = await twoProcesses();
    const { database, first, second, visitors } = started;
    await using undo = new AsyncDisposableStack();
    for (const earlier of [first, second]) {
      await stopped(earlier);
      await allSeeMore(visitors);
      // As docs/upgrade.md says: the next one is restarted as soon as this one is ready.
      undo.use(await webProcess(database.url, earlier.port));
    }
    await allSeeMore(visitors);
    expect(await outcome(visitors, database)).toEqual(noFailure);
  });

  test('while one of them starts, every answer comes from the one that is ready', async () => {
    await using database = await testDb();
    await insertProvider(database.db, { zipCode: '80202' });
    await using ready = await webProcess(database.url);
    const unreachable = `postgres://leads@127.0.0.1:${await freePort()}/leads`;
    await using starting = await startWeb(unreachable, await freePort());
    const health = async (): Promise<unknown> =>
      (await fetch(`http://127.0.0.1:${starting.port}/healthz`)).json();
    await expect.poll(() => health().catch(() => null)).toMatchObject({ status: 'starting' });
    const APP_ADDRESS = `127.0.0.1:${starting.port} 127.0.0.1:${ready.port}`;
    const addresses = { APP_ADDRESS, ASK_ADDRESS: `127.0.0.1:${ready.port}` };
    await using caddy = await startCaddy({ ...addresses, MAIN_DOMAINS: host });
    await expect.poll(caddy.log).toContain('response body failed expectations');
    const visitors = [visitor(caddy), visitor(caddy)];
    await allSeeMore(visitors);
    expect(await outcome(visitors, database)).toEqual(noFailure);
    expect(await health()).toMatchObject({ status: 'starting' });
  });

  test('with addresses from DNS as in compose.yaml, pages and leads arrive', async () => {
    await using database = await testDb();
    await insertProvider(database.db, { zipCode: '80202' });
    await using web = await webProcess(database.url);
    const given = readCompose().services['caddy']?.environment ?? {};
    const options = given['APP_OPTIONS']?.replace('name app', 'name localhost');
    await using caddy = await startCaddy({
      APP_ADDRESS: given['APP_ADDRESS'] ?? 'none',
      APP_OPTIONS: options?.replace('port 3000', `port ${web.port}`) ?? '',
      ASK_ADDRESS: `127.0.0.1:${web.port}`,
      MAIN_DOMAINS: host,
    });
    const one = visitor(caddy);
    await expect.poll(() => one.statuses.length).toBeGreaterThan(2);
    await one.leave();
    expect(new Set(one.statuses)).toEqual(new Set([200, 201]));
  });
});
