import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import * as schema from '#server/db/schema/index.ts';

const server = resolve(import.meta.dirname, '../src/server');

/** The one folder under `src/server` that writes each table; all others call its functions. */
const owners: Record<string, string> = {
  assignment_undos: 'features/leads',
  address_notices: 'features/addressNotices',
  alerts: 'features/alerts',
  access_changes: 'features/ledger',
  application_messages: 'features/applications',
  api_tokens: 'features/auth',
  audit_log: 'features/audit',
  channel_refusals: 'features/outbox',
  claim_acceptances: 'features/claims',
  consent_checkpoints: 'features/consent',
  consent_erasures: 'features/consent',
  consent_form_snapshots: 'features/consent',
  consent_records: 'features/consent',
  consent_seal_queue: 'features/consent',
  consent_seals: 'features/consent',
  consent_withdrawals: 'features/consent',
  data_keys: 'security',
  deliveries: 'features/outbox',
  delivery_attempts: 'features/outbox',
  erasure_ledger: 'features/ledger',
  area_people: 'features/applications',
  form_starts: 'features/formSteps',
  form_steps: 'features/formSteps',
  geocoded_addresses: 'features/sync',
  hidden_claims: 'features/claims',
  problem_reports: 'features/claims',
  idempotency_keys: 'features/submissions',
  lead_attribution: 'features/leads',
  lead_corrections: 'features/leads',
  lead_notes: 'features/leads',
  lead_reminders: 'features/leads',
  lead_outcomes: 'features/outcomes',
  leads: 'features/leads',
  outcome_choices: 'features/outcomes',
  normal_form_upgrades: 'features/erasure',
  over_limit_leads: 'features/leads',
  provider_applications: 'features/applications',
  providers: 'features/providers',
  rate_limits: 'security',
  recipient_emails: 'features/mail',
  rematch_requests: 'features/leads',
  staff_accounts: 'features/auth',
  staff_invitations: 'features/auth',
  staff_identities: 'features/auth',
  staff_second_factor_roles: 'features/auth',
  staff_second_factors: 'features/auth',
  staff_sessions: 'features/auth',
  staff_tasks: 'features/suppression',
  suppressions: 'features/suppression',
  sync_run_rows: 'features/sync',
  sync_runs: 'features/sync',
  unreachable_addresses: 'features/mail',
  unreachable_providers: 'features/unreachable',
  webhook_endpoints: 'features/webhooks',
  webhook_events: 'features/webhooks',
  weekly_emails: 'features/insights',
  zip_centroids: 'features/matching',
  zip_edition: 'features/matching',
};

/** Files that write columns of another feature's table: `crm_sync_status`, `delivery_failed` and `clinic_not_reached` of `leads`. */
const exceptions: Record<string, readonly string[]> = {
  leads: ['features/outbox/leadStatus.ts'],
};

/** Names of the tables in SQL by the names of their exports in `db/schema`. */
const tables = new Map(
  Object.entries(schema).flatMap(([variable, value]) =>
    is(value, PgTable) ? [[variable, getTableName(value)] as const] : [],
  ),
);
const variables = [...tables.keys()].join('|');
const sqlNames = [...tables.values()].join('|');

/** `.insert(leads)`, `.update(schema.leads)`. */
const queryBuilder = new RegExp(
  `\\.\\s*(?:insert|update|delete)\\(\\s*(?:schema\\.)?(${variables})\\s*\\)`,
  'g',
);
/** `insertRows(leads, rows)`. */
const rowsInserted = new RegExp(`\\binsertRows\\(\\s*(?:schema\\.)?(${variables})\\b`, 'g');
/** `insert into leads`, `delete from ${leads}`, `update only public."leads"`. */
const rawSql = new RegExp(
  `\\b(?:insert\\s+into|update|delete\\s+from|truncate(?:\\s+table)?|merge\\s+into|copy)\\s+(?:only\\s+)?(?:public\\.)?(?:"?\\b(${sqlNames})\\b|\\$\\{(?:schema\\.)?(${variables})\\})`,
  'gi',
);

/** The tables that a source writes, by their names in SQL. */
function writtenTables(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*(?:\/\/|--).*$/gm, '');
  const found = [queryBuilder, rowsInserted, rawSql]
    .flatMap((pattern) => [...code.matchAll(pattern)])
    .map(([, first, second = '']) => tables.get(first ?? second) ?? first?.toLowerCase() ?? '');
  return [...new Set(found)].toSorted();
}

/** The files that write each table, as paths under `src/server`. */
function findWriters(): Map<string, string[]> {
  const files = readdirSync(server, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.(?:ts|sql)$/.test(file) && !file.endsWith('.test.ts'))
    .filter((file) => !file.startsWith('db/schema/'));
  const writes = files.flatMap((file) =>
    writtenTables(readFileSync(join(server, file), 'utf8')).map((table) => ({ table, file })),
  );
  const byTable = Map.groupBy(writes, ({ table }) => table);
  return new Map([...byTable].map(([table, list]) => [table, list.map(({ file }) => file)]));
}

/** The files that write a table and belong neither to its owner nor to the exceptions. */
function foreignWriters(writers: ReadonlyMap<string, readonly string[]>): string[] {
  return [...writers].flatMap(([table, files]) =>
    files
      .filter((file) => !file.startsWith(`${owners[table]}/`) && exceptions[table]?.includes(file) !== true)
      .map((file) => `${file} writes ${table}, which belongs to ${owners[table]}`),
  );
}

test('every table has an owner', () => {
  expect(Object.keys(owners).toSorted()).toEqual([...tables.values()].toSorted());
});

test('each table is written by its owner only', () => {
  const writers = findWriters();
  expect(writers.size).toBeGreaterThan(20);
  expect(foreignWriters(writers)).toEqual([]);
});

test('each owner writes its tables, and each exception is needed', () => {
  const writers = findWriters();
  const writes = (table: string, place: string): boolean =>
    writers.get(table)?.some((file) => file === place || file.startsWith(`${place}/`)) === true;
  const idle = Object.entries(owners).filter(([table, owner]) => !writes(table, owner));
  expect(idle).toEqual([]);
  for (const [table, files] of Object.entries(exceptions))
    for (const file of files) expect([table, file, writes(table, file)]).toEqual([table, file, true]);
});

test.each([
  ['await tx.insert(staffTasks).values(rows)', ['staff_tasks']],
  ['await db\n  .update( leads )\n  .set({})', ['leads']],
  ['tx.delete(schema.suppressions)', ['suppressions']],
  ['tx.execute(insertRows(\n  deliveries, rows))', ['deliveries']],
  ['sql`insert into leads (id) values (1)`', ['leads']],
  ['sql`with a as (INSERT INTO\n  deliveries as d select 1) select 1`', ['deliveries']],
  ['sql`update ${syncRuns} set read = 1`', ['sync_runs']],
  ['sql`delete from only public."zip_edition"`', ['zip_edition']],
  ['sql`truncate table audit_log`', ['audit_log']],
  ['tx.update(leads); sql`delete from leads`; tx.insert(providers)', ['leads', 'providers']],
])('the scan finds the writes of %j', (source, written) => {
  expect(writtenTables(source)).toEqual(written);
});

test.each([
  'db.select().from(leads).for("update")',
  'sql`select 1 from leads for update skip locked`',
  'sql`insert into sync_changes select id from leads`',
  'cache.delete(leadsById)',
  '/** Callers update leads themselves. */',
  '  // insert into leads',
  'sql`update leads_archive set id = 1`',
])('the scan finds no write in %j', (source) => {
  expect(writtenTables(source)).toEqual([]);
});

test('a write outside the owner is reported, one of the owner or an exception is not', () => {
  const planted = new Map([
    [
      'leads',
      [
        'features/leads/changes/leadChanges.ts',
        'features/outbox/leadStatus.ts',
        'features/outcomes/recordOutcome.ts',
      ],
    ],
    ['suppressions', ['features/suppressionList/lift.ts']],
  ]);
  expect(foreignWriters(planted)).toEqual([
    'features/outcomes/recordOutcome.ts writes leads, which belongs to features/leads',
    'features/suppressionList/lift.ts writes suppressions, which belongs to features/suppression',
  ]);
});
