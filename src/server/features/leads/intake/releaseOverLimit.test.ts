import { describe, expect, test } from 'vitest';
import { advisoryLocks } from '#server/db/advisoryLocks.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { crmEnvironment } from '#test/support/outboxSetup.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { type IntakeSetup, setUpIntake } from '#test/support/intakeSetup.ts';
import { meets } from '#test/support/meets.ts';
import { createLeadLimits } from '../../submissions/submissionLimits.ts';
import { erasePerson } from '../../erasure/erasePerson.ts';
import { viewLead } from '../detail/leadDetail.ts';
import { releaseLeads, removeLeads, restoreLeads } from '../changes/leadChanges.ts';
import { releaseOverLimit } from './releaseOverLimit.ts';

const env = { RATE_LIMIT_LEADS: '2/1m', ...crmEnvironment({ url: 'http://127.0.0.1:9/' }) };

/** Sends two leads within an address's limit and `count` above it. Returns the ids of the latter. */
async function sendOverLimit(at: IntakeSetup, count: number, ip = '203.0.113.10'): Promise<number[]> {
  const send = () => at.send(leadInput({ form: 'landing', token: at.token('landing') }), { ip });
  await send();
  await send();
  const ids: number[] = [];
  for (let sent = 0; sent < count; sent += 1) ids.push((await send()).body.id);
  expect((await waiting(at)).length).toBeGreaterThanOrEqual(count);
  return ids;
}

/** Ends all rate-limit windows and makes the queued leads due. */
async function endWindows({ database: { db, sql }, services, clock }: IntakeSetup): Promise<void> {
  clock.ms += 61_000;
  await sql`update rate_limits set expire = now() - interval '1 second'`;
  const { secretKeys, rateLimitLeads: windows } = services.config;
  // A process caches refusals by the real time, which the test does not change.
  services.limits.leads = createLeadLimits({ db, windows, secretKeys, log: services.log });
}

async function waiting({ database }: IntakeSetup): Promise<number[]> {
  const rows = await database.sql<{ id: string }[]>`select lead_id as id from over_limit_leads order by 1`;
  return rows.map(({ id }) => Number(id));
}

async function findReason(at: IntakeSetup, id: number): Promise<unknown> {
  return (await at.lead(id))['quarantine_reason'];
}

async function listChannels({ database }: IntakeSetup, id: number): Promise<unknown[]> {
  const rows = await database.sql`
    select channel, state from deliveries where lead_id = ${id} order by channel`;
  return rows.map(({ channel, state }) => `${channel} ${state}`);
}

describe('the release of leads above the limit', () => {
  test('delivers the oldest leads first, as many as the window allows', async () => {
    meets('D.abuse.28');
    await using at = await setUpIntake(env);
    await insertProvider(at.database.db, { zipCode: '80202' });
    const ids = await sendOverLimit(at, 3);
    const [first = 0, second = 0, third = 0] = ids;
    expect(await releaseOverLimit(at.services)).toBe(0);
    await endWindows(at);
    let wakes = 0;
    at.services.wakeSignal.onWake(() => (wakes += 1));
    expect(await releaseOverLimit(at.services)).toBe(2);
    expect(wakes).toBe(1);
    expect(await waiting(at)).toEqual([third]);
    expect(await findReason(at, third)).toBe('over-limit');
    for (const id of [first, second]) {
      expect(await at.lead(id)).toMatchObject({ quarantine_reason: null, quarantined_at: null });
      expect(await listChannels(at, id)).toEqual(await listChannels(at, first - 1));
    }
    expect(await releaseOverLimit(at.services)).toBe(0);
    await endWindows(at);
    expect(await releaseOverLimit(at.services)).toBe(1);
    expect(await waiting(at)).toEqual([]);
  });

  test('is left to another process while that one releases', async () => {
    await using at = await setUpIntake(env);
    const [id] = await sendOverLimit(at, 1);
    await endWindows(at);
    await at.database.sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${advisoryLocks.releaseOverLimit})`;
      expect(await releaseOverLimit(at.services)).toBe(0);
      expect(await waiting(at)).toEqual([id]);
    });
    expect(await releaseOverLimit(at.services)).toBe(1);
  });

  test('a released lead without a valid form token causes no email to the person', async () => {
    await using at = await setUpIntake(env);
    await insertProvider(at.database.db, { zipCode: '80202' });
    const { id } = (await at.send(leadInput({ form: 'landing', token: 'forged' }))).body;
    expect(await findReason(at, id)).toBe('token-forged');
    await releaseLeads(staffActionOn(at.database), [id]);
    expect((await listChannels(at, id)).filter((row) => String(row).startsWith('lead-email'))).toEqual([
      'lead-email cancelled',
    ]);
    expect(await listChannels(at, id)).toHaveLength(3);
  });

  test('the history of a released lead has the reason and the release by the system', async () => {
    await using at = await setUpIntake(env);
    const [id = 0] = await sendOverLimit(at, 1);
    await endWindows(at);
    await releaseOverLimit(at.services);
    const { events } = await viewLead(staffActionOn(at.database, at.clock), id);
    expect(events.slice(0, 5)).toMatchObject([
      { kind: 'created' },
      { kind: 'consented' },
      { kind: 'matched' },
      { kind: 'quarantined', detail: 'over-limit' },
      { kind: 'released', by: 'System' },
    ]);
  });

  test('concurrent processes release each lead once', async () => {
    await using at = await setUpIntake(env);
    const ids = await sendOverLimit(at, 2);
    await endWindows(at);
    const released = await Promise.all([1, 2, 3].map(() => releaseOverLimit(at.services)));
    expect(released.reduce((sum, count) => sum + count, 0)).toBe(2);
    const { sql } = at.database;
    expect(await sql`select 1 from audit_log where action = 'lead.release'`).toHaveLength(2);
    expect(
      await sql`select lead_id, channel from deliveries where lead_id = any (${ids}) group by 1, 2 having count(*) > 1`,
    ).toHaveLength(0);
  });

  test('a network at its limit does not delay another', async () => {
    await using at = await setUpIntake(env);
    const [busy = 0] = await sendOverLimit(at, 1);
    const [other = 0] = await sendOverLimit(at, 1, '198.51.100.9');
    await endWindows(at);
    await at.send(leadInput({ form: 'landing', token: at.token('landing') }));
    await at.send(leadInput({ form: 'landing', token: at.token('landing') }));
    expect(await releaseOverLimit(at.services)).toBe(1);
    expect([await findReason(at, busy), await findReason(at, other)]).toEqual(['over-limit', null]);
    const [row] = await at.database.sql<{ at: string }[]>`select release_at as at from over_limit_leads`;
    expect(Date.parse(row?.at ?? '')).toBeGreaterThan(at.clock.ms);
  });

  test('staff can release a lead earlier, and nothing is released twice', async () => {
    await using at = await setUpIntake(env);
    const [id = 0] = await sendOverLimit(at, 1);
    expect(await releaseLeads(staffActionOn(at.database, at.clock), [id])).toEqual([id]);
    expect(await waiting(at)).toEqual([]);
    await endWindows(at);
    expect(await releaseOverLimit(at.services)).toBe(0);
    expect(await at.database.sql`select 1 from audit_log where action = 'lead.release'`).toHaveLength(1);
  });

  test('a deleted lead leaves the queue, and a restored one returns', async () => {
    await using at = await setUpIntake(env);
    const [id = 0] = await sendOverLimit(at, 1);
    const staffAction = staffActionOn(at.database, at.clock);
    await removeLeads(staffAction, [id]);
    expect(await waiting(at)).toEqual([]);
    await endWindows(at);
    expect(await releaseOverLimit(at.services)).toBe(0);
    await restoreLeads(staffAction, [id]);
    expect(await waiting(at)).toEqual([id]);
    expect(await releaseOverLimit(at.services)).toBe(1);
    expect(await findReason(at, id)).toBeNull();
  });

  test('an erased person’s lead leaves the queue', async () => {
    await using at = await setUpIntake(env);
    const [id = 0] = await sendOverLimit(at, 1);
    await erasePerson(staffActionOn(at.database, at.clock), { leadId: id, reason: 'asked' });
    expect(await waiting(at)).toEqual([]);
    await endWindows(at);
    expect(await releaseOverLimit(at.services)).toBe(0);
    expect(await listChannels(at, id)).toEqual([]);
  });
});
