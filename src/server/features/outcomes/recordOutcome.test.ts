import { expect, test } from 'vitest';
import { minuteMs } from '#shared/formats/time.ts';
import { type LeadOutcome, returnDelayMs } from '#shared/leads/leadOutcomes.ts';
import { viewLead } from '#server/features/leads/detail/leadDetail.ts';
import { assignLeads } from '#server/features/leads/changes/assignLeads.ts';
import { undoAssignments } from '#server/features/leads/changes/undoAssignments.ts';
import { getLead } from '#server/features/leads/list/leadList.ts';
import { suppress } from '#server/features/withdrawals/suppress.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { type IntakeSetup, setUpIntake } from '#test/support/intakeSetup.ts';
import { insertLead } from '#test/support/leadRows.ts';
import {
  recordByProvider,
  takeDueReturns,
  getOutcomePageState,
  recordByStaff,
  undoByStaff,
} from './recordOutcome.ts';

const ip = '203.0.113.40';

/** Sends a lead from Denver, with consent, and returns it with its provider. */
async function matchedLead(at: IntakeSetup): Promise<{ leadId: number; providerId: number }> {
  const { body } = await at.send(leadInput({ zip_code: '80202' }));
  return { leadId: body.id, providerId: body.providerId ?? 0 };
}

/** The recorded outcomes, oldest first. */
async function listOutcomes({ database }: IntakeSetup): Promise<unknown[]> {
  const rows = await database.sql`select provider_id::int, outcome, by from lead_outcomes order by id`;
  return rows.map((row) => Object.values(row));
}

/** Reports a lead as outside the area, and lets the return take effect. */
async function returnLead(at: IntakeSetup, lead: { leadId: number; providerId: number }): Promise<void> {
  await recordByProvider(at.services, { ...lead, outcome: 'wrong-area', ip });
  at.clock.ms += returnDelayMs;
  await takeDueReturns(at.services);
}

test('an outcome that a provider repeats is recorded once, and the latest one counts', async () => {
  await using at = await setUpIntake();
  const provider = await insertProvider(at.database.db, { zipCode: '80202' });
  const lead = await matchedLead(at);
  const report = (outcome: LeadOutcome) => recordByProvider(at.services, { ...lead, outcome, ip });
  expect(await getOutcomePageState(at.database.db, lead)).toMatchObject({ state: 'open', outcome: null });
  await Promise.all([report('reached'), report('reached'), report('reached')]);
  expect(await listOutcomes(at)).toEqual([[provider.id, 'reached', 'Clinic']]);
  for (const outcome of ['booked', 'booked', 'reached'] as const) {
    at.clock.ms += minuteMs;
    await report(outcome);
  }
  expect(await listOutcomes(at)).toEqual([
    [provider.id, 'reached', 'Clinic'],
    [provider.id, 'booked', 'Clinic'],
    [provider.id, 'reached', 'Clinic'],
  ]);
  expect((await getLead(at.database.db, lead.leadId)).outcome).toBe('reached');
});

test('a lead in the wrong area moves once to the next provider, with the reason', async () => {
  await using at = await setUpIntake();
  const { db } = at.database;
  const near = await insertProvider(db, { zipCode: '80202' });
  const next = await insertProvider(db, { zipCode: '80301' });
  const lead = await matchedLead(at);
  expect(lead.providerId).toBe(near.id);
  const wrong = { ...lead, outcome: 'wrong-area' as const, ip };
  await Promise.all([recordByProvider(at.services, wrong), recordByProvider(at.services, wrong)]);
  expect(await getOutcomePageState(db, lead)).toMatchObject({ outcome: 'wrong-area', isPending: true });
  expect(await listOutcomes(at)).toEqual([]);
  at.clock.ms += returnDelayMs;
  await Promise.all([takeDueReturns(at.services), takeDueReturns(at.services)]);
  expect(await listOutcomes(at)).toEqual([[near.id, 'wrong-area', 'Clinic']]);
  expect(await getLead(db, lead.leadId)).toMatchObject({
    provider_id: next.id,
    match: {
      method: 'nearest',
      reason: expect.stringMatching(
        new RegExp(
          `^Rematched after provider ${near.id}: wrong area. Nearest active provider, 2\\d\\.\\d miles`,
        ),
      ),
    },
    // The new provider has not reported an outcome yet.
    outcome: null,
  });
  expect(await getOutcomePageState(db, lead)).toEqual({ state: 'returned' });
  const { events } = await viewLead({ ...staffActionOn(at.database), services: at.services }, lead.leadId);
  const since = events.filter(({ kind }) => ['matched', 'rematched', 'outcome'].includes(kind));
  expect(since).toMatchObject([
    { kind: 'matched', detail: expect.stringMatching(/^Nearest active provider, 0\.0 miles/) },
    { kind: 'outcome', by: 'Clinic', detail: `Wrong area (${near.name})` },
    { kind: 'rematched', by: 'System', detail: expect.stringContaining(next.name) },
  ]);
});

test('a returned lead without another provider nearby is unmatched, with the reason', async () => {
  await using at = await setUpIntake();
  const { db } = at.database;
  const only = await insertProvider(db, { zipCode: '80202' });
  await insertProvider(db, { zipCode: '10016' });
  const lead = await matchedLead(at);
  await returnLead(at, lead);
  expect(await getLead(db, lead.leadId)).toMatchObject({
    provider_id: null,
    match: {
      method: 'none',
      miles: null,
      reason: expect.stringMatching(
        new RegExp(`^Returned by provider ${only.id}: wrong area. No active provider within 100 miles`),
      ),
    },
    outcome: 'wrong-area',
  });
});

const withheld: [why: string, prepare: (at: IntakeSetup, leadId: number) => Promise<unknown>][] = [
  [
    'withdrew',
    async (at, leadId) => {
      const { email_norm, phone_e164 } = await at.lead(leadId);
      const person = { emailNorm: String(email_norm), phoneE164: String(phone_e164) };
      const now = new Date(at.clock.ms);
      const { key: identityKey } = await at.services.dataKeys.current('identity');
      const rest = { identityKey, how: 'page', by: 'Visitor', ip: null, now } as const;
      await suppress(at.database.db, { person, leadId, reason: 'withdrawn', ...rest });
    },
  ],
  ['agreed more than 90 days ago', async (at) => void (at.clock.ms += 90 * 86_400_000)],
  [
    'is in quarantine',
    ({ database }, leadId) =>
      database.sql`update leads set quarantined_at = now(), quarantine_reason = 'honeypot' where id = ${leadId}`,
  ],
];

test.each(withheld)('a returned lead is not matched again when its person %s', async (_, prepare) => {
  await using at = await setUpIntake();
  const { db } = at.database;
  await insertProvider(db, { zipCode: '80202' });
  await insertProvider(db, { zipCode: '80301' });
  const lead = await matchedLead(at);
  await prepare(at, lead.leadId);
  await returnLead(at, lead);
  expect(await getLead(db, lead.leadId)).toMatchObject({
    provider_id: null,
    match: { reason: expect.stringContaining('Not matched again') },
  });
});

test('a provider that no longer has a lead cannot change it', async () => {
  await using at = await setUpIntake();
  const { db, sql } = at.database;
  const provider = await insertProvider(db, { zipCode: '80202' });
  const other = await insertProvider(db, { zipCode: '80301' });
  const moved = await matchedLead(at);
  await sql`update leads set provider_id = ${other.id} where id = ${moved.leadId}`;
  const gone = await matchedLead(at);
  await sql`update leads set deleted_at = now() where id = ${gone.leadId}`;
  const never = { leadId: 999_999, providerId: provider.id };
  for (const [lead, state] of [
    [moved, 'moved'],
    [gone, 'gone'],
    [never, 'gone'],
  ] as const) {
    expect(await getOutcomePageState(db, lead)).toEqual({ state });
    await recordByProvider(at.services, { ...lead, outcome: 'wrong-area', ip });
  }
  expect(await listOutcomes(at)).toEqual([]);
  expect((await getLead(db, moved.leadId)).provider_id).toBe(other.id);
});

test('a provider’s outcome is shown again when the lead returns to that provider', async () => {
  await using at = await setUpIntake();
  const { db } = at.database;
  const provider = await insertProvider(db, { zipCode: '80202' });
  const other = await insertProvider(db, { zipCode: '80301' });
  const lead = await matchedLead(at);
  await recordByProvider(at.services, { ...lead, outcome: 'not-reachable', ip });
  const shown = [];
  for (const id of [other.id, provider.id]) {
    await assignLeads(staffActionOn(at.database), [lead.leadId], id);
    shown.push((await getLead(db, lead.leadId)).outcome);
  }
  expect(shown).toEqual([null, 'not-reachable']);
});

test('a pending return is dropped when 1.0.0 records another outcome after it', async () => {
  await using at = await setUpIntake();
  const { db, sql } = at.database;
  await insertProvider(db, { zipCode: '80202' });
  const lead = await matchedLead(at);
  await recordByProvider(at.services, { ...lead, outcome: 'wrong-area', ip });
  await sql`insert into lead_outcomes (lead_id, provider_id, outcome, by, at)
    values (${lead.leadId}, ${lead.providerId}, 'booked', 'Clinic', ${new Date(at.clock.ms + 60_000).toISOString()})`;
  at.clock.ms += returnDelayMs;
  expect(await takeDueReturns(at.services)).toBe(1);
  expect(await listOutcomes(at)).toEqual([[lead.providerId, 'booked', 'Clinic']]);
  expect((await getLead(db, lead.leadId)).provider_id).toBe(lead.providerId);
  expect(await takeDueReturns(at.services)).toBe(0);
});

test('a pending return is dropped when its lead moves or staff record an outcome', async () => {
  await using at = await setUpIntake();
  const { db, sql } = at.database;
  await insertProvider(db, { zipCode: '80202' });
  const other = await insertProvider(db, { zipCode: '80301' });
  const [moved, noted, deleted] = [await matchedLead(at), await matchedLead(at), await matchedLead(at)];
  for (const lead of [moved, noted, deleted])
    await recordByProvider(at.services, { ...lead, outcome: 'wrong-area', ip });
  await sql`update leads set provider_id = ${other.id} where id = ${moved.leadId}`;
  await recordByStaff({ ...staffActionOn(at.database), services: at.services }, noted.leadId, 'booked');
  await sql`update leads set deleted_at = now() where id = ${deleted.leadId}`;
  at.clock.ms += returnDelayMs;
  expect(await takeDueReturns(at.services)).toBe(2);
  expect(await listOutcomes(at)).toEqual([[noted.providerId, 'booked', 'Robin Staff']]);
  expect((await getLead(db, noted.leadId)).provider_id).toBe(noted.providerId);
});

test('staff record an outcome in their own name, but not for an unmatched lead', async () => {
  await using at = await setUpIntake();
  const provider = await insertProvider(at.database.db, { zipCode: '80202' });
  const staffAction = { ...staffActionOn(at.database), services: at.services };
  const { leadId } = await matchedLead(at);
  await recordByStaff(staffAction, leadId, 'booked');
  await recordByStaff(staffAction, leadId, 'booked');
  expect(await listOutcomes(at)).toEqual([[provider.id, 'booked', 'Robin Staff']]);
  const lines = await at.database.sql`select action, actor_name, detail from audit_log`;
  expect([...lines]).toEqual([
    {
      action: 'lead.outcome',
      actor_name: 'Robin Staff',
      detail: { outcome: 'booked', providerId: provider.id },
    },
  ]);
  const unmatched = await insertLead(at.database.db);
  await expect(recordByStaff(staffAction, unmatched.id, 'booked')).rejects.toMatchObject({
    code: 'UNPROCESSABLE_CONTENT',
  });
  await expect(recordByStaff(staffAction, 999_999, 'booked')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test.each(['no provider', 'another provider', 'its provider'])(
  'an outcome reported before an Undo stays on a lead that had %s',
  async (kind) => {
    await using at = await setUpIntake();
    const { db, sql } = at.database;
    const staff = staffActionOn(at.database, at.clock);
    const [first, second] = [await insertProvider(db), await insertProvider(db)];
    const isUnmatched = kind === 'no provider';
    const insert = async () =>
      (await insertLead(db, isUnmatched ? {} : { providerId: first.id, outcome: 'reached' })).id;
    const [reported, silent, early] = [await insert(), await insert(), await insert()];
    const to = kind === 'its provider' ? first : second;
    // When the clinic had the lead before.
    await sql`
      insert into lead_outcomes (lead_id, provider_id, outcome, by, at)
      values (${early}, ${to.id}, 'duplicate', 'Clinic', ${new Date(at.clock.ms - 90_000).toISOString()})`;
    await assignLeads(staff, [reported, silent, early], to.id);
    at.clock.ms += 4_000;
    await recordByProvider(at.services, { leadId: reported, providerId: to.id, outcome: 'booked', ip });
    at.clock.ms += 4_000;
    expect(await undoAssignments(staff, [reported, silent, early])).toMatchObject({ refused: [] });
    const before = { provider: isUnmatched ? null : first.id, outcome: isUnmatched ? null : 'reached' };
    const rows = await sql`select provider_id::int as provider, outcome from leads order by id`;
    expect([...rows]).toEqual([{ ...before, outcome: 'booked' }, before, before]);
  },
);

test('an Undo doesn’t restore an outcome that the clinic’s links contradicted since', async () => {
  await using at = await setUpIntake();
  const staff = staffActionOn(at.database, at.clock);
  const provider = await insertProvider(at.database.db);
  const { id: leadId } = await insertLead(at.database.db, { providerId: provider.id });
  const report = (outcome: LeadOutcome) =>
    recordByProvider(at.services, { leadId, providerId: provider.id, outcome, ip });
  await report('reached');
  await assignLeads(staff, [leadId], provider.id);
  at.clock.ms += 4_000;
  expect(await report('booked')).toEqual({ contradicts: true });
  await undoAssignments(staff, [leadId]);
  expect((await getLead(at.database.db, leadId)).outcome).toBeNull();
});

test('staff take back the outcome that they recorded; the one before counts again', async () => {
  await using at = await setUpIntake();
  const provider = await insertProvider(at.database.db, { zipCode: '80202' });
  const { leadId, providerId } = await matchedLead(at);
  const staffAction = { ...staffActionOn(at.database), services: at.services };
  await recordByProvider(at.services, { leadId, providerId, outcome: 'reached', ip });
  await recordByStaff(staffAction, leadId, 'duplicate');
  await undoByStaff(staffAction, leadId, 'duplicate');
  expect(await listOutcomes(at)).toEqual([[provider.id, 'reached', 'Clinic']]);
  const { outcome, stage } = await getLead(at.database.db, leadId);
  expect([outcome, stage.reachedAt]).toEqual(['reached', at.services.now().toISOString()]);
  const log = await at.database.sql`select detail from audit_log where action = 'lead.outcome' order by id`;
  expect(log.map(({ detail }) => detail as unknown)).toEqual([
    { outcome: 'reached', providerId },
    { outcome: 'duplicate', providerId },
    { outcome: 'reached', providerId, reason: 'Undone' },
  ]);
});

test('staff take back no outcome of others, of a minute ago, or replaced since', async () => {
  await using at = await setUpIntake();
  await insertProvider(at.database.db, { zipCode: '80202' });
  const lead = await matchedLead(at);
  const { leadId } = lead;
  const staffAction = { ...staffActionOn(at.database), services: at.services };
  const refused = (outcome: LeadOutcome, action = staffAction) =>
    expect(undoByStaff(action, leadId, outcome)).rejects.toMatchObject({ code: 'CONFLICT' });
  await recordByProvider(at.services, { ...lead, outcome: 'reached', ip });
  await refused('reached');
  await recordByStaff(staffAction, leadId, 'booked');
  await refused('reached');
  await refused('booked', { ...staffAction, actor: { ...staffAction.actor, name: 'Another' } });
  at.clock.ms += minuteMs;
  await refused('booked');
  expect(await listOutcomes(at)).toHaveLength(2);
});
