import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { consentRecords, providers } from '#server/db/schema/index.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import { type Answer, type Client, testApp } from '#test/support/testApp.ts';

const env = { GOOGLE_ADS_ID: 'AW-8172635411/BrAnD', BING_ADS_ID: '8172635422' };
const providerIds = { googleAdsId: 'AW-8172635433/Clinic-1', bingAdsId: null };

/** As a page of the site asks for its frame. */
function frame(
  site: Client,
  path = '/ads/conversion',
  headers: Record<string, string> = {},
): Promise<Answer> {
  return site.get(path, { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin', ...headers });
}

/** What the frame's script receives. */
function toldBy({ text }: Answer): Record<string, unknown> {
  const [, json = ''] = /<script type="application\/json" id="conversion">(.*?)<\/script>/.exec(text) ?? [];
  return JSON.parse(json) as Record<string, unknown>;
}

function directive({ headers }: Answer, name: string): string[] {
  const policy = String(headers['content-security-policy']).split('; ');
  return (
    policy
      .find((part) => part.startsWith(`${name} `))
      ?.split(' ')
      .slice(1) ?? []
  );
}

describe('the frame that reports a lead', () => {
  test('has the ad ids of the brand or of the provider of the site', async () => {
    meets('D.hosts.31 D.privacy.07');
    await using app = await testApp({ env });
    const provider = await insertProvider(app.db, providerIds);
    await app.knows(provider);
    const brand = await frame(app);
    expect(toldBy(brand)).toEqual({
      google: { tagId: 'AW-8172635411', sendTo: 'AW-8172635411/BrAnD', event: 'conversion' },
      microsoft: '8172635422',
      transactionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      origin: expect.stringMatching(/^http:\/\/localhost(:\d+)?\/$/),
    });
    const google = { tagId: 'AW-8172635433', sendTo: 'AW-8172635433/Clinic-1', event: 'conversion' };
    for (const answer of [await frame(app.as(provider)), await frame(app, `/ads/conversion/${provider.id}`)])
      expect(toldBy(answer)).toMatchObject({ google, microsoft: null });
  });

  test('differs each time, is never stored and has an opaque origin', async () => {
    meets('D.privacy.07');
    await using app = await testApp({ env });
    const [one, other] = [await frame(app), await frame(app)];
    expect(toldBy(one)['transactionId']).not.toBe(toldBy(other)['transactionId']);
    expect(one.headers['cache-control']).toBe('no-store');
    expect(directive(one, 'sandbox')).toEqual(['allow-scripts']);
  });

  test('may load only from the ad networks of its site', async () => {
    await using app = await testApp({ env: { BING_ADS_ID: '8172635422' } });
    const provider = await insertProvider(app.db, providerIds);
    await app.knows(provider);
    const microsoft = await frame(app);
    expect(directive(microsoft, 'script-src')).toEqual([
      expect.stringMatching(/^'sha256-/),
      'https://bat.bing.com',
    ]);
    const google = await frame(app.as(provider));
    expect(directive(google, 'script-src')).toContain('https://www.googletagmanager.com');
    expect(String(google.headers['content-security-policy'])).not.toMatch(/bing|unsafe|\*/);
  });

  test('is a 404 without ids, for an unknown provider or with an opt-out', async () => {
    meets('D.privacy.04 D.privacy.06');
    await using app = await testApp({ env });
    const provider = await insertProvider(app.db);
    await app.knows(provider);
    expect((await frame(app.as(provider))).status).toBe(404);
    expect((await frame(app, `/ads/conversion/${provider.id}`)).status).toBe(404);
    expect((await frame(app, '/ads/conversion/999999')).status).toBe(404);
    expect((await frame(app, '/ads/conversion', { 'sec-gpc': '1' })).status).toBe(404);
    expect((await frame(app, '/ads/conversion/')).status).toBe(404);
    await using plain = await testApp({ database: app.database });
    expect((await frame(plain)).status).toBe(404);
  });
});

test('is a 404 outside a frame of the same site', async () => {
  await using app = await testApp({ env });
  expect((await frame(app)).status).toBe(200);
  for (const headers of [
    { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none' },
    { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' },
  ])
    expect((await frame(app, '/ads/conversion', headers)).status).toBe(404);
  expect((await app.get('/ads/conversion')).status).toBe(404);
});

test('pages contain whether there are ids, never the ids, and no ad host', async () => {
  await using app = await testApp({ env });
  const provider = await insertProvider(app.db, providerIds);
  await app.knows(provider);
  for (const answer of [
    await app.get('/'),
    await app.as(provider).get('/'),
    await app.get(`/?providerId=${provider.id}`),
    await app.get(`/api/providers/${provider.id}`),
    await app.get('/api/providers'),
  ]) {
    expect(answer.status).toBe(200);
    expect(answer.text).not.toMatch(/AW-8172635411|8172635422|8172635433|ads_id|AdsId/);
    expect(String(answer.headers['content-security-policy'])).not.toContain('https:');
  }
  expect((await app.as(provider).get('/')).text).toContain('data-privacy-choices');
  await app.db.update(providers).set({ googleAdsId: null }).where(eq(providers.id, provider.id));
  await expect.poll(async () => (await app.as(provider).get('/')).text).not.toContain('data-privacy-choices');
});

test('a lead stores whether its browser opted out', async () => {
  await using app = await testApp();
  await app.post('/api/leads', leadInput(), { 'sec-gpc': '1' });
  await app.post('/api/leads', leadInput());
  const kept = await app.db
    .select({ gpc: consentRecords.gpc })
    .from(consentRecords)
    .orderBy(consentRecords.id);
  expect(kept).toEqual([{ gpc: true }, { gpc: false }]);
});
