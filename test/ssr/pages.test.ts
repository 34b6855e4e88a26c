import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { messages } from '#shared/brand/messages.ts';
import { type Boot, type PackedBoot, unpackBoot } from '#shared/pages/boot.ts';
import { providers } from '#server/db/schema/index.ts';
import { hashSource } from '#server/render/csp.ts';
import { insertProvider } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import { type Answer, type Client, testApp } from '#test/support/testApp.ts';
import { waitFor } from '#test/support/waitFor.ts';

const hostileName = `</script><script>alert(1)</script> & "O'Neil" \u2028$&`;

/** Asks until the page is hot, that is until brotli is sent, which only the kept pages have. */
async function hot(client: Client, path: string): Promise<Answer> {
  return waitFor(async () => {
    const answer = await client.get(path, { 'accept-encoding': 'br' });
    expect(answer.headers['content-encoding']).toBe('br');
    return answer;
  });
}

function buildBoot({ text }: { text: string }): Boot {
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
  ])('%s responds with %i to GET and HEAD', async (path, status) => {
    meets('P6.role.01 D.people.01 D.hosts.18 P2.micro.02 P2.micro.05 P2.lost.03');
    await using app = await testApp();
    const got = await app.get(path);
    const head = await app.request('HEAD', path);
    expect(got.status).toBe(status);
    expect(head.status).toBe(status);
    expect(head.body).toHaveLength(0);
    expect(head.headers['content-length']).toBe(got.headers['content-length']);
  });

  test('an inactive provider is not found', async () => {
    meets('D.hosts.19 P2.micro.03');
    await using app = await testApp();
    const provider = await insertProvider(app.db, { status: 'f' });
    expect((await app.get(`/?providerId=${provider.id}`)).status).toBe(404);
    expect((await app.get(`/?providerId=${provider.id}`)).text).toContain(messages.providerNotFound.title);
  });

  test('a page rejects other methods', async () => {
    await using app = await testApp();
    const { status, headers } = await app.request('DELETE', '/');
    expect(status).toBe(405);
    expect(headers['allow']).toBe('GET, HEAD');
  });

  test('a trailing slash redirects to the page without it, on the same host', async () => {
    await using app = await testApp();
    expect((await app.get('/terms/?a=1')).headers['location']).toBe('/terms?a=1');
    expect((await app.get('/terms/')).status).toBe(308);
    expect((await app.get('//evil.example/')).status).toBe(404);
  });
});

describe('a tenant’s host', () => {
  test('sends visitors of other forms to its own form, and applicants to the main domain', async () => {
    meets(`
      D.conformity.20 D.conformity.21 D.conformity.22 D.conformity.23 D.conformity.25 P2.routes.21
      P2.routes.22 P2.routes.23 P2.routes.24
    `);
    await using app = await testApp({ env: { MAIN_DOMAINS: 'brand.example' } });
    const provider = await insertProvider(app.db, { domain: 'clinic.example.com' });
    await app.knows('clinic.example.com');
    const getLocation = async (path: string): Promise<unknown[]> => {
      const { status, headers } = await app.as(provider).get(path);
      return [status, headers['location']];
    };
    for (const path of ['/start', '/find', '/homev2'])
      expect(await getLocation(`${path}?utm_source=x`)).toEqual([307, '/?utm_source=x#provider-form']);
    expect(await getLocation('/clinics?a=1')).toEqual([
      307,
      expect.stringMatching(/^https?:\/\/brand\.example(:\d+)?\/clinics\?a=1$/),
    ]);
    expect((await app.as('brand.example').get('/start')).status).toBe(200);
  });

  test('shows only its provider at /map, and loads no other', async () => {
    meets('D.conformity.19 D.conformity.24 D.conformity.25 P2.routes.25');
    await using app = await testApp({ env: { MAIN_DOMAINS: 'brand.example' } });
    const provider = await insertProvider(app.db, {
      practiceName: 'Own Clinic',
      domain: 'clinic.example.com',
      address: '1 Own Street',
      latitude: 39.7,
      longitude: -105,
    });
    await insertProvider(app.db, { practiceName: 'Other Clinic' });
    await app.knows('clinic.example.com');
    await waitFor(async () => expect((await app.as('brand.example').get('/map')).text).toContain('Other'));
    const { text, status } = await app.as(provider).get('/map');
    expect(status).toBe(200);
    expect(text).toContain('1 Own Street');
    expect(text).not.toContain('Other Clinic');
    expect(text).not.toContain('/api/providers');
  });
});

describe('a provider’s page', () => {
  test('names the provider in the first bytes, on its own host only', async () => {
    meets(`
      P4.state.34 P4.state.36 P8.error.18 D.hosts.10 D.hosts.21 D.hosts.24 D.hosts.26 D.hosts.30
      D.hosts.32 D.hosts.34
    `);
    await using app = await testApp();
    const provider = await insertProvider(app.db, {
      name: 'Juniper Street Clinic',
      practiceName: null,
      logoUrl: '/logos/juniper.svg',
      themeHue: 210,
    });
    const other = await insertProvider(app.db);
    await waitFor(async () => {
      const { status, text } = await app.as(provider).get('/?providerId=999999');
      expect(status).toBe(200);
      expect(text.slice(0, 2000)).toMatch(/<title>[^<]*Juniper Street Clinic/);
      expect(text).toMatch(/^<!doctype html><html lang="en" data-themed="" style="--hue:210">/);
      expect(text).toContain('src="/logos/juniper.svg"');
      expect(text).toContain('application/ld+json');
    });
    expect((await app.get('/')).text).not.toContain('Juniper');
    await waitFor(async () => expect((await app.as(other).get('/')).text).toContain(other.name));
    expect((await app.as(other).get('/')).text).not.toContain('Juniper');
    expect((await app.as('unknown.example').get('/')).text).toBe((await app.get('/')).text);
  });

  test('prints a hostile name as text in the page, its head and its data', async () => {
    await using app = await testApp();
    const provider = await insertProvider(app.db, {
      name: hostileName,
      practiceName: hostileName,
      address: hostileName,
      domain: 'hostile.example',
    });
    const answer = await waitFor(async () => {
      const got = await app.as(provider).get('/');
      expect(got.text).toContain('&lt;/script&gt;&lt;script&gt;alert(1)');
      return got;
    });
    expect(answer.text).not.toContain('<script>alert');
    expect(buildBoot(answer)).toMatchObject({
      tenant: { name: hostileName },
      page: { kind: 'microsite', provider: { address: hostileName } },
    });
    const [, jsonLd = ''] = /ld\+json">(.*?)<\/script>/.exec(answer.text) ?? [];
    expect(JSON.parse(jsonLd)).toMatchObject({ name: hostileName });
  });

  test('changes with its record, cached or not', async () => {
    await using app = await testApp();
    const provider = await insertProvider(app.db, { name: 'Before', practiceName: null });
    await waitFor(async () => expect((await app.as(provider).get('/')).text).toContain('Before'));
    const { headers } = await hot(app.as(provider), '/');
    await app.db.update(providers).set({ name: 'Renamed Clinic' }).where(eq(providers.id, provider.id));
    await waitFor(async () => {
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
    'every encoding of a page contains the same bytes, cold and hot (%s site)',
    async (site) => {
      await using app = await testApp();
      const provider = await insertProvider(app.db, { name: hostileName, practiceName: null });
      const client = site === 'main' ? app : app.as(provider);
      const shown = site === 'main' ? 'id="root"' : '&lt;/script&gt;';
      await waitFor(async () => expect((await client.get('/privacy')).text).toContain(shown));
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

  test('a page that the browser has is not resent, whatever the query parameters', async () => {
    meets('D.leads.86');
    await using app = await testApp();
    const { headers } = await app.get('/');
    expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    const again = await app.get('/?utm_source=x&fbclid=y', { 'if-none-match': String(headers.etag) });
    expect(again.status).toBe(304);
    expect(again.body).toHaveLength(0);
    expect(again.headers['etag']).toBe(headers.etag);
    expect((await app.get('/terms', { 'if-none-match': String(headers.etag) })).status).toBe(200);
  });

  test('a page stays the same for an hour, then has a new token', async () => {
    meets('D.leads.86');
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
  test('allows the page’s inline style and start script only by their hashes', async () => {
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
  ])('is sent with every response, page or error: %s', async (path, status) => {
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

  test('requires https if a trusted proxy reports it', async () => {
    await using app = await testApp({ env: { TRUSTED_PROXIES: '1' } });
    const { headers } = await app.get('/', { 'x-forwarded-proto': 'https' });
    expect(headers['content-security-policy']).toContain('upgrade-insecure-requests');
  });

  test('every file that a page names exists', async () => {
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
