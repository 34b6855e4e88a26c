import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { parseHours } from '#shared/providers/detailValues.ts';
import { insertProvider } from '#test/support/factories.ts';
import { testApp } from '#test/support/testApp.ts';
import { waitUntil } from '#test/support/waitFor.ts';

/** As sent to the first visitor of a page. */
const bytesMax = 16 * 1_024;

/** Longer than the server waits for another such page before it takes the time to compress one well. */
const calmMs = 60;

test('every public page is at most 16 KiB for its first visitor', async () => {
  await using app = await testApp();
  const provider = await insertProvider(app.db, {
    name: 'Dr. Full',
    practiceName: 'Full Practice',
    address: '7 Front Street, Denver, CO',
    zipCode: '80202',
    imageUrl: '/icon-192.png',
    clinicianName: 'Ada Lark',
    credential: 'MD',
    npi: '1234567893',
    certifiedSince: '2019-05-01',
    about: 'We are three.\nWe speak plainly.',
    hours: parseHours('Mon-Fri 09:00-12:30, 13:30-18:00; Sat 10:00-14:00') ?? null,
    timeZone: 'America/Denver',
    languages: ['en', 'es'],
    pictures: ['/favicon.svg', '/icon-192.png'],
    bookingUrl: 'https://booking.example/full',
    acceptsFreeConsultation: true,
    acceptsFinancing: true,
    themeHue: 210,
  });
  await app.knows(provider);
  const named = `providerId=${provider.id}`;
  const ofMain = [
    ...[
      '/',
      `/?${named}`,
      '/homev2',
      '/start',
      '/find',
      '/clinics',
      '/clinics?applied=true',
      '/map',
      '/study',
    ],
    ...['/success?noProvider=true', `/success?${named}`, '/privacy', '/terms', '/refunds', '/providers'],
    ...['/providers/co', '/providers/co/denver', '/no-such-page', '/?providerId=999999'],
  ];
  const ofProvider = ['/', '/success', '/map', '/privacy', '/terms', '/refunds'];
  const requests = [
    ...ofMain.map((path) => ({ client: app, host: 'main', path })),
    ...ofProvider.map((path) => ({ client: app.as(provider), host: 'provider', path })),
  ];
  const sizes: Record<string, number> = {};
  let sentAtMs = -calmMs;
  for (const { client, host, path } of requests) {
    await waitUntil(() => performance.now() - sentAtMs > calmMs, { interval: 5 });
    const { body, headers } = await client.get(path, { 'accept-encoding': 'gzip, deflate, br, zstd' });
    sentAtMs = performance.now();
    expect([path, headers['content-encoding']]).toEqual([path, 'br']);
    expect(brotliDecompressSync(body).toString()).toContain('id="root"');
    sizes[`${host} ${path}`] = body.length;
  }
  expect(Object.entries(sizes).filter(([, bytes]) => bytes > bytesMax)).toEqual([]);
});
