import { expect, test } from 'vitest';
import { testDb } from '#test/support/testDb.ts';
import { clearAlert, countAlerts, listAlerts, raiseAlert } from './alerts.ts';

const first = new Date('2026-06-01T08:00:00Z');
const later = new Date('2026-06-01T09:00:00Z');

test('an alert that is raised again keeps its time and gets the new message', async () => {
  await using database = await testDb();
  const { db } = database;
  await raiseAlert(db, { kind: 'deliveries-held', subject: 'crm', message: 'One waits.', now: first });
  await raiseAlert(db, { kind: 'deliveries-held', subject: 'crm', message: 'Two wait.', now: later });
  await raiseAlert(db, { kind: 'channel-refused', subject: 'crm', message: 'Sign-in failed.', now: later });
  expect(await listAlerts(db)).toEqual({
    alerts: [
      { kind: 'deliveries-held', subject: 'crm', message: 'Two wait.', since: first.toISOString() },
      { kind: 'channel-refused', subject: 'crm', message: 'Sign-in failed.', since: later.toISOString() },
    ],
    total: 2,
  });
});

test('an alert ends for its own subject only, and can be raised again', async () => {
  await using database = await testDb();
  const { db } = database;
  for (const subject of ['1', '2'])
    await raiseAlert(db, { kind: 'provider-skipped', subject, message: `Provider ${subject}.`, now: first });
  expect(await clearAlert(db, { kind: 'provider-skipped', subject: '1' })).toBe(true);
  expect(await clearAlert(db, { kind: 'provider-skipped', subject: '1' })).toBe(false);
  const counts = await countAlerts(db);
  expect(counts.filter(({ count }) => count > 0)).toEqual([{ kind: 'provider-skipped', count: 1 }]);
  await raiseAlert(db, { kind: 'provider-skipped', subject: '1', message: 'Again.', now: later });
  const { alerts } = await listAlerts(db);
  expect(alerts.map(({ subject, since }) => [subject, since])).toEqual([
    ['2', first.toISOString()],
    ['1', later.toISOString()],
  ]);
});

test('an alert of a later version is counted and not listed', async () => {
  await using database = await testDb();
  await database.sql`insert into alerts (kind, subject, message) values ('of-later', '', 'Something new.')`;
  expect(await listAlerts(database.db)).toEqual({ alerts: [], total: 1 });
});
