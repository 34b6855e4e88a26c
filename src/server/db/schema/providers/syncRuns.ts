import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { syncChanges, syncKinds, syncOutcomes, syncSources } from '#shared/admin/sync.ts';
import { bigNumber, checkValues, instant } from '../../columns.ts';

export const syncRuns = pgTable(
  'sync_runs',
  {
    id: bigNumber('id').primaryKey().generatedAlwaysAsIdentity(),
    source: text('source', { enum: syncSources }).notNull(),
    kind: text('kind', { enum: syncKinds }).notNull(),
    /** A person's or token's name, or 'Schedule'. */
    startedBy: text('started_by').notNull(),
    dryRun: boolean('dry_run').notNull().default(false),
    forced: boolean('forced').notNull().default(false),
    startedAt: instant('started_at').notNull().defaultNow(),
    finishedAt: instant('finished_at'),
    outcome: text('outcome', { enum: syncOutcomes }).notNull().default('running'),
    message: text('message'),
    read: integer('read').notNull().default(0),
    created: integer('created').notNull().default(0),
    updated: integer('updated').notNull().default(0),
    unchanged: integer('unchanged').notNull().default(0),
    deactivated: integer('deactivated').notNull().default(0),
    skipped: integer('skipped').notNull().default(0),
    /** Rows of which a value was left out. */
    warned: integer('warned').notNull().default(0),
    /** Whether a row's custom status field said 1 or true: then false or 0 means inactive. */
    statusFieldUsed: boolean('status_field_used').notNull().default(false),
    /** The newest change that the source reported: the next incremental run starts there. */
    modifiedUntil: instant('modified_until'),
  },
  (table) => [
    checkValues('sync_runs_source_check', table.source, syncSources),
    checkValues('sync_runs_kind_check', table.kind, syncKinds),
    checkValues('sync_runs_outcome_check', table.outcome, syncOutcomes),
    check('sync_runs_finished_check', sql`(${table.finishedAt} is null) = (${table.outcome} = 'running')`),
    index('sync_runs_source_idx').on(table.source, table.id.desc()),
  ],
);

/** What a run did to each provider, for the first thousand. The run's own counts are complete. */
export const syncRunRows = pgTable(
  'sync_run_rows',
  {
    id: bigNumber('id').primaryKey().generatedAlwaysAsIdentity(),
    runId: bigNumber('run_id')
      .notNull()
      .references(() => syncRuns.id, { onDelete: 'cascade' }),
    change: text('change', { enum: syncChanges }).notNull(),
    // No foreign key: a dry run reports providers that are not stored.
    wordpressId: bigNumber('wordpress_id'),
    name: text('name'),
    /** Why it was skipped, what was left out, or which fields changed. */
    detail: text('detail'),
  },
  (table) => [
    checkValues('sync_run_rows_change_check', table.change, syncChanges),
    index('sync_run_rows_run_idx').on(table.runId),
  ],
);

export type SyncRunInsert = typeof syncRuns.$inferInsert;
export type SyncRunRecord = typeof syncRuns.$inferSelect;
