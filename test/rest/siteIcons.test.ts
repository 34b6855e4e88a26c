import { readFileSync } from 'node:fs';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { providers } from '#server/db/schema/index.ts';
import { brand } from '#shared/brand/brand.ts';
import { hexColor, hueShades } from '#shared/pages/hueShades.ts';
import { insertProvider } from '#test/support/factories.ts';
import { pictureHeads, pictureHost } from '#test/support/pictures.ts';
import { pngSize } from '#test/support/png.ts';
import { type Client, testApp } from '#test/support/testApp.ts';

const brandIcon = readFileSync(new URL('../../src/shared/brand/public/favicon.svg', import.meta.url), 'utf8');
const forEver = 'public, max-age=31536000, immutable';
const forADay = 'public, max-age=86400';
const shortly = 'public, max-age=60';
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
        const [file, version] = href.split('?v=');
        expect(['/favicon.svg', '/apple-touch-icon.png', '/site.webmanifest']).toContain(file);
        const { status, headers: own } = await client.get(href);
        expect([status, own['cache-control']]).toEqual([200, version === undefined ? forADay : forEver]);
        expect(version !== undefined).toBe(name !== brand.plainName);
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
  const { text, headers } = await app.as(provider).get(await iconLink(app.as(provider)));
  expect(headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': forEver });
  expect(text).toContain('>Ł</text>');
  expect(text).toContain(`fill="${hexColor(hueShades.primary, 210)}"`);
  expect(text).not.toContain(brandIcon);
  for (const client of [app, app.as('parked.example.net')])
    expect((await client.get('/favicon.svg')).text).toBe(brandIcon);
});

/** The address of the icon on a site's pages. */
async function iconLink(client: Client, page = '/'): Promise<string> {
  const { text } = await client.get(page);
  return /<link rel="icon" href="([^"]+)"/.exec(text)?.[1] ?? '';
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
    const client = app.as(provider);
    const { text, headers } = await client.get(await iconLink(client));
    expect(headers['content-type']).toBe('image/svg+xml');
    return { text, caching: headers['cache-control'] };
  };
  const shown = await favicon(`${host.url}/square.png`);
  expect(shown.text).toContain(`href="data:image/png;base64,${square.toString('base64')}"`);
  expect(shown.text).not.toContain('</text>');
  // The picture at its address may be replaced.
  expect(shown.caching).toBe(forADay);
  for (const [logo, caching] of [
    [`${host.url}/long.png`, forADay],
    [`${host.url}/large.png`, forADay],
    ['/own-logo.png', forEver],
  ] as const)
    expect(await favicon(logo)).toEqual({ text: expect.stringContaining('>Q</text>'), caching });
  // It may be there soon.
  const missing = await favicon(`${host.url}/missing.png`);
  expect(missing).toEqual({ text: expect.stringContaining('>Q</text>'), caching: shortly });
});

test('a new logo, name or hue gives the icons new links, and old links show them', async () => {
  const square = (side: number) => Buffer.from(pictureHeads['png']?.(side, side) ?? []);
  await using host = await pictureHost({ '/a.png': square(60), '/b.png': square(70) });
  await using app = await testApp();
  const provider = await insertProvider(app.db, { name: 'Quay', logoUrl: `${host.url}/a.png` });
  await app.knows(provider);
  const client = app.as(provider);
  const links = new Set([await iconLink(client)]);
  for (const values of [{ logoUrl: `${host.url}/b.png` }, { practiceName: 'Pier' }, { themeHue: 200 }]) {
    const before = await iconLink(client);
    await app.db.update(providers).set(values).where(eq(providers.id, provider.id));
    await expect.poll(() => iconLink(client)).not.toBe(before);
    const link = await iconLink(client);
    links.add(link);
    expect(await iconLink(client, '/withdraw/no-such-link')).toBe(link);
    const current = await client.get(link);
    expect(current.headers['cache-control']).toBe(forADay);
    const manifest = await client.get(link.replace('/favicon.svg', '/site.webmanifest'));
    expect(manifest.headers['cache-control']).toBe(forEver);
    expect(manifest.text).toContain(link.replace('/favicon.svg', '/icon-192.png'));
  }
  expect(links.size).toBe(4);
  const [first = '', ...others] = links;
  const [old, current, unversioned] = await Promise.all(
    [first, others.at(-1) ?? '', '/favicon.svg'].map((link) => client.get(link)),
  );
  expect(current?.text).toContain(square(70).toString('base64'));
  for (const answer of [old, unversioned])
    expect([answer?.text, answer?.headers['cache-control']]).toEqual([current?.text, shortly]);
  const png = await client.get(first.replace('/favicon.svg', '/apple-touch-icon.png'));
  expect([png.status, png.headers['cache-control']]).toEqual([200, shortly]);
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
  for (const [client, name, version] of [
    [app.as(provider), 'Alder "Row" </script>', expect.stringMatching(/^\/icon-(192|512)\.png\?v=\w+$/)],
    [app, brand.plainName, expect.stringMatching(/^\/icon-(192|512)\.png$/)],
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
        { src: version, sizes: '192x192', type: 'image/png' },
        { src: version, sizes: '512x512', type: 'image/png' },
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
