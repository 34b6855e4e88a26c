import type { SyncChange, SyncKind, SyncOutcome, SyncRun, SyncSource } from '#shared/admin/sync.ts';
import { counted } from '#shared/formats/writing.ts';

const sources: Record<SyncSource, string> = {
  wordpress: 'WordPress',
  file: 'File',
  api: 'Script',
};

const kinds: Record<SyncKind, string> = {
  full: 'all providers',
  incremental: 'what changed',
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
  deactivated: 'Now inactive',
  skipped: 'Skipped',
};

export const syncMessages = {
  status: 'Provider sync',
  never: 'Providers have never been synced.',
  last: 'Last sync',
  open: 'Sync details',
  title: 'Provider sync',
  loading: 'Loading the runs…',
  failed: 'Failed to load the runs',
  detailFailed: 'Failed to load the run',
  none: 'No run yet.',
  dryRun: 'Preview changes',
  full: 'Sync all now',
  force: 'Sync all, also past the limit',
  busy: 'Working…',
  intro:
    'A sync reads what changed in WordPress since the last one; every night it reads all of it, and providers that are gone there turn inactive.',
  forceHint:
    'The last full run was stopped, as it would have turned many providers inactive or taken their domains. Look at its preview before you run it past the limit.',
  previewDone: 'Preview finished: nothing was changed',
  previewFailed: 'Failed to preview the sync',
  runs: 'Runs',
  runColumns: { at: 'Started', what: 'What', outcome: 'Outcome', show: 'Details' },
  show: 'Show',
  showLabel: (run: string) => `Show the run of ${run}`,
  by: (name: string) => `by ${name}`,
  preview: 'Preview',
  sourceAndKind: (source: SyncSource, kind: SyncKind) => `${sources[source]}, ${kinds[kind]}`,
  outcomes,
  changes,
  changed: {
    heading: 'Providers of this run',
    columns: { change: 'Change', number: 'WordPress number', name: 'Name', detail: 'Detail' },
    none: 'No provider changed.',
    first: (count: number) => `The first ${count.toLocaleString('en-US')} are shown.`,
  },
  counts: ({ read, created, updated, unchanged, deactivated, skipped, dryRun }: SyncRun): string =>
    [
      `${counted(read, 'provider')} read`,
      dryRun ? `${created} would be new` : `${created} new`,
      dryRun ? `${updated} would change` : `${updated} changed`,
      dryRun ? `${deactivated} would turn inactive` : `${deactivated} now inactive`,
      `${unchanged} unchanged`,
      `${skipped} skipped`,
    ].join(' · '),
} as const;
