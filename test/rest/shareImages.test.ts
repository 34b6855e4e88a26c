import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { providers } from '#server/db/schema/index.ts';
import { mailLogoPath, mailLogoSize } from '#shared/shareImages/shareImage.ts';
import { insertProvider } from '#test/support/factories.ts';
import { type Client, testApp } from '#test/support/testApp.ts';
import { pictureHost } from '#test/support/pictures.ts';
import { squarePng } from '#test/support/png.ts';
import { testDb } from '#test/support/testDb.ts';

const forEver = 'public, max-age=31536000, immutable';

/** Where a page says the picture of its links lies. */
async function picturePath(client: Client, page: string): Promise<string> {
  const { text } = await client.get(page);
  return new URL(/<meta property="og:image" content="([^"]+)">/.exec(text)?.[1] ?? '').pathname;
}

describe('the image of a shared link', () => {
  test('has the URL and size that the pages name', async () => {
    await using app = await testApp();
    const provider = await insertProvider(app.db, { practiceName: 'Shared & Co' });
    await app.knows(provider);
    const own = await picturePath(app.as(provider), '/');
    expect(own).toMatch(new RegExp(`^/og/${provider.id}/`));
    expect(await picturePath(app, `/?providerId=${provider.id}`)).toBe(own);
    expect(await picturePath(app.as(provider), '/privacy')).toBe(own);
    const brand = await picturePath(app, '/');
    expect(await picturePath(app, '/terms')).toBe(brand);
    for (const [client, path] of [
      [app.as(provider), own],
      [app, brand],
    ] as const) {
      const { status, headers, body } = await client.get(path);
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'image/png',
        forEver,
      ]);
      expect([body.readUInt32BE(16), body.readUInt32BE(20)]).toEqual([1200, 630]);
      expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
    }
    const { text } = await app.as(provider).get('/');
    expect(text).toContain('<meta property="og:image:width" content="1200">');
    expect(text).toContain(
      '<meta property="og:image:alt" content="Shared &amp; Co: certified provider of P-Long®">',
    );
    expect(text).toContain('<meta name="twitter:card" content="summary_large_image">');
  });

  test('gets a new URL with a new name, and the old one redirects', async () => {
    await using app = await testApp();
    const provider = await insertProvider(app.db, { practiceName: 'Before' });
    await app.knows(provider);
    const before = await picturePath(app.as(provider), '/');
    const old = await app.get(before);
    expect(old.status).toBe(200);
    await app.db.update(providers).set({ practiceName: 'After' }).where(eq(providers.id, provider.id));
    await expect.poll(() => picturePath(app.as(provider), '/')).not.toBe(before);
    const present = await app.get(await picturePath(app.as(provider), '/'));
    const stale = await app.get(before);
    expect([stale.status, stale.headers.location, stale.headers['cache-control']]).toEqual([
      302,
      await picturePath(app.as(provider), '/'),
      'public, max-age=60',
    ]);
    expect(present.body.equals(old.body)).toBe(false);
    expect(present.headers['cache-control']).toBe(forEver);
  });

  test('of a provider shows its logo, and gets a new URL with a new one', async () => {
    const [black, larger] = [squarePng(64), squarePng(72)];
    await using host = await pictureHost({ '/a.png': black, '/b.png': larger });
    await using app = await testApp();
    const provider = await insertProvider(app.db, { logoUrl: null });
    await app.knows(provider);
    const client = app.as(provider);
    const bodies: Buffer[] = [];
    for (const [logoUrl, caching] of [
      [null, forEver],
      [`${host.url}/a.png`, 'public, max-age=86400'],
      [`${host.url}/b.png`, 'public, max-age=86400'],
      [`${host.url}/missing.png`, 'public, max-age=60'],
    ] as const) {
      const before = logoUrl === null ? '' : await picturePath(client, '/');
      await app.db.update(providers).set({ logoUrl }).where(eq(providers.id, provider.id));
      await expect.poll(() => picturePath(client, '/')).not.toBe(before);
      const { status, headers, body } = await client.get(await picturePath(client, '/'));
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'image/png',
        caching,
      ]);
      bodies.push(body);
    }
    const [named, shown, next, missing] = bodies;
    expect([shown, next].some((body) => body?.equals(named ?? Buffer.alloc(0)))).toBe(false);
    expect(missing?.equals(named ?? Buffer.alloc(0))).toBe(true);
  });

  test('above messages is the wordmark at twice its size, cached forever', async () => {
    await using app = await testApp();
    const { status, headers, body } = await app.get(mailLogoPath);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'image/png', forEver]);
    expect([body.readUInt32BE(16), body.readUInt32BE(20)]).toEqual([
      mailLogoSize.width * 2,
      mailLogoSize.height * 2,
    ]);
  });

  test('is drawn once for all processes and restarts', async () => {
    await using database = await testDb();
    const dataDir = await mkdtemp(join(tmpdir(), 'share-images-'));
    await using first = await testApp({ database, env: { DATA_DIR: dataDir } });
    const provider = await insertProvider(database.db, { practiceName: 'Kept' });
    await first.knows(provider);
    const path = await picturePath(first.as(provider), '/');
    const drawn = await first.get(path);
    const [name = ''] = await readdir(join(dataDir, 'share-images'));
    // Another PNG in its place shows who reads the file.
    const marked = Buffer.concat([drawn.body.subarray(0, 8), drawn.body.subarray(-12)]);
    await writeFile(join(dataDir, 'share-images', name), marked);
    await using second = await testApp({ database, env: { DATA_DIR: dataDir } });
    expect((await second.get(path)).body).toEqual(marked);
    await rm(dataDir, { recursive: true });
  });

  test('is drawn for its current URL only; other tags redirect', async () => {
    await using app = await testApp();
    const provider = await insertProvider(app.db, { practiceName: 'Present' });
    await app.knows(provider);
    const path = await picturePath(app.as(provider), '/');
    const made = await app.get(`/og/${provider.id}/0.png`);
    expect([made.status, made.headers.location]).toEqual([302, path]);
    await expect(readdir(join(app.services.config.dataDir, 'share-images'))).rejects.toThrow('ENOENT');
  });

  test('redirects to the image of the brand above the limit of a network', async () => {
    await using app = await testApp({ env: { TRUSTED_PROXIES: '1' } });
    const rows = await Promise.all(Array.from({ length: 25 }, () => insertProvider(app.db)));
    const paths = await Promise.all(
      rows.map(async (provider) => {
        await app.knows(provider);
        return picturePath(app.as(provider), '/');
      }),
    );
    const brand = await picturePath(app, '/');
    const ask = (path: string, ip: string) => app.get(path, { 'x-forwarded-for': ip });
    const answers = await Promise.all(paths.map((path) => ask(path, '192.0.2.1')));
    const refused = answers.flatMap(({ status }, at) => (status === 302 ? [paths[at] ?? ''] : []));
    expect([answers.filter(({ status }) => status === 200).length, refused.length]).toEqual([20, 5]);
    const again = await ask(refused[0] ?? '', '192.0.2.1');
    expect([again.status, again.headers.location, again.headers['cache-control']]).toEqual([
      302,
      brand,
      'no-store',
    ]);
    expect((await ask(brand, '192.0.2.1')).status).toBe(200);
    expect((await ask(refused[0] ?? '', '198.51.100.1')).status).toBe(200);
    // What was drawn for somebody else is there for everyone.
    expect((await ask(refused[0] ?? '', '192.0.2.1')).status).toBe(200);
  });

  test('is not sent again to a client that has it', async () => {
    await using app = await testApp();
    const path = await picturePath(app, '/');
    const { headers } = await app.get(path);
    const again = await app.get(path, { 'if-none-match': String(headers.etag) });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  test.each([
    '/og/999999/abc.png',
    '/og/0/abc.png',
    '/og/-1/abc.png',
    '/og/brand/ABC.png',
    '/og/brand/abc.svg',
    '/og/brand/../abc.png',
    '/og/99999999999999999999/abc.png',
  ])('%s is a 404', async (path) => {
    await using app = await testApp();
    expect((await app.get(path)).status).toBe(404);
  });
});
