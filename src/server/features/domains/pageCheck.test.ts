import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type Server } from 'node:net';
import { expect, test } from 'vitest';
import { packBoot, type Boot } from '#shared/pages/boot.ts';
import { asciiJson } from '#shared/formats/text.ts';
import { providerView } from '#test/support/tenantView.ts';
import { selfSigned } from '#test/support/selfSigned.ts';
import { publicConfig, parseConfig } from '#server/config/config.ts';
import { createFormTokens } from '../submissions/formToken.ts';
import { checkPage, type PageCheckOptions } from './pageCheck.ts';

const formTokens = createFormTokens({ keys: ['k'.repeat(32)], now: () => new Date() });
const elsewhere = createFormTokens({ keys: ['z'.repeat(32)], now: () => new Date() });
const provider = { id: 7, label: 'Amber Quay', domain: 'clinic.example', isActive: true };

async function listening(server: Server): Promise<{ port: number } & AsyncDisposable> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The finding for a web server that responds like this. */
async function getFinding(
  handler: RequestListener,
  { isActive = true, ...options }: Partial<PageCheckOptions> & { isActive?: boolean } = {},
) {
  await using server = await listening(createServer(handler));
  return await checkPage(
    { ...provider, isActive },
    {
      origin: `http://clinic.example:${server.port}`,
      addresses: ['127.0.0.1'],
      formTokens,
      allowPrivate: true,
      ...options,
    },
  );
}

/** One of our pages, rendered for a provider's host or an unknown one. */
function buildPage(id: number | null, tokens = formTokens): string {
  const tenant = id === null ? null : providerView({ id, name: `Clinic ${id}`, domain: 'clinic.example' });
  const boot: Boot = {
    site: publicConfig(parseConfig({})),
    hiddenClaims: [],
    tenant,
    page:
      tenant === null ? { kind: 'landing', form: null } : { kind: 'microsite', provider: tenant, form: null },
    formToken: tokens.issue(tenant === null ? 'landing' : 'microsite'),
    today: '2026-06-10',
  };
  return `<!doctype html><script type="application/json" id="boot">${asciiJson(packBoot(boot))}</script>`;
}

const sends =
  (body: string, status = 200): RequestListener =>
  (_, response) =>
    response.writeHead(status).end(body);

const foreign = { state: 'wrong', text: 'A different website responds at this domain.' };

test("the provider's own page has its id and a token signed by us", async () => {
  expect(await getFinding(sends(buildPage(7)))).toEqual({
    state: 'ok',
    text: 'Amber Quay responds with its page.',
  });
});

test.each([
  ['another clinic’s page', buildPage(8), 'Another provider’s page responds: Clinic 8.'],
  [
    'the brand’s page',
    buildPage(null),
    'This service responds with the main site, because it doesn’t know the domain yet.',
  ],
  ['the same page of another installation', buildPage(7, elsewhere), foreign.text],
  [
    'a page that only names the clinic',
    '<h1>Amber Quay</h1><link rel="canonical" href="https://clinic.example/">',
    foreign.text,
  ],
  ['boot data of no page', '<script type="application/json" id="boot">[]</script>', foreign.text],
  ['boot data that is no JSON', '<script type="application/json" id="boot">{</script>', foreign.text],
  ['a page without end', 'x'.repeat(300_000), foreign.text],
  ['nothing', '', foreign.text],
])('%s is not it', async (_, body, text) => {
  expect(await getFinding(sends(body))).toEqual({ state: 'wrong', text });
});

test("an inactive provider's domain shows the brand's page, with that reason", async () => {
  expect(await getFinding(sends(buildPage(null)), { isActive: false })).toEqual({
    state: 'wrong',
    text: 'This service responds with the main site, because the provider is inactive.',
  });
});

test.each([404, 500, 503, 204])('status %s is reported', async (status) => {
  expect(await getFinding(sends('', status))).toEqual({
    state: 'wrong',
    text: `The page responds with status ${status} instead of 200.`,
  });
});

test('a redirect is followed to the same name and its www only, twice at most', async () => {
  const hosts: (string | undefined)[] = [];
  const hopping: RequestListener = (request, response) => {
    hosts.push(request.headers.host);
    const port = request.socket.localPort;
    if (request.url === '/')
      response.writeHead(301, { location: `http://www.clinic.example:${port}/a` }).end();
    else if (request.url === '/a') response.writeHead(302, { location: '/b' }).end();
    else response.end(buildPage(7));
  };
  expect((await getFinding(hopping)).state).toBe('ok');
  expect(hosts.map((host) => host?.split(':')[0])).toEqual([
    'clinic.example',
    'www.clinic.example',
    'www.clinic.example',
  ]);
  const to =
    (location: string): RequestListener =>
    (_, response) =>
      response.writeHead(302, { location }).end();
  expect((await getFinding(to('/'))).text).toBe('The page redirects in a loop.');
  for (const [location, origin] of [
    ['https://elsewhere.example/path?x=1', 'https://elsewhere.example'],
    ['http://169.254.169.254/latest', 'http://169.254.169.254'],
    ['http://clinic.example:22/', 'http://clinic.example:22'],
    ['https://clinic.example/', 'https://clinic.example'],
  ] as const)
    expect(await getFinding(to(location))).toEqual({
      state: 'wrong',
      text: `The page redirects visitors to ${origin}.`,
    });
});

test('a timeout, a truncated response and a refused connection are distinguished', async () => {
  expect(await getFinding(() => undefined, { timeoutMs: 150 })).toEqual({
    state: 'wrong',
    text: 'The page didn’t respond in time.',
  });
  const cut: RequestListener = (_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy());
  };
  expect((await getFinding(cut)).text).toBe('The response was incomplete.');
  // Nothing listens on the discard port.
  expect((await getFinding(sends(''), { origin: 'http://clinic.example:9' })).text).toBe(
    'No response from clinic.example.',
  );
});

test('a response that is not HTTP is a page that broke off', async () => {
  const mailServer = createTcpServer((socket) => {
    // Read, with its reset ignored, so that the connection ends.
    socket.on('error', () => undefined).resume();
    socket.end('220 mail.example ready\r\n');
  });
  await using server = await listening(mailServer);
  const finding = await checkPage(provider, {
    origin: `http://clinic.example:${server.port}`,
    addresses: ['127.0.0.1'],
    formTokens,
    allowPrivate: true,
  });
  expect(finding).toEqual({ state: 'wrong', text: 'The response was incomplete.' });
});

test('an untrusted certificate is reported', async () => {
  await using server = await listening(createTlsServer(selfSigned('clinic.example'), sends(buildPage(7))));
  const finding = await checkPage(provider, {
    origin: `https://clinic.example:${server.port}`,
    addresses: ['127.0.0.1'],
    formTokens,
    allowPrivate: true,
  });
  expect(finding).toEqual({
    state: 'wrong',
    text: 'The certificate isn’t valid for this name yet (DEPTH_ZERO_SELF_SIGNED_CERT).',
  });
});

test('a private address is not requested', async () => {
  let asked = 0;
  const counting: RequestListener = (_, response) => {
    asked += 1;
    response.end(buildPage(7));
  };
  expect(await getFinding(counting, { allowPrivate: false })).toEqual({
    state: 'unknown',
    text: 'The domain points to a private address, so it wasn’t checked.',
  });
  expect(asked).toBe(0);
});
