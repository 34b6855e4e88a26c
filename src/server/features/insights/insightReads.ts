import pLimit from 'p-limit';
import { AppError } from '../../errors.ts';
import type { Database } from '../../db/connect.ts';
import type { ReplicaReads } from '../../db/replicaReads.ts';

/** With those that run: a tab requests ten figures together, so three tabs. */
const readsMax = 30;
const busySeconds = 10;

/** Runs a read, on the replica if there is one, when a slot is free. Throws SERVICE_UNAVAILABLE if too many others wait. */
export type InsightReads = <T>(read: (db: Database) => Promise<T>) => Promise<T>;

/** Runs reads of whole months, `atOnceMax` at a time in this process. A waiting one occupies no connection. */
export function createInsightReads(replica: ReplicaReads, atOnceMax: number): InsightReads {
  const limit = pLimit(atOnceMax);
  return (read) => {
    if (limit.activeCount + limit.pendingCount < readsMax) return limit(() => replica.read(read));
    const message = 'Other insights are being read. Try again in a few seconds.';
    return Promise.reject(new AppError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: busySeconds }));
  };
}
