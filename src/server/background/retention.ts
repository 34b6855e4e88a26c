import { dayMs } from '#shared/formats/time.ts';
import { type Retention, type RetentionName, retentionNames } from '../config/retention.ts';
import type { Queryable } from '../db/connect.ts';
import { purgeApplications, purgeJunkApplications } from '../features/applications/purgeApplications.ts';
import { purgeFormSteps } from '../features/formSteps/formStepCounter.ts';
import { purgeJunkLeads, purgeOldLeads } from '../features/leads/purgeLeads.ts';
import { purgeAttempts } from '../features/outbox/purgeAttempts.ts';
import { purgeDoneTasks } from '../features/suppression/staffTasks.ts';
import { purgeGeocodedAddresses } from '../features/sync/geocodeMissing.ts';
import { purgeSyncRuns } from '../features/sync/runRecords.ts';
import { purgeEvents } from '../features/webhooks/recordEvents.ts';
import type { Purge } from './purgeUntilDone.ts';

/** Removes one batch of what is older than `before`. Returns how many rows. */
type RemoveBatch = (tx: Queryable, before: Date) => Promise<number>;

/** What removes the rows of each retention (config/retention.ts). The application's role can't remove audit entries. */
const removals: Readonly<Record<Exclude<RetentionName, 'audit-log'>, readonly RemoveBatch[]>> = {
  junk: [purgeJunkLeads, purgeJunkApplications],
  leads: [purgeOldLeads],
  'delivery-attempts': [purgeAttempts],
  events: [purgeEvents],
  applications: [purgeApplications],
  'geocoded-addresses': [purgeGeocodedAddresses],
  'sync-runs': [purgeSyncRuns],
  'staff-tasks': [purgeDoneTasks],
  'form-steps': [purgeFormSteps],
};

/** The purges of a configuration, without those of rows that are kept forever. */
export function retentionPurges(retention: Retention, now: () => Date): Purge[] {
  return retentionNames.flatMap((name) => {
    const days = retention[name];
    if (name === 'audit-log' || days === null) return [];
    const removeBatch = async (tx: Queryable): Promise<number> => {
      const before = new Date(now().getTime() - days * dayMs);
      let rows = 0;
      for (const remove of removals[name]) rows += await remove(tx, before);
      return rows;
    };
    return [{ task: `purge ${name}`, removeBatch }];
  });
}
