import { readdirSync, readFileSync } from 'node:fs';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import { describe, expect, test } from 'vitest';
import type { Sql } from '#server/db/connect.ts';
import * as schema from '#server/db/schema/index.ts';
import { testDb } from '#test/support/testDb.ts';

const columnQuery = `
  select table_name || '.' || column_name || ' ' || udt_name || ' ' || is_nullable || ' ' || coalesce(column_default, '')
    || ' ' || is_identity || ' ' || coalesce(generation_expression, '') as line
  from information_schema.columns where table_schema = 'public' and table_name not like 'schema\\_%'`;
const constraintQuery = `
  select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as line
  from pg_constraint where connamespace = 'public'::regnamespace and conrelid::regclass::text not like 'schema\\_%'`;
/** Without covering columns, which the schema files can't express. */
const indexQuery = `
  select regexp_replace(indexdef, ' INCLUDE \\([^)]*\\)', '') as line
  from pg_indexes where schemaname = 'public' and tablename not like 'schema\\_%'`;

async function getCatalog(sql: Sql): Promise<string[]> {
  const lines: string[] = [];
  for (const query of [columnQuery, constraintQuery, indexQuery])
    lines.push(...(await sql.unsafe<{ line: string }[]>(query)).map(({ line }) => line));
  return lines.toSorted();
}

describe('the migrations', () => {
  test('leave nothing for drizzle-kit to generate', async () => {
    const [last] = readdirSync('migrations/meta')
      .filter((file) => file.endsWith('_snapshot.json'))
      .toSorted()
      .slice(-1);
    const landed = JSON.parse(readFileSync(`migrations/meta/${last}`, 'utf8')) as ReturnType<
      typeof generateDrizzleJson
    >;
    expect(await generateMigration(landed, generateDrizzleJson(schema, landed.id))).toEqual([]);
  });

  test('have a folder of snapshots in which drizzle-kit finds nothing else', () => {
    const others = readdirSync('migrations/meta').filter(
      (file) => !/^(_journal|\d{4}_snapshot)\.json$/.test(file),
    );
    expect(others).toEqual([]);
  });

  test('make the tables, constraints and indexes of the schema files', async () => {
    await using migrated = await testDb({ max: 1 });
    await using declared = await testDb({ max: 1 });
    await declared.sql.unsafe('drop schema public cascade; create schema public');
    for (const extension of ['cube', 'earthdistance', 'pg_trgm'])
      await declared.sql.unsafe(`create extension ${extension}`);
    // What an index needs: drizzle-kit knows no functions.
    for (const name of ['0022_search_function', '0033_mailbox_function'])
      await declared.sql.unsafe(readFileSync(`migrations/${name}.sql`, 'utf8'));
    const statements = await generateMigration(generateDrizzleJson({}), generateDrizzleJson(schema));
    for (const statement of statements) await declared.sql.unsafe(statement);
    const catalog = await getCatalog(migrated.sql);
    expect(catalog.length).toBeGreaterThan(300);
    expect(catalog).toEqual(await getCatalog(declared.sql));
  });

  test('leave triggers only for notices, append-only tables and locations', async () => {
    await using database = await testDb();
    const found = await database.sql<{ name: string; path: string[] | null }[]>`
      select distinct p.proname as name, p.proconfig as path from pg_trigger t join pg_proc p on p.oid = t.tgfoid
      where not t.tgisinternal order by 1`;
    expect(found.map(({ name }) => name)).toEqual([
      'allow_consent_erasure',
      'allow_prune',
      'allow_withdrawal_erasure',
      'locate_provider',
      'notify_claims_changed',
      'notify_providers_changed',
      'refuse_change',
    ]);
    for (const { path } of found) expect(path).toEqual(['search_path=public']);
  });
});
