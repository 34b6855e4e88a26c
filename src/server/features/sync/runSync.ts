import { z } from 'zod';
import { type SyncKind, type SyncRunOutcome, type SyncRunRow, syncRunRowsMax } from '#shared/admin/sync.ts';
import { runMessages } from './messages.ts';
import { syncRuns } from '#server/metrics.ts';
import type { Services } from '#server/services.ts';
import { createFieldMap } from '#server/config/fieldMap.ts';
import type { SyncedColumn } from '#shared/providers/providerFieldLists.ts';
import type { Connection, Queryable } from '#server/db/connect.ts';
import { bigintColumn, readRow, readRows } from '#server/db/readRows.ts';
import { openOwnConnection } from '#server/db/openSideConnection.ts';
import type { SyncRunInsert, SyncRunRecord } from '#server/db/schema/index.ts';
import {
  applyDifferences,
  type Differences,
  findDifferences,
  listChanges,
  guardAgainstLoss,
  guardAgainstLostDomains,
} from './differences.ts';
import { fillFromCache, geocodeMissing } from './geocodeMissing.ts';
import {
  findRunning,
  insertRun,
  insertRunRows,
  tidyRuns,
  toSyncRun,
  endRun,
  wasStatusFieldUsed,
  releaseRunLock,
  takeReconcileLock,
  tryRunLock,
} from './runRecords.ts';
import type { ChangeAuthor } from '../providers/providerChanges.ts';
import { reportProviders } from './reportProviders.ts';
import { RunRefused, type Source, SourceError } from './source.ts';
import { keepUnchanged } from './files/keepUnchanged.ts';
import { createStagingTable, StagedProviders } from './stagedProviders.ts';

export type SyncServices = Pick<Services, 'config' | 'db' | 'log' | 'now' | 'zipTable'>;

export interface SyncOrder {
  source: Source;
  kind: SyncKind;
  /** Reports the changes without making them. */
  dryRun: boolean;
  /** Ignores the guards. */
  force: boolean;
  /** Who requested it, for staff. */
  startedBy: string;
  /** The same for the audit log. By default, the name is that of a command. */
  author?: RunAuthor | undefined;
  /** Where an incremental run starts. Kept if it finds nothing newer. */
  modifiedSince?: Date | null;
  /** Aborts it while it reads, when the process stops. */
  signal?: AbortSignal | undefined;
}

/** Who requested a run, and from which address; null for a command. */
export type RunAuthor = Pick<ChangeAuthor, 'actor' | 'ip'>;

/** The parts of one run. Its connection has the lock and the staging table. */
interface Run {
  services: SyncServices;
  order: SyncOrder;
  connection: Connection;
  record: SyncRunRecord;
  staged: StagedProviders;
}

/**
 * Updates the providers from a source: reads it completely into a staging table, then finds and writes the differences
 * in one transaction with the run's record. A source that fails, a guard, or a process that dies changes nothing. One
 * run at a time over all processes; a second one returns who is running. Throws unexpected errors after recording the
 * failure.
 */
export async function runSync(services: SyncServices, order: SyncOrder): Promise<SyncRunOutcome> {
  const connection = openOwnConnection(services.db.$client, 'sync');
  try {
    if (!(await tryRunLock(connection.db))) return await busy(services);
    await tidyRuns(connection.db, services.now());
    const { source, kind, startedBy, dryRun, force: forced } = order;
    const startedAt = services.now();
    const record = await insertRun(connection.db, {
      ...{ source: source.kind, kind, startedBy, dryRun, forced, startedAt },
    });
    // Changes since the last run are too few to show whether a status field is used.
    const isFieldUsed =
      kind === 'incremental' && (await wasStatusFieldUsed(connection.db, { source: 'wordpress' }));
    const staged = new StagedProviders(connection.db, buildContext(services, source), { isFieldUsed });
    const outcome = await attempt({ services, order, connection, record, staged });
    await releaseRunLock(connection.db);
    return outcome;
  } finally {
    await connection.close();
  }
}

async function busy({ db, now }: SyncServices): Promise<SyncRunOutcome> {
  const running = await findRunning(db);
  if (running === null) return { success: false, error: runMessages.busy, run: null };
  const seconds = Math.max(0, Math.round((now().getTime() - running.startedAt.getTime()) / 1000));
  return { success: false, error: runMessages.busySince(seconds, running.startedBy), run: null };
}

export function buildContext(
  { config, zipTable }: Pick<SyncServices, 'config' | 'zipTable'>,
  { base }: Pick<Source, 'base'>,
) {
  const { wordpress, mainDomains } = config;
  return { fields: createFieldMap(wordpress.fields), mainDomains, zipTable, base };
}

async function attempt(run: Run): Promise<SyncRunOutcome> {
  try {
    const done = await reconcile(run, await readSource(run));
    countRun(run, 'done');
    return done;
  } catch (error) {
    const [outcome, message] =
      error instanceof RunRefused
        ? (['refused', error.message] as const)
        : (['failed', error instanceof SourceError ? error.message : runMessages.ownFault] as const);
    countRun(run, outcome);
    const failed = await endWithout(run, { outcome, message });
    if (outcome === 'failed' && !(error instanceof SourceError)) throw error;
    return { success: false, error: message, run: toSyncRun(failed) };
  }
}

function countRun({ order: { source, kind, dryRun } }: Run, outcome: 'done' | 'refused' | 'failed'): void {
  if (!dryRun) syncRuns.inc({ source: source.kind, kind, outcome });
}

interface Crawl {
  /** The database's time at its start. */
  began: string;
  /** The time of the newest change that the source reported. */
  modifiedUntil: Date | null;
}

/** Reads the source into the staging table. */
async function readSource({ services, order, connection, staged }: Run): Promise<Crawl> {
  const { source } = order;
  let modifiedUntil = order.modifiedSince ?? null;
  // The next run must skip no change: neither because a clock is ahead, nor because of a change made while this run
  // reads.
  const now = services.now();
  const began = await createStagingTable(connection.db, 'connection');
  for await (const page of source.pages()) {
    if (order.signal?.aborted === true) throw new SourceError(runMessages.stopped);
    const absent = absentColumns(order);
    const known = absent === undefined ? page : await keepUnchanged(connection.db, page, absent);
    await staged.add(known, absent);
    for (const record of page.records) {
      const at = source.modifiedAt(record);
      if (at !== null && (modifiedUntil === null || at > modifiedUntil)) modifiedUntil = at;
    }
  }
  await staged.flush();
  if (order.kind === 'full' && staged.read === 0 && !order.dryRun) refuseEmpty(order.force);
  if (deactivatesMissing({ order, staged })) await confirmMissing({ services, order, connection, staged });
  await staged.decideStatuses();
  if (!order.dryRun) await geocodeMissing(services, connection.db);
  else await fillFromCache(connection.db);
  return { began, modifiedUntil: modifiedUntil !== null && modifiedUntil > now ? now : modifiedUntil };
}

/**
 * The columns that a CSV file doesn't have; undefined: the source's records are complete. A complete file's providers
 * are active by being in it.
 */
function absentColumns({ source, kind }: SyncOrder): readonly SyncedColumn[] | undefined {
  const absent = source.keptColumns?.();
  return kind === 'full' ? absent?.filter((column) => column !== 'status') : absent;
}

function deactivatesMissing({ order, staged }: Pick<Run, 'order' | 'staged'>): boolean {
  return order.kind === 'full' && !staged.hasRowsWithoutId;
}

const askedAtOnce = 100;

/** Asks the source for active providers that the crawl didn't return: one may have moved to a page already read. */
async function confirmMissing({ services, order, connection, staged }: Omit<Run, 'record'>): Promise<void> {
  const { source, force } = order;
  if (source.find === null) return;
  const { missing, active } = await findMissing(connection.db);
  if (!force && !order.dryRun)
    guardAgainstLoss(missing.length, active, services.config.syncDeactivationLimit);
  for (let at = 0; at < missing.length; at += askedAtOnce)
    await staged.add(await source.find(missing.slice(at, at + askedAtOnce)));
  await staged.flush();
}

/** Finds and writes the differences and the end of the run. */
function reconcile(run: Run, { began, modifiedUntil }: Crawl): Promise<SyncRunOutcome> {
  const { services, order, connection, record, staged } = run;
  return connection.db.transaction(async (tx) => {
    await takeReconcileLock(tx);
    const differences = await findDifferences(tx, {
      staged,
      absentBefore: deactivatesMissing(run) ? began : null,
    });
    const note = guard(run, differences);
    const rows = await toRows(tx, staged, differences);
    const counts = toCounts(staged, differences);
    if (!order.dryRun) {
      await applyDifferences(tx, toAuthor(order, order.source.kind, services.now()));
      await reportProviders(tx, services.now());
    }
    await insertRunRows(tx, record.id, rows);
    const ended = await endRun(tx, record.id, {
      outcome: 'done',
      finishedAt: services.now(),
      message: [note, noteOfSkipped(counts, rows)].filter((text) => text !== null).join(' ') || null,
      modifiedUntil,
      statusFieldUsed: staged.isFieldUsed,
      ...counts,
    });
    return { success: true, run: toSyncRun(ended), rows };
  });
}

/** Throws RunRefused if too many providers would be lost; a dry run only reports it. Returns a note for staff. */
function guard({ services, order, staged }: Run, differences: Differences): string | null {
  const { deactivated, active, losingDomain, withDomain } = differences;
  const limit = services.config.syncDeactivationLimit;
  const notes: string[] = [];
  const expectedTotal = order.source.expectedTotal();
  try {
    if (order.kind === 'full' && staged.read === 0) refuseEmpty(order.force);
    if (!order.force) guardAgainstLoss(deactivated, active, limit);
    if (!order.force) guardAgainstLostDomains(losingDomain, withDomain, limit);
  } catch (error) {
    if (!order.dryRun || !(error instanceof RunRefused)) throw error;
    notes.push(error.message);
  }
  notes.push(...(order.source.notes?.() ?? []));
  if (expectedTotal !== null && expectedTotal > staged.read)
    notes.push(runMessages.fewerThanAnnounced(expectedTotal, staged.read));
  if (order.kind === 'full' && staged.hasRowsWithoutId) notes.push(runMessages.notAllNumbered);
  if (differences.emptied.length > 0) notes.push(runMessages.emptied(differences.emptied, order.dryRun));
  return notes.length === 0 ? null : notes.join(' ');
}

/** The stored results of single providers: skipped ones with the reason, warnings, then the changes. */
async function toRows(
  db: Queryable,
  staged: StagedProviders,
  { warnings }: Differences,
): Promise<SyncRunRow[]> {
  const rows = [...staged.skippedRows, ...staged.warnedRows, ...warnings].slice(0, syncRunRowsMax);
  if (rows.length < syncRunRowsMax) rows.push(...(await listChanges(db, syncRunRowsMax - rows.length)));
  return rows;
}

/** Who or what changes providers by a run or a push. */
export function toAuthor(
  { startedBy, author }: Pick<SyncOrder, 'startedBy' | 'author'>,
  source: string,
  now: Date,
): ChangeAuthor {
  const command = { actor: { kind: 'command', name: startedBy }, ip: null } as const;
  return { ...(author ?? command), source, now };
}

export function toCounts(staged: StagedProviders, differences: Differences) {
  const { created, updated, unchanged, deactivated, warned } = differences;
  const { read, skipped } = staged;
  return { read, created, updated, unchanged, deactivated, skipped, warned: staged.warned + warned };
}

/** Reasons that the note names; the run's rows have all of them. */
const notedReasonsMax = 3;

/** For staff, if a run skipped every row: the first reasons. */
function noteOfSkipped(
  { read, skipped }: { read: number; skipped: number },
  rows: readonly SyncRunRow[],
): string | null {
  if (read === 0 || skipped < read) return null;
  const reasons = new Set(rows.flatMap(({ change, detail }) => (change === 'skipped' ? (detail ?? []) : [])));
  return runMessages.allSkipped(read, [...reasons].slice(0, notedReasonsMax));
}

/** Records that a run changed nothing, with the skipped providers. */
function endWithout(
  { services, connection, record, staged }: Run,
  end: Pick<SyncRunInsert, 'outcome' | 'message'>,
): Promise<SyncRunRecord> {
  return connection.db.transaction(async (tx) => {
    await insertRunRows(tx, record.id, staged.skippedRows);
    const { read, skipped } = staged;
    return endRun(tx, record.id, { ...end, finishedAt: services.now(), read, skipped });
  });
}

/** A source without any provider lost them or is the wrong one. Throws RunRefused unless forced. */
function refuseEmpty(force: boolean): void {
  if (!force) throw new RunRefused(runMessages.empty);
}

/** Ids of the active synced providers that a crawl did not return, and the number of all of them. */
async function findMissing(db: Queryable): Promise<{ missing: number[]; active: number }> {
  const missing = await readRows(db, z.object({ wordpressId: bigintColumn }))`
    select p.wordpress_id as "wordpressId" from providers p where p.status = 't' and p.wordpress_id is not null
      and not exists (select from sync_incoming i where i.wordpress_id = p.wordpress_id) order by p.wordpress_id`;
  const { active } = await readRow(db, z.object({ active: z.number() }))`
    select count(*)::int as active from providers where status = 't' and wordpress_id is not null`;
  return { missing: missing.map(({ wordpressId }) => wordpressId), active };
}
