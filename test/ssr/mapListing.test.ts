import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { providers } from '#server/db/schema/index.ts';
import { network } from '#shared/brand/map.ts';
import { insertProvider } from '#test/support/factories.ts';
import { type Client, testApp } from '#test/support/testApp.ts';
import { waitFor } from '#test/support/waitFor.ts';

const env = { MAIN_DOMAINS: 'brand.example' };

interface ListedPractice {
  name: string | undefined;
  href: string | undefined;
}

/** What the map's page lists where no script runs. */
async function listedOn(client: Client): Promise<ListedPractice[]> {
  const { text } = await client.get('/map');
  const [, list = ''] = /<noscript>(.*?)<\/noscript>/.exec(text) ?? [];
  return [...list.matchAll(/<a href="(?!tel:)([^"]*)">(.*?)<\/a>/g)].map(([, href, name]) => ({
    href,
    name,
  }));
}

test('the map page lists providers by name without scripts, with links', async () => {
  await using app = await testApp({ env });
  const plain = await insertProvider(app.db, {
    practiceName: null,
    name: 'walnut Clinic',
    zipCode: '80202',
    domain: null,
  });
  const phone = '(303) 555-0142';
  await insertProvider(app.db, {
    ...{ name: 'Zed, MD', practiceName: 'Alder Clinic' },
    ...{ domain: 'alder.example.com', phone },
  });
  await insertProvider(app.db, { practiceName: null, name: 'Gone Clinic', status: 'f' });
  await waitFor(async () => {
    const [first, second, ...others] = await listedOn(app.as('brand.example'));
    expect(first?.name).toBe('Alder Clinic');
    expect(first?.href).toMatch(/^https?:\/\/alder\.example\.com(:\d+)?\/$/);
    expect(second?.name).toBe('walnut Clinic');
    expect(second?.href).toMatch(new RegExp(`^https?://[^/]+/\\?providerId=${plain.id}$`));
    expect(others).toEqual([]);
  });
  const { text } = await app.as('brand.example').get('/map');
  expect(text).toContain(`<a href="tel:3035550142">${phone}</a>`);
  // Outside of the list, with and without scripts.
  expect(text.replace(/<noscript>.*?<\/noscript>/, '')).toMatch(
    /<a href="\/providers\/co"[^>]*>Colorado<\/a>/,
  );
  const { pathname, search } = new URL(String((await listedOn(app.as('brand.example')))[1]?.href));
  expect((await app.as('brand.example').get(`${pathname}${search}`)).text).toContain('walnut Clinic');
});

test('twenty of many providers are listed, with the total', async () => {
  await using app = await testApp({ env });
  for (let count = 0; count < 23; count += 1) await insertProvider(app.db);
  await waitFor(async () => expect(await listedOn(app)).toHaveLength(20));
  await waitFor(async () => expect((await app.get('/map')).text).toContain(network.list.first(20, 23)));
});

test('a cached list is valid until a provider is renamed or removed', async () => {
  await using app = await testApp({ env });
  const { id } = await insertProvider(app.db, { practiceName: null, name: 'Elm Clinic' });
  await waitFor(async () => expect(await listedOn(app)).toHaveLength(1));
  const { headers } = await app.get('/map');
  const ask = async (): Promise<number> =>
    (await app.get('/map', { 'if-none-match': String(headers['etag']) })).status;
  expect(await ask()).toBe(304);
  await app.db.update(providers).set({ name: 'Oak Clinic' }).where(eq(providers.id, id));
  await expect.poll(ask).toBe(200);
  expect(await listedOn(app)).toMatchObject([{ name: 'Oak Clinic' }]);
  await app.db.update(providers).set({ status: 'f' }).where(eq(providers.id, id));
  await expect.poll(() => listedOn(app)).toEqual([]);
});

test('a provider’s name is printed as text', async () => {
  await using app = await testApp({ env });
  await insertProvider(app.db, { practiceName: null, name: '</noscript><script>alert(1)</script>' });
  await waitFor(async () =>
    expect(await listedOn(app)).toMatchObject([
      { name: '&lt;/noscript&gt;&lt;script&gt;alert(1)&lt;/script&gt;' },
    ]),
  );
  expect((await app.get('/map')).text).not.toContain('<script>alert');
});
