import { describe, expect, test } from 'vitest';
import type { ProviderInsert } from '#server/db/schema/index.ts';
import { directoryPageSize } from '#server/features/providers/directory.ts';
import { directory } from '#shared/brand/directory.ts';
import { network } from '#shared/brand/map.ts';
import { insertProvider } from '#test/support/factories.ts';
import { type TestApp, testApp } from '#test/support/testApp.ts';

const env = { MAIN_DOMAINS: 'brand.example' };
const host = 'brand.example';

async function insertIn(app: TestApp, place: string, values: Partial<ProviderInsert> = {}) {
  const zipCode = place.endsWith('CO') ? '80202' : place.endsWith('ID') ? '83814' : '95112';
  return insertProvider(app.db, { address: `7 Sample Street, ${place}`, zipCode, ...values });
}

/** The response once the process has learned of the changes. */
async function waitFor(app: TestApp, path: string, status: number): Promise<string> {
  await expect.poll(async () => (await app.as(host).get(path)).status).toBe(status);
  return (await app.as(host).get(path)).text;
}

function linksIn(html: string): string[] {
  return [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = '']) => href);
}

describe('the directory of providers', () => {
  test('a town shows its providers with phone and own site, and the nearest other towns', async () => {
    await using app = await testApp({ env });
    const own = await insertIn(app, 'Denver, CO', { domain: 'own.example.com', phone: '(303) 555-0142' });
    const guest = await insertIn(app, 'DENVER, CO', { domain: null, acceptsFreeConsultation: true });
    await insertIn(app, 'Denver, CO', { status: 'f', name: 'Closed Clinic', practiceName: null });
    await insertIn(app, 'Denver, CO', { domain: null });
    await insertIn(app, 'Boulder, CO', { latitude: 40.01, longitude: -105.27 });
    const html = await waitFor(app, '/providers/co/denver', 200);
    const links = linksIn(html);
    expect(links).toContain('tel:3035550142');
    expect(links.some((href) => href.includes('//own.example.com'))).toBe(true);
    expect(links.some((href) => href.endsWith(`/?providerId=${guest.id}`))).toBe(true);
    expect(links).toEqual(expect.arrayContaining(['/providers', '/providers/co', '/providers/co/boulder']));
    expect(html).toContain(own.practiceName);
    expect(html).toContain(network.list.freeConsultation);
    expect(html).not.toContain('Closed Clinic');
    expect(html).toContain('<h1');
    expect(html).toContain(directory.title({ place: 'Denver, CO' }));
    expect(html).toContain(directory.facts({ place: 'Denver, CO', total: 3, placeCount: null }));
    expect(html).toMatch(/<link rel="canonical" href="[^"]*brand\.example[^"]*\/providers\/co\/denver">/);
    expect(html).toContain('<meta name="robots" content="index, follow">');
    const [, jsonLd = '{}'] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html) ?? [];
    const { itemListElement }: { itemListElement: { name: string; position: number }[] } = JSON.parse(jsonLd);
    expect(itemListElement.map(({ name, position }) => [position, name])).toEqual([
      [1, directory.home],
      [2, directory.root],
      [3, 'Colorado'],
      [4, 'Denver'],
    ]);
  });

  test('names with accents, dots and apostrophes have plain paths, one for all spellings', async () => {
    await using app = await testApp({ env });
    const names = ['San José, CA', 'San Jose, CA', 'St. Helena, CA', 'Coeur d\u2019Alene, ID'];
    for (const name of names) await insertIn(app, name);
    const california = await waitFor(app, '/providers/ca', 200);
    expect(linksIn(california).filter((href) => href.startsWith('/providers/ca/'))).toEqual([
      '/providers/ca/san-jose',
      '/providers/ca/saint-helena',
    ]);
    await waitFor(app, '/providers/id/coeur-dalene', 200);
    const moved = await app.as(host).get('/providers/CA/San-Jose/?utm_source=x');
    expect([moved.status, moved.headers.location]).toEqual([308, '/providers/ca/san-jose?utm_source=x']);
  });

  test('a provider whose address names no town is listed in the town of its ZIP', async () => {
    await using app = await testApp({ env });
    const bare = await insertProvider(app.db, { address: null, zipCode: '96734' });
    expect(await waitFor(app, '/providers/hi/kailua', 200)).toContain(bare.practiceName);
    expect(linksIn(await waitFor(app, '/providers', 200))).toContain('/providers/hi');
    await waitFor(app, '/providers/as', 404);
  });

  test('a provider whose address names another state is listed by the state of its ZIP', async () => {
    await using app = await testApp({ env });
    const { practiceName } = await insertProvider(app.db, {
      address: '7 Sample Street, Boston, MA',
      zipCode: '80302',
    });
    const html = await waitFor(app, '/providers/co', 200);
    expect(html).toContain(practiceName);
    expect(linksIn(html).filter((href) => href.startsWith('/providers/co/'))).toEqual([]);
  });

  test('a page about one provider is not indexed and not in the sitemap', async () => {
    await using app = await testApp({ env });
    await insertIn(app, 'Boulder, CO');
    for (const name of ['One', 'Two']) await insertIn(app, 'Denver, CO', { name });
    const html = await waitFor(app, '/providers/co/boulder', 200);
    expect(html).toContain('<meta name="robots" content="noindex">');
    expect(html).toMatch(/<link rel="canonical" href="[^"]*\/providers\/co\/boulder">/);
    const { text } = await app.as(host).get('/sitemap.xml?part=directory-0');
    const listed = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname);
    expect(listed).toEqual(['/providers', '/providers/co', '/providers/co/denver']);
  });

  test('unknown places, a page too many and all pages on a provider’s host are 404', async () => {
    await using app = await testApp({ env });
    const provider = await insertIn(app, 'Denver, CO');
    await app.knows(provider);
    await waitFor(app, '/providers/co/denver', 200);
    for (const path of [
      '/providers/zz',
      '/providers/co/boulder',
      '/providers/co?page=2',
      '/providers?page=2',
    ])
      expect([path, (await app.as(host).get(path)).status]).toEqual([path, 404]);
    for (const path of ['/providers', '/providers/co', '/providers/co/denver'])
      expect([path, (await app.as(provider).get(path)).status]).toEqual([path, 404]);
  });

  test('a deactivated provider leaves its pages, and an empty one is 404', async () => {
    await using app = await testApp({ env });
    const last = await insertIn(app, 'Denver, CO', { practiceName: 'Leaving Clinic' });
    const { id } = await insertIn(app, 'Boulder, CO');
    expect(await waitFor(app, '/providers/co', 200)).toContain('Leaving Clinic');
    await waitFor(app, '/providers/co/denver', 200);
    await app.sql`update providers set status = 'f' where id = ${last.id}`;
    await waitFor(app, '/providers/co/denver', 404);
    expect(await waitFor(app, '/providers/co', 200)).not.toContain('Leaving Clinic');
    await app.sql`update providers set status = 'f' where id = ${id}`;
    await waitFor(app, '/providers/co', 404);
    expect(await waitFor(app, '/providers', 200)).toContain('<meta name="robots" content="noindex">');
  });

  test('50,000 providers are on pages of bounded size, each of them once', async () => {
    await using app = await testApp({ env });
    await app.sql`
      insert into providers (name, practice_name, email, zip_code, address, phone)
      select 'Clinic ' || n, 'Practice of a usual length ' || n, 'clinic@example.com', '80202',
        n || ' Sample Street, Town ' || translate((n % 400)::text, '0123456789', 'abcdefghij') || ', CO 80202', '(303) 555-0142'
      from generate_series(1, 50000) n`;
    await expect.poll(async () => (await app.as(host).get('/providers/co?page=2500')).status).toBe(200);
    expect((await app.as(host).get('/providers/co?page=2501')).status).toBe(404);
    for (const path of [
      '/providers',
      '/providers/co',
      '/providers/co/town-b',
      '/providers/co/town-b?page=7',
    ]) {
      const { body, status } = await app.as(host).get(path, { 'accept-encoding': 'gzip' });
      expect([path, status, body.length < 16 * 1024]).toEqual([path, 200, true]);
    }
    const seen: string[] = [];
    for (let page = 1; page <= Math.ceil(125 / directoryPageSize); page += 1) {
      const { text } = await app.as(host).get(`/providers/co/town-b?page=${page}`);
      seen.push(...linksIn(text).filter((href) => href.includes('?providerId=')));
    }
    expect([seen.length, new Set(seen).size]).toEqual([125, 125]);
  });
});
