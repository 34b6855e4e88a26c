import { parseArgs } from 'node:util';
import { connect } from '#server/db/connect.ts';
import { createFileSource, type CsvOptions, detectFormat } from '#server/features/sync/files/fileSource.ts';
import { loadZipTable } from '#server/features/matching/zipTable.ts';
import { runSync, type SyncServices } from '#server/features/sync/runSync.ts';
import { runFromWordPress } from '#server/features/sync/wordpressRun.ts';
import { recordAudit } from '#server/features/audit/audit.ts';
import { createLog } from '#server/log.ts';
import type { SyncRunOutcome, SyncRunRow } from '#shared/admin/sync.ts';
import { sourceMessages } from '#server/features/sync/messages.ts';
import { withDatabase } from './withDatabase.ts';

const usage = [
  'npm run sync-providers                                      reads what changed in WordPress since the last run',
  'npm run sync-providers -- --full                            reads all of WordPress, and deactivates providers that are gone',
  'npm run sync-providers -- --file providers.json             reads a .json, .ndjson or .csv file; --url https://… downloads it',
  '  --replace         empties the columns that a CSV file does not have; otherwise they keep their values',
  '  --ignore-unknown  leaves out columns of a CSV file with unknown names, and names them; for scheduled imports',
  '  --complete        the file has all providers: those that it lacks are deactivated',
  '  --dry-run         prints what would change, and changes nothing',
  '  --force           ignores the guards against faulty sources',
].join('\n');

const startedBy = 'npm run sync-providers';

interface Flags {
  full: boolean;
  complete: boolean;
  dryRun: boolean;
  force: boolean;
  csv: CsvOptions;
}

/** What the command line asks for. Throws a sentence and the usage. */
export function readSyncArguments(args: string[]): { place: string | null } & Flags {
  const { values } = parseArgs({
    args,
    options: {
      file: { type: 'string' },
      url: { type: 'string' },
      full: { type: 'boolean', default: false },
      complete: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      force: { type: 'boolean', default: false },
      replace: { type: 'boolean', default: false },
      'ignore-unknown': { type: 'boolean', default: false },
    },
  });
  const { file, url, full, complete, force } = values;
  const csv = { replace: values.replace, ignoreUnknown: values['ignore-unknown'] };
  if (file !== undefined && url !== undefined) throw new Error(`Use --file or --url, not both.\n${usage}`);
  if (url !== undefined && !/^https?:\/\//i.test(url))
    throw new Error(`${url} is not an http(s) address.\n${usage}`);
  const place = file ?? url ?? null;
  if (place === null && complete)
    throw new Error(`--complete is for a file; use --full for WordPress.\n${usage}`);
  if (place === null && (csv.replace || csv.ignoreUnknown))
    throw new Error(`--replace and --ignore-unknown are for a CSV file.\n${usage}`);
  if (place !== null && full)
    throw new Error(`--full is for WordPress; for a file that has all providers, use --complete.\n${usage}`);
  return { place, full, complete, force, csv, dryRun: values['dry-run'] };
}

function run(
  services: SyncServices,
  place: string | null,
  { full, complete, dryRun, force, csv }: Flags,
): Promise<SyncRunOutcome> {
  const order = { dryRun, force, startedBy };
  if (place === null) return runFromWordPress(services, { ...order, kind: full ? 'full' : undefined });
  const format = detectFormat(place);
  if (format === null) throw new Error(sourceMessages.format(place));
  return runSync(services, {
    ...order,
    source: createFileSource(place, format, csv),
    kind: complete ? 'full' : 'rows',
  });
}

function buildLine({ change, wordpressId, name, detail }: SyncRunRow): string {
  return [change.padEnd(11), String(wordpressId ?? '–').padStart(8), name ?? '–', detail ?? '']
    .join('  ')
    .trimEnd();
}

/** What is printed of each run. */
const reported = new Set<SyncRunRow['change']>(['skipped', 'warned', 'deactivated']);

/** Prints the recorded providers that need a look, in a dry run all that would change, and the counts. */
function report(outcome: SyncRunOutcome): void {
  if (!outcome.success) throw new Error(outcome.error);
  const { run: done, rows } = outcome;
  for (const row of rows) if (done.dryRun || reported.has(row.change)) console.log(buildLine(row));
  if (done.message !== null) console.log(done.message);
  const { read, created, updated, unchanged, deactivated, skipped } = done;
  console.log(
    `${done.dryRun ? 'Would be' : 'Run'} ${done.dryRun ? '' : `${done.id}: `}${read} read, ${created} created, ${updated} updated, ${unchanged} unchanged, ` +
      `${deactivated} deactivated, ${skipped} skipped.`,
  );
}

/** `npm run sync-providers` */
async function main(): Promise<void> {
  await withDatabase(async ({ url, config }) => {
    const { place, ...flags } = readSyncArguments(process.argv.slice(2));
    const connection = connect(url, { applicationName: 'clinic-leads-sync', max: 2 });
    const { db } = connection;
    try {
      const services = {
        config,
        db,
        log: createLog('warn'),
        now: () => new Date(),
        zipTable: loadZipTable(),
      };
      const outcome = await run(services, place, flags);
      await recordAudit(db, {
        actor: { kind: 'command', name: startedBy },
        ip: null,
        action: 'sync.run',
        subject: outcome.run === null ? null : { kind: 'sync', id: outcome.run.id },
        detail: { success: outcome.success },
      });
      report(outcome);
    } finally {
      await connection.close();
    }
  });
}

if (import.meta.main) await main();
