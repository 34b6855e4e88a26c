import { randomBytes } from 'node:crypto';
import { connect, type Connection } from '#server/db/connect.ts';
import { testDb, type TestDb } from './testDb.ts';

interface TwoRoles extends AsyncDisposable {
  /** A superuser's connection to an empty database. */
  database: TestDb;
  appRole: string;
  appUrl: string;
  ownerUrl: string;
}

/**
 * An empty database with two roles, set up as in docs/operations.md: one owns the database, the application uses the
 * other. Needs a server on which tests are superuser.
 */
export async function twoRoles(): Promise<TwoRoles> {
  const base = await testDb({ max: 1 });
  const suffix = randomBytes(6).toString('hex');
  const [owner, appRole, name] = [`test_owner_${suffix}`, `test_app_${suffix}`, `${getDatabase(base.url)}_r`];
  const password = randomBytes(12).toString('hex');
  for (const role of [owner, appRole])
    await base.sql.unsafe(`create role ${role} login password '${password}'`);
  await base.sql`create database ${base.sql(name)} owner ${base.sql(owner)}`;
  const getUrl = (user: string | null): string => {
    const url = new URL(base.url);
    url.pathname = `/${name}`;
    if (user !== null) [url.username, url.password] = [user, password];
    return url.href;
  };
  const admin: Connection = connect(getUrl(null), { applicationName: 'test', max: 4 });
  for (const extension of ['cube', 'earthdistance', 'pg_trgm'])
    await admin.sql`create extension ${admin.sql(extension)}`;
  async function drop(): Promise<void> {
    await admin.close();
    await base.sql`drop database ${base.sql(name)} with (force)`;
    for (const role of [owner, appRole]) await base.sql`drop role ${base.sql(role)}`;
    await base[Symbol.asyncDispose]();
  }
  return {
    database: { ...admin, url: getUrl(null), [Symbol.asyncDispose]: () => Promise.resolve() },
    appRole,
    appUrl: getUrl(appRole),
    ownerUrl: getUrl(owner),
    [Symbol.asyncDispose]: drop,
  };
}

function getDatabase(url: string): string {
  return new URL(url).pathname.slice(1);
}
