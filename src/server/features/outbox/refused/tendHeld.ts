import { hourMs } from '#shared/formats/time.ts';
import type { Services } from '#server/services.ts';
import { endHoldAlerts, tryUnsentAgain } from './holds.ts';
import { reclassifyFailed } from './reclassifyFailed.ts';
import { reviseRuns } from './refusalRuns.ts';
import { releaseHeld } from '../releaseHeld.ts';
import { releaseRepeats } from '../repeats.ts';

/** A process of 1.0.0 that runs beside this one may leave more. */
const judgedEveryMs = hourMs;

/**
 * The work of each minute on deliveries that wait for a refusal to end, or that repeat a message that never arrived.
 * The first run of a process also tries what this installation refused to send, because its settings may have changed.
 * From then on it judges what 1.0.0 left as failed: a batch a minute until none is left, then every hour.
 */
export function createHeldTender({
  db,
  channels,
  now,
}: Pick<Services, 'db' | 'channels' | 'now'>): () => Promise<void> {
  let isFirst = true;
  let judgedAt = 0;
  return async () => {
    if (isFirst) await tryUnsentAgain(db, now());
    isFirst = false;
    const isDue = now().getTime() - judgedAt >= judgedEveryMs;
    if (isDue && (await reclassifyFailed(db, now())) === 0) judgedAt = now().getTime();
    await reviseRuns(db, now());
    await endHoldAlerts(db);
    await releaseHeld(db, channels, now());
    await releaseRepeats(db, now());
  };
}
