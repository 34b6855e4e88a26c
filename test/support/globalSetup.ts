import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { connect, type Sql } from '#server/db/connect.ts';
import { prepareDatabase } from '#server/startup/prepareDatabase.ts';
import { startTestServer } from './testServer.ts';

/** The server and the template from which testDb() creates databases. */
export interface TemplateDatabase {
  adminUrl: string;
  template: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    templateDatabase: TemplateDatabase;
  }
}

/** Creates one migrated database with the ZIP table, which each test copies. Returns a function that cleans up. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestServer();
  const database = {
    adminUrl: server.adminUrl,
    template: `clinic_leads_test_${randomBytes(5).toString('hex')}`,
  };
  let cleaning: Promise<void> | null = null;
  const dropAndStop = async (): Promise<void> => {
    try {
      await dropDatabases(database);
    } finally {
      await server.stop();
    }
  };
  const cleanUp = (): Promise<void> => (cleaning ??= dropAndStop());
  // Vitest runs no teardown when it is interrupted. The databases and the server would remain until the next run.
  const interrupted = (): void => void cleanUp().finally(() => process.exit(130));
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    await makeTemplate(database);
  } catch (error) {
    await cleanUp();
    throw error;
  }
  project.provide('templateDatabase', database);
  return cleanUp;
}

async function makeTemplate({ adminUrl, template }: TemplateDatabase): Promise<void> {
  await administer(adminUrl, (sql) => sql`create database ${sql(template)}`);
  const url = new URL(adminUrl);
  url.pathname = `/${template}`;
  await prepareDatabase({ url: url.href, ownerUrl: null });
  await administer(url.href, (sql) => sql`vacuum (analyze, freeze)`);
  // Vacuuming removed the file from which a connection reads the catalog. This one writes it, for all copies.
  await administer(url.href, (sql) => sql`select 1`);
}

/** The template and the remaining copies, whose names start with the template's. */
async function dropDatabases({ adminUrl, template }: TemplateDatabase): Promise<void> {
  await administer(adminUrl, async (sql) => {
    const left = await sql<
      { datname: string }[]
    >`select datname from pg_database where starts_with(datname, ${template})`;
    for (const { datname } of left) await sql`drop database if exists ${sql(datname)} with (force)`;
  });
}

async function administer(url: string, work: (sql: Sql) => PromiseLike<unknown>): Promise<void> {
  const { sql, close } = connect(url, { applicationName: 'test-setup', max: 1 });
  try {
    await work(sql);
  } finally {
    await close();
  }
}
