import type { Database } from '#server/db/connect.ts';
import { recordAttempts, type RecordedAttempt } from './recordAttempt.ts';

/** Transactions of one recorder at the same time. A second one keeps a lock that is held for long from stopping all. */
const transactionsMax = 2;

interface Waiting {
  attempt: RecordedAttempt;
  result: PromiseWithResolvers<void>;
}

/**
 * Records the attempts of a worker. Attempts that end while its transactions run wait and are recorded together by the
 * next one. If that fails, they are recorded one by one, so that each gets its own error.
 */
export function createAttemptRecorder(db: Database): (attempt: RecordedAttempt) => Promise<void> {
  let waiting: Waiting[] = [];
  let running = 0;

  async function recordAll(batch: readonly Waiting[]): Promise<void> {
    try {
      await recordAttempts(
        db,
        batch.map(({ attempt }) => attempt),
      );
      for (const { result } of batch) result.resolve();
    } catch (error) {
      const [only, ...others] = batch;
      if (others.length === 0) only?.result.reject(error);
      else for (const one of batch) await recordAll([one]);
    }
  }

  async function run(): Promise<void> {
    running += 1;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await recordAll(batch);
    }
    running -= 1;
  }

  return (attempt) => {
    const result = Promise.withResolvers<void>();
    waiting.push({ attempt, result });
    if (running < transactionsMax) void run();
    return result.promise;
  };
}
