import { expect, test } from 'vitest';
import { testCaller } from '#test/support/caller.ts';
import { leadInput } from '#test/support/factories.ts';
import { setUpIntake } from '#test/support/intakeSetup.ts';
import { getLead } from '../list/leadList.ts';
import { leadHistory } from '../detail/leadHistory.ts';
import { recordVisitorCall } from './visitorCall.ts';

const key = 'c0ffee00-1111-4222-8333-444455556666';

test('a visitor who called is in the lead’s history once a day', async () => {
  await using at = await setUpIntake();
  const { body } = await at.sendForm(leadInput(), { idempotencyKey: key });
  const call = (by = key) => recordVisitorCall(at.services, testCaller(), by);
  expect([await call(), await call()]).toEqual([true, true]);
  const lead = await getLead(at.database.db, body.id);
  const history = await leadHistory(at.database.db, lead, { consentedAt: null, tasks: [] });
  const calls = history.filter(({ kind }) => kind === 'called');
  expect(calls.map(({ by, detail }) => [by, detail])).toEqual([['Visitor', '']]);
});

test('nobody else can say that a visitor called', async () => {
  await using at = await setUpIntake();
  await at.sendForm(leadInput(), { idempotencyKey: key });
  const call = (by: string, caller = testCaller()) => recordVisitorCall(at.services, caller, by);
  await at.send(leadInput(), { idempotencyKey: 'order-4711' });
  for (const other of ['c0ffee00-1111-4222-8333-444455557777', 'order-4711'])
    expect(await call(other)).toBe(false);
  const elsewhere = { ...testCaller(), site: { kind: 'unknown' as const, host: 'b.example', tenant: null } };
  expect(await call(key, elsewhere)).toBe(false);
  at.clock.ms += 24 * 3_600_000;
  expect(await call(key)).toBe(false);
  expect(await at.database.sql`select 1 from audit_log where action = 'lead.called'`).toEqual([]);
});
