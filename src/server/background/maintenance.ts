import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import { sealWaiting } from '../features/consent/consentChain.ts';
import { clearMailFolder } from '../features/erasure/clearMailFolder.ts';
import { upgradeForms } from '../features/erasure/upgradeForms.ts';
import { forgetRemoteIds } from '../features/outbox/notices.ts';
import type { BaseServices } from '../createServices.ts';
import { minuteMs } from '#shared/formats/time.ts';
import { createPeriodic } from './every.ts';
import { purgeUntilDone, expiryPurges, retentionPurges } from './retention.ts';

const purgeEveryMs = 10 * minuteMs;
/** Work that waits longer (hanging database, another's lock) is cancelled with its connection and rolled back. */
const stopMaxMs = 3_000;
const lastStoreMaxMs = 1_000;

type Own = 'config' | 'db' | 'dataKeys' | 'log' | 'mail' | 'auditCounts' | 'loops';
type MaintenanceServices = Pick<BaseServices, Own> & {
  submissions: Pick<BaseServices['submissions'], 'formSteps'>;
};

/**
 * The periodic work of every process: store the counts of form steps and for the audit log, seal consent records into
 * their chain, bring what earlier versions stored to the current normal form of emails and phones, remove rows that
 * expired or whose retention ended (`config.retention`), and data that could identify an erased person. Safe in any
 * number of processes: each task has its own lock. Returns a function that stops it, waits for the runs in progress,
 * three seconds at most, and stores the last counts.
 */
export function startMaintenance(services: MaintenanceServices): () => Promise<void> {
  const { config, db, dataKeys, log, mail, submissions, auditCounts, loops } = services;
  const { every, stop } = createPeriodic({ log, loops });
  every('seal consent', 10_000, () => sealWaiting(db, dataKeys));
  // A killed process loses the counts since the last store.
  every('store form steps', 10_000, () => submissions.formSteps.store());
  every('store audit counts', minuteMs, () => auditCounts.store());
  // So that a backlog does not take every connection of the pool.
  const oneAtATime = pLimit(1);
  for (const purge of [...expiryPurges, ...retentionPurges(config.retention)])
    every(purge.task, purgeEveryMs, (signal) =>
      oneAtATime(() => purgeUntilDone({ db, log }, purge, { signal })),
    );
  every('upgrade normal forms', 10_000, (signal) => upgradeForms({ db, dataKeys }, { signal }));
  every('forget remote ids', purgeEveryMs, () => forgetRemoteIds(db));
  every('clear mail folder', minuteMs, () => clearMailFolder({ db, mail }));
  return async () => {
    await stop(stopMaxMs);
    await storeLastCounts(services);
  };
}

/** Stores the counts of form steps and for the audit log when a process stops, within a second. */
export async function storeLastCounts({
  submissions,
  auditCounts,
  log,
}: Pick<MaintenanceServices, 'submissions' | 'auditCounts' | 'log'>): Promise<void> {
  const late = (): Promise<void> => delay(lastStoreMaxMs, undefined, { ref: false });
  await Promise.all([
    Promise.race([submissions.formSteps.store(), late()]).catch((error: unknown) =>
      log.warn({ event: 'form-steps.unstored', err: error }, 'the last form steps were not stored'),
    ),
    Promise.race([auditCounts.store({ isLast: true }), late()]).catch((error: unknown) =>
      log.warn({ event: 'audit.unstored', err: error }, 'the last counts for the audit log were not stored'),
    ),
  ]);
}
