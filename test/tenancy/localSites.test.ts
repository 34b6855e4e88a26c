import { expect, test } from 'vitest';
import { connect } from '#server/db/connect.ts';
import { withLocalSites } from '#server/tenant/localSites.ts';
import { testDb } from '#test/support/testDb.ts';
import { ownDirectory } from './directories.ts';

test('a local host finds nobody while Postgres is away, and other failures are thrown', async () => {
  await using database = await testDb();
  await using own = await ownDirectory(database.url);
  const away = connect('postgres://nobody@127.0.0.1:9/none', { applicationName: 'away', max: 1 });
  try {
    expect(await withLocalSites(own.tenants, away.sql).findByHost('elm.localhost')).toBeNull();
  } finally {
    await away.close();
  }
  await database.sql`alter table providers rename to moved`;
  const broken = withLocalSites(own.tenants, database.sql);
  await expect(broken.findByHost('elm.localhost')).rejects.toThrow('providers');
});
