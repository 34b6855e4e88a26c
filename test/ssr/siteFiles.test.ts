import { describe, expect, test } from 'vitest';
import { sitemapPaths } from '#server/render/siteFiles.ts';
import { insertProvider } from '#test/support/factories.ts';
import { type Client, testApp } from '#test/support/testApp.ts';

const env = { MAIN_DOMAINS: 'brand.example' };

function places(xml: string): string[] {
  return [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, place = '']) => place);
}

/** The pages of all parts that the index names. */
async function listAll(site: Client): Promise<string[]> {
  const { text } = await site.get('/sitemap.xml');
  expect(text).toContain('<sitemapindex ');
  const parts = places(text).map((place) => new URL(place));
  const answers = await Promise.all(parts.map(({ pathname, search }) => site.get(pathname + search)));
  return answers.flatMap((answer) => {
    const listed = answer.status === 200 ? places(answer.text) : [];
    expect(listed.length).toBeGreaterThan(0);
    expect(listed.length).toBeLessThan(50_000);
    return listed;
  });
}

describe('files for search engines', () => {
  test('the main site lists its own pages, each with its own canonical URL', async () => {
    await using app = await testApp({ env });
    const robots = await app.as('brand.example').get('/robots.txt');
    expect(robots.headers['content-type']).toBe('text/plain; charset=utf-8');
    const [, sitemap = ''] = /^Sitemap: (.*)$/m.exec(robots.text) ?? [];
    expect(sitemap).toMatch(/^https?:\/\/[^/]+\/sitemap\.xml$/);
    const listed = places((await app.as('brand.example').get('/sitemap.xml?part=pages')).text);
    expect(listed.map((place) => new URL(place).pathname)).toEqual(sitemapPaths);
    expect(sitemapPaths).toEqual([
      '/',
      '/find',
      '/clinics',
      '/map',
      '/study',
      '/privacy',
      '/terms',
      '/refunds',
    ]);
    for (const place of listed) {
      const { text, status } = await app.as('brand.example').get(new URL(place).pathname);
      expect(status).toBe(200);
      expect(text).toContain(`<link rel="canonical" href="${place}">`);
    }
  });

  test('a provider\u2019s host lists only the provider\u2019s home page and location', async () => {
    await using app = await testApp({ env });
    const provider = await insertProvider(app.db, { domain: 'clinic.example.com' });
    await app.knows('clinic.example.com');
    const { text } = await app.as(provider).get('/robots.txt');
    expect(text).toMatch(/^Sitemap: https?:\/\/clinic\.example\.com(:\d+)?\/sitemap\.xml$/m);
    const listed = places((await app.as(provider).get('/sitemap.xml')).text);
    expect(listed.map((place) => new URL(place).pathname)).toEqual(['/', '/map']);
    for (const place of listed) {
      const { text: page } = await app.as(provider).get(new URL(place).pathname);
      expect(page).toContain(`<link rel="canonical" href="${place}">`);
    }
  });

  test('the main site\u2019s map lists each provider page of the main site', async () => {
    await using app = await testApp({ env });
    await insertProvider(app.db, { domain: 'clinic.example.com' });
    await insertProvider(app.db, { domain: null, status: 'f' });
    const { id } = await insertProvider(app.db, { domain: null });
    const providerPages = async (): Promise<(string | undefined)[]> =>
      (await listAll(app.as('brand.example'))).filter((place) => place.includes('?providerId='));
    await expect.poll(providerPages).toEqual([expect.stringMatching(new RegExp(`/[?]providerId=${id}$`))]);
    const [page] = await providerPages();
    const { pathname, search } = new URL(page ?? '');
    // The list comes from the database, the page from the directory, which learns of the provider by a notification.
    await expect
      .poll(async () => (await app.as('brand.example').get(`${pathname}${search}`)).text)
      .toContain(`<link rel="canonical" href="${page}">`);
    await app.sql`update providers set domain = 'moved.example.com' where id = ${id}`;
    await expect.poll(providerPages).toEqual([]);
  });

  test('a large network\u2019s map has a part for each range, none above 50,000 pages', async () => {
    await using app = await testApp({ env });
    await app.sql`
      insert into providers (name, email, zip_code, status, domain, address)
      select 'Clinic ' || n, 'clinic@example.com', '80202', case when n % 5 = 0 then 'f' else 't' end,
        case when n = 1 then 'own.example.com' end, '1 Sample Street, Town ' || translate((n / 10)::text, '0123456789', 'abcdefghij') || ', CO'
      from generate_series(1, 70000) n`;
    const main = app.as('brand.example');
    const parts = async () =>
      places((await main.get('/sitemap.xml')).text).map((place) => new URL(place).search);
    await expect
      .poll(parts)
      .toEqual(['pages', 'directory-0', 0, 1, 2, 3, 4, 5, 6].map((part) => `?part=${part}`));
    const pages = await listAll(main);
    const towns = pages.filter((page) => page.includes('/providers/co/'));
    expect(towns).toHaveLength(7_000);
    expect(pages).toHaveLength(sitemapPaths.length + 2 + towns.length + 56_000 - 1);
    expect(new Set(pages).size).toBe(pages.length);
    expect(pages.some((page) => page.endsWith('?providerId=69999'))).toBe(true);
    for (const part of ['8', '-1', 'x', 'directory-1', 'directory-', '99999999999999999999'])
      expect([part, (await main.get(`/sitemap.xml?part=${part}`)).status]).toEqual([part, 404]);
  });

  test('an unknown host has no site map', async () => {
    await using app = await testApp({ env });
    expect((await app.as('parked.example.net').get('/robots.txt')).text).not.toContain('Sitemap');
    expect((await app.as('parked.example.net').get('/sitemap.xml')).status).toBe(404);
  });

  test('a crawler that runs scripts may load the map\u2019s providers', async () => {
    await using app = await testApp({ env });
    const lines = (await app.as('brand.example').get('/robots.txt')).text.split('\n');
    expect(lines).toContain('Allow: /api/providers');
    expect(lines).toContain('Disallow: /api/');
  });

  test('pages of one visitor are not indexed', async () => {
    await using app = await testApp({ env });
    for (const path of ['/success?noProvider=true', '/no-such-page'])
      expect((await app.as('brand.example').get(path)).headers['x-robots-tag']).toBe('noindex');
    expect((await app.as('brand.example').get('/')).headers['x-robots-tag']).toBeUndefined();
  });
});

test('every host declares support of Global Privacy Control', async () => {
  await using app = await testApp({ env });
  for (const host of ['brand.example', 'parked.example.net']) {
    const answer = await app.as(host).get('/.well-known/gpc.json');
    expect(answer.json()).toEqual({ gpc: true, lastUpdate: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) });
    expect(answer.headers['content-type']).toContain('application/json');
  }
});
