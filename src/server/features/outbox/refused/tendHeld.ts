import type { Services } from '#server/services.ts';
import { endHoldAlerts, tryUnsentAgain } from './holds.ts';
import { reclassifyFailed } from './reclassifyFailed.ts';
import { reviseRuns } from './refusalRuns.ts';
import { releaseHeld } from '../releaseHeld.ts';

/**
 * The work of each minute on deliveries that wait for a refusal to end. Its first run of a process also tries what this
 * installation refused to send, as its settings may be other ones now, and judges what 1.0.0 left as failed.
 */
export function createHeldTender({
  db,
  channels,
  now,
}: Pick<Services, 'db' | 'channels' | 'now'>): () => Promise<void> {
  let isFirst = true;
  let isJudged = false;
  return async () => {
    if (isFirst) await tryUnsentAgain(db, now());
    isFirst = false;
    isJudged = isJudged || (await reclassifyFailed(db, now())) === 0;
    await reviseRuns(db, now());
    await endHoldAlerts(db);
    await releaseHeld(db, channels, now());
  };
}
