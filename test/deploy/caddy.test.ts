import { pushBytesMax } from '#shared/admin/sync.ts';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PackedBoot, unpackBoot } from '#shared/pages/boot.ts';
import { providers } from '#server/db/schema/index.ts';
import { createHttpServer } from '#server/http/httpServer.ts';
import { type Caddy, caddyfile, skipWithoutCaddy, startCaddy, visitorAddress } from '#test/support/caddy.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import { client, testApp, type TestApp } from '#test/support/testApp.ts';

const mainDomains = 'brand.example, www.brand.example';

describe.skipIf(skipWithoutCaddy)('behind Caddy with the shipped Caddyfile', () => {
  let app: TestApp;
  let caddy: Caddy;
  beforeAll(async () => {
    app = await testApp({ env: { MAIN_DOMAINS: mainDomains, TRUSTED_PROXIES: '1' } });
    caddy = await startCaddy({ APP_ADDRESS: `127.0.0.1:${app.port}`, MAIN_DOMAINS: mainDomains });
  });
  afterAll(async () => {
    await caddy[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
  });

  /** An active provider that the application already knows. */
  async function knownProvider(domain: string) {
    const provider = await insertProvider(app.db, { domain });
    await app.knows(domain);
    return provider;
  }

  test('a provider’s host gets a certificate at the first visit, and its own page', async () => {
    meets('D.hosts.45 D.hosts.46');
    const provider = await knownProvider('first.clinic.example');
    expect(await caddy.certified()).not.toContain('first.clinic.example');
    const { status, text, certificate, headers } = await caddy.ask('first.clinic.example');
    expect(certificate.subjectaltname).toBe('DNS:first.clinic.example');
    expect(certificate.issuer.CN).toMatch(/^Caddy Local Authority/);
    expect([status, text.includes(provider.name)]).toEqual([200, true]);
    const [, json = ''] = /<script type="application\/json" id="boot">(.*?)<\/script>/.exec(text) ?? [];
    const packed: PackedBoot = JSON.parse(json);
    expect(unpackBoot(packed).tenant).toMatchObject({ id: provider.id, domain: 'first.clinic.example' });
    // The application knows that the visitor's side is https.
    expect(headers['strict-transport-security']).toBeDefined();
    expect((await caddy.ask('www.first.clinic.example')).text).toContain(provider.name);
  });

  test.each(['brand.example', 'www.brand.example'])('%s shows the brand', async (host) => {
    meets('D.hosts.46 D.names.10');
    const { status, text, certificate } = await caddy.ask(host);
    expect([status, certificate.subjectaltname]).toEqual([200, `DNS:${host}`]);
    expect(text).toMatch(/<script type="application\/json" id="boot">.*"tenant":null/);
    expect((await caddy.ask(host, { path: '/admin' })).status).toBe(200);
  });

  test('the application receives the visitor’s address from Caddy, not a claimed one', async () => {
    await knownProvider('address.clinic.example');
    const body = JSON.stringify(leadInput());
    const answer = await caddy.ask('address.clinic.example', {
      method: 'POST',
      path: '/api/leads',
      body,
      headers: {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'x-forwarded-for': '198.51.100.66',
        forwarded: 'for=198.51.100.66',
        'x-real-ip': '198.51.100.66',
      },
    });
    expect(answer.status).toBe(201);
    expect(await app.sql`select host(ip) as ip from consent_records`).toEqual([{ ip: visitorAddress }]);
  });

  test('a forged host, scheme or request id is ignored', async () => {
    const provider = await knownProvider('forged.clinic.example');
    const { text, headers } = await caddy.ask('brand.example', {
      headers: {
        'x-forwarded-host': 'forged.clinic.example',
        'x-forwarded-proto': 'http',
        'x-request-id': 'forged-request-id',
      },
    });
    expect(text).not.toContain(provider.name);
    expect(headers['strict-transport-security']).toBeDefined();
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('Caddy closes idle connections before the application does', () => {
    const { stdout } = spawnSync('caddy', ['adapt', '--config', caddyfile, '--adapter', 'caddyfile']);
    const idleNanoseconds = [...String(stdout).matchAll(/"idle_timeout":(\d+)/g)].map(([, text]) =>
      Number(text),
    );
    expect(idleNanoseconds).toHaveLength(2);
    for (const idle of idleNanoseconds) expect(idle / 1e6).toBeLessThan(createHttpServer().keepAliveTimeout);
  });

  test('Caddy bounds bodies above the largest push, and cuts no export off', () => {
    const { stdout } = spawnSync('caddy', ['adapt', '--config', caddyfile, '--adapter', 'caddyfile']);
    const sizes = [...String(stdout).matchAll(/"max_size":(\d+)/g)].map(([, text]) => Number(text));
    expect(sizes).toHaveLength(2);
    for (const size of sizes) expect(size).toBeGreaterThan(pushBytesMax);
    expect(String(stdout)).toContain('"read_timeout"');
    expect(String(stdout)).not.toContain('"write_timeout"');
  });

  test('metrics are available locally, not to visitors', async () => {
    expect((await client(app.port, 'localhost').get('/metrics')).status).toBe(200);
    expect((await caddy.ask('brand.example', { path: '/metrics' })).status).toBe(404);
  });

  test.each([
    ['a host of nobody’s', 'unknown.example'],
    ['a name below a main domain', 'admin.brand.example'],
    ['a name below a clinic’s', 'deeper.first.clinic.example'],
    ['no name at all', null],
  ])('%s is refused at the handshake and gets no certificate', async (_, name) => {
    meets('D.hosts.45');
    await expect(caddy.handshake(name)).rejects.toThrow(/alert/);
    expect(await caddy.certified()).not.toContain(name);
  });

  test('a provider deactivated before its first visit is refused', async () => {
    const provider = await knownProvider('closed.clinic.example');
    await app.db.update(providers).set({ status: 'f' }).where(eq(providers.id, provider.id));
    await expect.poll(() => app.services.tenants.hasHost('closed.clinic.example')).toBe(false);
    await expect(caddy.handshake('closed.clinic.example')).rejects.toThrow(/alert/);
    expect(await caddy.certified()).not.toContain('closed.clinic.example');
  });

  test.each(['brand.example', 'redirect.clinic.example'])('http at %s redirects to https', async (host) => {
    const answer = await client(caddy.httpPort, host).get('/map?zip=1');
    expect([answer.status, answer.headers.location]).toEqual([308, `https://${host}/map?zip=1`]);
  });

  const form = { method: 'POST', path: '/api/leads', body: '{}', headers: { 'content-length': '2' } };

  test('a form that is sent while the application restarts waits for it', async () => {
    await using restarting = restartableApplication();
    await restarting.open();
    const APP_ADDRESS = `127.0.0.1:${restarting.port()}`;
    await using other = await startCaddy({ APP_ADDRESS, MAIN_DOMAINS: 'brand.example' });
    expect((await other.ask('brand.example', form)).text).toBe('stored');
    await restarting.close();
    await expect.poll(other.log).toContain('connection refused');
    const waiting = other.ask('brand.example', form);
    await restarting.open();
    expect(await waiting).toMatchObject({ status: 200, text: 'stored' });
    expect(restarting.bodies()).toBe(2);
  });

  test('a form whose answer breaks off is not sent again', async () => {
    await using restarting = restartableApplication();
    await restarting.open();
    restarting.breakPosts();
    const APP_ADDRESS = `127.0.0.1:${restarting.port()}`;
    await using other = await startCaddy({ APP_ADDRESS, MAIN_DOMAINS: 'brand.example' });
    expect((await other.ask('brand.example', form)).status).toBe(502);
    expect(restarting.bodies()).toBe(1);
  });

  test('a change without a body or a length is not sent again', async () => {
    await using broken = await brokenApplication();
    const APP_ADDRESS = `127.0.0.1:${broken.port}`;
    await using other = await startCaddy({ APP_ADDRESS, MAIN_DOMAINS: 'brand.example' });
    const head = ['Host: brand.example', 'Connection: close', '', ''];
    expect(await other.send('brand.example', ['POST /none HTTP/1.1', ...head].join('\r\n'))).toMatch(
      /^HTTP\/1\.1 502 /,
    );
    const zero = ['DELETE /zero HTTP/1.1', 'Content-Length: 00', ...head].join('\r\n');
    expect(await other.send('brand.example', zero)).toMatch(/^HTTP\/1\.1 502 /);
    expect(broken.asked()).toEqual(['POST /none', 'DELETE /zero']);
  });

  test('while the only process starts, visitors wait, and get 503 at the end', async () => {
    await using starting = restartableApplication();
    starting.answerChecks('starting');
    await starting.open();
    const APP_ADDRESS = `127.0.0.1:${starting.port()}`;
    await using other = await startCaddy({ APP_ADDRESS, MAIN_DOMAINS: 'brand.example' });
    await expect.poll(other.log).toContain('response body failed expectations');
    const [page, sent] = await Promise.all([other.ask('brand.example'), other.ask('brand.example', form)]);
    expect([page.status, sent.status, starting.bodies()]).toEqual([503, 503, 0]);
    const waiting = other.ask('brand.example', form);
    starting.answerChecks('ok');
    expect(await waiting).toMatchObject({ status: 200, text: 'stored' });
  });

  test('failures are logged without address, query or headers', async () => {
    await using broken = await brokenApplication();
    await using other = await startCaddy({
      APP_ADDRESS: `127.0.0.1:${broken.port}`,
      MAIN_DOMAINS: 'brand.example',
    });
    const answer = await other.ask('brand.example', {
      method: 'POST',
      path: '/failing?email=sam@example.com',
      headers: {
        'user-agent': 'Tellable/1.0',
        referer: 'https://brand.example/?name=Sam',
        'content-length': '0',
      },
    });
    await other.ask('late.clinic.example', { method: 'POST', headers: { 'content-length': '0' } });
    await other.handshake('refused.example').catch(() => undefined);
    expect(answer.status).toBe(502);
    await expect.poll(other.log).toContain('"uri":"/failing"');
    expect(other.log()).toContain('late.clinic.example');
    const visitor = visitorAddress === '127.0.0.1' ? 'remote_ip' : visitorAddress;
    expect(other.log()).not.toMatch(new RegExp(`sam@|Tellable|name=Sam|${visitor}`));
  });
});

/** Answers checks and posts, and counts the posts whose body arrived. It can be closed and opened at one port. */
function restartableApplication() {
  let port = 0;
  let bodies = 0;
  let breaks = false;
  let health = 'ok';
  const server = createServer((request, response) => {
    if (request.url === '/healthz') {
      response.end(JSON.stringify({ status: health, version: '1.0.0' }));
      return;
    }
    // Caddy may try without the body, and then gives up on it.
    request.once('data', () => (bodies += 1));
    request.once('end', () => {
      if (breaks && request.method === 'POST') request.socket.destroy();
      else response.end('stored');
    });
    request.resume();
  });
  async function close(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }
  return {
    async open(): Promise<void> {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      port = Number(Reflect.get(Object(server.address()), 'port'));
    },
    close,
    port: () => port,
    bodies: () => bodies,
    breakPosts: () => {
      breaks = true;
    },
    answerChecks: (status: string) => {
      health = status;
    },
    [Symbol.asyncDispose]: close,
  };
}

/** Vouches for one clinic's host and breaks off all other requests, which it lists. */
async function brokenApplication(): Promise<{ port: number; asked: () => string[] } & AsyncDisposable> {
  const asked: string[] = [];
  const server = createServer(({ method, url = '', socket }, response) => {
    if (url === '/healthz') response.end('{"status":"ok"}');
    else if (url.startsWith('/api/domains/verify'))
      response.writeHead(url.endsWith('=late.clinic.example') ? 200 : 404).end();
    else {
      asked.push(`${method} ${url}`);
      socket.destroy();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
