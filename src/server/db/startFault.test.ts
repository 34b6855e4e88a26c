import { createServer } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { testDb } from '#test/support/testDb.ts';
import { connect } from './connect.ts';
import { type StartFault, toStartFault } from './startFault.ts';

/** The fault of the first query at that URL. */
async function faultAt(url: string): Promise<StartFault> {
  const { sql, close } = connect(url, { applicationName: 'test', max: 1 });
  try {
    return toStartFault(
      await sql`select 1`.then(
        () => null,
        (error: unknown) => error,
      ),
      url,
    );
  } finally {
    await close();
  }
}

function changed(url: string, change: (url: URL) => void): string {
  const other = new URL(url);
  change(other);
  return other.href;
}

test('an unreachable server is transient, and the message names DATABASE_URL', async () => {
  expect(await faultAt('postgres://user:hidden@127.0.0.1:9/leads')).toMatchObject({
    permanent: false,
    message: "Can't reach Postgres at 127.0.0.1:9 (connection refused). Check DATABASE_URL.",
  });
  expect(await faultAt('postgres://user:hidden@nowhere.invalid/leads')).toMatchObject({
    permanent: false,
    message: expect.stringMatching(/^Can't reach Postgres at nowhere\.invalid:5432 \(host name/),
  });
});

test('a wrong password and an unknown database have different messages', async () => {
  await using database = await testDb();
  const wrong = await faultAt(changed(database.url, (url) => (url.password = 'wrong-hidden')));
  const missing = await faultAt(changed(database.url, (url) => (url.pathname = '/nothing')));
  expect([missing.permanent, missing.message]).toEqual([
    true,
    expect.stringContaining('has no database "nothing"'),
  ]);
  expect([wrong.permanent, wrong.message]).toEqual([true, expect.stringContaining('refused the password')]);
  expect(wrong.message).not.toContain('hidden');
});

test('missing rights and extensions have a message with the remedy', () => {
  const url = 'postgres://leads:hidden@db.example:6432/clinic';
  const of = (code: string, message: string): StartFault =>
    toStartFault(Object.assign(new Error(message), { code }), url);
  expect(of('42501', 'permission denied to create extension "cube"')).toMatchObject({
    permanent: true,
    message: expect.stringMatching(
      /^User "leads" lacks rights in database "clinic".*cube, earthdistance and pg_trgm/,
    ),
  });
  expect(of('0A000', 'extension "cube" is not available')).toMatchObject({
    permanent: true,
    message: expect.stringContaining('contrib package'),
  });
  expect(of('28P01', 'password authentication failed')).toMatchObject({
    permanent: true,
    message:
      'Postgres at db.example:6432 refused the password of user "leads". Check the user and the password in DATABASE_URL.',
  });
  expect(of('CERT_HAS_EXPIRED', 'certificate has expired')).toMatchObject({
    permanent: true,
    message: expect.stringContaining('sslrootcert in DATABASE_URL'),
  });
  expect(of('57P03', 'the database system is starting up')).toMatchObject({ permanent: false });
});

test('a message names every host of the URL, and the variable', () => {
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  const url = 'postgres://leads:hidden@db-a,db-b:6432/clinic';
  expect(toStartFault(refused, url, 'DATABASE_DIRECT_URL')).toMatchObject({
    permanent: false,
    message: "Can't reach Postgres at db-a:5432, db-b:6432 (connection refused). Check DATABASE_DIRECT_URL.",
  });
});

test('a server without the required TLS is named', async () => {
  // Like Postgres: "N", and the connection ends at the first byte of a handshake.
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write('N');
      socket.once('data', () => socket.destroy());
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  try {
    expect(await faultAt(`postgres://u@127.0.0.1:${port}/d?sslmode=require`)).toMatchObject({
      permanent: true,
      message: `Postgres at 127.0.0.1:${port} refused TLS. Turn TLS on in Postgres, or check sslmode in DATABASE_URL.`,
    });
  } finally {
    server.close();
  }
});
