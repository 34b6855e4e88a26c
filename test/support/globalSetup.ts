import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { connect, type Sql } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';
import { loadZipTable } from '#server/features/matching/zipTable.ts';
import { startTestServer } from './testServer.ts';

/** What testDb() needs to make a database: where, and copied from what. */
export interface TemplateDatabase {
  adminUrl: string;
  template: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    templateDatabase: TemplateDatabase;
  }
}

/** Makes one migrated database with the ZIP table, which each test copies. Returns what cleans up, whatever the tests did. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestServer();
  const template = `clinic_leads_test_${randomBytes(5).toString('hex')}`;
  const { adminUrl } = server;
  await administer(adminUrl, (sql) => sql`create database ${sql(template)}`);
  const templateUrl = new URL(adminUrl);
  templateUrl.pathname = `/${template}`;
  await migrate(templateUrl.href, { zipTable: loadZipTable() });
  await administer(templateUrl.href, (sql) => sql`vacuum (analyze, freeze)`);
  project.provide('templateDatabase', { adminUrl, template });
  return async () => {
    await administer(adminUrl, async (sql) => {
      // The template's name begins the name of every copy.
      const left = await sql<
        { datname: string }[]
      >`select datname from pg_database where starts_with(datname, ${template})`;
      for (const { datname } of left) await sql`drop database if exists ${sql(datname)} with (force)`;
    });
    await server.stop();
  };
}

async function administer(url: string, work: (sql: Sql) => PromiseLike<unknown>): Promise<void> {
  const { sql, close } = connect(url, { applicationName: 'test-setup', max: 1 });
  try {
    await work(sql);
  } finally {
    await close();
  }
}
