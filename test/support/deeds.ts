import { loadZipTable } from '#server/features/matching/zipTable.ts';
import { parseConfig } from '#server/config.ts';
import type { Channels } from '#server/features/deliveries/channel.ts';
import { createChannels } from '#server/features/deliveries/channels.ts';
import { createJobs } from '#server/jobs/jobs.ts';
import { createLog } from '#server/log.ts';
import type { Services } from '#server/trpc/context.ts';
import type { StaffActor } from '#server/features/staff/actor.ts';
import type { TestDb } from './testDb.ts';

export const testActor: StaffActor = {
  kind: 'staff',
  name: 'Robin Staff',
  role: 'manager',
  accountId: 7,
  sessionId: 'test-session',
};

export interface TestDeed {
  services: Pick<Services, 'db' | 'zipTable' | 'now' | 'log' | 'channels' | 'jobs'>;
  actor: StaffActor;
  ip: string;
}

/** Somebody of the staff at work on a database, at a time that can be moved. */
export function deedOn(
  { db }: TestDb,
  clock = { ms: Date.parse('2026-06-10T12:00:00Z') },
  channels: Channels = createChannels(parseConfig({})),
): TestDeed {
  return {
    services: {
      db,
      zipTable: loadZipTable(),
      now: () => new Date(clock.ms),
      log: createLog('silent'),
      channels,
      jobs: createJobs(),
    },
    actor: testActor,
    ip: '203.0.113.10',
  };
}
