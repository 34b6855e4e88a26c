import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { messages } from '#shared/brand/messages.ts';
import { type Boot, type PackedBoot, unpackBoot } from '#shared/pages/boot.ts';
import { providers } from '#server/db/schema/index.ts';
import { hashSource } from '#server/render/csp.ts';
import { insertProvider } from '#test/support/factories.ts';
import { type Answer, type Client, testApp } from '#test/support/testApp.ts';

const hostileName = `</script><script>alert(1)</script> & "O'Neil" \u2028$&`;

/** Asks until the page is hot, that is until brotli is sent, which only the kept pages have. */
async function hot(client: Client, path: string): Promise<Answer> {
  return vi.waitFor(async () => {
    const answer = await client.get(path, { 'accept-encoding': 'br' });
    expect(answer.headers['content-encoding']).toBe('br');
    return answer;
  });
}

function bootOf({ text }: { text: string }): Boot {
  const [, json = 'null'] = /<script type="application\/json" id="boot">(.*?)<\/script>/.exec(text) ?? [];
  const packed: PackedBoot = JSON.parse(json);
  return unpackBoot(packed);
}

describe('status', () => {
  test.each([
    ['/', 200],
    ['/privacy', 200],
    ['/terms', 200],
    ['/refunds', 200],
    ['/success?noProvider=true', 200],
    ['/success?providerId=999999', 200],
    ['/no-such-page', 404],
    ['/?providerId=999999', 404],
    ['/?providerId=abc', 404],
    ['/microsite', 404],
    ['/%E0%A4%A', 404],
    ['/assets/none.js', 404],
  ])('%s answers %i, to GET and to HEAD', async (path, status) => {
    await using app = await testApp();
    const got = await app.get(path);
    const head = await app.request('HEAD', path);
    expect(got.status).toBe(status);
    expect(head.status).toBe(status);
    expect(head.body).toHaveLength(0);
    expect(head.headers['content-length']).toBe(got.headers['content-length']);
  });

  test('an inactive clinic is not found', async () => {
    await using app = await testApp();
    const provider = await insertProvider(app.db, { status: 'f' });
    expect((await app.get(`/?providerId=${provider.id}`)).status).toBe(404);
    expect((await app.get(`/?providerId=${provider.id}`)).text).toContain(messages.providerNotFound.title);
  });

  test('a page takes no other method', async () => {
    await using app = await testApp();
    const { status, headers } = await app.request('DELETE', '/');
    expect(status).toBe(405);
    expect(headers['allow']).toBe('GET, HEAD');
  });

  test('a trailing slash leads to the page without it, on this host only', async () => {
    await using app = await testApp();
    expect((await app.get('/terms/?a=1')).headers['location']).toBe('/terms?a=1');
    expect((await app.get('/terms/')).status).toBe(308);
    expect((await app.get('//evil.example/')).status).toBe(404);
  });
});

describe("a clinic's page", () => {
  test('names the clinic in the first bytes of its own host, and of no other', async () => {
    await using app = await testApp();
    const provider = await insertProvider(app.db, {
      name: 'Juniper Street Clinic',
      practiceName: null,
      logoUrl: '/logos/juniper.svg',
      themeHue: 210,
    });
    const other = await insertProvider(app.db);
    await vi.waitFor(async () => {
      const { status, text } = await app.as(provider).get('/?providerId=999999');
      expect(status).toBe(200);
      expect(text.slice(0, 2000)).toMatch(/<title>[^<]*Juniper Street Clinic/);
      expect(text).toMatch(/^<!doctype html><html lang="en" data-themed="" style="--hue:210">/);
      expect(text).toContain('src="/logos/juniper.svg"');
      expect(text).toContain('application/ld+json');
    });
    expect((await app.get('/')).text).not.toContain('Juniper');
    await vi.waitFor(async () => expect((await app.as(other).get('/')).text).toContain(other.name));
    expect((await app.as(other).get('/')).text).not.toContain('Juniper');
    expect((await app.as('unknown.example').get('/')).text).toBe((await app.get('/')).text);
  });

  test('shows a hostile name as text, in the page, its head and its data', async () => {
    await using app = await testApp();
    const provider = await insertProvider(app.db, {
      name: hostileName,
      practiceName: hostileName,
      address: hostileName,
      domain: 'hostile.example',
    });
    const answer = await vi.waitFor(async () => {
      const got = await app.as(provider).get('/');
      expect(got.text).toContain('&lt;/script&gt;&lt;script&gt;alert(1)');
      return got;
    });
    expect(answer.text).not.toContain('<script>alert');
    expect(bootOf(answer)).toMatchObject({
      tenant: { name: hostileName },
      page: { kind: 'microsite', provider: { address: hostileName } },
    });
    const [, jsonLd = ''] = /ld\+json">(.*?)<\/script>/.exec(answer.text) ?? [];
    expect(JSON.parse(jsonLd)).toMatchObject({ name: hostileName });
  });

  test('changes with its record, cached or not', async () => {
    await using app = await testApp();
    const provider = await insertProvider(app.db, { name: 'Before', practiceName: null });
    await vi.waitFor(async () => expect((await app.as(provider).get('/')).text).toContain('Before'));
    const { headers } = await hot(app.as(provider), '/');
    await app.db.update(providers).set({ name: 'Renamed Clinic' }).where(eq(providers.id, provider.id));
    await vi.waitFor(async () => {
      const { status, text } = await app.as(provider).get('/', { 'if-none-match': String(headers.etag) });
      expect(status).toBe(200);
      expect(text).toContain('Renamed Clinic');
    });
    expect(brotliDecompressSync((await hot(app.as(provider), '/')).body).toString()).toContain(
      'Renamed Clinic',
    );
  });
});

describe('encodings', () => {
  test.each(['main', 'clinic'])(
    'every encoding of a page unpacks to the same bytes, cold and hot (%s site)',
    async (site) => {
      await using app = await testApp();
      const provider = await insertProvider(app.db, { name: hostileName, practiceName: null });
      const client = site === 'main' ? app : app.as(provider);
      const shown = site === 'main' ? 'id="root"' : '&lt;/script&gt;';
      await vi.waitFor(async () => expect((await client.get('/privacy')).text).toContain(shown));
      const cold = await client.get('/', { 'accept-encoding': 'gzip' });
      const plain = await client.get('/');
      expect(cold.headers['content-encoding']).toBe('gzip');
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(gunzipSync(cold.body).equals(plain.body)).toBe(true);
      expect(cold.body.length).toBeLessThan(plain.body.length / 2.5);
      const brotli = await hot(client, '/');
      const gzipped = await client.get('/', { 'accept-encoding': 'br;q=0.1, gzip' });
      expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
      expect(gunzipSync(gzipped.body).equals(plain.body)).toBe(true);
      for (const answer of [cold, plain, brotli, gzipped]) {
        expect(answer.headers['vary']).toBe('Accept-Encoding');
        expect(answer.headers['etag']).toBe(plain.headers['etag']);
        expect(answer.headers['content-length']).toBe(String(answer.body.length));
      }
    },
  );

  test('a page a browser has is not sent again, and its address is not told apart by foreign parameters', async () => {
    await using app = await testApp();
    const { headers } = await app.get('/');
    expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    const again = await app.get('/?utm_source=x&fbclid=y', { 'if-none-match': String(headers.etag) });
    expect(again.status).toBe(304);
    expect(again.body).toHaveLength(0);
    expect(again.headers['etag']).toBe(headers.etag);
    expect((await app.get('/terms', { 'if-none-match': String(headers.etag) })).status).toBe(200);
  });

  test('within an hour a page stays the same, and after it carries a new token', async () => {
    let now = new Date('2026-03-01T10:05:00Z');
    await using app = await testApp({ now: () => now });
    const first = await app.get('/');
    now = new Date('2026-03-01T10:55:00Z');
    expect((await app.get('/')).text).toBe(first.text);
    await hot(app, '/');
    now = new Date('2026-03-01T11:00:00Z');
    const later = await app.get('/', { 'if-none-match': String(first.headers.etag) });
    expect(later.status).toBe(200);
    expect(later.text).not.toBe(first.text);
  });
});

describe('policy', () => {
  test('allows the page its own style and the script that starts the others by their hashes, and no other inline script', async () => {
    await using app = await testApp();
    const { headers, text } = await app.get('/');
    const policy = String(headers['content-security-policy']);
    const [, css = ''] = /<style[^>]*>([^]*?)<\/style>/.exec(text) ?? [];
    expect(policy).toContain(hashSource(css));
    const [, script = ''] = /<script data-script[^>]*>([^]*?)<\/script>/.exec(text) ?? [];
    expect(policy).toContain(`script-src 'self' ${hashSource(script)};`);
    expect(policy).not.toContain('upgrade-insecure-requests');
  });

  test.each([
    ['/', 200],
    ['/success?noProvider=true', 200],
    ['/nowhere', 404],
    ['/microsite?providerId=999999', 404],
  ])('stands beside the headers of every answer, on a page as on an error: %s', async (path, status) => {
    await using app = await testApp({ env: { TRUSTED_PROXIES: '1', TRUST_FORWARDED_HOST: 'on' } });
    const secure = { 'x-forwarded-proto': 'https' };
    const error = await app.get(path, { ...secure, 'x-forwarded-host': 'not a host' });
    expect([error.status, error.headers['content-security-policy']]).toEqual([
      400,
      "default-src 'none'; frame-ancestors 'none'",
    ]);
    const page = await app.get(path, secure);
    expect(page.status).toBe(status);
    const again = await app.get(path, { ...secure, 'if-none-match': String(page.headers.etag) });
    expect(again.status).toBe(status === 200 ? 304 : 404);
    const names = [
      ...['x-content-type-options', 'referrer-policy', 'permissions-policy', 'cross-origin-resource-policy'],
      ...['x-frame-options', 'strict-transport-security', 'cross-origin-opener-policy'],
    ];
    const ofError = names.map((name) => [name, error.headers[name]]);
    expect(ofError.every(([, value]) => typeof value === 'string')).toBe(true);
    for (const { headers } of [page, again]) {
      expect(names.map((name) => [name, headers[name]])).toEqual(ofError);
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers['content-security-policy']).toContain("script-src 'self'");
    }
    expect(page.headers['x-request-id']).not.toBe(again.headers['x-request-id']);
  });

  test('asks for https where a trusted proxy says the page came by it', async () => {
    await using app = await testApp({ env: { TRUSTED_PROXIES: '1' } });
    const { headers } = await app.get('/', { 'x-forwarded-proto': 'https' });
    expect(headers['content-security-policy']).toContain('upgrade-insecure-requests');
  });

  test('every file a page names is there', async () => {
    await using app = await testApp();
    const { text } = await app.get('/');
    const files = [
      ...text.matchAll(/(?:data-script|data-chunks|href)="(\/(?:assets\/|favicon)[^"]+)"/g),
    ].flatMap(([, named = '']) => named.split(' '));
    expect(files.filter((file) => file.endsWith('.js')).length).toBeGreaterThan(2);
    for (const file of files)
      expect({ file, status: (await app.get(file)).status }).toEqual({ file, status: 200 });
  });
});
