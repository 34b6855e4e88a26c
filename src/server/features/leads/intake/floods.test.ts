import { describe, expect, test } from 'vitest';
import type { Caller } from '#server/caller.ts';
import { listAlerts } from '#server/features/alerts/alerts.ts';
import { createToken } from '#server/features/auth/tokens.ts';
import { registry } from '#server/metrics.ts';
import { testCaller } from '#test/support/caller.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { type IntakeSetup, setUpIntake } from '#test/support/intakeSetup.ts';
import { insertHistory } from '#test/support/leadRows.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { system } from '../../audit/audit.ts';
import { releaseLeads } from '../changes/leadChanges.ts';
import { endFloodAlerts } from './intakeAlerts.ts';
import { createFloodLimits, findUsualHour } from './floodLimits.ts';
import { releaseOverLimit } from './releaseOverLimit.ts';

/** A limit of networks that no test here reaches. */
const env = { RATE_LIMIT_LEADS: '900/1h' };
const phone = '(303) 555-0177';
const hourMs = 3_600_000;

let networks = 0;
/** An address of a network that no call had before. */
function nextIp(): string {
  networks += 1;
  return `198.${51 + Math.floor(networks / 250)}.${networks % 250}.7`;
}

interface Sent {
  phone?: string;
  ip?: string;
  caller?: Partial<Caller>;
  isScript?: boolean;
}

/** Sends a lead and returns its number and why it waits. */
async function send(
  at: IntakeSetup,
  { ip = nextIp(), caller = {}, isScript = false, ...typed }: Sent = {},
): Promise<{ id: number; reason: unknown }> {
  const form = isScript ? {} : { form: 'landing' as const, token: at.token('landing') };
  const { body } = await at.send(leadInput({ ...form, ...typed }), { ip, ...caller });
  expect(body.id).toBeTypeOf('number');
  return { id: body.id, reason: (await at.lead(body.id))['quarantine_reason'] };
}

async function listReasons(at: IntakeSetup, count: number, sent: Sent = {}): Promise<unknown[]> {
  const reasons: unknown[] = [];
  for (let index = 0; index < count; index += 1) reasons.push((await send(at, sent)).reason);
  return reasons;
}

function repeated(value: unknown, count: number): unknown[] {
  return Array<unknown>(count).fill(value);
}

async function undelivered({ database }: IntakeSetup): Promise<number> {
  const rows = await database.sql`
    select 1 from leads where not exists (
      select from deliveries where lead_id = leads.id and channel = 'provider-email' and state = 'queued')`;
  return rows.length;
}

describe('a phone number', () => {
  test('may be sent three times a day from a network and ten times in all; more waits', async () => {
    await using at = await setUpIntake(env);
    await insertProvider(at.database.db, { zipCode: '80202' });
    // Another spelling is the same number, and another address of the network the same network.
    const typed = [phone, '303.555.0177', '+1 303 555 0177', '(303) 555-0177 ext. 4'];
    const reasons: unknown[] = [];
    for (const [index, spelling] of typed.entries())
      reasons.push((await send(at, { phone: spelling, ip: `203.0.113.${index + 1}` })).reason);
    expect(reasons).toEqual([...repeated(null, 3), 'over-limit']);
    // What one network sends above its limit uses up nothing of what others may.
    await listReasons(at, 5, { phone, ip: '203.0.113.9' });
    expect(await listReasons(at, 8, { phone })).toEqual([...repeated(null, 7), 'over-limit']);
    expect(await listReasons(at, 1, { ip: '203.0.113.9' })).toEqual([null]);
  });

  test('above its limit waits for at most three and a half hours, and is delivered', async () => {
    await using at = await setUpIntake(env);
    await insertProvider(at.database.db, { zipCode: '80202' });
    expect(await listReasons(at, 4, { phone, ip: '203.0.113.1' })).toContain('over-limit');
    at.clock.ms += 3.5 * hourMs - 1_000;
    expect(await releaseOverLimit(at.services)).toBe(0);
    at.clock.ms += 1_000;
    expect(await releaseOverLimit(at.services)).toBe(1);
    expect(await undelivered(at)).toBe(0);
  });
});

describe('a provider', () => {
  test('gets 20 leads an hour without a history; more wait, but not another provider’s', async () => {
    await using at = await setUpIntake(env);
    const attacked = await insertProvider(at.database.db, { zipCode: '80202' });
    const other = await insertProvider(at.database.db, { zipCode: '10001' });
    expect(await listReasons(at, 23)).toEqual([...repeated(null, 20), ...repeated('over-limit', 3)]);
    const { body } = await at.send(leadInput({ zip_code: '10001' }), { ip: nextIp() });
    expect(body.providerId).toBe(other.id);
    expect(await at.lead(body.id)).toMatchObject({ quarantine_reason: null });
    const message = expect.stringContaining('more than 20 leads within an hour');
    expect((await listAlerts(at.database.db)).alerts).toMatchObject([
      { kind: 'lead-flood', subject: String(attacked.id), message },
    ]);
    expect(await registry.metrics()).toMatch(/^leads_flooding_total\{limit="provider"\} [1-9]/m);
    at.clock.ms += 24 * hourMs - 1;
    await endFloodAlerts(at.services);
    expect((await listAlerts(at.database.db)).total).toBe(1);
    at.clock.ms += 1;
    await endFloodAlerts(at.services);
    expect((await listAlerts(at.database.db)).total).toBe(0);
  });

  test.each([
    [33, 30, 0, 20],
    [34, 30, 30, 150],
    [672, 3, 3, 20],
    [672, 5, 5, 25],
    [40, 90, 90, 200],
  ])(
    'with %i hours of %i leads in four weeks has percentile %i and gets %i an hour',
    async (hours, perHour, usual, allowed) => {
      await using at = await setUpIntake(env);
      const { id } = await insertProvider(at.database.db, { zipCode: '80202' });
      await insertHistory(at.database, { providerId: id, hours, perHour, until: new Date(at.clock.ms) });
      expect(await findUsualHour(at.database.db, id, new Date(at.clock.ms))).toBe(usual);
      const floods = at.services.limits.floods;
      const lead = (nth: number) => ({
        phoneE164: `+1303${String(nth).padStart(7, '0')}`,
        ip: nextIp(),
        providerId: id,
      });
      for (let nth = 0; nth < allowed; nth += 1)
        expect([nth, (await floods.take(lead(nth))).flood]).toEqual([nth, null]);
      expect((await floods.take(lead(allowed))).flood).toMatchObject({ target: 'provider', allowed });
    },
  );

  test('has no history of leads quarantined, released, deleted or older than four weeks', async () => {
    await using at = await setUpIntake(env);
    const { database, clock } = at;
    const { id } = await insertProvider(database.db, { zipCode: '80202' });
    const other = await insertProvider(database.db, { zipCode: '10001' });
    const history = { hours: 40, perHour: 8, until: new Date(clock.ms) };
    await insertHistory(database, { ...history, providerId: other.id });
    await insertHistory(database, { ...history, providerId: id });
    const usual = () => findUsualHour(database.db, id, new Date(clock.ms));
    expect(await usual()).toBe(8);
    await database.sql`update leads set quarantined_at = created_at, quarantine_reason = 'over-limit', updated_at = now()
      where provider_id = ${id} and id % 2 = 0`;
    expect(await usual()).toBe(4);
    const rows = await database.sql<
      { id: string }[]
    >`select id from leads where quarantine_reason is not null`;
    await releaseLeads(
      staffActionOn(database, clock),
      rows.map((row) => Number(row.id)),
      'over-limit',
    );
    expect(await database.sql`select 1 from leads where quarantine_reason is not null`).toHaveLength(0);
    expect(await usual()).toBe(4);
    await database.sql`update leads set deleted_at = now(), updated_at = now() where provider_id = ${id} and id % 4 = 1`;
    expect(await usual()).toBe(2);
    clock.ms += 28 * 24 * hourMs;
    expect(await usual()).toBe(0);
  });

  test('gets the waiting leads of a flood twenty an hour, all within 3.5 hours', async () => {
    await using at = await setUpIntake(env);
    await insertProvider(at.database.db, { zipCode: '80202' });
    await listReasons(at, 90);
    const next = async (ms: number): Promise<number> => {
      at.clock.ms += ms;
      await at.database.sql`update rate_limits set expire = expire - ${ms} * interval '1 millisecond'`;
      return releaseOverLimit(at.services);
    };
    expect(await next(0)).toBe(0);
    expect([await next(hourMs), await next(0), await next(hourMs), await next(hourMs)]).toEqual([
      20, 0, 20, 20,
    ]);
    expect(await undelivered(at)).toBe(10);
    expect(await next(hourMs / 2)).toBe(10);
    expect(await undelivered(at)).toBe(0);
  });

  test('gets waiting leads of many networks in turn', async () => {
    await using at = await setUpIntake(env);
    await insertProvider(at.database.db, { zipCode: '80202' });
    await listReasons(at, 20);
    const flood: number[] = [];
    for (let sent = 0; sent < 40; sent += 1) flood.push((await send(at, { ip: `203.0.113.${sent}` })).id);
    const others = [await send(at), await send(at, { ip: '2001:db8:9::1' })].map(({ id }) => id);
    at.clock.ms += hourMs;
    expect(await releaseOverLimit(at.services)).toBe(20);
    const rows = await at.database.sql<{ id: string }[]>`
      select id from leads where quarantine_reason is null and id >= ${flood[0] ?? 0} order by id`;
    expect(rows.map(({ id }) => Number(id))).toEqual([...flood.slice(0, 18), ...others]);
  });
});

describe('without a form’s token', () => {
  test('what exceeds a limit is quarantined as a burst, with the usual answer', async () => {
    await using at = await setUpIntake({ RATE_LIMIT_LEADS: '900/1h' });
    await insertProvider(at.database.db, { zipCode: '80202' });
    expect(await listReasons(at, 4, { phone, ip: '203.0.113.1', isScript: true })).toEqual([
      ...repeated(null, 3),
      'burst',
    ]);
    expect(await listReasons(at, 18, { isScript: true })).toEqual([...repeated(null, 17), 'burst']);
    at.clock.ms += 24 * hourMs;
    expect(await releaseOverLimit(at.services)).toBe(0);
    expect(await undelivered(at)).toBe(2);
    const burst = await at.database.sql<
      { id: string }[]
    >`select id from leads where quarantine_reason = 'burst'`;
    const ids = burst.map(({ id }) => Number(id));
    expect(await releaseLeads({ services: at.services, actor: system, ip: null }, ids)).toEqual(ids);
    expect(await undelivered(at)).toBe(0);
  });

  test('a script with an API token for leads is exempt, one with another scope isn’t', async () => {
    await using at = await setUpIntake({ RATE_LIMIT_LEADS: '900/1h' });
    await insertProvider(at.database.db, { zipCode: '80202' });
    const callerWith = async (scope: 'leads:write' | 'leads:read'): Promise<Partial<Caller>> => {
      const created = { name: 'Test', scopes: [scope], createdBy: 'Test', now: new Date(at.clock.ms) };
      const { token } = await createToken(at.database.db, created);
      return { credentials: { ...testCaller().credentials, bearer: token } };
    };
    const sent = { phone, ip: '203.0.113.1', isScript: true };
    const writes = await callerWith('leads:write');
    expect(await listReasons(at, 30, { ...sent, caller: writes })).toEqual(repeated(null, 30));
    const reads = await callerWith('leads:read');
    expect(await listReasons(at, 4, { ...sent, caller: reads })).toEqual([...repeated(null, 3), 'burst']);
  });
});

test('a repeated submission isn’t counted, even if its copies arrive at the same time', async () => {
  await using at = await setUpIntake(env);
  await insertProvider(at.database.db, { zipCode: '80202' });
  const input = leadInput({ form: 'landing', token: at.token('landing'), phone });
  const copies = Array.from({ length: 8 }, () => at.send(input, { ip: '203.0.113.1' }));
  expect(new Set((await Promise.all(copies)).map(({ body }) => body.id)).size).toBe(1);
  for (let sent = 0; sent < 4; sent += 1) await at.send(input, { ip: '203.0.113.1' });
  expect(await listReasons(at, 3, { phone, ip: '203.0.113.1' })).toEqual([null, null, 'over-limit']);
});

test('copies of a lead that its phone’s limit stops give the provider’s count all back', async () => {
  await using at = await setUpIntake(env);
  await insertProvider(at.database.db, { zipCode: '80202' });
  await listReasons(at, 3, { phone, ip: '203.0.113.1' });
  expect(await listReasons(at, 17)).toEqual(repeated(null, 17));
  const input = leadInput({ form: 'landing', token: at.token('landing'), phone });
  const copies = Array.from({ length: 8 }, () => at.send(input, { ip: '203.0.113.1' }));
  expect(new Set((await Promise.all(copies)).map(({ body }) => body.id)).size).toBe(1);
  expect(await listReasons(at, 1)).toEqual(['over-limit']);
});

test('a lead that 1.0.1 postponed for longer leaves the queue in time too', async () => {
  await using at = await setUpIntake({ RATE_LIMIT_LEADS: '1/1d' });
  await insertProvider(at.database.db, { zipCode: '80202' });
  expect(await listReasons(at, 2, { ip: '203.0.113.1' })).toEqual([null, 'over-limit']);
  await at.database.sql`update over_limit_leads set release_at = release_at + interval '1 day'`;
  at.clock.ms += 3.5 * hourMs;
  expect(await releaseOverLimit(at.services)).toBe(1);
  expect(await undelivered(at)).toBe(0);
});

test('two processes share the counts, and off means no limit', async () => {
  await using at = await setUpIntake(env);
  const options = { ...at.services, secretKeys: at.services.config.secretKeys };
  const processes = [1, 2].map(() => createFloodLimits({ ...options, isOn: true }));
  const off = createFloodLimits({ ...options, isOn: false });
  const lead = { phoneE164: '+13035550177', ip: '203.0.113.1', providerId: null };
  const taken: unknown[] = [];
  for (let nth = 0; nth < 4; nth += 1) taken.push((await processes[nth % 2]?.take(lead))?.flood);
  expect(taken).toMatchObject([null, null, null, { target: 'phone', allowed: 3 }]);
  for (let nth = 0; nth < 30; nth += 1) expect((await off.take({ ...lead, providerId: 1 })).flood).toBeNull();
  const keys = await at.database.sql<{ key: string }[]>`select key from rate_limits`;
  expect(keys.length).toBeGreaterThan(0);
  expect(keys.filter(({ key }) => key.includes('5550177') || key.includes('203.0'))).toEqual([]);
});
