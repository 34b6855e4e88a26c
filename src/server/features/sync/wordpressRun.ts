import { runWords } from '#shared/syncWords.ts';
import type { SyncRunOutcome } from '#shared/sync.ts';
import { createFieldMap } from './fieldMap.ts';
import { lastModifiedUntil } from './runRecords.ts';
import { runSync, type SyncServices } from './runSync.ts';
import { createWordPressSource } from './wordpressSource.ts';

interface WordPressOrder {
  /** Left out: incremental, where there was a run to begin at. */
  kind?: 'full' | 'incremental' | undefined;
  dryRun: boolean;
  force: boolean;
  startedBy: string;
  signal?: AbortSignal | undefined;
}

/** WordPress's clock and ours differ, and what it saves while it is read shows late: so much is read again. */
const overlapMs = 5 * 60_000;

/** A run from the configured WordPress site. What was never read whole is read whole. */
export async function runFromWordPress(
  services: SyncServices,
  { kind = 'incremental', ...order }: WordPressOrder,
): Promise<SyncRunOutcome> {
  const { wordpressUrl, wordpress } = services.config;
  if (wordpressUrl === null) return { success: false, error: runWords.notConfigured, run: null };
  const modifiedSince = kind === 'full' ? null : await lastModifiedUntil(services.db);
  const source = createWordPressSource({
    url: wordpressUrl,
    type: wordpress.type,
    credentials: wordpress.credentials,
    fields: createFieldMap(wordpress.fields),
    modifiedAfter: modifiedSince === null ? null : new Date(modifiedSince.getTime() - overlapMs),
  });
  return runSync(services, {
    ...order,
    source,
    kind: modifiedSince === null ? 'full' : 'incremental',
    modifiedSince,
  });
}

/** A run by the clock, nothing where no WordPress is configured. Nobody waits for it: what goes wrong is logged, and stands in the history. */
export async function runScheduledSync(
  services: SyncServices,
  kind: 'full' | 'incremental',
  signal?: AbortSignal,
): Promise<void> {
  if (services.config.wordpressUrl === null) return;
  const outcome = await runFromWordPress(services, {
    kind,
    dryRun: false,
    force: false,
    startedBy: 'Schedule',
    signal,
  });
  if (!outcome.success)
    services.log.warn(
      { kind, run: outcome.run?.id ?? null, outcome: outcome.run?.outcome ?? 'busy' },
      'the provider sync did not go through',
    );
}
