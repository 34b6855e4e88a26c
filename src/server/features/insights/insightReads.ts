import pLimit from 'p-limit';
import { AppError } from '../../errors.ts';

/** Each read occupies one or two connections for up to ten seconds, of a pool of ten that also stores leads. */
const atOnceMax = 2;
/** A tab requests five figures together, so three tabs in total. */
const waitingMax = 13;
const busySeconds = 10;

/** Runs a read when a slot is free. Throws SERVICE_UNAVAILABLE if too many others wait. */
export type InsightReads = <T>(read: () => Promise<T>) => Promise<T>;

/**
 * Runs reads of whole months of leads, two at a time in this process, for the tab and its files. A waiting read
 * occupies no connection.
 */
export function createInsightReads(): InsightReads {
  const limit = pLimit(atOnceMax);
  return (read) => {
    if (limit.activeCount + limit.pendingCount < atOnceMax + waitingMax) return limit(read);
    const message = 'Other insights are being read. Try again in a few seconds.';
    return Promise.reject(new AppError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: busySeconds }));
  };
}
