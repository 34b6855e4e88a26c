import { parseConfig } from '#server/config/config.ts';
import { createEndpoint, type WebhookAction } from '#server/features/webhooks/endpoints.ts';
import { listDueEndpoints, takeMessages } from '#server/features/webhooks/messageQueue.ts';
import { recordAttempt } from '#server/features/webhooks/recordAttempt.ts';
import { type EventServices, sendMessage } from '#server/features/webhooks/sendMessage.ts';
import { createLog } from '#server/log.ts';
import type { EndpointCreateInput, WebhookEndpoint } from '#shared/admin/webhooks.ts';
import { testActor } from './staffActions.ts';
import type { TestDb } from './testDb.ts';
import { testDataKeys, testSecret } from './testKeys.ts';

/** A clock that stands until it is moved, or until something is to be sent: then it is ahead of the database's, so that what was written is due. */
export interface Clock {
  ms: number;
}

export interface EventSetup {
  staffAction: WebhookAction & { services: EventServices };
  clock: Clock;
  /** One more endpoint, on, that wants everything unless said otherwise. */
  addEndpoint: (
    url: string,
    input?: Partial<EndpointCreateInput>,
  ) => Promise<{ endpoint: WebhookEndpoint; secret: string }>;
  /** Sends everything that is due by the clock, as a worker would. Returns how many tries there were. */
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
  const services = {
    config,
    dataKeys: testDataKeys({ db }),
    db,
    log: createLog('silent'),
    now: () => new Date(clock.ms),
  };
  const staffAction = { services, actor: testActor, ip: '203.0.113.10' };
  return {
    staffAction,
    clock,
    addEndpoint: (url, input = {}) =>
      createEndpoint(staffAction, { url, description: '', types: [], payload: 'thin', ...input }),
    async sendDue({ limitMs = limitMsUsual } = {}) {
      clock.ms = Math.max(clock.ms, Date.now() + aheadMs);
      let sent = 0;
      const { signal } = new AbortController();
      for (const endpointId of await listDueEndpoints(db, services.now()))
        for (const taken of await takeMessages(db, { endpointId, limit: 100, now: services.now() })) {
          const attempt = await sendMessage(services, taken, { signal, limitMs });
          await recordAttempt(db, { message: taken.message, attempt, now: services.now() });
          sent += 1;
        }
      return sent;
    },
  };
}
