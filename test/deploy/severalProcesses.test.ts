import { describe, expect, test } from 'vitest';
import { type Caddy, skipWithoutCaddy, startCaddy } from '#test/support/caddy.ts';
import { readCompose } from '#test/support/deployExamples.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { productionEnvironment } from '#test/support/productionEnvironment.ts';
import { freePort, type LaunchedServer, launchServer } from '#test/support/serverProcess.ts';
import { testDb } from '#test/support/testDb.ts';

if (skipWithoutCaddy)
  process.stderr.write('Skipped: Caddy is not installed (Debian: apt-get install caddy).\n');

const host = 'brand.example';

async function isReady(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
  return response?.ok === true;
}

/** A web process in production, ready. */
async function webProcess(databaseUrl: string): Promise<LaunchedServer> {
  const port = String(await freePort());
  const environment = { ...productionEnvironment, TRUSTED_PROXIES: '1', HOST: '127.0.0.1', WORKER: 'off' };
  const server = await launchServer({ ...environment, DATABASE_URL: databaseUrl, PORT: port });
  const web = { ...server, port: Number(port) };
  try {
    await expect.poll(() => isReady(web.port)).toBe(true);
  } catch (error) {
    await server[Symbol.asyncDispose]();
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

describe.skipIf(skipWithoutCaddy)('two web processes behind Caddy', () => {
  test('while one of them stops, no page and no lead fails', async () => {
    await using database = await testDb();
    await insertProvider(database.db, { zipCode: '80202' });
    await using first = await webProcess(database.url);
    await using second = await webProcess(database.url);
    const APP_ADDRESS = `127.0.0.1:${first.port} 127.0.0.1:${second.port}`;
    await using caddy = await startCaddy({ APP_ADDRESS, MAIN_DOMAINS: host });
    const visitors = [visitor(caddy), visitor(caddy)];
    const allSeeMore = async (): Promise<void> => {
      for (const { statuses } of visitors) {
        const before = statuses.length;
        await expect.poll(() => statuses.length).toBeGreaterThan(before + 4);
      }
    };
    await allSeeMore();
    first.child.kill('SIGTERM');
    await expect.poll(() => first.child.exitCode).toBe(0);
    // Its port refuses connections now.
    await allSeeMore();
    for (const one of visitors) await one.leave();
    expect(second.child.exitCode).toBeNull();
    const statuses = visitors.flatMap((one) => one.statuses);
    expect(new Set(statuses)).toEqual(new Set([200, 201]));
    const [stored] = await database.sql`select count(*)::int as count from leads`;
    expect(stored).toEqual({ count: statuses.filter((status) => status === 201).length });
  }, 120_000);

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
  }, 120_000);
});
