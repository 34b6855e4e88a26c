import { lookup } from 'node:dns/promises';
import { isLoopback, isPublicAddress } from '#server/security/publicAddress.ts';
import { driverPatchMissing, isPatched } from '#server/db/driverPatch.ts';
import { sql } from 'drizzle-orm';
import { type Config, ConfigError, parseConfig } from '#server/config/config.ts';
import { readSecretFiles } from '#server/config/secretFiles.ts';
import { listUnopenedKeys } from '#server/security/dataKeys.ts';
import type { Database } from '#server/db/connect.ts';
import { claims } from '#shared/brand/claims.ts';
import { explainerVideo, financingPartners, pressLogos, testimonial } from '#shared/brand/placeholders.ts';
import { settingGaps } from './doctorSettings.ts';

/** Something that isn't as a public site needs it. */
export interface Gap {
  /** A sentence; names of variables, claims and entries, never a value. */
  text: string;
  /** Whether production can't start, or answer, while it stands. */
  isBlocking: boolean;
}

function open(text: string): Gap {
  return { text, isBlocking: false };
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

/** Entries of the brand that are hidden because they aren't set, and claims nothing stands behind yet. */
export function brandGaps(): Gap[] {
  const unset = [...pressLogos, ...financingPartners].filter(
    ({ name, logoUrl }) => name === null || logoUrl === null,
  );
  const unproven = claims.filter(({ substantiation }) => substantiation === null);
  const unapproved = claims.filter(
    ({ approvedBy, approvedAt }) => approvedBy === null || approvedAt === null,
  );
  return [
    ...unset.map(({ id }) => open(`The brand's entry ${id} has no name and logo, so it isn't shown.`)),
    ...(explainerVideo === null
      ? [open('The brand has no explainer video: drawings stand in its place.')]
      : []),
    ...(testimonial === null ? [open('The brand has no testimonial, so none is shown.')] : []),
    ...unproven.map(({ id, text }) => open(`The claim ${id} (“${text}”) names nothing that proves it.`)),
    ...unapproved.map(({ id }) => open(`The claim ${id} hasn't been approved by anybody.`)),
  ];
}

interface Counts extends Record<string, unknown> {
  active: number;
  unplaced: number;
  approximate: number;
}

/** What the providers' records lack. Throws when the database can't be asked. */
export async function databaseGaps(db: Database): Promise<Gap[]> {
  const [found] = await db.execute<Counts>(sql`
    select count(*)::int as active, (count(*) filter (where location is null))::int as unplaced,
      (count(*) filter (where location_source in ('zip', 'prefix')))::int as approximate
    from providers where status = 't'`);
  const { active, unplaced, approximate } = found ?? { active: 0, unplaced: 0, approximate: 0 };
  return [
    ...(active === 0 ? [open('No provider is active: every lead stays unmatched.')] : []),
    ...(unplaced > 0
      ? [open(`${unplaced} active providers can't be placed, so no lead is matched with them by distance.`)]
      : []),
    ...(approximate > 0
      ? [
          open(
            `${approximate} active providers are placed at the center of their ZIP area and aren't shown on maps.`,
          ),
        ]
      : []),
  ];
}

interface Rights extends Record<string, unknown> {
  superuser: boolean;
  owner: boolean;
}

/** What the role in DATABASE_URL may do beyond rows, evidence and audit log included. */
export async function roleGaps(db: Database): Promise<Gap[]> {
  const [found] = await db.execute<Rights>(sql`
    select rolsuper as superuser,
      (select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('leads')) is true as owner
    from pg_roles where rolname = current_user`);
  if (found?.superuser === true)
    return [
      open(
        'The role in DATABASE_URL is a superuser: a fault in the application could run programs on the database’s machine and rewrite evidence. Use two roles (docs/operations.md).',
      ),
    ];
  return found?.owner === true
    ? [
        open(
          'The role in DATABASE_URL owns the tables: a fault in the application could rewrite evidence and the audit log. Use two roles (docs/operations.md).',
        ),
      ]
    : [];
}

interface Collation extends Record<string, unknown> {
  name: string;
  /** The version of the collation that the indexes were built with; null: it has none, as `C`. */
  stored: string | null;
  /** That of the system or image that Postgres runs on now. */
  actual: string | null;
}

/** Indexes of text are in the order of a former collation: unique ones may accept duplicates, and searches miss rows. */
export function collationGaps({ name, stored, actual }: Collation): Gap[] {
  if (stored === null || actual === null || stored === actual) return [];
  const text = `Indexes of text were built with version ${stored} of the collation, and Postgres now runs with ${actual}: they may miss rows and accept duplicates. Run "reindex database ${name}", then "alter database ${name} refresh collation version".`;
  return [open(text)];
}

/** Whether the database's default collation is the one that its indexes were built with. */
export async function readCollationGaps(db: Database): Promise<Gap[]> {
  const [found] = await db.execute<Collation>(sql`
    select quote_ident(datname) as name, datcollversion as stored, pg_database_collation_actual_version(oid) as actual
    from pg_database where datname = current_database()`);
  return found === undefined ? [] : collationGaps(found);
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

/**
 * Whether the CRM can be called: its name is looked up, nothing is sent. Deliveries to an address that isn't public are
 * held.
 */
export async function crmGaps({ crm, production }: Pick<Config, 'crm' | 'production'>): Promise<Gap[]> {
  if (crm === null) return [];
  const variable = crm.kind === 'webhook' ? 'CRM_WEBHOOK_URL' : 'HUBSPOT_URL';
  const host = new URL(crm.url).hostname.replace(/^\[|\]$/g, '');
  const found = await lookup(host, { all: true }).catch(() => []);
  if (found.length === 0)
    return [open(`${variable} names a host that can't be found: its deliveries are retried, then held.`)];
  const isAllowed = (address: string): boolean =>
    isPublicAddress(address) || (!production && isLoopback(address));
  return found.every(({ address }) => isAllowed(address))
    ? []
    : [open(`${variable} leads to an address that isn't public: its deliveries are held.`)];
}

/** In the way of production, which doesn't start with a driver that was installed without its patch. */
export function driverGaps(driver: object): Gap[] {
  return isPatched(driver) ? [] : [{ text: driverPatchMissing, isBlocking: true }];
}
