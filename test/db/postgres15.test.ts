import { expect, test } from 'vitest';
import { connect } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';
import { prepareDatabase } from '#server/startup/prepareDatabase.ts';
import { findNearestProvider } from '#server/features/matching/matchQueries.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { formToken } from '#test/support/formToken.ts';
import { meets } from '#test/support/meets.ts';
import { skipWithoutPostgres15, startPostgres15 } from '#test/support/postgres15.ts';
import { testApp } from '#test/support/testApp.ts';

test.skipIf(skipWithoutPostgres15())(
  'on Postgres 15 all migrations apply, and a lead is matched, stored and queued',
  async () => {
    meets('D.abuse.40');
    await using server = await startPostgres15();
    const { applied } = await prepareDatabase({ url: server.url, ownerUrl: null });
    expect(applied).toBeGreaterThan(0);
    const { sql, db, health, close } = connect(server.url, { applicationName: 'test', max: 2 });
    await using database = { url: server.url, sql, db, health, [Symbol.asyncDispose]: close };
    const [version] = await sql<
      { major: string }[]
    >`select split_part(current_setting('server_version'), '.', 1) as major`;
    expect(version?.major).toBe('15');
    await using app = await testApp({ database });
    const near = await insertProvider(db, { zipCode: '80202', latitude: 39.75, longitude: -105 });
    await insertProvider(db, { zipCode: '80301', latitude: 40.05, longitude: -105.2 });
    const answer = await app.post(
      '/api/leads',
      leadInput({ zip_code: '80202', form: 'landing', token: formToken('landing') }),
    );
    expect([answer.status, answer.json()]).toEqual([201, { id: expect.any(Number), providerId: near.id }]);
    const queued = await sql`select channel from deliveries where state = 'queued' order by channel`;
    expect(queued.map(({ channel }) => String(channel))).toEqual(['lead-email', 'provider-email']);
    expect((await app.get('/readyz')).status).toBe(200);
  },
);

test.skipIf(skipWithoutPostgres15())(
  'on Postgres 15 the nearest clinic is found through the index',
  async () => {
    await using server = await startPostgres15();
    await migrate(server.url);
    // One connection, so that the counters of its transaction are the search's.
    const { sql, db, close } = connect(server.url, { applicationName: 'test', max: 1 });
    try {
      await sql`insert into providers (name, zip_code, email, status, latitude, longitude)
        select 'Clinic ' || n, '80202', 'desk@clinic.example', 't', 25 + 20 * random(), -120 + 40 * random() from generate_series(1, 4000) n`;
      await sql`analyze providers`;
      await sql`begin`;
      // Nobody is near, so that the search is the one of everybody.
      const found = await findNearestProvider(db, { latitude: 0, longitude: -160 });
      const [row] = await sql<
        { scans: number }[]
      >`select pg_stat_get_xact_numscans('providers'::regclass)::int as scans`;
      expect([found?.isWithinRadius, row?.scans]).toEqual([true, 0]);
    } finally {
      await close();
    }
  },
);
