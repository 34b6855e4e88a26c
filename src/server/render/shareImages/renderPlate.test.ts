import { expect, test } from 'vitest';
import { insertProvider } from '#test/support/factories.ts';
import { patience } from '#test/support/browser.ts';
import { type Answer, testApp } from '#test/support/testApp.ts';
import { waitFor } from '#test/support/waitFor.ts';
import { renderPlate } from './renderPlate.ts';

/** What the drawing names. */
const listNames = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, name]) => name);

test('a map cut names the counties around a place and gives its coordinates', () => {
  const svg = renderPlate({ latitude: 40.0314, longitude: -105.2688, hue: null });
  expect(listNames(svg)).toEqual(
    expect.arrayContaining(['Boulder', 'Gilpin', '10 miles', '40.0314° N, 105.2688° W']),
  );
  expect(listNames(svg)).not.toContain('Cook');
  expect(svg.length).toBeLessThan(12_000);
  expect(svg).not.toContain('NaN');
});

test.each([
  ['Honolulu', 21.3, -157.85],
  ['San Juan', 18.46, -66.1],
  ['Anchorage', 61.2, -149.9],
  ['the open sea', 30, -140],
  ['south of the equator', -14.3, -170.7],
])('a map cut around %s is drawn without a fault', (_, latitude, longitude) => {
  const svg = renderPlate({ latitude, longitude, hue: 38 });
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  expect(svg.length).toBeLessThan(40_000);
});

test('no two names of a map cut overlap, and none leaves the frame', () => {
  for (const [latitude, longitude] of [
    [38.9, -77.03],
    [40.75, -73.99],
    [33.75, -84.39],
    [37.54, -77.43],
  ] as const) {
    const svg = renderPlate({ latitude, longitude, hue: null });
    const texts = [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)" text-anchor="middle">([^<]*)/g)];
    expect(texts.length).toBeGreaterThan(1);
    const boxes = texts.map(([, x, y, name = '']) => ({ x: Number(x), y: Number(y), half: name.length * 4 }));
    for (const [at, one] of boxes.entries()) {
      expect(one.x - one.half).toBeGreaterThanOrEqual(0);
      expect(one.x + one.half).toBeLessThanOrEqual(400);
      for (const other of boxes.slice(at + 1))
        expect(Math.abs(one.x - other.x) >= one.half + other.half || Math.abs(one.y - other.y) >= 16).toBe(
          true,
        );
    }
  }
});

test('a provider’s map cut has an address of its own, which an older one redirects to', async () => {
  await using app = await testApp();
  const provider = await insertProvider(app.db, { latitude: 40.03, longitude: -105.27 });
  await app.knows(provider);
  const old = await app.get(`/og/plate/${provider.id}/0.svg`);
  expect(old.status).toBe(302);
  const path = String(old.headers['location']);
  const plate = await app.get(path);
  expect(plate.headers['content-type']).toContain('image/svg+xml');
  expect(plate.text).toContain('Boulder');
  expect((await app.get(path, { 'if-none-match': String(plate.headers['etag']) })).status).toBe(304);
  expect((await app.get(`/og/plate/${provider.id + 1}/0.svg`)).status).toBe(404);
  await expect
    .poll(async () => (await app.get(`/?providerId=${provider.id}`)).text, patience)
    .toContain(path);
});

test('above its limit a network’s map cut is refused, and never cached as such', async () => {
  await using app = await testApp();
  const ids: number[] = [];
  for (let at = 0; at < 121; at += 1)
    ids.push((await insertProvider(app.db, { latitude: 30 + at / 10, longitude: -100 })).id);
  const paths = await waitFor(async () => {
    const answers = await Promise.all(ids.map((id) => app.get(`/og/plate/${id}/0.svg`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([302]));
    return answers.map(({ headers }) => String(headers['location']));
  });
  const answers: Answer[] = [];
  for (const path of paths) answers.push(await app.get(path));
  expect(answers.slice(0, -1).filter(({ status }) => status !== 200)).toEqual([]);
  const [known = '', last = ''] = [paths[0], paths.at(-1)];
  const refused = await app.get(last);
  expect([refused.status, refused.headers['cache-control'], refused.headers['etag']]).toEqual([
    429,
    'no-store',
    undefined,
  ]);
  // One that is drawn is cached for everyone.
  expect((await app.get(known)).status).toBe(200);
});
