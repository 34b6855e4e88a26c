import { releaseOverLimit } from '../features/leads/intake/releaseOverLimit.ts';
import { startOutboxWorker } from '../features/outbox/outboxWorker.ts';
import { createLedgerNoter } from '../features/ledger/noteLedger.ts';
import { openLedgerTarget } from '../features/ledger/objectLedger.ts';
import { createLedgerShipper } from '../features/ledger/shipLedger.ts';
import { createHeldTender } from '../features/outbox/releaseHeld.ts';
import { tendMarks } from '../features/unreachable/tendMarks.ts';
import { rematchUnmatched } from '../features/leads/changes/rematch.ts';
import { takeDueReturns } from '../features/outcomes/recordOutcome.ts';
import { runScheduledSync } from '../features/sync/wordpressRun.ts';
import type { BaseServices } from '../createServices.ts';
import { minuteMs } from '#shared/formats/time.ts';
import { mailFormerAddresses } from '../features/addressNotices/mailFormerAddresses.ts';
import { mailWeeklyFigures } from '../features/insights/weeklyEmail.ts';
import { checkUnanswered } from '../features/applications/checkUnanswered.ts';
import { mailNotices, mailReceipts } from '../features/applications/applicationMail.ts';
import { mailAnswers } from '../features/applications/answerMail.ts';
import { mailAlerts } from '../features/alerts/mailAlerts.ts';
import { endFloodAlerts, checkQuarantineShare } from '../features/leads/intake/intakeAlerts.ts';
import { checkSignIns } from '../features/alerts/checkSignIns.ts';
import { createPeriodic } from './every.ts';
import { type Schedule, startSchedules } from './schedules.ts';

/** How long a worker that stops waits for its work in progress. */
const graceMs = 6_000;
/** A round of deliveries only leases them. A silent database is noticed within 30 seconds, and the round fails. */
const deliverRoundMaxMs = 120_000;

/** What runs by the clock. */
export function listSchedules(services: BaseServices): Schedule[] {
  return [
    {
      name: 'sync-incremental',
      cron: '*/15 * * * *',
      run: (signal) => runScheduledSync(services, 'incremental', signal),
    },
    // Before dawn in the United States.
    { name: 'sync-full', cron: '10 8 * * *', run: (signal) => runScheduledSync(services, 'full', signal) },
    { name: 'mail-alerts', cron: '7 * * * *', run: async () => void (await mailAlerts(services)) },
  ];
}

/**
 * Starts deliveries, schedules, and the matching and release of leads. Returns a function that stops it within six
 * seconds; the rest is interrupted and left to another process. `pollMs`: longest wait of another process's delivery.
 */
export async function startWorker(
  services: BaseServices,
  { pollMs }: { pollMs?: number } = {},
): Promise<() => Promise<void>> {
  const { config, dataKeys, db, log, now, loops } = services;
  const schedules = await startSchedules({ sql: db.$client, log, schedules: listSchedules(services) });
  const outbox = startOutboxWorker(services, {
    mustYield: services.submissions.leadBatches.isBusy,
    onRound: loops.add('lease deliveries', deliverRoundMaxMs),
    ...(pollMs === undefined ? {} : { pollMs }),
  });
  const { every, stop } = createPeriodic({ log, loops, startNow: true });
  every('release held deliveries', minuteMs, createHeldTender(services));
  every('tend unreachable providers', minuteMs, () => tendMarks(services));
  every('tell former addresses', minuteMs, () => mailFormerAddresses(services));
  every('mail receipts of applications', 15_000, () => mailReceipts(services));
  every('mail answers to applications', 15_000, () => mailAnswers(services));
  every('mail notices of applications', 15_000, () => mailNotices(services));
  every('mail weekly figures', minuteMs, () => mailWeeklyFigures(services));
  every('check unanswered applications', minuteMs, () => checkUnanswered(services));
  every('check the share of quarantined leads', 10 * minuteMs, () => checkQuarantineShare(services));
  every('end alerts of floods', 10 * minuteMs, () => endFloodAlerts(services));
  every('check failed sign-ins', minuteMs, () => checkSignIns(services));
  every('release leads above the limit', 15_000, () => releaseOverLimit(services));
  const target = config.ledger === null ? null : openLedgerTarget(config.ledger);
  every('ship the erasure ledger', 5_000, createLedgerShipper({ db, dataKeys, target }));
  every(
    'note the ledger',
    5_000,
    createLedgerNoter({ db, dataKeys, log, now, target, shipsAudit: config.shipsAudit }),
  );
  every('return leads', 10_000, (signal) => takeDueReturns(services, signal));
  every('match leads again', 10_000, (signal) => rematchUnmatched(services, signal));
  return async () => {
    await Promise.all([outbox.stop(graceMs), schedules.stop(graceMs), stop(graceMs)]);
  };
}
