import Koa from 'koa';
import { expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import { createLog } from '../log.ts';
import { isPublicAddress } from '../security/guardedRequest.ts';
import { fetchImage } from '../security/fetchImage.ts';
import type { AppState } from '../tenant/tenant.ts';
import { listen, pictureHeads } from '#test/support/pictures.ts';
import { firstPixel, pngSize } from '#test/support/png.ts';
import { patienceMs } from '#test/support/waitFor.ts';
import { createPainter } from '../render/shareImages/painter.ts';
import { errorBoundary } from './errorBoundary.ts';
import { createMedia } from './media.ts';

const png = Buffer.from(pictureHeads['png']?.(120, 40) ?? []);
/** A picture of 48 KB is this large too, if it is one color. */
const vast = Buffer.from(pictureHeads['png']?.(20_000, 20_000) ?? []);

/** Eleven frames of 24 million pixels each. */
const frame = Buffer.from([0x2c, 0, 0, 0, 0, 0x70, 0x17, 0xa0, 0x0f, 0, 2, 0]);
const frames = Buffer.concat([
  Buffer.from('GIF89a\x01\0\x01\0\0\0\0', 'latin1'),
  ...Array<Buffer>(11).fill(frame),
]);

const svg = (content: string, before = ''): string =>
  `${before}<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40">${content}</svg>`;
const copies = Array.from(
  { length: 9 },
  (_, at) => `<g id="a${at + 1}">${`<use href="#a${at}"/>`.repeat(10)}</g>`,
).join('');
const letters = 'abcdefghij'.split('');
const nested = letters.map((letter, at) => {
  const content = at === 0 ? 'lol' : `&${letters[at - 1]};`.repeat(10);
  return `<!ENTITY ${letter} "${content}">`;
});

/** Drawings by their paths. */
const drawings = new Map([
  ['/logo.svg', svg('<rect width="9" height="9" fill="#00ff00"/>')],
  ['/round.svg', svg('<circle cx="60" cy="20" r="9"/>')],
  ['/copies.svg', svg(`<g id="a0"><rect width="9" height="9"/></g>${copies}`)],
  ['/entities.svg', svg('<text>&j;</text>', `<!DOCTYPE svg [${nested.join('')}]>`)],
  ['/broken.svg', '<svg xmlns="http://www.w3.org/2000/svg"><g>'],
]);

const paint = createPainter({ paintMs: patienceMs });
const draw = (providerSvg: Buffer): Promise<Buffer> => paint({ providerSvg });

/** Providers' web servers with all kinds of responses, and our proxy in front of them. */
async function setUp({ timeoutMs = patienceMs } = {}) {
  let asked = 0;
  const remote = await listen((request, response) => {
    asked += 1;
    const drawing = drawings.get(request.url ?? '');
    if (drawing !== undefined) response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(drawing);
    else if (request.url === '/logo.png') response.writeHead(200, { 'content-type': 'image/png' }).end(png);
    else if (request.url === '/moved.png') response.writeHead(302, { location: '/logo.png' }).end();
    else if (request.url === '/loop.png') response.writeHead(302, { location: '/loop.png' }).end();
    else if (request.url === '/page')
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Log in</h1>');
    else if (request.url === '/huge.png')
      response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(5000));
    else if (request.url === '/vast.png') response.writeHead(200, { 'content-type': 'image/png' }).end(vast);
    else if (request.url === '/vast.svg')
      response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(vast);
    else if (request.url === '/frames.gif')
      response.writeHead(200, { 'content-type': 'image/gif' }).end(frames);
    else if (request.url === '/text.png')
      response
        .writeHead(200, { 'content-type': 'image/png' })
        .end('<svg xmlns="http://www.w3.org/2000/svg"/>');
    else if (request.url !== '/hang.png') response.writeHead(404).end();
  });
  const paths = [
    ...['/logo.png', '/moved.png', '/loop.png', '/page', '/huge.png', '/hang.png', '/gone.png'],
    ...['', '/vast.png', '/vast.svg', '/text.png', ...drawings.keys(), '/frames.gif'],
  ].map((path) => (path === '' ? undefined : path));
  const app = new Koa<AppState>();
  app.use(errorBoundary({ log: createLog('silent') }));
  app.use(
    createMedia({
      findAddress: (id) =>
        Promise.resolve(paths[id - 1] === undefined ? null : `${remote.url}${paths[id - 1]}`),
      draw,
      log: createLog('silent'),
      trustedProxies: 0,
      fetchOptions: { allowPrivate: true, bytesMax: 4096, timeoutMs },
    }).serve,
  );
  const handle = app.callback();
  const own = await listen((request, response) => void handle(request, response));
  return {
    get: (id: number, headers = {}) => fetch(`${own.url}/media/logo/${id}`, { headers }),
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      await own[Symbol.asyncDispose]();
      await remote[Symbol.asyncDispose]();
    },
  };
}

test('an image is served from our origin, fetched once and revalidated', async () => {
  await using pictures = await setUp();
  const { get, asked } = pictures;
  const answers = await Promise.all(Array.from({ length: 10 }, () => get(1)));
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('content-security-policy')).toContain('sandbox');
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(png);
  }
  expect(asked()).toBe(1);
  const etag = answers[0]?.headers.get('etag') ?? '';
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    expect((await get(1, { 'if-none-match': known })).status).toBe(304);
  }
  expect((await get(1, { 'if-none-match': '"other"' })).status).toBe(200);
  expect((await get(2)).status).toBe(200);
});

test.each([
  [3, 'redirects for ever'],
  [4, 'is a web page'],
  [5, 'is too large'],
  [6, 'never comes'],
  [7, 'is gone'],
  [8, 'was never named'],
  [9, 'has more than 25 million pixels'],
  [10, 'has them under another type'],
  [11, 'has no header of a picture'],
  [14, 'is a drawing of copies of copies'],
  [15, 'is a drawing of nested entities'],
  [16, 'is a drawing that is not complete'],
  [17, 'has more than 250 million pixels in its frames'],
])('image %i, which %s, is a 404 for a minute', async (id) => {
  await using pictures = await setUp(id === 6 ? { timeoutMs: 300 } : {});
  const { status, headers } = await pictures.get(id);
  expect([status, headers.get('cache-control')]).toEqual([404, 'public, max-age=60']);
});

test('a drawing arrives as PNG with a tag of its own, and is fetched once', async () => {
  await using pictures = await setUp();
  const answers = await Promise.all([pictures.get(12), pictures.get(12), pictures.get(13)]);
  const [one, , other] = await Promise.all(
    answers.map(async (answer) => Buffer.from(await answer.arrayBuffer())),
  );
  expect(answers.map(({ status, headers }) => [status, headers.get('content-type')])).toEqual(
    Array(3).fill([200, 'image/png']),
  );
  expect([one, other].map((picture) => pngSize(picture ?? Buffer.alloc(0)))).toEqual(
    Array(2).fill([1024, 341]),
  );
  expect([one, other].map((picture) => firstPixel(picture ?? Buffer.alloc(0)))).toEqual([
    [0, 255, 0, 255],
    [0, 0, 0, 0],
  ]);
  expect(pictures.asked()).toBe(2);
  const [etag, , otherEtag] = answers.map(({ headers }) => headers.get('etag') ?? '');
  expect(etag).not.toBe(otherEtag);
  expect((await pictures.get(12, { 'if-none-match': etag ?? '' })).status).toBe(304);
});

test('a drawing for which too many wait is a 503 and is not remembered', async () => {
  await using remote = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(svg(''));
  });
  let drawn = 0;
  await using proxy = await createProxy(new Map([[1, `${remote.url}/logo.svg`]]), {
    draw: (drawing: Buffer) => {
      drawn += 1;
      if (drawn > 1) return draw(drawing);
      throw new AppError('SERVICE_UNAVAILABLE', 'Too many wait.', { retryAfterSeconds: 5 });
    },
  });
  const refused = await proxy.get(1);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect((await proxy.get(1)).status).toBe(200);
});

test.each([
  'http://127.0.0.1/x.png',
  'http://[::1]/x.png',
  'http://localhost/x.png',
  'http://169.254.169.254/latest/meta-data',
  'http://[::ffff:10.0.0.1]/x.png',
  'http://10.1.2.3/x.png',
  'file:///etc/passwd',
])('an address inside our own network is never requested: %s', async (address) => {
  await expect(fetchImage(address)).rejects.toThrow(/not public|only http and https/);
});

/** Our proxy for images at these addresses, by id. */
async function createProxy(
  addresses: Map<number, string>,
  options: Partial<Parameters<typeof createMedia>[0]> = {},
) {
  const app = new Koa<AppState>();
  app.use(errorBoundary({ log: createLog('silent') }));
  app.use(
    createMedia({
      findAddress: (id) => Promise.resolve(addresses.get(id) ?? null),
      draw,
      log: createLog('silent'),
      trustedProxies: 1,
      fetchOptions: { allowPrivate: true, timeoutMs: 8_000 },
      ...options,
    }).serve,
  );
  const handle = app.callback();
  const server = await listen((request, response) => void handle(request, response));
  return {
    get: (id: number, ip = '192.0.2.1') =>
      fetch(`${server.url}/media/logo/${id}`, { headers: { 'x-forwarded-for': ip } }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const ids = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

test('a network above its limit waits but still gets cached images', async () => {
  await using remote = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'image/png' }).end(png);
  });
  const addresses = new Map(ids(10).map((id) => [id, `${remote.url}/${id}.png`]));
  const limits = { points: 3, windowSeconds: 60, totalPoints: 5 };
  await using proxy = await createProxy(addresses, { limits });
  for (const id of [1, 2, 3, 1, 2]) expect((await proxy.get(id)).status).toBe(200);
  const refused = await proxy.get(4);
  expect([refused.status, refused.headers.get('cache-control')]).toEqual([429, 'no-store']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await proxy.get(1)).status).toBe(200);
  // Another network may fetch two more, the rest of the total.
  for (const id of [4, 5]) expect((await proxy.get(id, '198.51.100.1')).status).toBe(200);
  expect((await proxy.get(6, '203.0.113.1')).status).toBe(429);
});

test('a host that never responds does not block other hosts', async () => {
  let asked = 0;
  await using slow = await listen(() => {
    asked += 1;
  });
  await using quick = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'image/png' }).end(png);
  });
  const addresses = new Map([
    ...ids(20).map((id) => [id, `${slow.url}/${id}.png`] as const),
    [100, `${quick.url}/logo.png`],
  ]);
  await using proxy = await createProxy(addresses);
  let answered = 0;
  const waiting = ids(20).map(async (id) => {
    await proxy.get(id).catch(() => undefined);
    answered += 1;
  });
  await expect.poll(() => asked).toBeGreaterThan(3);
  expect((await proxy.get(100)).status).toBe(200);
  expect(answered).toBe(0);
  expect(asked).toBeLessThan(16);
  await slow[Symbol.asyncDispose]();
  await Promise.all(waiting);
});

test('a host with too many waiting requests is refused, and not remembered', async () => {
  const held: (() => void)[] = [];
  await using slow = await listen((_request, response) => {
    held.push(() => void response.writeHead(200, { 'content-type': 'image/png' }).end(png));
  });
  const addresses = new Map(ids(50).map((id) => [id, `${slow.url}/${id}.png`]));
  await using proxy = await createProxy(addresses);
  const answers = ids(50).map((id) => proxy.get(id));
  const refused = await Promise.race(answers);
  expect([refused.status, refused.headers.get('cache-control')]).toEqual([503, 'no-store']);
  const release = setInterval(() => {
    for (const answer of held.splice(0)) answer();
  }, 5);
  const statuses = await Promise.all(answers.map(async (answer) => (await answer).status));
  const id = statuses.indexOf(503) + 1;
  expect((await proxy.get(id)).status).toBe(200);
  clearInterval(release);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
});

test('a failure is remembered while other images are fetched', async () => {
  let failures = 0;
  const large = Buffer.concat([png, Buffer.alloc(1024 * 1024 - png.length)]);
  await using remote = await listen((request, response) => {
    if (request.url !== '/gone.png') response.writeHead(200, { 'content-type': 'image/png' }).end(large);
    else {
      failures += 1;
      response.writeHead(404).end();
    }
  });
  const addresses = new Map([
    [100, `${remote.url}/gone.png`],
    ...ids(36).map((id) => [id, `${remote.url}/${id}.png`] as const),
  ]);
  await using proxy = await createProxy(addresses);
  expect((await proxy.get(100)).status).toBe(404);
  for (const id of ids(36)) expect((await (await proxy.get(id)).arrayBuffer()).byteLength).toBe(large.length);
  expect((await proxy.get(100)).status).toBe(404);
  expect(failures).toBe(1);
});

test('public and private addresses are distinguished', () => {
  expect(['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'].map(isPublicAddress)).toEqual([true, true]);
  const refused = [
    '0.0.0.0',
    '127.0.0.1',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '::',
    '::1',
    'fe80::1',
    'fc00::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    'x',
  ];
  expect(refused.filter(isPublicAddress)).toEqual([]);
});
