import { dayMs } from '#shared/formats/time.ts';
import { type Retention, type RetentionName, retentionNames } from '../config/retention.ts';
import type { Queryable, Database } from '../db/connect.ts';
import { readTransactionTime } from '../db/readRows.ts';
import { purgeAddressNotices } from '../features/addressNotices/mailFormerAddresses.ts';
import { purgeApplications, purgeJunkApplications } from '../features/applications/purgeApplications.ts';
import { purgeDoneReports, purgeJunkReports } from '../features/claims/problemReports.ts';
import { purgeInvitations } from '../features/auth/invitations.ts';
import { purgeSessions } from '../features/auth/sessions.ts';
import { purgeFormSteps } from '../features/formSteps/formStepCounter.ts';
import { purgeAssignmentUndos } from '../features/leads/changes/undoAssignments.ts';
import { purgeDeletedLeads, purgeJunkLeads, purgeOldLeads } from '../features/leads/changes/purgeLeads.ts';
import { purgeRecipientEmails } from '../features/mail/recipientLimits.ts';
import { purgeUnreachable } from '../features/mail/unreachableAddresses.ts';
import { purgeAttempts } from '../features/outbox/cancelDeliveries.ts';
import { purgeExpiredKeys } from '../features/submissions/idempotency.ts';
import { purgeDoneTasks } from '../features/suppression/staffTasks.ts';
import { purgeGeocodedAddresses } from '../features/sync/geocodeMissing.ts';
import { purgeSyncRuns } from '../features/sync/runRecords.ts';
import { purgeEvents } from '../features/webhooks/recordEvents.ts';
import { purgeRateLimits } from '../security/sharedLimiter.ts';
import { advisoryLocks, tryAdvisoryLock } from '../db/advisoryLocks.ts';
import type { Log } from '../log.ts';

/** Removes one batch of what is older than `before`. Returns how many rows. */
type RemoveBatch = (tx: Queryable, before: Date) => Promise<number>;

/** What removes the rows of each retention (config/retention.ts). The application's role can't remove audit entries. */
const removals: Readonly<Record<Exclude<RetentionName, 'audit-log'>, readonly RemoveBatch[]>> = {
  junk: [purgeJunkLeads, purgeJunkApplications, purgeJunkReports],
  leads: [purgeOldLeads],
  'delivery-attempts': [purgeAttempts],
  events: [purgeEvents],
  applications: [purgeApplications],
  'geocoded-addresses': [purgeGeocodedAddresses],
  'sync-runs': [purgeSyncRuns],
  'staff-tasks': [purgeDoneTasks, purgeDoneReports],
  'form-steps': [purgeFormSteps],
};

/** Rows with an end of their own, which is not configurable: what removes a batch of those that ended until now. */
const expiries: Readonly<Record<string, (tx: Queryable, now: Date) => Promise<number>>> = {
  'purge sessions': purgeSessions,
  'purge invitations': purgeInvitations,
  'purge idempotency keys': purgeExpiredKeys,
  'purge rate limits': purgeRateLimits,
  'purge deleted leads': purgeDeletedLeads,
  'purge assignment undos': purgeAssignmentUndos,
  'purge recipient emails': purgeRecipientEmails,
  'purge unreachable addresses': purgeUnreachable,
  'purge address notices': purgeAddressNotices,
};

/** By the database's clock: a wrong clock of one machine must not remove anything early. */
export const expiryPurges: readonly Purge[] = Object.entries(expiries).map(([task, remove]) => ({
  task,
  removeBatch: async (tx) => remove(tx, await readTransactionTime(tx)),
}));

/** The purges of a configuration, without those of rows that are kept forever. By the database's clock. */
export function retentionPurges(retention: Retention): Purge[] {
  return retentionNames.flatMap((name) => {
    const days = retention[name];
    if (name === 'audit-log' || days === null) return [];
    const removeBatch = async (tx: Queryable): Promise<number> => {
      const before = new Date((await readTransactionTime(tx)).getTime() - days * dayMs);
      let rows = 0;
      for (const remove of removals[name]) rows += await remove(tx, before);
      return rows;
    };
    return [{ task: `purge ${name}`, removeBatch }];
  });
}

/** How long a run may take. The next run continues. */
const runBudgetMs = 60_000;

export interface Purge {
  /** As in logs and metrics. */
  task: string;
  /** Removes one batch in the caller's transaction. Returns the number of rows; 0: nothing is left to remove. */
  removeBatch: (tx: Queryable) => Promise<number>;
}

interface Run {
  /** No batch starts after its abort. */
  signal: AbortSignal;
  budgetMs?: number;
}

/**
 * Removes batches, each in one transaction, until nothing is left, the signal is aborted or the budget is used; at
 * least one batch if there is time to start it. Of several processes, one at a time runs a task: the others return, and
 * continue in their next run. Logs the number of rows if there were any, also if a batch fails. Returns that number.
 */
export async function purgeUntilDone(
  { db, log }: { db: Database; log: Log },
  { task, removeBatch }: Purge,
  { signal, budgetMs = runBudgetMs }: Run,
): Promise<number> {
  const untilMs = performance.now() + budgetMs;
  let total = 0;
  try {
    while (!signal.aborted) {
      const rows = await db.transaction(async (tx) =>
        (await tryAdvisoryLock(tx, advisoryLocks.purge, task)) ? removeBatch(tx) : 0,
      );
      total += rows;
      if (rows === 0 || performance.now() >= untilMs) break;
    }
  } finally {
    if (total > 0) log.info({ event: 'retention.purged', task, rows: total }, 'old rows were removed');
  }
  return total;
}
