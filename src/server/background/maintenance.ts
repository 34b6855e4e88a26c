import { purgeDeletedLeads } from '../features/leads/leadChanges.ts';
import { purgeEvents } from '../features/webhooks/recordEvents.ts';
import { sealWaiting } from '../features/consent/consentChain.ts';
import { purgeExpiredKeys } from '../features/submissions/idempotency.ts';
import { purgeRecipientEmails } from '../features/mail/recipientLimits.ts';
import { purgeUnreachable } from '../features/mail/unreachableAddresses.ts';
import { clearOutbox } from '../features/erasure/clearOutbox.ts';
import { forgetRemoteIds } from '../features/outbox/notices.ts';
import { purgeRateLimits } from '../security/sharedLimiter.ts';
import { purgeSessions } from '../features/auth/sessions.ts';
import type { BaseServices } from '../createServices.ts';
import { minuteMs } from '#shared/formats/time.ts';
import { createPeriodic } from './every.ts';

const sealEveryMs = 10_000;
const clearEveryMs = 60_000;
const purgeEveryMs = 10 * minuteMs;
/**
 * Work that waits longer than this (a hanging database, another process's lock) is cancelled with its connection and
 * rolled back.
 */
const stopMaxMs = 3_000;

/**
 * The periodic work of every process: seal consent records into their chain and delete expired idempotency keys, ended
 * sessions, leads deleted and events recorded thirty days ago, lead emails counted a week ago, and data that could
 * identify an erased person. Safe in any number of processes: each task has its own lock. Returns a function that stops
 * it and waits for the runs in progress, three seconds at most.
 */
export function startMaintenance({
  db,
  dataKeys,
  log,
  now,
  mail,
}: Pick<BaseServices, 'db' | 'dataKeys' | 'log' | 'now' | 'mail'>): () => Promise<void> {
  const { every, stop } = createPeriodic({ log });
  every('seal consent', sealEveryMs, () => sealWaiting(db, dataKeys));
  every('purge sessions', purgeEveryMs, () => purgeSessions(db, now()));
  every('purge idempotency keys', purgeEveryMs, () => purgeExpiredKeys(db, now()));
  every('purge rate limits', purgeEveryMs, () => purgeRateLimits(db, now()));
  every('purge deleted leads', purgeEveryMs, () => purgeDeletedLeads(db, now()));
  every('purge events', purgeEveryMs, () => purgeEvents(db, now()));
  every('purge recipient emails', purgeEveryMs, () => purgeRecipientEmails(db, now()));
  every('purge unreachable addresses', purgeEveryMs, () => purgeUnreachable(db, now()));
  every('forget remote ids', purgeEveryMs, () => forgetRemoteIds(db));
  every('clear outbox', clearEveryMs, () => clearOutbox({ db, mail }));
  return () => stop(stopMaxMs);
}
