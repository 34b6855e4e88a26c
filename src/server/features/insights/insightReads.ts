import pLimit from 'p-limit';
import { AppError } from '../../errors.ts';

/** Each holds a connection for up to ten seconds, of a pool of ten that visitors' leads are stored through. */
const atOnceMax = 2;
/** A tab asks for five figures at once: three tabs in all. */
const waitingMax = 13;
const busySeconds = 10;

/** Reads when there is room. Throws SERVICE_UNAVAILABLE while too many others wait. */
export type InsightReads = <T>(read: () => Promise<T>) => Promise<T>;

/** Reads of whole months of leads, two at a time in this process: the tab and its files together. Who waits holds no connection. */
export function createInsightReads(): InsightReads {
  const limit = pLimit(atOnceMax);
  return (read) => {
    if (limit.activeCount + limit.pendingCount < atOnceMax + waitingMax) return limit(read);
    const message = 'Other insights are being read. Try again in a few seconds.';
    return Promise.reject(new AppError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: busySeconds }));
  };
}
