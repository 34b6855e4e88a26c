import { describe, expect, test } from 'vitest';
import { insertProvider } from '#test/support/factories.ts';
import { testApp } from '#test/support/testApp.ts';

const env = { MAIN_DOMAINS: 'brand.example' };

function places(xml: string): (string | undefined)[] {
  return [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, place]) => place);
}

describe('what search engines are told', () => {
  test('the main site names its own pages, each of which is its own canonical address', async () => {
    await using app = await testApp({ env });
    const robots = await app.as('brand.example').get('/robots.txt');
    expect(robots.headers['content-type']).toBe('text/plain; charset=utf-8');
    const [, sitemap = ''] = /^Sitemap: (.*)$/m.exec(robots.text) ?? [];
    expect(sitemap).toMatch(/^https?:\/\/[^/]+\/sitemap\.xml$/);
    const listed = places((await app.as('brand.example').get('/sitemap.xml')).text);
    expect(listed).toHaveLength(7);
    for (const place of listed) {
      const { text, status } = await app.as('brand.example').get(new URL(String(place)).pathname);
      expect(status).toBe(200);
      expect(text).toContain(`<link rel="canonical" href="${place}">`);
    }
  });

  test('a clinic\u2019s host names the clinic\u2019s own home page alone', async () => {
    await using app = await testApp({ env });
    const provider = await insertProvider(app.db, { domain: 'clinic.example.com' });
    await app.knows('clinic.example.com');
    const { text } = await app.as(provider).get('/robots.txt');
    expect(text).toMatch(/^Sitemap: https?:\/\/clinic\.example\.com(:\d+)?\/sitemap\.xml$/m);
    const [place, ...others] = places((await app.as(provider).get('/sitemap.xml')).text);
    expect(others).toEqual([]);
    expect((await app.as(provider).get('/')).text).toContain(`<link rel="canonical" href="${place}">`);
  });

  test('the main site\u2019s map names each clinic\u2019s page that lives there, from the moment it does', async () => {
    await using app = await testApp({ env });
    await insertProvider(app.db, { domain: 'clinic.example.com' });
    await insertProvider(app.db, { domain: null, status: 'f' });
    const { id } = await insertProvider(app.db, { domain: null });
    const providerPages = async (): Promise<(string | undefined)[]> =>
      places((await app.as('brand.example').get('/sitemap.xml')).text).slice(7);
    await expect.poll(providerPages).toEqual([expect.stringMatching(new RegExp(`/[?]providerId=${id}$`))]);
    const [page] = await providerPages();
    const { pathname, search } = new URL(String(page));
    expect((await app.as('brand.example').get(`${pathname}${search}`)).text).toContain(
      `<link rel="canonical" href="${page}">`,
    );
    await app.sql`update providers set domain = 'moved.example.com' where id = ${id}`;
    await expect.poll(providerPages).toEqual([]);
  });

  test('an unknown host has no site map: its pages are the main site\u2019s', async () => {
    await using app = await testApp({ env });
    expect((await app.as('parked.example.net').get('/robots.txt')).text).not.toContain('Sitemap');
    expect((await app.as('parked.example.net').get('/sitemap.xml')).status).toBe(404);
  });

  test('a crawler that runs scripts may ask for the clinics the map is drawn from', async () => {
    await using app = await testApp({ env });
    const lines = (await app.as('brand.example').get('/robots.txt')).text.split('\n');
    expect(lines).toContain('Allow: /api/providers');
    expect(lines).toContain('Disallow: /api/');
  });

  test('pages that belong to one visitor are not to be indexed', async () => {
    await using app = await testApp({ env });
    for (const path of ['/success?noProvider=true', '/no-such-page'])
      expect((await app.as('brand.example').get(path)).headers['x-robots-tag']).toBe('noindex');
    expect((await app.as('brand.example').get('/')).headers['x-robots-tag']).toBeUndefined();
  });
});

test('every host says that the Global Privacy Control signal is honoured', async () => {
  await using app = await testApp({ env });
  for (const host of ['brand.example', 'parked.example.net']) {
    const answer = await app.as(host).get('/.well-known/gpc.json');
    expect(answer.json()).toEqual({ gpc: true, lastUpdate: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) });
    expect(answer.headers['content-type']).toContain('application/json');
  }
});
