import type { SyncChange, SyncKind, SyncOutcome, SyncRun, SyncSource } from '#shared/admin/sync.ts';
import { counted } from '#shared/formats/writing.ts';

const sources: Record<SyncSource, string> = {
  wordpress: 'WordPress',
  file: 'File',
  api: 'Script',
};

const kinds: Record<SyncKind, string> = {
  full: 'all providers',
  incremental: 'changes only',
  rows: 'single providers',
};

const outcomes: Record<SyncOutcome, string> = {
  running: 'Running',
  done: 'Done',
  refused: 'Stopped',
  failed: 'Failed',
  interrupted: 'Interrupted',
};

const changes: Record<SyncChange, string> = {
  created: 'New',
  updated: 'Changed',
  deactivated: 'Deactivated',
  skipped: 'Skipped',
  warned: 'Warning',
};

export const syncMessages = {
  status: 'Provider sync',
  never: 'Providers have never been synced.',
  notConfigured: 'WordPress isn’t connected. Set WORDPRESS_URL to sync, or import a file with Upload CSV.',
  last: 'Last sync',
  open: 'Sync details',
  title: 'Provider sync',
  loading: 'Loading runs…',
  failed: 'Failed to load sync runs',
  detailFailed: 'Failed to load the sync run',
  none: 'No runs yet.',
  dryRun: 'Preview changes',
  full: 'Run full sync',
  force: 'Run full sync and ignore the limit',
  busy: 'Working…',
  intro:
    'Sync imports changes from WordPress. A full sync runs every night and deactivates providers that are no longer there.',
  forceHint:
    'The last full sync stopped because it would have deactivated many providers or removed their domains. Preview the changes before you ignore the limit.',
  previewDone: 'Preview finished: nothing was changed',
  previewFailed: 'Failed to preview the sync',
  runs: 'Runs',
  runColumns: { at: 'Started', what: 'What', outcome: 'Outcome', show: 'Details' },
  show: 'Show',
  showLabel: (run: string) => `Show the sync run from ${run}`,
  by: (name: string) => `by ${name}`,
  preview: 'Preview',
  sourceAndKind: (source: SyncSource, kind: SyncKind) => `${sources[source]}, ${kinds[kind]}`,
  outcomes,
  changes,
  changed: {
    heading: 'Providers in this run',
    columns: { change: 'Change', number: 'WordPress ID', name: 'Name', detail: 'Detail' },
    none: 'No providers changed.',
    first: (count: number) => `Showing the first ${count.toLocaleString('en-US')}.`,
  },
  counts: ({ read, created, updated, unchanged, deactivated, skipped, warned, dryRun }: SyncRun): string =>
    [
      `${counted(read, 'provider')} read`,
      dryRun ? `${created} would be new` : `${created} new`,
      dryRun ? `${updated} would change` : `${updated} changed`,
      dryRun ? `${deactivated} would be deactivated` : `${deactivated} deactivated`,
      `${unchanged} unchanged`,
      `${skipped} skipped`,
      ...(warned > 0 ? [`${warned} with a warning`] : []),
    ].join(' · '),
} as const;

export const uploadCopy = {
  open: 'Upload CSV',
  title: 'Upload CSV',
  intro:
    'The file creates and changes the providers in it, by wordpress_id: WordPress’s number, or your own if you don’t use WordPress. Others stay as they are. You see what would change before anything does.',
  template: 'Download a template',
  file: 'CSV file',
  hint: 'At most 8 MiB, with a header. A column that it doesn’t have keeps its values.',
  busy: 'Reading the file…',
  start: 'Import',
  force: 'Import and ignore the limit',
  done: 'Providers imported',
  failed: 'Failed to upload the file',
  problem: 'The file wasn’t imported',
  tooLarge: 'The file has more than 8 MiB. Split it, or import it with npm run sync-providers.',
  unreadable: 'The file could not be read. Choose it again.',
} as const;
