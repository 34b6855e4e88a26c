import { once } from 'node:events';
import { connect as dial, createServer, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { freePort } from '#test/support/serverProcess.ts';
import { testDb } from '#test/support/testDb.ts';
import { databaseLink } from '#test/tenancy/databaseLink.ts';
import { connect, type Connection } from './connect.ts';

/** The same address with other hosts. */
function withHosts(url: string, ...ports: (string | number)[]): string {
  return url.replace(/@[^/?]+/, `@${ports.map((port) => `127.0.0.1:${port}`).join(',')}`);
}

function opened(url: string, max = 1): Connection & AsyncDisposable {
  const connection = connect(url, { applicationName: 'test-hosts', max });
  return { ...connection, [Symbol.asyncDispose]: connection.close };
}

const answer = (connection: Connection): Promise<unknown> =>
  connection.sql`select 42 as n`.then(([row]) => row?.['n']);

test('the second host answers if the first one refuses', async () => {
  await using database = await testDb({ max: 1 });
  const { port } = new URL(database.url);
  await using connection = opened(withHosts(database.url, await freePort(), port), 3);
  expect(await Promise.all([1, 2, 3].map(() => answer(connection)))).toEqual([42, 42, 42]);
});

test('queries fail if every host refuses, and work once one answers', async () => {
  await using database = await testDb({ max: 1 });
  await using link = await databaseLink(database.url);
  const { port } = new URL(link.url(database.url));
  await using connection = opened(withHosts(database.url, await freePort(), port));
  link.lead('postgres://127.0.0.1:1');
  for (let attempt = 0; attempt < 3; attempt += 1)
    await expect(answer(connection)).rejects.toMatchObject({
      code: expect.stringMatching(/^(ECONNREFUSED|ECONNRESET|CONNECTION_CLOSED)$/),
    });
  link.lead(database.url);
  expect(await answer(connection)).toBe(42);
});

/** A server on a port of this machine that does this with each connection. */
async function serverWhich(takes: (socket: Socket) => void): Promise<AsyncDisposable & { port: number }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    takes(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await promisify(server.close.bind(server))();
    },
  };
}

const anyUrl = 'postgres://somebody@host/db?sslmode=disable';

test.each([1, 2])('queries fail if each of %i hosts accepts connections and closes them', async (hosts) => {
  let accepted = 0;
  await using server = await serverWhich((socket) => {
    accepted += 1;
    socket.end();
  });
  const ports = Array.from({ length: hosts }, () => server.port);
  await using connection = opened(withHosts(anyUrl, ...ports));
  await expect(answer(connection)).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  expect(accepted).toBe(hosts);
});

test('a query that could still try another host fails when its pool ends', async () => {
  const accepted = Promise.withResolvers<void>();
  await using silent = await serverWhich(() => accepted.resolve());
  const connection = opened(withHosts(anyUrl, silent.port, silent.port));
  const waiting = answer(connection).catch((error: unknown) => error);
  await accepted.promise;
  await connection.sql.end({ timeout: 0 });
  expect(await waiting).toMatchObject({ code: 'CONNECTION_DESTROYED' });
});

test('connections that are lost move to the other host', async () => {
  await using database = await testDb({ max: 1 });
  await using first = await databaseLink(database.url);
  await using second = await databaseLink(database.url);
  const getPort = (link: typeof first): string => new URL(link.url(database.url)).port;
  await using connection = opened(withHosts(database.url, getPort(first), getPort(second)));
  await answer(connection);
  expect([first.accepted(), second.accepted()]).toEqual([1, 0]);
  first.lead('postgres://127.0.0.1:1');
  first.reset();
  await expect.poll(() => answer(connection).catch(() => null)).toBe(42);
  expect(second.accepted()).toBe(1);
  // The host that answered last comes first.
  second.reset();
  const before = first.accepted();
  await expect.poll(() => answer(connection).catch(() => null)).toBe(42);
  expect([first.accepted(), second.accepted()]).toEqual([before, 2]);
});

test('of several hosts, one that accepts writes is used, or none', async () => {
  await using database = await testDb({ max: 1 });
  const { port, pathname } = new URL(database.url);
  await using writable = opened(withHosts(database.url, port, port));
  expect(await answer(writable)).toBe(42);
  await database.sql.unsafe(`alter database "${pathname.slice(1)}" set default_transaction_read_only = on`);
  await using refused = opened(withHosts(database.url, port, port));
  await expect(answer(refused)).rejects.toMatchObject({ code: '25006' });
  await using any = opened(`${withHosts(database.url, port, port)}&target_session_attrs=any`);
  expect(await answer(any)).toBe(42);
  await using preferring = opened(
    `${withHosts(database.url, port, port)}&target_session_attrs=prefer-standby`,
  );
  expect(await answer(preferring)).toBe(42);
});

test('a host that stays silent is left for the next one after ten seconds', async () => {
  await using database = await testDb({ max: 1 });
  await using silent = await databaseLink(database.url);
  silent.freeze();
  const silentPort = new URL(silent.url(database.url)).port;
  await using connection = opened(withHosts(database.url, silentPort, new URL(database.url).port));
  expect(await answer(connection)).toBe(42);
  expect(silent.accepted()).toBe(1);
});

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

test.skipIf(!hasIpv6)('a host may be an IPv6 address', async () => {
  await using database = await testDb({ max: 1 });
  const { port } = new URL(database.url);
  const door = createServer((near) => {
    const far = dial(Number(port), '127.0.0.1');
    near.on('error', () => undefined).pipe(far);
    far.on('error', () => undefined).pipe(near);
  }).listen(0, '::1');
  await once(door, 'listening');
  const address = door.address();
  const doorPort = address !== null && typeof address === 'object' ? address.port : 0;
  const url = database.url.replace(/@[^/?]+/, `@[::1]:${doorPort}`);
  await using connection = opened(url);
  expect(await answer(connection)).toBe(42);
  door.close();
});

test('an unknown target_session_attrs is refused', () => {
  expect(() => opened('postgres://a,b/d?target_session_attrs=write')).toThrow(
    'target_session_attrs "write" is not one of any, read-write',
  );
});
