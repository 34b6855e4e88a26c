import { z } from 'zod';

/** Where clinics come from: the WordPress site, a file given to the command, scripts that send rows. */
export const syncSources = ['wordpress', 'file', 'api'] as const;
export type SyncSource = (typeof syncSources)[number];

/** All there are, so that what is missing is gone; what changed since the last run; or single rows, whose absence says nothing. */
export const syncKinds = ['full', 'incremental', 'rows'] as const;
export type SyncKind = (typeof syncKinds)[number];

/**
 * `refused`: a guard stopped it and nothing was changed. `failed`: the source could not be read, nothing was changed. `interrupted`: its process
 * ended in the middle, nothing was changed.
 */
export const syncOutcomes = ['running', 'done', 'refused', 'failed', 'interrupted'] as const;
export type SyncOutcome = (typeof syncOutcomes)[number];

export const syncChanges = ['created', 'updated', 'deactivated', 'skipped'] as const;
export type SyncChange = (typeof syncChanges)[number];

const count = z.number().int().nonnegative();

export const syncRunInput = z.object({
  /** Left out: whatever changed since the last complete run, or all where there was none. */
  kind: z.enum(['full', 'incremental']).optional(),
  /** Tells what would change and changes nothing. */
  dryRun: z.boolean().default(false),
  /** Lets no guard stop it, however many are gone or lose their domain. */
  force: z.boolean().default(false),
});

export const syncRun = z.object({
  id: z.number().int(),
  source: z.enum(syncSources),
  kind: z.enum(syncKinds),
  startedBy: z.string(),
  dryRun: z.boolean(),
  forced: z.boolean(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  outcome: z.enum(syncOutcomes),
  /** Why it was refused or failed. */
  message: z.string().nullable(),
  read: count,
  created: count,
  updated: count,
  unchanged: count,
  deactivated: count,
  skipped: count,
});
export type SyncRun = z.infer<typeof syncRun>;

/** What happened to one clinic in a run. Unchanged ones aren't told. */
const syncRunRow = z.object({
  change: z.enum(syncChanges),
  wordpressId: z.number().int().nullable(),
  name: z.string().nullable(),
  /** Why it was skipped, or which fields changed. */
  detail: z.string().nullable(),
});
export type SyncRunRow = z.infer<typeof syncRunRow>;

/** A run with at most this many of its rows; the counts are whole. */
export const syncRunRowsMax = 1000;
export const syncRunDetail = z.object({ run: syncRun, rows: z.array(syncRunRow) });

/** What POST /api/sync answers: the run whole when it succeeded. */
export const syncRunOutcome = z.discriminatedUnion('success', [
  z.object({ success: z.literal(true), run: syncRun, rows: z.array(syncRunRow) }),
  z.object({ success: z.literal(false), error: z.string(), run: syncRun.nullable() }),
]);
export type SyncRunOutcome = z.infer<typeof syncRunOutcome>;

/** At most so many clinics in one POST /api/providers/sync. */
export const pushRowsMax = 1000;
export const pushBytesMax = 8 * 1024 * 1024;

/** Clinics as WordPress's REST API gives them, or flat under the specification's names. Each is judged by itself. */
export const pushInput = z.object({
  providers: z
    .array(z.unknown(), { error: 'Send a list of providers.' })
    .min(1, 'Send at least one provider.')
    .max(pushRowsMax, `Send at most ${pushRowsMax.toLocaleString('en-US')} providers at once.`),
});

/** One answer for each row sent, in order. */
const pushResult = z.object({
  wordpress_id: z.number().int().nullable(),
  result: z.enum(['created', 'updated', 'unchanged', 'skipped']),
  /** The clinic's number here; null where it was skipped. */
  id: z.number().int().nullable(),
  reason: z.string().nullable(),
});
export type PushResult = z.infer<typeof pushResult>;
export const pushOutput = z.object({ results: z.array(pushResult) });
