import { setTimeout as delay } from 'node:timers/promises';
import { purgeDeletedLeads } from '../features/leads/leadChanges.ts';
import { foldLeadCounts } from '../features/providers/leadCounts.ts';
import { purgeEvents } from '../features/webhooks/purgeEvents.ts';
import { sealConsent } from '../features/consent/consentChain.ts';
import { purgeExpiredKeys } from '../features/submissions/idempotency.ts';
import { purgeRecipientEmails } from '../features/mail/recipientLimits.ts';
import { clearOutbox } from '../features/erasure/clearOutbox.ts';
import { forgetRemoteIds } from '../features/erasure/notifyErasure.ts';
import { purgeSessions } from '../features/auth/sessions.ts';
import type { BaseServices } from '../createServices.ts';
import { minuteMs } from '#shared/formats/time.ts';

const sealEveryMs = 2_000;
const foldEveryMs = 10_000;
const clearEveryMs = 60_000;
const purgeEveryMs = 10 * minuteMs;
/** A task that waits for longer (a database that hangs, a lock held elsewhere) ends with its connection: nothing is half done. */
const stopWaitMs = 3_000;

/**
 * What every process does beside answering: seal consent records into their chain, add up the clinics' counts of leads, and drop expired idempotency keys, sessions
 * over, leads deleted and events told thirty days ago, lead emails counted a week ago, and what leads to an erased person. Safe in any number
 * of processes (each task takes its own lock). Returns a function that stops it and waits for what is running, three seconds at most.
 */
export function startMaintenance({
  db,
  dataKeys,
  log,
  now,
  mail,
}: Pick<BaseServices, 'db' | 'dataKeys' | 'log' | 'now' | 'mail'>): () => Promise<void> {
  const tasks = [
    repeat('seal consent', sealEveryMs, async () => sealConsent(db, await dataKeys.current('consent-seal'))),
    repeat('fold lead counts', foldEveryMs, () => foldLeadCounts(db)),
    repeat('purge sessions', purgeEveryMs, () => purgeSessions(db, now())),
    repeat('purge idempotency keys', purgeEveryMs, () => purgeExpiredKeys(db, now())),
    repeat('purge deleted leads', purgeEveryMs, () => purgeDeletedLeads(db, now())),
    repeat('purge events', purgeEveryMs, () => purgeEvents(db, now())),
    repeat('purge recipient emails', purgeEveryMs, () => purgeRecipientEmails(db, now())),
    repeat('forget remote ids', purgeEveryMs, () => forgetRemoteIds(db)),
    repeat('clear outbox', clearEveryMs, () => clearOutbox({ db, mail })),
  ];

  function repeat(name: string, everyMs: number, work: () => Promise<unknown>): () => Promise<void> {
    let running: Promise<unknown> = Promise.resolve();
    let busy = false;
    const timer = setInterval(() => {
      if (busy) return;
      busy = true;
      running = work()
        .catch((error: unknown) =>
          log.warn({ err: error, task: name }, 'maintenance failed; it is tried again'),
        )
        .finally(() => {
          busy = false;
        });
    }, everyMs);
    timer.unref();
    return async () => {
      clearInterval(timer);
      await Promise.race([running, delay(stopWaitMs, undefined, { ref: false })]);
    };
  }

  return async () => {
    await Promise.all(tasks.map((stop) => stop()));
  };
}
