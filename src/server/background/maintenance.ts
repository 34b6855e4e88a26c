import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import { sealWaiting } from '../features/consent/consentChain.ts';
import { clearMailFolder } from '../features/erasure/clearMailFolder.ts';
import { upgradeForms } from '../features/erasure/upgradeForms.ts';
import { forgetRemoteIds } from '../features/outbox/notices.ts';
import type { BaseServices } from '../createServices.ts';
import { minuteMs } from '#shared/formats/time.ts';
import { createPeriodic } from './every.ts';
import { purgeUntilDone } from './purgeUntilDone.ts';
import { expiryPurges, retentionPurges } from './retention.ts';

const sealEveryMs = 10_000;
/** What a killed process may lose. */
const storeStepsEveryMs = 10_000;
const storeAuditEveryMs = 60_000;
const clearEveryMs = 60_000;
const upgradeEveryMs = 10_000;
const purgeEveryMs = 10 * minuteMs;
/**
 * Work that waits longer than this (a hanging database, another process's lock) is cancelled with its connection and
 * rolled back.
 */
const stopMaxMs = 3_000;
const lastStoreMaxMs = 1_000;

/**
 * The periodic work of every process: store the counts of form steps and for the audit log, seal consent records into
 * their chain, bring what earlier versions stored to the current normal form of emails and phones, remove rows that
 * expired or whose retention ended (`config.retention`), and data that could identify an erased person. Safe in any
 * number of processes: each task has its own lock. Returns a function that stops it, waits for the runs in progress,
 * three seconds at most, and stores the last counts.
 */
export function startMaintenance({
  config,
  db,
  dataKeys,
  log,
  mail,
  submissions,
  auditCounts,
  loops,
}: Pick<BaseServices, 'config' | 'db' | 'dataKeys' | 'log' | 'mail' | 'auditCounts' | 'loops'> & {
  submissions: Pick<BaseServices['submissions'], 'formSteps'>;
}): () => Promise<void> {
  const { every, stop } = createPeriodic({ log, loops });
  every('seal consent', sealEveryMs, () => sealWaiting(db, dataKeys));
  every('store form steps', storeStepsEveryMs, () => submissions.formSteps.store());
  every('store audit counts', storeAuditEveryMs, () => auditCounts.store());
  // So that a backlog does not take every connection of the pool.
  const oneAtATime = pLimit(1);
  for (const purge of [...expiryPurges, ...retentionPurges(config.retention)])
    every(purge.task, purgeEveryMs, (signal) =>
      oneAtATime(() => purgeUntilDone({ db, log }, purge, { signal })),
    );
  every('upgrade normal forms', upgradeEveryMs, (signal) => upgradeForms({ db, dataKeys }, { signal }));
  every('forget remote ids', purgeEveryMs, () => forgetRemoteIds(db));
  every('clear mail folder', clearEveryMs, () => clearMailFolder({ db, mail }));
  return async () => {
    await stop(stopMaxMs);
    await storeLastCounts({ submissions, auditCounts, log });
  };
}

/** Stores the counts of form steps and for the audit log when a process stops, within a second. */
export async function storeLastCounts({
  submissions,
  auditCounts,
  log,
}: Pick<BaseServices, 'auditCounts' | 'log'> & {
  submissions: Pick<BaseServices['submissions'], 'formSteps'>;
}): Promise<void> {
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
