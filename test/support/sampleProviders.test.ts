import { expect, test } from 'vitest';
import { connect } from '#server/db/connect.ts';
import { providers } from '#server/db/schema/index.ts';
import { greatCircleMiles } from '#server/features/matching/distance.ts';
import { loadZipTable } from '#server/features/matching/zipTable.ts';
import { leadCreateInput } from '#shared/submissions/leadInput.ts';
import { imageSource } from '#shared/providers/tenant.ts';
import { providerRow, leadInput } from './factories.ts';
import { seededRandom } from '#scripts/sampleData/seededRandom.ts';
import { sampleProviders, sampleHosts, seedSampleData } from '#scripts/sampleData/sampleProviders.ts';
import { meets } from '#test/support/meets.ts';
import { testApp } from './testApp.ts';
import { testDb } from './testDb.ts';

const samples = sampleProviders();
const distinct = (values: unknown[]) => new Set(values).size;

test('there are sixty distinct providers, the same at each call', () => {
  expect(samples).toHaveLength(60);
  expect(sampleProviders()).toEqual(samples);
  for (const key of [
    'name',
    'domain',
    'phone',
    'email',
    'wordpressId',
    'website',
    'address',
    'logoUrl',
  ] as const) {
    expect({ key, distinct: distinct(samples.map((provider) => provider[key])) }).toEqual({
      key,
      distinct: 60,
    });
  }
});

test('they contain no real person or place', () => {
  for (const provider of samples) {
    expect(provider.phone).toMatch(/^\(\d{3}\) 555-01\d\d$/);
    expect(provider.email).toMatch(/^[a-z-]+@example\.com$/);
    expect(provider.website).toMatch(/^https:\/\/[a-z-]+\.example\.com$/);
    expect(provider.domain).toMatch(/^[a-z]+(-[a-z]+)*\.localhost$/);
    expect(provider.address).toMatch(/^1\d\d Sample Street, /);
  }
});

test('they include every kind that a screen shows', () => {
  const count = (wanted: (provider: (typeof samples)[number]) => unknown) =>
    samples.filter((provider) => wanted(provider)).length;
  expect(count(({ status }) => status === 'f')).toBe(5);
  expect(count(({ latitude, longitude }) => latitude === null && longitude === null)).toBe(6);
  expect(count(({ acceptsFinancing }) => acceptsFinancing)).toBeGreaterThanOrEqual(18);
  expect(count(({ acceptsFreeConsultation }) => acceptsFreeConsultation)).toBeGreaterThanOrEqual(33);
  expect(count(({ themeHue }) => typeof themeHue === 'number')).toBeGreaterThanOrEqual(8);
  expect(count(({ imageUrl }) => imageUrl === null)).toBeGreaterThanOrEqual(10);
  expect(count(({ practiceName }) => practiceName === null)).toBeGreaterThanOrEqual(10);
  for (const zip of ['99501', '96813', '00901']) expect(count(({ zipCode }) => zipCode === zip)).toBe(1);
});

test('each has a ZIP of the table and coordinates near it', () => {
  for (const { zipCode, latitude, longitude } of samples) {
    const place = loadZipTable().lookup(zipCode);
    expect(place?.placement).toBe('zip');
    if (place === null || typeof latitude !== 'number' || typeof longitude !== 'number') continue;
    expect(greatCircleMiles(place, { latitude, longitude })).toBeLessThan(2.5);
  }
});

test('logos and pictures are small inline images', () => {
  for (const url of samples.flatMap(({ logoUrl, imageUrl }) => [logoUrl, imageUrl])) {
    if (url === null || url === undefined) continue;
    expect(imageSource('logo', 1, url)).toBe(url);
    expect(url.length).toBeLessThan(1200);
    expect(url).toMatch(/^data:image\/svg\+xml,%3Csvg[!-~]+%3C\/svg%3E$/);
    expect(url).not.toMatch(/[<>"#]|undefined|NaN|script/);
  }
});

test('the sample hosts are active: one with all offers, one with a hue, one plain', () => {
  const [first, hued, plain] = sampleHosts().map((host) => samples.find(({ domain }) => domain === host));
  expect(sampleHosts()).toHaveLength(3);
  expect(first).toMatchObject({
    status: 't',
    zipCode: '80202',
    acceptsFinancing: true,
    acceptsFreeConsultation: true,
  });
  expect(hued).toMatchObject({ status: 't', themeHue: expect.any(Number) });
  expect(plain).toMatchObject({
    status: 't',
    themeHue: null,
    acceptsFinancing: false,
    acceptsFreeConsultation: false,
  });
});

test('each sample host opens the site of its provider', async () => {
  meets('D.hosts.15');
  await using app = await testApp();
  await seedSampleData(app.db);
  for (const host of sampleHosts()) {
    await app.knows(host);
    const provider = samples.find(({ domain }) => domain === host);
    const { status, text } = await app.as(host).get('/');
    expect([status, text.includes(provider?.practiceName ?? provider?.name ?? '-')]).toEqual([200, true]);
  }
});

test('only an empty database is filled, and once by concurrent calls', async () => {
  await using database = await testDb();
  const other = connect(database.url, { applicationName: 'test-other', max: 3 });
  const attempts = [database.db, other.db, database.db, other.db, other.db].map((db) => seedSampleData(db));
  const inserted = (await Promise.all(attempts)).map((result) => result.inserted);
  await other.close();
  expect(inserted.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 60]);
  expect(await seedSampleData(database.db)).toEqual({ inserted: 0 });
  const rows = await database.db.select({ source: providers.locationSource }).from(providers);
  expect(rows.filter(({ source }) => source === 'coordinates')).toHaveLength(54);
  expect(rows.filter(({ source }) => source === 'zip')).toHaveLength(6);
});

test('the factories create valid and distinct leads and providers', () => {
  const leads = Array.from({ length: 300 }, () => leadInput());
  expect(distinct(leads.map(({ email }) => email))).toBe(300);
  expect(distinct(leads.map(({ phone }) => phone))).toBe(300);
  for (const lead of leads) expect(leadCreateInput.safeParse(lead).success).toBe(true);
  expect(leadInput({ zip_code: '99501' }).zip_code).toBe('99501');
  const rows = Array.from({ length: 300 }, () => providerRow({ zipCode: '99501' }));
  expect(distinct(rows.map(({ domain }) => domain))).toBe(300);
  expect(rows[0]).toMatchObject({ zipCode: '99501', latitude: 61.2116 });
});

test('a seed always gives the same numbers between 0 and 1', () => {
  const draw = (seed: number) => Array.from({ length: 1000 }, seededRandom(seed));
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
  expect(draw(3).every((value) => value >= 0 && value < 1)).toBe(true);
});
