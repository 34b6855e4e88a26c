import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { connect, type Connection } from '#server/db/connect.ts';

export interface TestDb extends AsyncDisposable {
  url: string;
  sql: Connection['sql'];
  db: Connection['db'];
  health: Connection['health'];
}

/**
 * By URL. A test worker keeps one connection to create and drop databases, because opening one costs as much as a copy.
 */
const admins = new Map<string, Connection['sql']>();

async function asAdmin(
  adminUrl: string,
  work: (sql: Connection['sql']) => PromiseLike<unknown>,
): Promise<void> {
  const sql = admins.get(adminUrl) ?? connect(adminUrl, { applicationName: 'test-admin', max: 1 }).sql;
  admins.set(adminUrl, sql);
  await work(sql);
}

/**
 * A private copy of the migrated template, created in some dozen milliseconds: `await using db = await testDb()`. It
 * has the ZIP table and no providers; with `isEmpty`, it has nothing. It is dropped when the test ends, also with open connections.
 */
export async function testDb({
  max = 10,
  isEmpty = false,
}: { max?: number; isEmpty?: boolean } = {}): Promise<TestDb> {
  const { adminUrl, template } = inject('templateDatabase');
  const name = `${template}_${randomBytes(6).toString('hex')}`;
  // Copied as files, in half the time of a copy through the server's memory, which must be written before the
  // copy can be dropped.
  await asAdmin(
    adminUrl,
    (sql) =>
      sql`create database ${sql(name)} template ${sql(isEmpty ? 'template0' : template)} strategy file_copy`,
  );
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const { sql, db, health, close } = connect(url.href, { applicationName: 'test', max });
  return {
    url: url.href,
    sql,
    db,
    health,
    async [Symbol.asyncDispose]() {
      await close();
      await asAdmin(adminUrl, (admin) => admin`drop database if exists ${admin(name)} with (force)`);
    },
  };
}
