import { driverPatchMissing, isPatched } from '#server/db/driverPatch.ts';
import { z } from 'zod';
import { type Config, ConfigError, parseConfig } from '#server/config/config.ts';
import { readSecretFiles } from '#server/config/secretFiles.ts';
import { listUnopenedKeys } from '#server/security/dataKeys.ts';
import { countPending, listNewer, readFunctions, readMigrations } from '#server/db/applyMigrations.ts';
import type { Database } from '#server/db/connect.ts';
import { readRow } from '#server/db/readRows.ts';
import { isDashboardConfigured } from '#server/features/auth/accounts.ts';
import { countWorkers } from '#server/features/deliveries/queueHealth.ts';
import { settingGaps } from './doctorSettings.ts';

/** Something that isn't as a public site needs it. */
export interface Gap {
  /** A sentence; names of variables, claims and entries, never a value. */
  text: string;
  /** Whether production can't start, or answer, while it stands. */
  isBlocking: boolean;
}

/** A gap that production starts with. */
export function open(text: string): Gap {
  return { text, isBlocking: false };
}

/** `1 claim`, `2 claims`. */
export function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** What production refuses in this environment, and the settings that only an operator can judge. */
export function configGaps(env: Record<string, string | undefined>): Gap[] {
  const settings = settingGaps(readSecretFiles(env).env).map(open);
  try {
    parseConfig({ ...env, NODE_ENV: 'production' });
    return settings;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [...error.faults.map((text) => ({ text, isBlocking: true })), ...settings];
  }
}

const counts = z.object({ active: z.number(), unplaced: z.number(), approximate: z.number() });

/** Migrations that the database lacks: nothing else in it can be checked. Those of a newer version are no gap. */
export async function migrationGaps({ $client: pool }: Database): Promise<Gap[]> {
  const files = readMigrations();
  const newer = await listNewer(pool, files);
  const pending = await countPending(pool, files, newer.length > 0 ? [] : readFunctions());
  if (pending === 0) return [];
  const text = `The database lacks ${countText(pending, 'migration')} or functions of this version, so nothing in it was checked: run npm run db:migrate.`;
  return [{ text, isBlocking: true }];
}

/** Whether anything delivers: where web processes leave that to a worker, one has to run now. */
export async function workerGaps(db: Database, { worker }: Pick<Config, 'worker'>): Promise<Gap[]> {
  if (worker === 'inline' || (await countWorkers(db)) > 0) return [];
  return [open('No worker is running: nothing is delivered.')];
}

/** Whether anybody can sign in. */
export async function signInGaps(db: Database, config: Config): Promise<Gap[]> {
  if (await isDashboardConfigured({ config, db })) return [];
  return [
    open("Nobody can sign in to the dashboard: ADMIN_PASSWORD_HASH isn't set, and there is no account."),
  ];
}

/** What the providers' records lack. Throws when the database can't be asked. */
export async function providerGaps(db: Database): Promise<Gap[]> {
  const { active, unplaced, approximate } = await readRow(db, counts)`
    select count(*)::int as active, (count(*) filter (where location is null))::int as unplaced,
      (count(*) filter (where location_source in ('zip', 'prefix')))::int as approximate
    from providers where status = 't'`;
  return [
    ...(active === 0 ? [open('No provider is active: every lead stays unmatched.')] : []),
    ...(unplaced > 0
      ? [
          open(
            `${countText(unplaced, 'active provider')} can't be placed: no lead is matched with them by distance.`,
          ),
        ]
      : []),
    ...(approximate > 0
      ? [
          open(
            `${countText(approximate, 'active provider')} without coordinates: placed at the center of the ZIP area, and not shown on maps.`,
          ),
        ]
      : []),
  ];
}

const rights = z.object({ superuser: z.boolean(), owner: z.boolean() });

/** What the role in DATABASE_URL may do beyond rows, evidence and audit log included. */
export async function roleGaps(db: Database): Promise<Gap[]> {
  const { superuser, owner } = await readRow(db, rights)`
    select rolsuper as superuser,
      (select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('leads')) is true as owner
    from pg_roles where rolname = current_user`;
  if (superuser)
    return [
      open(
        'The role in DATABASE_URL is a superuser: a fault in the application could run programs on the database’s machine and rewrite evidence. Use two roles (docs/operations.md).',
      ),
    ];
  return owner
    ? [
        open(
          'The role in DATABASE_URL owns the tables: a fault in the application could rewrite evidence and the audit log. Use two roles (docs/operations.md).',
        ),
      ]
    : [];
}

const collation = z.object({
  name: z.string(),
  /** The version of the collation that the indexes were built with; null: it has none, as `C`. */
  stored: z.string().nullable(),
  /** That of the system or image that Postgres runs on now. */
  actual: z.string().nullable(),
});

/** Indexes of text are in the order of a former collation: unique ones may accept duplicates, and searches miss rows. */
export function collationGaps({ name, stored, actual }: z.output<typeof collation>): Gap[] {
  if (stored === null || actual === null || stored === actual) return [];
  const text = `Indexes of text were built with version ${stored} of the collation, and Postgres now runs with ${actual}: they may miss rows and accept duplicates. Run "reindex database ${name}", then "alter database ${name} refresh collation version".`;
  return [open(text)];
}

/** Whether the database's default collation is the one that its indexes were built with. */
export async function readCollationGaps(db: Database): Promise<Gap[]> {
  const found = await readRow(db, collation)`
    select quote_ident(datname) as name, datcollversion as stored, pg_database_collation_actual_version(oid) as actual
    from pg_database where datname = current_database()`;
  return collationGaps(found);
}

/**
 * Keys in the database that SECRET_KEYS can't open: without the identity key nothing is sent, as nobody can tell whom
 * it may be sent to.
 */
export async function keyGaps(db: Database, secretKeys: readonly string[]): Promise<Gap[]> {
  const unopened = await listUnopenedKeys({ db, secretKeys });
  return unopened.map((id) => ({
    text: `None of SECRET_KEYS opens the database's key ${id}: nothing is delivered. Add the key that was used before.`,
    isBlocking: true,
  }));
}

/** In the way of production, which doesn't start with a driver that was installed without its patch. */
export function driverGaps(driver: object): Gap[] {
  return isPatched(driver) ? [] : [{ text: driverPatchMissing, isBlocking: true }];
}
