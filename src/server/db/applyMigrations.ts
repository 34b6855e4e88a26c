import { setTimeout as delay } from 'node:timers/promises';
import type postgres from 'postgres';
import { hasCode } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Sql } from './pool.ts';
import { StartFault } from './startFault.ts';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** How long a migration waits for a table that is in use before it lets waiting requests pass and tries again. */
const lockTimeoutMs = 3_000;
const lockRetriesMax = 20;
const lockRetryMs = 1_000;
/** `lock_not_available` and `deadlock_detected`. */
const lockCodes = new Set(['55P03', '40P01']);

/** Between the statements of a migration that runs outside a transaction. */
const breakpoint = '--> statement-breakpoint';

interface ApplyOptions {
  log: Log;
  signal?: AbortSignal | undefined;
  /** Less in tests. */
  timeoutMs?: number;
}

/**
 * Names and hashes of the migrations that were applied to a database, in order; null for one that has no record of any.
 */
export async function listApplied(sql: postgres.ISql): Promise<{ name: string; sha256: string }[] | null> {
  const [table] = await sql<
    { exists: boolean }[]
  >`select to_regclass('public.schema_migrations') is not null as exists`;
  if (table?.exists !== true) return null;
  return sql<{ name: string; sha256: string }[]>`select name, sha256 from schema_migrations order by name`;
}

/** Names of the applied migrations that this version doesn't know. */
export async function listNewer(sql: Sql, files: readonly MigrationFile[]): Promise<string[]> {
  const known = new Set(files.map(({ name }) => name));
  const applied = (await listApplied(sql)) ?? [];
  return applied.map(({ name }) => name).filter((name) => !known.has(name));
}

/**
 * Throws StartFault, before any change, for a database that these migrations don't continue: from before 1.0, from a
 * newer version, with migrations edited since, or with tables of unknown origin.
 */
export async function refuseForeignSchema(
  sql: Sql,
  files: readonly MigrationFile[],
  { acceptsNewer = false } = {},
): Promise<void> {
  const refuse = (message: string): never => {
    throw new StartFault(message, { permanent: true });
  };
  const applied = await listApplied(sql);
  if (applied === null) {
    const [found] = await sql<{ old: boolean; tables: boolean }[]>`
      select to_regclass('drizzle.__drizzle_migrations') is not null as old, to_regclass('public.leads') is not null as tables`;
    if (found?.old === true)
      refuse(
        "The database was made by a version before 1.0, which can't be upgraded. Use an empty database, or delete all data with npm run db:reset.",
      );
    if (found?.tables === true)
      refuse(
        'The database has tables of this product but no record of its migrations. Restore it from a backup, or use an empty database.',
      );
    return;
  }
  const known = new Map(files.map(({ name, sha256 }) => [name, sha256]));
  const unknown = await listNewer(sql, files);
  if (unknown.length > 0 && !acceptsNewer)
    refuse(
      `The database has ${unknown.length} ${unknown.length === 1 ? 'migration' : 'migrations'} that this version doesn't know: a newer version migrated it. Start that version, or restore the database from a backup made before.`,
    );
  const edited = applied.find(({ name, sha256 }) => known.has(name) && known.get(name) !== sha256);
  if (edited !== undefined)
    refuse(
      `Migration ${edited.name} was edited after it was applied to this database. Use the version that applied it, or delete all data with npm run db:reset.`,
    );
}

async function listMissing(sql: Sql, files: readonly MigrationFile[]): Promise<MigrationFile[]> {
  const applied = new Set((await listApplied(sql))?.map(({ name }) => name));
  return files.filter(({ name }) => !applied.has(name));
}

/** Functions whose text differs from the one that was applied last. */
async function listChanged(sql: Sql, functions: readonly FunctionFile[]): Promise<FunctionFile[]> {
  const [table] = await sql<
    { exists: boolean }[]
  >`select to_regclass('public.schema_functions') is not null as exists`;
  if (table?.exists !== true) return [...functions];
  const rows = await sql<{ name: string; sha256: string }[]>`select name, sha256 from schema_functions`;
  const applied = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
  return functions.filter(({ name, sha256 }) => applied.get(name) !== sha256);
}

/** How many migrations and functions of this version the database lacks. Changes nothing. */
export async function countPending(
  sql: Sql,
  files: readonly MigrationFile[],
  functions: readonly FunctionFile[],
): Promise<number> {
  return (await listMissing(sql, files)).length + (await listChanged(sql, functions)).length;
}

/** Applies missing migrations, each with its record in its own transaction. Returns how many there were. */
export async function applyMigrations(
  sql: Sql,
  files: readonly MigrationFile[],
  { log, signal, timeoutMs = lockTimeoutMs }: ApplyOptions,
): Promise<number> {
  await sql`create table if not exists schema_migrations (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now())`;
  const missing = await listMissing(sql, files);
  for (const file of missing) {
    const attempt = <T>(work: () => Promise<T>): Promise<T> =>
      whileLocked(work, { log, signal, what: file.name });
    if (file.kind === 'batched')
      while ((await attempt(() => applyBatch(sql, file, timeoutMs))) > 0) signal?.throwIfAborted();
    await attempt(() => applyOne(sql, file, timeoutMs));
  }
  return missing.length;
}

/** Changes the next rows of a backfill. Returns how many: 0 when there are none left. */
async function applyBatch(sql: Sql, { text }: MigrationFile, timeoutMs: number): Promise<number> {
  return sql.begin(async (tx) => {
    await tx`select set_config('lock_timeout', ${String(timeoutMs)}, true)`;
    return (await tx.unsafe(text)).count;
  });
}

async function applyOne(sql: Sql, file: MigrationFile, timeoutMs: number): Promise<void> {
  const { name, sha256, text, kind } = file;
  const record = (tx: postgres.ISql): PromiseLike<unknown> =>
    tx`insert into schema_migrations (name, sha256) values (${name}, ${sha256})`;
  if (kind === 'concurrent') {
    // Building an index waits for older transactions, such as an export, and blocks nobody.
    await sql`select set_config('lock_timeout', '0', false)`;
    for (const statement of text.split(breakpoint))
      if (!(await isBuilt(sql, statement))) await sql.unsafe(statement);
    await record(sql);
    return;
  }
  await sql.begin(async (tx) => {
    await tx`select set_config('lock_timeout', ${String(timeoutMs)}, true)`;
    await tx.unsafe(text);
    await record(tx);
  });
}

/**
 * Whether the index that a statement builds concurrently is there: the process ended before it could record the
 * migration. Drops an invalid one, which an interrupted build leaves behind.
 */
async function isBuilt(sql: Sql, statement: string): Promise<boolean> {
  const [, name] = /^\s*create\s+(?:unique\s+)?index\s+concurrently\s+(\w+)/im.exec(statement) ?? [];
  if (name === undefined) return false;
  const [index] = await sql<{ isValid: boolean }[]>`
    select indisvalid as "isValid" from pg_index where indexrelid = to_regclass(${`public.${name}`})`;
  if (index?.isValid === false) await sql`drop index concurrently ${sql(name)}`;
  return index?.isValid === true;
}

/** Replaces the functions and triggers whose text differs from the one that was applied last, in one transaction. */
export async function applyFunctions(
  sql: Sql,
  functions: readonly FunctionFile[],
  { log, signal, timeoutMs = lockTimeoutMs }: ApplyOptions,
): Promise<void> {
  await sql`create table if not exists schema_functions (name text primary key, sha256 text not null)`;
  const changed = await listChanged(sql, functions);
  if (changed.length === 0) return;
  const apply = () =>
    sql.begin(async (tx) => {
      await tx`select set_config('lock_timeout', ${String(timeoutMs)}, true)`;
      for (const { name, text, sha256 } of changed) {
        await tx.unsafe(text);
        await tx`insert into schema_functions (name, sha256) values (${name}, ${sha256})
          on conflict (name) do update set sha256 = excluded.sha256`;
      }
    });
  await whileLocked(apply, { log, signal, what: 'functions' });
}

/** Runs work again while a lock it needs is held elsewhere. The table's other users are served between the attempts. */
async function whileLocked<T>(
  work: () => Promise<T>,
  { log, signal, what }: { log: Log; signal: AbortSignal | undefined; what: string },
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!hasCode(error, lockCodes) || attempt === lockRetriesMax) throw error;
      log.warn(
        { event: 'migration.blocked', migration: what, attempt },
        'a migration waits for a table that is in use',
      );
      await delay(lockRetryMs, undefined, signal === undefined ? {} : { signal });
    }
  }
}

const migrationsFolder = fileURLToPath(new URL('../../../migrations', import.meta.url));
const sqlFolder = fileURLToPath(new URL('sql', import.meta.url));

/** A migration is applied once, in the order of the names, and is never edited after version 1.0.0. */
export interface MigrationFile {
  /** Such as `0003_webhooks`. */
  name: string;
  text: string;
  /** Of the text, in hexadecimal: distinguishes an edited migration from the one that was applied. */
  sha256: string;
  kind: MigrationKind;
}

/**
 * A file's first line names its kind, by default `transaction`. `-- concurrent`: outside a transaction, for `create
 * index concurrently`. `-- batched`: repeats one statement, each time in its own transaction, until it changes none.
 */
export type MigrationKind = 'transaction' | 'concurrent' | 'batched';

/** The current text of a function and its triggers: may be applied any number of times. */
export type FunctionFile = Omit<MigrationFile, 'kind'>;

function readFolder(folder: string): FunctionFile[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      const sha256 = createHash('sha256').update(text).digest('hex');
      return { name: path.basename(file, '.sql'), text, sha256 };
    });
}

/** The migrations of this version, in order. */
export function readMigrations(folder = migrationsFolder): MigrationFile[] {
  return readFolder(folder).map((file) => ({
    ...file,
    kind: getKind(file.text),
  }));
}

export function getKind(text: string): MigrationKind {
  const [first = ''] = text.split('\n', 1);
  return (['concurrent', 'batched'] as const).find((kind) => first.trim() === `-- ${kind}`) ?? 'transaction';
}

/** The functions and triggers of this version. */
export function readFunctions(): FunctionFile[] {
  return readFolder(sqlFolder);
}
