import { expect, test } from 'vitest';
import { alerts, problemReports } from '#server/db/schema/index.ts';
import { leadInput } from '#test/support/factories.ts';
import { setUpIntake } from '#test/support/intakeSetup.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { raiseAlert } from '../alerts/alerts.ts';
import { erasePerson } from '../erasure/erasePerson.ts';

test('an erasure ends the alert of a claim with its last report, and no other', async () => {
  await using at = await setUpIntake();
  const { db } = at.database;
  const staffAction = staffActionOn(at.database, at.clock);
  const { id } = (await at.send(leadInput({ email: 'ann@example.com', phone: '(720) 555-0142' }))).body;
  const report = { what: 'It hurt.', host: 'localhost' };
  await db.insert(problemReports).values([
    { ...report, claimId: 'gone', contact: 'ann@example.com' },
    { ...report, claimId: 'kept', contact: '720.555.0142' },
    { ...report, claimId: 'kept', contact: 'joann@example.com' },
    { ...report, contact: 'Ann@example.com' },
    // Set aside as spam: it opened no alert, and keeps none open.
    { ...report, claimId: 'gone', contact: null, quarantineReason: 'honeypot' },
  ]);
  for (const subject of ['gone', 'kept', ''])
    await raiseAlert(db, { kind: 'problem-reported', subject, message: 'A problem', now: new Date(0) });
  await erasePerson(staffAction, { leadId: id, reason: 'asked' });
  expect(await db.select({ subject: alerts.subject }).from(alerts)).toEqual([{ subject: 'kept' }]);
  const left = await db
    .select({ contact: problemReports.contact })
    .from(problemReports)
    .orderBy(problemReports.id);
  expect(left).toEqual([{ contact: 'joann@example.com' }, { contact: null }]);
});
