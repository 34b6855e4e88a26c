import type { Database } from '#server/db/connect.ts';
import { isDatabaseAway } from '#server/errors.ts';
import { recordAttempts, type RecordedAttempt } from './recordAttempt.ts';

/** A transaction for several attempts waits this long for a lock. */
const lockWaitMs = 500;

interface Waiting {
  attempt: RecordedAttempt;
  result: PromiseWithResolvers<void>;
}

/**
 * Records the attempts of a worker, in one transaction at a time: attempts that end while it runs wait, and are recorded
 * together by the next one. Two transactions at a time would make the batches smaller and an attempt more expensive. If
 * a transaction fails or waits too long for a lock, its attempts are recorded one by one beside the next batches, so
 * that each gets its own error and none holds up the others.
 */
export function createAttemptRecorder(db: Database): (attempt: RecordedAttempt) => Promise<void> {
  let waiting: Waiting[] = [];
  let isRunning = false;

  async function recordOne({ attempt, result }: Waiting): Promise<void> {
    try {
      await recordAttempts(db, [attempt]);
      result.resolve();
    } catch (error) {
      result.reject(error);
    }
  }

  async function recordAll(batch: readonly Waiting[]): Promise<void> {
    try {
      const attempts = batch.map(({ attempt }) => attempt);
      await recordAttempts(db, attempts, { lockWaitMs });
      for (const { result } of batch) result.resolve();
    } catch (error) {
      // Without a database, each single attempt would only fail later.
      if (isDatabaseAway(error)) for (const { result } of batch) result.reject(error);
      else for (const one of batch) void recordOne(one);
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await recordAll(batch);
    }
    isRunning = false;
  }

  return (attempt) => {
    const result = Promise.withResolvers<void>();
    waiting.push({ attempt, result });
    if (!isRunning) void run();
    return result.promise;
  };
}
