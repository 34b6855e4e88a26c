import { setTimeout as delay } from 'node:timers/promises';
import { runMessages } from './messages.ts';
import type { SyncRunOutcome } from '#shared/admin/sync.ts';
import { minuteMs } from '#shared/formats/time.ts';
import { createFieldMap } from '#server/config/fieldMap.ts';
import { lastModifiedUntil } from './runRecords.ts';
import { runSync, type SyncOrder, type SyncServices } from './runSync.ts';
import { createWordPressSource } from './wordpressSource.ts';

interface WordPressOrder extends Omit<SyncOrder, 'source' | 'kind' | 'modifiedSince'> {
  /** Default: incremental if there is a run to continue. */
  kind?: 'full' | 'incremental' | undefined;
}

/** WordPress' clock may differ from ours, and changes made during a crawl appear late, so this much is read again. */
const overlapMs = 5 * minuteMs;

/** A run from the configured WordPress site: complete if none was before. */
export async function runFromWordPress(
  services: SyncServices,
  { kind = 'incremental', ...order }: WordPressOrder,
): Promise<SyncRunOutcome> {
  const { wordpressUrl, wordpress } = services.config;
  if (wordpressUrl === null) return { success: false, error: runMessages.notConfigured, run: null };
  const modifiedSince = kind === 'full' ? null : await lastModifiedUntil(services.db);
  const source = createWordPressSource({
    url: wordpressUrl,
    type: wordpress.type,
    credentials: wordpress.credentials,
    fields: createFieldMap(wordpress.fields),
    userAgent: wordpress.userAgent,
    modifiedAfter: modifiedSince === null ? null : new Date(modifiedSince.getTime() - overlapMs),
  });
  return runSync(services, {
    ...order,
    source,
    kind: modifiedSince === null ? 'full' : 'incremental',
    modifiedSince,
  });
}

interface SyncRetry {
  everyMs: number;
  attemptsMax: number;
  /** Called each time the run finds another one in progress, before it waits. */
  onWait?: () => void;
}

/** A nightly run that finds another one in progress tries again for half an hour. */
const defaultRetry: SyncRetry = { everyMs: 30_000, attemptsMax: 60 };

/**
 * A scheduled run; does nothing without a configured WordPress. Failures are logged and kept in the history. During
 * another run, a full run waits, since the next is a day later; an incremental run leaves the changes to the next.
 */
export async function runScheduledSync(
  services: SyncServices,
  kind: 'full' | 'incremental',
  signal?: AbortSignal,
  { everyMs, attemptsMax, onWait }: SyncRetry = defaultRetry,
): Promise<void> {
  if (services.config.wordpressUrl === null) return;
  const order = { kind, dryRun: false, force: false, startedBy: 'Schedule', signal };
  let outcome = await runFromWordPress(services, order);
  const allowed = kind === 'full' ? attemptsMax : 1;
  for (let attempts = 1; isBusy(outcome) && attempts < allowed; attempts += 1) {
    services.log.info(
      { event: 'sync.busy', kind },
      'another provider sync is in progress; this one tries again',
    );
    onWait?.();
    await delay(everyMs, undefined, { signal }).catch(() => undefined);
    if (signal?.aborted === true) break;
    outcome = await runFromWordPress(services, order);
  }
  if (!outcome.success)
    services.log.warn(
      { event: 'sync.failed', kind, run: outcome.run?.id ?? null, outcome: outcome.run?.outcome ?? 'busy' },
      'the provider sync did not go through',
    );
}

/** Whether it did not start because another run is in progress. */
function isBusy(outcome: SyncRunOutcome): boolean {
  return !outcome.success && outcome.run === null;
}
