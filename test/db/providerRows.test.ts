import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseNotice } from '#server/tenant/liveIndex.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { waitFor } from '#test/support/waitFor.ts';

let database: TestDb;
beforeAll(async () => {
  database = await testDb();
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
});

/** A clinic's id, of a clinic that no other test has. */
async function insertProvider(overrides: Record<string, string | number> = {}): Promise<number> {
  const { sql } = database;
  const [row] = await sql<
    { id: string }[]
  >`insert into providers ${sql({ name: 'Quay Clinic', zip_code: '80202', email: 'desk@clinic.example', ...overrides })} returning id`;
  return Number(row?.id);
}

describe('the database locates a provider', () => {
  async function place(id: number): Promise<unknown> {
    const [row] = await database.sql`
      select location_source as source, round(latitude(location)::numeric, 4)::float8 as latitude, round(longitude(location)::numeric, 4)::float8 as longitude
      from providers where id = ${id}`;
    return row;
  }
  async function centroid(zip: string): Promise<{ latitude: number; longitude: number }> {
    const [row] = await database.sql<{ latitude: number; longitude: number }[]>`
      select round(latitude::numeric, 4)::float8 as latitude, round(longitude::numeric, 4)::float8 as longitude from zip_centroids where zip = ${zip}`;
    if (row === undefined) throw new Error(`${zip} is not in the table`);
    return row;
  }

  test('at its own coordinates', async () => {
    const id = await insertProvider({ latitude: 61.2176, longitude: -149.8997 });
    expect(await place(id)).toEqual({ source: 'coordinates', latitude: 61.2176, longitude: -149.8997 });
  });

  test('without coordinates, at the centroid of its ZIP or ZIP+4', async () => {
    const expected = { source: 'zip', ...(await centroid('80202')) };
    expect(await place(await insertProvider({ zip_code: '80202' }))).toEqual(expected);
    expect(await place(await insertProvider({ zip_code: '80202-1234' }))).toEqual(expected);
  });

  test('with an unknown ZIP, at its prefix’s centroid or nowhere', async () => {
    const [unknown] = await database.sql<{ zip: string }[]>`
      select zip from generate_series(80200, 80299) as n, lateral (select n::text as zip) as made
      where not exists (select from zip_centroids known where known.zip = made.zip) limit 1`;
    expect(await place(await insertProvider({ zip_code: unknown?.zip ?? '' }))).toEqual({
      source: 'prefix',
      ...(await centroid('802')),
    });
    expect(await place(await insertProvider({ zip_code: 'M5V 2T6' }))).toEqual({
      source: null,
      latitude: null,
      longitude: null,
    });
  });

  test('after each change, also of the location itself', async () => {
    const id = await insertProvider({ zip_code: '80202' });
    await database.sql`update providers set zip_code = '10016' where id = ${id}`;
    expect(await place(id)).toEqual({ source: 'zip', ...(await centroid('10016')) });
    await database.sql`update providers set latitude = 21.3069, longitude = -157.8583 where id = ${id}`;
    expect(await place(id)).toEqual({ source: 'coordinates', latitude: 21.3069, longitude: -157.8583 });
    await database.sql`update providers set location = null, location_source = null where id = ${id}`;
    expect(await place(id)).toMatchObject({ source: 'coordinates' });
  });

  test('an empty domain becomes null, and a change sets updated_at', async () => {
    const id = await insertProvider({ domain: '' });
    const [before] =
      await database.sql`select domain, updated_at = created_at as untouched from providers where id = ${id}`;
    expect(before).toEqual({ domain: null, untouched: true });
    await database.sql`update providers set updated_at = '2000-01-01', name = 'Renamed' where id = ${id}`;
    const [after] =
      await database.sql`select updated_at > '2020-01-01' as moved from providers where id = ${id}`;
    expect(after).toEqual({ moved: true });
  });
});

test('changed providers are announced by ids and ranges, and nothing without a change', async () => {
  await using own = await testDb();
  const heard: string[] = [];
  await own.sql.listen('providers_changed', (payload) => heard.push(payload));
  const provider = { name: 'Notified', zip_code: '80202', email: 'desk@clinic.example' };
  await own.sql`insert into providers ${own.sql([provider, provider])}`;
  await own.sql`update providers set name = 'Changed again' where id = 2`;
  await own.sql`update providers set name = 'Nobody' where id = 999`;
  await own.sql`delete from providers where id = 1`;
  await own.sql
    .begin(async (tx) => {
      await tx`insert into providers ${tx(provider)}`;
      throw new Error('rolled back');
    })
    .catch(() => undefined);
  await own.sql`insert into providers ${own.sql(Array.from({ length: 300 }, () => provider))}`;
  await own.sql`update providers set name = 'Some' where id in (5, 7, 8, 9, 20)`;
  await own.sql`truncate providers cascade`;
  await waitFor(() => expect(heard).toHaveLength(6));
  expect(heard).toEqual(['1-2', '2', '1', '4-303', '5,7-9,20', '*']);
});

test('many scattered changes are several notices, and too many are "*"', async () => {
  await using own = await testDb();
  const heard: string[] = [];
  await own.sql`alter sequence providers_id_seq restart with 9007199254600001`;
  await own.sql`
    insert into providers (name, zip_code, email)
    select 'Notified', '80202', 'desk@clinic.example' from generate_series(1, 10000)`;
  await own.sql.listen('providers_changed', (payload) => heard.push(payload));
  await own.sql`update providers set name = 'Some' where id % 10 = 1`;
  await waitFor(() => expect(heard).toHaveLength(6));
  const ids = heard.flatMap((payload) => parseNotice(payload) ?? []);
  expect([ids.length, new Set(ids).size, ids.every((id) => id % 10 === 1)]).toEqual([1_000, 1_000, true]);
  await own.sql`update providers set name = 'Half' where id % 2 = 1`;
  await waitFor(() => expect(heard).toHaveLength(7));
  expect(heard.at(-1)).toBe('*');
});

test.each([
  ['5', [5]],
  ['5,7-9', [5, 7, 8, 9]],
  ['*', null],
  ['', null],
  ['0', null],
  ['5,', null],
  ['9-7', null],
  ['1-9007199254740993', null],
  ['1-60000', null],
  ['1-40000,50001-70000', null],
])('the notice "%s" is read as %j', (payload, ids) => {
  expect(parseNotice(payload)).toEqual(ids);
});

test('the nearest provider is found by the index and equals a full comparison', async () => {
  await using own = await testDb();
  const { sql } = own;
  await sql`
    insert into providers (name, zip_code, email, status, latitude, longitude)
    select 'Clinic ' || n, '80202', 'desk@clinic.example', case when n % 10 = 0 then 'f' else 't' end, 17 + 55 * random(), 180 - 360 * random()
    from generate_series(1, 4000) n`;
  await sql`analyze providers`;
  const nearest = (latitude: number, longitude: number): string => `
    select id from (
      select id from providers where status = 't' and location is not null
      order by location <-> ll_to_earth(${latitude}, ${longitude}) fetch first 1 row with ties
    ) nearest order by id limit 1`;
  const plan = await sql.unsafe(`explain ${nearest(39.75, -105)}`);
  const text = plan.map((line: Record<string, unknown>) => String(line['QUERY PLAN'])).join('\n');
  expect(text).toContain('Index Scan using providers_active_location_idx');
  expect(text).not.toContain('Seq Scan');
  for (const [latitude, longitude] of [
    [39.75, -105],
    [61.2, -149.9],
    [52, 179.99],
    [52, -179.99],
    [18.4, -66],
  ] as const) {
    const [found] = await sql.unsafe(nearest(latitude, longitude));
    const [compared] = await sql`
      select id from providers where status = 't'
      order by earth_distance(location, ll_to_earth(${latitude}, ${longitude})), id limit 1`;
    expect(found?.['id']).toBe(compared?.['id']);
  }
});
