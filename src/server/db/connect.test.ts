import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect as dial, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { eq, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { selfSigned } from '#test/support/selfSigned.ts';
import { testDb } from '#test/support/testDb.ts';
import { connect, processTag, tlsOptions } from './connect.ts';
import { providers } from './schema/index.ts';

interface TlsDoor extends AsyncDisposable {
  port: number;
  /** Path of the certificate, which is valid for `localhost` only. */
  rootCertificate: string;
  /** How many connections were encrypted. */
  encrypted: () => number;
}

/** A TLS proxy in front of the real server that speaks TLS as Postgres does (SSLRequest, "S", handshake). */
async function tlsDoor(databaseUrl: string): Promise<TlsDoor> {
  const { hostname, port: serverPort } = new URL(databaseUrl);
  const { key, cert } = selfSigned('localhost');
  const folder = await mkdtemp(join(tmpdir(), 'clinic-leads-tls-'));
  const rootCertificate = join(folder, 'root.pem');
  await writeFile(rootCertificate, cert);
  const sockets = new Set<Socket>();
  let encrypted = 0;
  const door = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('data', () => {
      socket.write('S');
      const inside = new TLSSocket(socket, { isServer: true, key, cert });
      inside.on('error', () => undefined);
      inside.once('secure', () => {
        encrypted += 1;
        const server = dial(Number(serverPort), hostname);
        sockets.add(server.on('error', () => undefined));
        inside.pipe(server).pipe(inside);
      });
    });
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  const address = door.address();
  if (address === null || typeof address === 'string') throw new Error('the door has no port');
  return {
    port: address.port,
    rootCertificate,
    encrypted: () => encrypted,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      door.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function answerThrough(
  databaseUrl: string,
  door: TlsDoor,
  parameters: string,
  host = 'localhost',
): Promise<unknown> {
  const url = new URL(databaseUrl);
  url.host = `${host}:${door.port}`;
  url.search = parameters;
  const connection = connect(url.href, { applicationName: 'tls', max: 1 });
  try {
    const [row] = await connection.sql`select 42 as answer`;
    return row?.['answer'];
  } finally {
    await connection.close();
  }
}

test('sslmode=require encrypts and trusts any certificate', async () => {
  await using database = await testDb();
  await using door = await tlsDoor(database.url);
  expect(await answerThrough(database.url, door, 'sslmode=require')).toBe(42);
  expect(door.encrypted()).toBe(1);
});

test('sslmode=verify-full refuses an unknown issuer', async () => {
  await using database = await testDb();
  await using door = await tlsDoor(database.url);
  await expect(answerThrough(database.url, door, 'sslmode=verify-full')).rejects.toMatchObject({
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  });
});

test('sslmode=verify-full accepts the certificate of sslrootcert for its own host only', async () => {
  await using database = await testDb();
  await using door = await tlsDoor(database.url);
  const parameters = `sslmode=verify-full&sslrootcert=${encodeURIComponent(door.rootCertificate)}`;
  expect(await answerThrough(database.url, door, parameters)).toBe(42);
  await expect(answerThrough(database.url, door, parameters, '127.0.0.1')).rejects.toMatchObject({
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  });
  const anyName = parameters.replace('verify-full', 'verify-ca');
  expect(await answerThrough(database.url, door, anyName, '127.0.0.1')).toBe(42);
});

test('of several hosts, the certificate has to name one', async () => {
  await using database = await testDb();
  await using door = await tlsDoor(database.url);
  const parameters = `sslmode=verify-full&sslrootcert=${encodeURIComponent(door.rootCertificate)}`;
  const getAnswer = async (...hosts: string[]): Promise<unknown> => {
    const list = hosts.map((host) => `${host}:${door.port}`).join(',');
    const url = `${database.url.replace(/@[^/?]+/, `@${list}`).replace(/\?.*$/, '')}?${parameters}`;
    const connection = connect(url, { applicationName: 'tls', max: 1 });
    try {
      const [row] = await connection.sql`select 42 as answer`;
      return row?.['answer'];
    } finally {
      await connection.close();
    }
  };
  expect(await getAnswer('127.0.0.1', 'localhost')).toBe(42);
  await expect(getAnswer('127.0.0.1', '127.0.0.1')).rejects.toMatchObject({
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  });
});

test('a URL that requires TLS is refused by a server without it', async () => {
  const plain = createServer((socket) =>
    socket.on('error', () => undefined).once('data', () => socket.end('N')),
  );
  plain.listen(0, '127.0.0.1');
  await once(plain, 'listening');
  const address = plain.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const connection = connect(`postgres://u:p@127.0.0.1:${port}/d?sslmode=require`, {
    applicationName: 'tls',
    max: 1,
  });
  await expect(connection.sql`select 1`).rejects.toThrow(/TLS|SSL|ECONNRESET|closed/i);
  await connection.close();
  plain.close();
});

test.each([
  ['postgres://h/d', 'prefer'],
  ['postgres://h/d?sslmode=disable', false],
  ['postgres://h/d?sslmode=prefer', 'prefer'],
  ['postgres://h/d?sslmode=require', { rejectUnauthorized: false }],
])('%s asks for %j', (url, expected) => {
  expect(tlsOptions(url)).toEqual(expected);
});

test('a misspelled sslmode is refused and never means no TLS', () => {
  expect(() => tlsOptions('postgres://h/d?sslmode=verify_full')).toThrow(
    'sslmode "verify_full" is not one of',
  );
});

test('a transaction that throws changes nothing', async () => {
  await using database = await testDb();
  const failing = database.db.transaction(async (tx) => {
    await tx.insert(providers).values({ name: 'Never', zipCode: '80202', email: 'desk@clinic.example' });
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  expect(await database.db.$count(providers)).toBe(0);
});

test('coordinates are read as numbers and instants as dates, as written', async () => {
  await using database = await testDb();
  const createdAt = new Date('2026-02-03T04:05:06.789Z');
  const [inserted] = await database.db
    .insert(providers)
    .values({
      name: 'Reads Back',
      zipCode: '80202',
      email: 'desk@clinic.example',
      latitude: 39.752345,
      longitude: -104.999,
      createdAt,
    })
    .returning();
  expect(inserted).toMatchObject({ latitude: 39.752345, longitude: -104.999, createdAt });
});

test('notices are not printed, and the session has the name and the process', async () => {
  await using database = await testDb();
  const connection = connect(database.url, { applicationName: 'clinic-leads-web', max: 1 });
  using printed = vi.spyOn(console, 'log').mockReturnValue();
  await connection.db.execute(sql`drop table if exists never_made`);
  expect(printed).not.toHaveBeenCalled();
  const [row] = await connection.sql`select current_setting('application_name') as name`;
  expect(row?.['name']).toBe(`clinic-leads-web ${processTag}`);
  expect(processTag).toMatch(/^#\d+-[0-9a-f]{6}$/);
  expect(await connection.db.select().from(providers).where(eq(providers.id, 1))).toEqual([]);
  await connection.close();
});
