import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { advisoryLocks } from '#server/db/advisoryLocks.ts';
import type { Queryable } from '#server/db/connect.ts';
import { bigintColumn, readRow, readRows } from '#server/db/readRows.ts';

/** More numbers than are given between two notes. */
const noteGap = 100_000;
/** More numbers than were given between a backup and the loss of its database, if nothing was noted. */
const backupGap = 1_000_000;
const clockStart = Date.UTC(2026, 0, 1);

const numberRow = z.object({ name: z.string(), last: bigintColumn });
const columnRow = z.object({ name: z.string(), table: z.string(), column: z.string() });
const highestRow = z.object({ highest: z.coerce.number() });

/** The highest number of each sequence: the last one that it gave. */
export async function readNumbers(db: Queryable): Promise<Record<string, number>> {
  const rows = await readRows(db, numberRow)`
    select sequencename as name, last_value as last from pg_sequences
    where schemaname = 'public' and last_value is not null order by sequencename`;
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}

/** The same, or the highest number in the sequence's column if that is higher. */
async function readHighest(db: Queryable): Promise<Record<string, number>> {
  const columns = await readRows(db, columnRow)`
    select s.relname as name, t.relname as table, a.attname as column
    from pg_class s join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = s.oid and d.deptype in ('a', 'i')
    join pg_class t on t.oid = d.refobjid join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
    where s.relkind = 'S' and s.relnamespace = 'public'::regnamespace order by s.relname`;
  const last = await readNumbers(db);
  const numbers: Record<string, number> = {};
  for (const { name, table, column } of columns) {
    const { highest } = await readRow(db, highestRow)`
      select coalesce(max(${sql.identifier(column)}), 0) as highest from ${sql.identifier(table)}`;
    numbers[name] = Math.max(highest, last[name] ?? 0);
  }
  return numbers;
}

/** Lets sequences continue after these numbers, unless they are there already. Returns the names of those it moved. */
async function moveSequences(tx: Queryable, targets: Readonly<Record<string, number>>): Promise<string[]> {
  await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.moveSequences})`);
  // Under the lock: another process may have moved them.
  const numbers = await readNumbers(tx);
  const moved = Object.entries(targets).filter(([name, target]) => (numbers[name] ?? 0) < target);
  for (const [name, target] of moved)
    await tx.execute(sql`select setval(format('public.%I', ${name}::text)::regclass, ${target}::bigint)`);
  return moved.map(([name]) => name);
}

type Numbers = Readonly<Record<string, number>>;

async function existing(db: Queryable, noted: Numbers): Promise<[name: string, number: number][]> {
  const rows = await readRows(db, z.object({ name: z.string() }))`
    select sequencename as name from pg_sequences where schemaname = 'public'`;
  const names = new Set(rows.map(({ name }) => name));
  return Object.entries(noted).filter(([name]) => names.has(name));
}

/**
 * Lets every sequence that is behind its noted number continue 100,000 beyond it: the database was restored, and the
 * numbers between belong to rows that it lost. Changes nothing else. Returns the names of those it moved.
 */
export function moveBehind(db: Queryable, noted: Numbers): Promise<string[]> {
  return db.transaction(async (tx) => {
    const last = await readNumbers(tx);
    const behind = (await existing(tx, noted)).filter(([name, number]) => (last[name] ?? 0) < number);
    return moveSequences(tx, Object.fromEntries(behind.map(([name, number]) => [name, number + noteGap])));
  });
}

/**
 * After a restore, lets every sequence continue 100,000 beyond its noted number; again changes nothing. Without notes,
 * it continues 1,000,000 and the seconds since 2026 beyond the highest number: two restores of one backup never give the
 * same number. Returns the names of those it moved.
 */
export function moveAfterRestore(
  db: Queryable,
  { noted, now }: { noted: Numbers | null; now: Date },
): Promise<string[]> {
  return db.transaction(async (tx) => {
    const seconds = Math.floor((now.getTime() - clockStart) / 1_000);
    const targets =
      noted === null
        ? Object.entries(await readHighest(tx)).map(([name, highest]) => [
            name,
            highest + backupGap + seconds,
          ])
        : (await existing(tx, noted)).map(([name, number]) => [name, number + noteGap]);
    return moveSequences(tx, Object.fromEntries(targets));
  });
}
