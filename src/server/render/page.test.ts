import { once } from 'node:events';
import { connect as openSocket } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { insertProvider } from '#test/support/factories.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';
import { waitFor } from '#test/support/waitFor.ts';

const encodings = ['gzip', 'br', 'identity'];

/** A page that is stored whole is brotli for all; one that isn't, only for a visitor who comes when nobody else does. */
async function expectHot(app: TestApp, path: string): Promise<void> {
  const several = [1, 2, 3].map(() => app.get(path, { 'accept-encoding': 'br' }));
  const found = (await Promise.all(several)).map(({ headers }) => headers['content-encoding']);
  expect(found).toEqual(['br', 'br', 'br']);
}

const waitUntilHot = (app: TestApp, path: string): Promise<void> => waitFor(() => expectHot(app, path));

test('HEAD sends the headers of GET without a body, and the connection continues', async () => {
  await using app = await testApp();
  for (const path of ['/', '/nowhere']) await waitUntilHot(app, path);
  for (const [path, status, encoding] of [
    ['/privacy', 200, 'identity'],
    ['/terms', 200, 'gzip'],
    ...encodings.map((coding) => ['/', 200, coding] as const),
    ...encodings.map((coding) => ['/nowhere', 404, coding] as const),
  ] as const) {
    const expected = await app.get(path, { 'accept-encoding': encoding });
    const socket = openSocket({ port: app.port, host: '127.0.0.1' });
    const ask = (method: string, connection: string): string =>
      `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: ${encoding}\r\nConnection: ${connection}\r\n\r\n`;
    socket.write(ask('HEAD', 'keep-alive') + ask('GET', 'close'));
    const received: Buffer = Buffer.concat(await socket.toArray());
    const [head = '', second = '', ...body] = received.toString('latin1').split('\r\n\r\n');
    for (const answer of [head, second]) {
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(answer).toContain(`\r\nContent-Length: ${expected.body.length}\r\n`);
    }
    expect(body.join('\r\n\r\n')).toBe(expected.body.toString('latin1'));
  }
});

test('a page being sent to a slow client is not overwritten by other responses', async () => {
  await using app = await testApp();
  const names = ['Emoji 😀', 'Curly “quote” é', 'Back\\slash \\u0041', 'Ends \u2028 here'];
  const providers = await Promise.all(
    names.map((name) => insertProvider(app.db, { name, practiceName: null })),
  );
  // More than sockets buffer, so that most of it waits in the process.
  const pages = 400;
  const slow = await Promise.all(
    providers.map(async (provider) => {
      const client = app.as(provider);
      const expected = await waitFor(async () => {
        const answer = await client.get('/');
        expect(answer.text).toContain(`,"${provider.domain ?? ''}",`); // the brand's page until the clinic is known
        return answer.body;
      });
      const socket = openSocket({ port: app.port, host: '127.0.0.1' });
      await once(socket, 'connect');
      const request = `GET / HTTP/1.1\r\nHost: ${provider.domain ?? ''}\r\nAccept-Encoding: gzip\r\n`;
      socket.write(`${request}\r\n`.repeat(pages - 1) + `${request}Connection: close\r\n\r\n`);
      return { client, expected, socket };
    }),
  );
  const others = await Promise.all(Array.from({ length: 12 }, () => insertProvider(app.db)));
  for (const encoding of encodings.flatMap((coding) => [coding, coding, coding]))
    await Promise.all(
      [...slow.map(({ client }) => client), ...others.map((provider) => app.as(provider))].map((client) =>
        client.get('/', { 'accept-encoding': encoding }),
      ),
    );
  for (const { socket, expected } of slow) {
    const received: Buffer = Buffer.concat(await socket.toArray());
    const bodies = listBodies(received);
    expect(bodies).toHaveLength(pages);
    expect(bodies.every((body) => gunzipSync(body).equals(expected))).toBe(true);
  }
});

test('pages of all unknown provider ids are one cached page', async () => {
  await using app = await testApp();
  for (const path of ['/success', '/', '/microsite']) {
    const answers = [];
    for (let id = 900_001; id <= 900_005; id++)
      answers.push(await app.get(`${path}?providerId=${id}`, { 'accept-encoding': 'gzip' }));
    expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(1);
    // After enough requests, the one page is stored whole; no id has a compressed page of its own.
    await waitUntilHot(app, `${path}?providerId=910001`);
    await expectHot(app, `${path}?providerId=920001`);
  }
});

/** The bodies of consecutive responses. */
function listBodies(received: Buffer): Buffer[] {
  const bodies: Buffer[] = [];
  for (let at = 0; at < received.length;) {
    const start = received.indexOf('\r\n\r\n', at) + 4;
    const head = received.toString('latin1', at, start);
    at = start + Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1]);
    bodies.push(received.subarray(start, at));
  }
  return bodies;
}
