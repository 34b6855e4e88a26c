import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { providers } from '#server/db/schema/index.ts';
import { brand } from '#shared/brand/brand.ts';
import { hexColor, hueShades } from '#shared/pages/hueShades.ts';
import { insertProvider } from '#test/support/factories.ts';
import { pictureHeads } from '#test/support/pictures.ts';
import { pngSize } from '#test/support/png.ts';
import { testApp } from '#test/support/testApp.ts';

const brandIcon = readFileSync(new URL('../../src/shared/brand/public/favicon.svg', import.meta.url), 'utf8');
const pngs = [
  ['/apple-touch-icon.png', 180],
  ['/icon-192.png', 192],
  ['/icon-512.png', 512],
] as const;

test('a provider’s pages name its own site and icons, the brand’s pages the brand’s', async () => {
  await using app = await testApp();
  const provider = await insertProvider(app.db, { practiceName: 'Alder & Co' });
  await app.knows(provider);
  for (const [client, paths, name] of [
    [app.as(provider), ['/', '/map', '/privacy', '/no-such-page'], 'Alder &amp; Co'],
    [app, ['/', `/?providerId=${provider.id}`, '/clinics'], brand.plainName],
    [app.as('parked.example.net'), ['/'], brand.plainName],
  ] as const)
    for (const path of paths) {
      const { text, headers } = await client.get(path);
      expect(text).toContain(`<meta property="og:site_name" content="${name}">`);
      for (const [, href = ''] of text.matchAll(
        /<link rel="(?:icon|apple-touch-icon|manifest)" href="([^"]+)"/g,
      )) {
        expect(['/favicon.svg', '/apple-touch-icon.png', '/site.webmanifest']).toContain(href);
        expect((await client.get(href)).status).toBe(200);
      }
      expect(text.match(/<link rel="(?:icon|apple-touch-icon|manifest)"/g)).toHaveLength(3);
      // It covers the manifest and the icons, which have no directive of their own.
      expect(headers['content-security-policy']).toContain("default-src 'self'");
    }
});

test('a provider’s icon shows the first letter of its practice in its color', async () => {
  await using app = await testApp();
  const provider = await insertProvider(app.db, { name: 'Zed', practiceName: 'łuk & Co', themeHue: 210 });
  await app.knows(provider);
  const { text, headers } = await app.as(provider).get('/favicon.svg');
  expect(headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'cache-control': 'public, max-age=86400',
  });
  expect(text).toContain('>Ł</text>');
  expect(text).toContain(`fill="${hexColor(hueShades.primary, 210)}"`);
  expect(text).not.toContain(brandIcon);
  for (const client of [app, app.as('parked.example.net')])
    expect((await client.get('/favicon.svg')).text).toBe(brandIcon);
});

/** A host with pictures by their paths. */
async function pictureHost(pictures: Record<string, Buffer>): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer(({ url = '' }, response) => {
    const bytes = pictures[url];
    response.writeHead(bytes === undefined ? 404 : 200, { 'content-type': 'image/png' }).end(bytes);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('a provider’s favicon is its logo if that fits a square, else its first letter', async () => {
  const head = (width: number, height: number) => Buffer.from(pictureHeads['png']?.(width, height) ?? []);
  const square = head(60, 48);
  await using host = await pictureHost({
    '/square.png': square,
    '/long.png': head(200, 40),
    '/large.png': Buffer.concat([square, Buffer.alloc(100 * 1024)]),
  });
  await using app = await testApp();
  const favicon = async (logoUrl: string) => {
    const provider = await insertProvider(app.db, { practiceName: 'Quay', logoUrl });
    await app.knows(provider);
    const { text, headers } = await app.as(provider).get('/favicon.svg');
    expect(headers['content-type']).toBe('image/svg+xml');
    return { text, caching: headers['cache-control'] };
  };
  const shown = await favicon(`${host.url}/square.png`);
  expect(shown.text).toContain(`href="data:image/png;base64,${square.toString('base64')}"`);
  expect(shown.text).not.toContain('</text>');
  for (const logo of [`${host.url}/long.png`, `${host.url}/large.png`, '/own-logo.png'])
    expect(await favicon(logo)).toMatchObject({
      text: expect.stringContaining('>Q</text>'),
      caching: shown.caching,
    });
  // It may be there soon.
  const missing = await favicon(`${host.url}/missing.png`);
  expect(missing).toEqual({ text: expect.stringContaining('>Q</text>'), caching: 'public, max-age=60' });
});

test.each(pngs)('%s is %i pixels wide, on each site its own', async (path, size) => {
  await using app = await testApp();
  const provider = await insertProvider(app.db, { practiceName: 'Alder' });
  await app.knows(provider);
  const [own, main, other] = await Promise.all(
    [app.as(provider), app, app.as('parked.example.net')].map((client) => client.get(path)),
  );
  for (const answer of [own, main, other]) {
    expect([answer?.status, answer?.headers['content-type']]).toEqual([200, 'image/png']);
    expect(pngSize(answer?.body ?? Buffer.alloc(0))).toEqual([size, size]);
  }
  expect(main?.body).toEqual(other?.body);
  expect(main?.body).not.toEqual(own?.body);
});

test('the manifest names the site, its color and icons that exist', async () => {
  await using app = await testApp();
  const provider = await insertProvider(app.db, { practiceName: 'Alder "Row" </script>', themeHue: 30 });
  await app.knows(provider);
  for (const [client, name] of [
    [app.as(provider), 'Alder "Row" </script>'],
    [app, brand.plainName],
  ] as const) {
    const { headers, json } = await client.get('/site.webmanifest');
    expect(headers['content-type']).toBe('application/manifest+json');
    expect(json()).toMatchObject({
      name,
      short_name: name,
      display: 'browser',
      theme_color: expect.stringMatching(/^#[0-9a-f]{6}$/),
      background_color: '#ffffff',
      icons: [
        { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
        { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      ],
    });
  }
});

test('icons and manifest are revalidated, answer HEAD, and change with the provider', async () => {
  await using app = await testApp();
  const provider = await insertProvider(app.db, { practiceName: 'Before' });
  await app.knows(provider);
  const own = app.as(provider);
  for (const path of ['/favicon.svg', '/site.webmanifest', '/apple-touch-icon.png']) {
    const first = await own.get(path);
    const etag = String(first.headers.etag);
    const again = await own.get(path, { 'if-none-match': etag });
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag]);
    const head = await own.request('HEAD', path);
    expect([head.status, head.body.length, head.headers['content-type']]).toEqual([
      200,
      0,
      first.headers['content-type'],
    ]);
    expect((await own.get(path, { 'if-none-match': '"other"' })).status).toBe(200);
  }
  const before = (await own.get('/favicon.svg')).text;
  await app.db.update(providers).set({ practiceName: 'After' }).where(eq(providers.id, provider.id));
  await expect.poll(async () => (await own.get('/favicon.svg')).text).not.toBe(before);
  expect((await own.get('/site.webmanifest')).json()).toMatchObject({ name: 'After' });
});

test('icons of many providers are drawn for a network up to its limit', async () => {
  await using app = await testApp({ env: { TRUSTED_PROXIES: '1' } });
  const rows = await Promise.all(
    Array.from({ length: 21 }, (_, at) =>
      insertProvider(app.db, { practiceName: `Clinic ${at}`, themeHue: at }),
    ),
  );
  const statuses: number[] = [];
  for (const provider of rows) {
    await app.knows(provider);
    const client = app.as(provider);
    statuses.push((await client.get('/apple-touch-icon.png', { 'x-forwarded-for': '192.0.2.1' })).status);
  }
  expect(statuses).toEqual([...Array<number>(20).fill(200), 429]);
  expect((await app.get('/apple-touch-icon.png', { 'x-forwarded-for': '192.0.2.1' })).status).toBe(200);
});
