import { and, eq, inArray } from 'drizzle-orm';
import type { Database, Sql } from '../db/connect.ts';
import { providers } from '../db/schema/index.ts';
import { pageColumns } from '../db/providerFields.ts';
import type { IndexedProvider } from './providerIndex.ts';
import { type ProviderRecord, toRecord, toTenantView } from './providerRecord.ts';

const rowsPerFetch = 5_000;

interface IndexRow {
  /** The driver returns bigint as text. */
  id: string;
  domain: string | null;
}

function toIndexed({ id, domain }: IndexRow): IndexedProvider {
  return { id: Number(id), domain };
}

/** Every active provider's id and host, streamed by one query in batches of a few thousand rows. */
export async function* streamActiveProviders(sql: Sql): AsyncGenerator<IndexedProvider[]> {
  const query = sql<IndexRow[]>`select id::text as id, domain from providers where status = 't'`;
  for await (const rows of query.cursor(rowsPerFetch)) yield rows.map(toIndexed);
}

/** The active providers among `ids`. */
export async function listIndexedProviders(sql: Sql, ids: readonly number[]): Promise<IndexedProvider[]> {
  const rows = await sql<
    IndexRow[]
  >`select id::text as id, domain from providers where status = 't' and id = any(${[...ids]}::bigint[])`;
  return rows.map(toIndexed);
}

/** The active providers among `ids`. */
export async function listProviderRecords(db: Database, ids: number[]): Promise<ProviderRecord[]> {
  const rows = await db
    .select(pageColumns)
    .from(providers)
    .where(and(inArray(providers.id, ids), eq(providers.status, 't')));
  return rows.map((row) => toRecord(toTenantView(row)));
}

/** Id of the active provider with this host, or null. */
export async function findActiveId(db: Database, host: string): Promise<number | null> {
  const [row] = await db
    .select({ id: providers.id })
    .from(providers)
    .where(and(eq(providers.domain, host), eq(providers.status, 't')));
  return row?.id ?? null;
}
