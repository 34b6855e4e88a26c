import { join } from 'node:path';
import type postgres from 'postgres';
import { countRows, quoted } from './copyTables.ts';
import { arrayLiteral, readBatches } from './copyText.ts';
import type { CopiedSequence, CopiedTable } from './manifest.ts';

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

interface Load {
  folder: string;
  tables: readonly CopiedTable[];
  sequences: readonly CopiedSequence[];
}

/**
 * Loads copied tables into empty ones of the same schema, in one transaction. Foreign keys are dropped and added again,
 * so that rows may come in any order; triggers don't exist yet. Throws a sentence if a table's rows don't add up, and
 * the driver's errors.
 */
export async function loadTables(sql: postgres.Sql, { folder, tables, sequences }: Load): Promise<void> {
  await sql.begin(async (tx) => {
    const keys = await tx<ForeignKey[]>`
      select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by conname`;
    for (const { table, name } of keys) await tx`alter table ${tx(table)} drop constraint ${tx(name)}`;
    for (const table of tables) await loadTable(tx, folder, table);
    for (const { name, lastValue, isCalled } of sequences)
      await tx`select setval(${name}::regclass, ${lastValue}::bigint, ${isCalled})`;
    for (const { table, name, definition } of keys)
      await tx`alter table ${tx(table)} add constraint ${tx(name)} ${tx.unsafe(definition)}`;
  });
}

async function loadTable(
  tx: postgres.TransactionSql,
  folder: string,
  { name, columns, file, rows: expected }: CopiedTable,
): Promise<void> {
  const types = await tx<{ column: string; type: string }[]>`
    select attname as column, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = ${name}::regclass and attname = any (${columns}::text[])`;
  const typeByColumn = new Map(types.map(({ column, type }) => [column, type]));
  const names = columns.map((_, at) => `c${at}`);
  const values = columns.map((column, at) => `c${at}::${typeByColumn.get(column) ?? 'text'}`);
  const arrays = columns.map((_, at) => `$${at + 1}::text::text[]`);
  const text = `insert into ${quoted(name)} (${columns.map(quoted).join(', ')}) overriding system value
    select ${values.join(', ')} from unnest(${arrays.join(', ')}) as loaded (${names.join(', ')})`;
  for await (const rows of readBatches(join(folder, file))) {
    if (rows.some((row) => row.length !== columns.length))
      throw new Error(`${file} has a row with another number of columns. Nothing was restored.`);
    const parameters = columns.map((_, at) => arrayLiteral(rows.map((row) => row[at] ?? null)));
    await tx.unsafe(text, parameters);
  }
  const loaded = await countRows(tx, name);
  if (loaded !== expected)
    throw new Error(`${name} has ${loaded} rows instead of ${expected}. Nothing was restored.`);
}
