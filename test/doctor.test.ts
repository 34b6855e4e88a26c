import { describe, expect, test } from 'vitest';
import { brandGaps, configGaps, databaseGaps, keyGaps } from '#scripts/doctorGaps.ts';
import { claims } from '#shared/brand/claims.ts';
import { insertClinic } from './support/factories.ts';
import { testDb } from './support/testDb.ts';
import { testDataKeys, testSecret } from './support/testKeys.ts';

describe('of the environment', () => {
  test('what production would refuse is in the way, each fault of its own', () => {
    const blocking = configGaps({ PORT: 'x' }).filter(({ isBlocking }) => isBlocking);
    expect(blocking.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('PORT:'),
        'SECRET_KEYS: must be set in production',
        'LEGAL_ARBITRATION_PLACE: must be set in production',
      ]),
    );
  });

  test('no value is ever told', () => {
    const key = 'a-secret-that-is-too-short';
    expect(JSON.stringify(configGaps({ SECRET_KEYS: key }))).not.toContain(key);
  });

  test('e-mail that may leave unencrypted is told', () => {
    const told = (url: string): boolean =>
      configGaps({ SMTP_URL: url }).some(({ text }) => text.startsWith('SMTP_URL says'));
    expect(told('smtp://mail.example:25?requireTLS=false')).toBe(true);
    expect(told('smtp://mail.example:587')).toBe(false);
  });

  test('what sleeps is told until it is set', () => {
    const told = (env: Record<string, string>): boolean =>
      configGaps(env).some(({ text }) => text.startsWith('WORDPRESS_URL'));
    expect(told({})).toBe(true);
    expect(told({ WORDPRESS_URL: 'https://cms.example' })).toBe(false);
  });
});

test('of the brand, every claim that nothing proves is named, and every entry that isn\u2019t set', () => {
  const texts = brandGaps().map(({ text }) => text);
  for (const { id, substantiation } of claims)
    expect(texts.some((text) => text.startsWith(`The claim ${id} (`))).toBe(substantiation === null);
  expect(texts).toContain("The brand's entry press-8 has no name and logo, so it isn't shown.");
});

test('of the clinics, those without a place and those without coordinates are counted', async () => {
  await using database = await testDb();
  const { db } = database;
  expect((await databaseGaps(db)).map(({ text }) => text)).toEqual([
    'No clinic is active: every lead stays unmatched.',
  ]);
  await insertClinic(db, { zipCode: '80202', latitude: null, longitude: null });
  await insertClinic(db, { zipCode: '00000', latitude: null, longitude: null });
  await insertClinic(db, { zipCode: '80202', latitude: 39.7, longitude: -104.9 });
  await insertClinic(db, { zipCode: '80202', latitude: null, longitude: null, status: 'f' });
  expect((await databaseGaps(db)).map(({ text }) => text)).toEqual([
    "1 active clinics can't be placed, so no lead is matched with them by distance.",
    "1 active clinics stand at the middle of their ZIP area and aren't shown on maps.",
  ]);
});

test('H2: a database key that no secret opens is in the way, and doctor creates none', async () => {
  await using database = await testDb();
  const { db, sql } = database;
  expect(await keyGaps(db, [testSecret])).toEqual([]);
  expect(await sql`select 1 from data_keys`).toHaveLength(0);
  await testDataKeys(database).current('identity');
  expect(await keyGaps(db, [testSecret])).toEqual([]);
  expect(await keyGaps(db, ['another-secret-another-secret-0001'])).toEqual([
    { text: expect.stringContaining("opens the database's key identity-1"), isBlocking: true },
  ]);
});
