import { parseConfig } from '#server/config/config.ts';
import {
  createEndpoint,
  type EventServices,
  type WebhookAction,
} from '#server/features/webhooks/endpoints.ts';
import { createWebhookChannel } from '#server/features/outbox/channels/webhook.ts';
import { createChannels } from '#server/features/outbox/channels/deliveryChannels.ts';
import { leaseDue, listDueQueues } from '#server/features/outbox/lease.ts';
import { createWakeSignal } from '#server/features/outbox/wakeSignal.ts';
import { createLog } from '#server/log.ts';
import type { Services } from '#server/services.ts';
import type { EndpointCreateInput, WebhookEndpoint } from '#shared/admin/webhooks.ts';
import { attemptLeased } from './outboxSetup.ts';
import { testActor } from './staffActions.ts';
import type { TestDb } from './testDb.ts';
import { testDataKeys, testSecret } from './testKeys.ts';

/**
 * A clock that tests control. Before sending, it moves ahead of the database's clock, so that all written deliveries
 * are due.
 */
interface Clock {
  ms: number;
}

type WorkerServices = EventServices & Pick<Services, 'wakeSignal'>;

export interface EventSetup {
  staffAction: WebhookAction & { services: WorkerServices };
  clock: Clock;
  /** For a running worker: its clock stays ahead of the database's, however long a test takes. */
  workerServices: WorkerServices;
  /** Creates an enabled endpoint, by default for all events. */
  addEndpoint: (
    url: string,
    input?: Partial<EndpointCreateInput>,
  ) => Promise<{ endpoint: WebhookEndpoint; secret: string }>;
  /** Sends all due deliveries like a worker. Returns the number of attempts. */
  sendDue: (options?: { limitMs?: number }) => Promise<number>;
}

const limitMsUsual = 5_000;
const aheadMs = 1_000;

export function eventSetup({ db }: TestDb, { production = false } = {}): EventSetup {
  const clock = { ms: Date.now() + aheadMs };
  const config = {
    ...parseConfig({ SECRET_KEYS: testSecret }),
    production,
  };
  const dataKeys = testDataKeys({ db });
  const services = {
    config,
    dataKeys,
    db,
    channels: createChannels(config, { webhook: createWebhookChannel({ config, db, dataKeys }) }),
    wakeSignal: createWakeSignal(),
    log: createLog('silent'),
    now: () => new Date(clock.ms),
  };
  const staffAction = { services, actor: testActor, ip: '203.0.113.10' };
  return {
    staffAction,
    clock,
    workerServices: { ...services, now: () => new Date(Math.max(clock.ms, Date.now() + aheadMs)) },
    addEndpoint: (url, input = {}) =>
      createEndpoint(staffAction, { url, description: '', types: [], payload: 'thin', ...input }),
    async sendDue({ limitMs = limitMsUsual } = {}) {
      clock.ms = Math.max(clock.ms, Date.now() + aheadMs);
      const now = services.now();
      const due = await listDueQueues(db, now);
      if (due.length === 0) return 0;
      const slots = new Map(due.map((queue) => [queue, 100]));
      const leases = await leaseDue(db, { slots, now });
      const outcomes = await attemptLeased(services, leases, { limitMs });
      return outcomes.filter(({ result }) => result !== null).length;
    },
  };
}
