import type { SyncRun, SyncRunOutcome } from '#shared/admin/sync.ts';
import { listAlerts } from '#server/features/alerts/alerts.ts';
import type { Source } from '#server/features/sync/source.ts';
import type { SyncedColumn } from '#shared/providers/providerFieldLists.ts';
import type { SyncSetup } from '#test/support/syncSetup.ts';
import type { FeedRecord } from '#scripts/demo/wordpressFeed.ts';
import { waitUntil } from './waitFor.ts';

/** The counts of a successful run. */
export function toCounts(outcome: SyncRunOutcome): Partial<SyncRun> {
  if (!outcome.success) throw new Error(outcome.error);
  const { read, created, updated, unchanged, deactivated, skipped } = outcome.run;
  return { read, created, updated, unchanged, deactivated, skipped };
}

/** The number of row versions written to `providers`, by its statistics. A session adds to them when it ends. */
export async function writtenRows({ database: { sql } }: SyncSetup): Promise<number> {
  const sessions = async () =>
    (
      await sql`select 1 from pg_stat_activity where datname = current_database() and application_name like 'sync of %'`
    ).length;
  await waitUntil(async () => (await sessions()) === 0);
  const [row] = await sql<{ n: string }[]>`
    select n_tup_ins + n_tup_upd + n_tup_del as n from pg_stat_user_tables where relname = 'providers'`;
  return Number(row?.n);
}

export function change(setup: SyncSetup, id: number, fields: Partial<FeedRecord>): void {
  setup.feed.records = setup.feed.records.map((record) =>
    record.id === id ? { ...record, ...fields } : record,
  );
}

/** A source of these records, as a file is. */
export function toRows(records: readonly object[], absent?: readonly SyncedColumn[]): Source {
  return {
    kind: 'file',
    base: null,
    pages: () =>
      (async function* () {
        yield await Promise.resolve({ records, media: new Map<number, string>() });
      })(),
    find: null,
    keptColumns: () => absent,
    expectedTotal: () => null,
    modifiedAt: () => null,
  };
}

/** A record with what a provider needs, as files and scripts have it. */
export const flatRecord = (id: number, changes: object = {}) => ({
  wordpress_id: id,
  name: `Clinic ${id}`,
  email: `clinic-${id}@example.com`,
  zip_code: '80202',
  ...changes,
});

/** The open alerts. */
export async function collectAlerts({
  database,
}: SyncSetup): Promise<[kind: string, subject: string, message: string][]> {
  const { alerts } = await listAlerts(database.db);
  return alerts.map(({ kind, subject, message }) => [kind, subject, message]);
}

/** The status of every provider. */
export const listStatuses = async (setup: SyncSetup) =>
  (await setup.providers()).map(({ status }) => status).join('');
