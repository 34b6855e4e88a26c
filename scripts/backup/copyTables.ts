import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type postgres from 'postgres';
import { formatCopyLine } from './copyText.ts';
import type { CopiedSequence, CopiedTable } from './manifest.ts';

/** Written by the migration runner. */
const ownTables = ['schema_migrations', 'schema_functions'];

interface TableColumns {
  name: string;
  columns: string[];
}

/** Logged tables of the product with the columns that are stored, not computed, by name. */
export async function listTables(tx: postgres.ISql): Promise<TableColumns[]> {
  const rows = await tx<TableColumns[]>`
    select relname as name, array_agg(attname::text order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p'
      and attnum > 0 and not attisdropped and attgenerated = ''
    group by relname order by relname`;
  return rows.filter(({ name }) => !ownTables.includes(name));
}

export async function countRows(tx: postgres.ISql, name: string): Promise<number> {
  const [row] = await tx<{ rows: string }[]>`select count(*) as rows from ${tx(name)}`;
  return Number(row?.rows);
}

/** As an identifier. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

const batchRows = 500;
/** Backup files are as confidential as the database. */
const fileMode = 0o600;

/** What a table's file was when it was written. */
interface WrittenFile {
  name: string;
  bytes: number;
  sha256: string;
}

interface CopyResult {
  tables: CopiedTable[];
  files: WrittenFile[];
}

/**
 * Writes one compressed file per table in COPY's text format, which every version of Postgres reads. The rows come from a
 * cursor: the driver's COPY may hang at its end.
 */
export async function copyTables(tx: postgres.ISql, folder: string): Promise<CopyResult> {
  const copied: CopyResult = { tables: [], files: [] };
  for (const { name, columns } of await listTables(tx)) {
    const file = `${name}.copy.gz`;
    const list = columns.map((column) => `${quoted(column)}::text`).join(', ');
    let rows = 0;
    async function* lines(): AsyncGenerator<string> {
      const batches = tx
        .unsafe<Record<string, string | null>[]>(`select ${list} from ${quoted(name)}`)
        .values()
        .cursor(batchRows);
      for await (const batch of batches) {
        rows += batch.length;
        yield batch.map((row) => `${formatCopyLine(row)}\n`).join('');
      }
    }
    copied.files.push({ name: file, ...(await writeCompressed(lines, join(folder, file))) });
    copied.tables.push({ name, columns, file, rows });
  }
  return copied;
}

async function writeCompressed(
  lines: () => AsyncGenerator<string>,
  path: string,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(
    lines,
    createGzip(),
    async function* measure(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(path, { mode: fileMode, flush: true }),
  );
  return { bytes, sha256: hash.digest('hex') };
}

/** Read after the tables: a sequence is outside the snapshot, and must not be behind the rows. */
export async function readSequences(tx: postgres.ISql): Promise<CopiedSequence[]> {
  const names = await tx<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'S' order by relname`;
  const sequences: CopiedSequence[] = [];
  for (const { name } of names) {
    const [row] = await tx<{ last: string; called: boolean }[]>`
      select last_value::text as last, is_called as called from ${tx(name)}`;
    if (row !== undefined) sequences.push({ name, lastValue: row.last, isCalled: row.called });
  }
  return sequences;
}
