import { loadZipTable } from '#server/features/matching/zipTable.ts';
import { parseConfig } from '#server/config/config.ts';
import type { Channels } from '#server/features/outbox/types.ts';
import { createChannels } from '#server/features/outbox/channels/deliveryChannels.ts';
import { createMail } from '#server/features/mail/mailer.ts';
import { createWakeSignal } from '#server/features/outbox/wakeSignal.ts';
import { createLog } from '#server/log.ts';
import type { Services } from '#server/services.ts';
import type { StaffActor } from '#server/features/auth/actor.ts';
import type { TestDb } from './testDb.ts';
import { testDataKeys } from './testKeys.ts';

export const testActor: StaffActor = {
  kind: 'staff',
  name: 'Robin Staff',
  role: 'manager',
  accountId: 7,
  sessionId: 'test-session',
  provedAt: new Date(),
};

export interface TestStaffAction {
  services: Pick<
    Services,
    'db' | 'dataKeys' | 'zipTable' | 'now' | 'log' | 'channels' | 'wakeSignal' | 'mail'
  >;
  actor: StaffActor;
  ip: string;
}

/** A staff action on a database, with a clock that tests control. */
export function staffActionOn(
  { db }: TestDb,
  clock = { ms: Date.parse('2026-06-10T12:00:00Z') },
  channels: Channels = createChannels(parseConfig({})),
): TestStaffAction {
  const now = (): Date => new Date(clock.ms);
  return {
    services: {
      db,
      dataKeys: testDataKeys({ db }),
      zipTable: loadZipTable(),
      now,
      log: createLog('silent'),
      channels,
      wakeSignal: createWakeSignal(),
      // Sends nothing and has no folder for it.
      mail: createMail(parseConfig({ SMTP_URL: 'smtp://127.0.0.1:9' }), now),
    },
    actor: testActor,
    ip: '203.0.113.10',
  };
}
