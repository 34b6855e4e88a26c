import { z } from 'zod';

/** Sources of providers: the WordPress site, a file of the command, rows pushed by scripts. */
export const syncSources = ['wordpress', 'file', 'api'] as const;
export type SyncSource = (typeof syncSources)[number];

/**
 * `full`: all providers, so that missing ones were removed. `incremental`: changes since the last run. `rows`: single
 * providers; missing ones mean nothing.
 */
export const syncKinds = ['full', 'incremental', 'rows'] as const;
export type SyncKind = (typeof syncKinds)[number];

/**
 * `refused`: a guard stopped it and nothing was changed. `failed`: the source could not be read, nothing was changed.
 * `interrupted`: its process ended in the middle, nothing was changed.
 */
export const syncOutcomes = ['running', 'done', 'refused', 'failed', 'interrupted'] as const;
export type SyncOutcome = (typeof syncOutcomes)[number];

export const syncChanges = ['created', 'updated', 'deactivated', 'skipped', 'warned'] as const;
export type SyncChange = (typeof syncChanges)[number];

const count = z.number().int().nonnegative();

export const syncRunInput = z.object({
  kind: z
    .enum(['full', 'incremental'])
    .optional()
    .meta({ description: 'By default the changes since the last complete run, or all if there was none' }),
  dryRun: z.boolean().default(false).meta({ description: 'Reports what would change and changes nothing' }),
  force: z
    .boolean()
    .default(false)
    .meta({ description: 'Ignores the guards against losing many providers or domains' }),
});

export const syncRun = z
  .object({
    id: z.number().int().meta({ description: 'The run’s number' }),
    source: z.enum(syncSources).meta({ description: 'Where the providers came from' }),
    kind: z.enum(syncKinds).meta({
      description:
        '`full`: all providers. `incremental`: changes since the last run. `rows`: single providers',
    }),
    startedBy: z.string().meta({ description: 'Who started it' }),
    dryRun: z.boolean().meta({ description: 'Whether it only reported changes' }),
    forced: z.boolean().meta({ description: 'Whether it ignored the guards' }),
    startedAt: z.iso.datetime().meta({ description: 'When it started' }),
    finishedAt: z.iso.datetime().nullable().meta({ description: 'Null while it runs' }),
    outcome: z.enum(syncOutcomes).meta({
      description:
        '`refused`: a guard stopped it. `failed`: the source could not be read. `interrupted`: its process ended. None of them changed anything',
    }),
    message: z
      .string()
      .nullable()
      .meta({ description: 'Why it was refused or failed, or what staff should know of it' }),
    read: count.meta({ description: 'Rows read' }),
    created: count.meta({ description: 'Providers added' }),
    updated: count.meta({ description: 'Providers changed' }),
    unchanged: count.meta({ description: 'Providers that were the same' }),
    deactivated: count.meta({ description: 'Providers that are no longer in the source' }),
    skipped: count.meta({ description: 'Rows that can’t be used' }),
    warned: count.meta({ description: 'Rows of which a value was left out' }),
  })
  .meta({ id: 'SyncRun', description: 'A run of the provider sync' });
export type SyncRun = z.infer<typeof syncRun>;

/** What a run did to one provider, or left out. Unchanged providers without a warning aren't listed. */
const syncRunRow = z.object({
  change: z.enum(syncChanges),
  wordpressId: z.number().int().nullable(),
  name: z.string().nullable(),
  /** Why it was skipped, what was left out, or which fields changed. */
  detail: z.string().nullable(),
});
export type SyncRunRow = z.infer<typeof syncRunRow>;

/** A run with its first rows; the counts are complete. */
export const syncRunRowsMax = 1000;
export const syncRunDetail = z.object({ run: syncRun, rows: z.array(syncRunRow) });

/** The response of POST /api/sync: the full run if it succeeded. */
export const syncRunOutcome = z.discriminatedUnion('success', [
  z.object({ success: z.literal(true), run: syncRun, rows: z.array(syncRunRow) }),
  z.object({ success: z.literal(false), error: z.string(), run: syncRun.nullable() }),
]);
export type SyncRunOutcome = z.infer<typeof syncRunOutcome>;

/** Maximum number of providers in one POST /api/providers/sync. */
export const pushRowsMax = 1000;
/** Also of a CSV file that staff upload. */
export const pushBytesMax = 8 * 1024 * 1024;

/** Base64 takes four characters for three bytes. */
const uploadTextMax = Math.ceil(pushBytesMax / 3) * 4;
/** What such a request takes at most, with all that is beside the file. */
export const uploadBodyMax = uploadTextMax + 4096;
export const uploadInput = z.object({
  fileName: z.string().max(255),
  /** The file's bytes in base64: their encoding is detected as that of a file on the server. */
  content: z.base64().max(uploadTextMax, 'The file must have at most 8 MiB.'),
  dryRun: z.boolean(),
  /** Ignores the guards. */
  force: z.boolean(),
});

/** Providers as in WordPress's REST API, or flat with the specification's names. Each is validated separately. */
export const pushInput = z.object({
  providers: z
    .array(z.unknown(), { error: 'Send a list of providers.' })
    .min(1, 'Send at least one provider.')
    .max(pushRowsMax, `Send at most ${pushRowsMax.toLocaleString('en-US')} providers at once.`)
    .meta({ description: 'As in WordPress’s REST API, or flat' }),
  force: syncRunInput.shape.force,
});

/** One result per row, in order. */
const pushResult = z.object({
  wordpress_id: z.number().int().nullable(),
  result: z.enum(['created', 'updated', 'unchanged', 'skipped']),
  /** The provider's id; null if it was skipped. */
  id: z.number().int().nullable(),
  reason: z.string().nullable(),
  /** What was left out of the row, or needs a look; absent if nothing is. */
  warnings: z.array(z.string()).optional(),
});
export type PushResult = z.infer<typeof pushResult>;
export const pushOutput = z.object({ results: z.array(pushResult) });
