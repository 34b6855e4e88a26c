import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { dataKeySeal } from '#server/security/dataKeys.ts';
import { connect } from '#server/db/connect.ts';
import { totpSeal } from '#server/features/auth/totp.ts';
import { mpxapiSeal } from '#server/features/providers/sealedKey.ts';
import { endpointSecretSeal } from '#server/features/webhooks/endpointSecret.ts';
import { withLocalSecrets } from '#server/config/localSecrets.ts';
import { openText, type Seal, sealText } from '#server/security/sealedText.ts';
import { withDatabase } from './withDatabase.ts';

type Database = ReturnType<typeof connect>['db'];

interface SealedColumn {
  table: string;
  column: string;
  idType: 'text' | 'bigint' | 'uuid';
  sealOf: (id: string) => Seal;
}

/** Everything that is sealed under SECRET_KEYS. A test looks for sealed values in every column of the database. */
const sealedColumns: readonly SealedColumn[] = [
  { table: 'data_keys', column: 'sealed_key', idType: 'text', sealOf: dataKeySeal },
  { table: 'providers', column: 'mpxapi', idType: 'bigint', sealOf: (id) => mpxapiSeal(Number(id)) },
  {
    table: 'staff_second_factors',
    column: 'sealed_secret',
    idType: 'bigint',
    sealOf: (id) => totpSeal(Number(id)),
  },
  { table: 'webhook_endpoints', column: 'secret', idType: 'uuid', sealOf: endpointSecretSeal },
  { table: 'webhook_endpoints', column: 'previous_secret', idType: 'uuid', sealOf: endpointSecretSeal },
];

/** Rows in one statement: short locks, and one notification of changed providers. */
const batchSize = 200;

interface SealedRow {
  id: string;
  sealed: string;
}

/** What became of the sealed values of one column. */
export interface Rotated {
  /** `table.column` */
  name: string;
  /** Sealed under the first key already. */
  current: number;
  /** Sealed again, under the first key. */
  resealed: number;
  /** Changed by somebody else during the run, and left to another run. */
  changed: number;
  /** Ids of rows that none of the keys opens. They are left as they are. */
  unopened: string[];
}

/**
 * Seals again, under the first of the secrets, what an older one sealed. Safe while servers run: a value is only
 * replaced if it is still the one that was read. A second run finds nothing to do.
 */
export async function rotateSecrets(db: Database, secretKeys: readonly string[]): Promise<Rotated[]> {
  const rotated: Rotated[] = [];
  for (const column of sealedColumns) rotated.push(await rotateColumn(db, secretKeys, column));
  return rotated;
}

async function rotateColumn(
  db: Database,
  secretKeys: readonly string[],
  sealed: SealedColumn,
): Promise<Rotated> {
  const name = `${sealed.table}.${sealed.column}`;
  const done: Rotated = { name, current: 0, resealed: 0, changed: 0, unopened: [] };
  let after: string | null = null;
  for (;;) {
    const rows: SealedRow[] = await readBatch(db, sealed, after);
    const old = rows.filter(({ id, sealed: text }) => {
      return openText(secretKeys.slice(0, 1), sealed.sealOf(id), text) === null;
    });
    const opened = old.map((row) => ({
      ...row,
      text: openText(secretKeys, sealed.sealOf(row.id), row.sealed),
    }));
    const again = opened.flatMap(({ id, sealed: before, text }) =>
      text === null ? [] : [{ id, before, after: sealText(secretKeys, sealed.sealOf(id), text) }],
    );
    const resealed = again.length === 0 ? 0 : await replace(db, sealed, again);
    done.current += rows.length - old.length;
    done.resealed += resealed;
    done.changed += again.length - resealed;
    done.unopened.push(...opened.flatMap(({ id, text }) => (text === null ? [id] : [])));
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return done;
    after = last.id;
  }
}

const sealedRows = z.array(z.object({ id: z.string(), sealed: z.string() }));

/** The next rows by id that have a value. */
async function readBatch(
  db: Database,
  { table, column, idType }: SealedColumn,
  after: string | null,
): Promise<SealedRow[]> {
  const isNext = after === null ? sql`true` : sql`id > ${after}::${sql.raw(idType)}`;
  const rows = await db.execute(sql`
    select id::text as id, ${sql.identifier(column)} as sealed from ${sql.identifier(table)}
    where ${sql.identifier(column)} is not null and ${isNext} order by ${sql.identifier(table)}.id limit ${batchSize}`);
  return sealedRows.parse([...rows]);
}

/** Returns how many still had the value that was read. */
async function replace(
  db: Database,
  { table, column, idType }: SealedColumn,
  values: readonly { id: string; before: string; after: string }[],
): Promise<number> {
  const rows = await db.execute(sql`
    update ${sql.identifier(table)} kept set ${sql.identifier(column)} = given.after
    from json_to_recordset(${JSON.stringify(values)}::json) as given (id ${sql.raw(idType)}, before text, after text)
    where kept.id = given.id and kept.${sql.identifier(column)} = given.before
    returning kept.id`);
  return rows.length;
}

/** Prints what became of everything that is sealed. Returns whether all of it is sealed under the first key now. */
export async function runSecretsRotate(url: string, secretKeys: readonly string[]): Promise<boolean> {
  const { db, close } = connect(url, { applicationName: 'clinic-leads-secrets', max: 1 });
  try {
    const rotated = await rotateSecrets(db, secretKeys);
    for (const { name, current, resealed, changed, unopened } of rotated) {
      console.log(`${name}: ${resealed} sealed again, ${current} already under the first key.`);
      if (changed > 0) console.error(`${name}: ${changed} changed during this run. Run it again.`);
      if (unopened.length > 0)
        console.error(`${name}: none of SECRET_KEYS opens the rows ${unopened.join(', ')}.`);
    }
    return rotated.every(({ changed, unopened }) => changed === 0 && unopened.length === 0);
  } finally {
    await close();
  }
}

/**
 * `npm run secrets:rotate`: after a new key was put first in SECRET_KEYS and deployed. Exit code 1 while anything needs
 * an older key.
 */
if (import.meta.main)
  await withDatabase(async ({ url, config }) => {
    const { secretKeys } = await withLocalSecrets(config);
    if (!(await runSecretsRotate(url, secretKeys))) process.exitCode = 1;
  });
