import { loadZipTable } from '#server/features/matching/zipTable.ts';
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
  services: { db: TestDb['db']; zipTable: ReturnType<typeof loadZipTable>; now: () => Date };
  actor: StaffActor;
  ip: string;
}

/** Somebody of the staff at work on a database, at a time that can be moved. */
export function deedOn({ db }: TestDb, clock = { ms: Date.parse('2026-06-10T12:00:00Z') }): TestDeed {
  return {
    services: { db, zipTable: loadZipTable(), now: () => new Date(clock.ms) },
    actor: testActor,
    ip: '203.0.113.10',
  };
}
