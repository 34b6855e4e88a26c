import { describe, expect, test } from 'vitest';
import { type LeadRow } from '#server/db/schema/index.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertLead, insertLeads } from '#test/support/leadRows.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { testDataKeys, testIdentityKey } from '#test/support/testKeys.ts';
import { listSuppressions } from './listSuppressions.ts';
import { isSuppressed } from './suppressions.ts';
import { suppress, type Suppressed } from '../withdrawals/suppress.ts';

const now = new Date('2026-06-10T12:00:00Z');

async function withdraw(database: TestDb, lead: LeadRow, at = now): Promise<Suppressed> {
  return suppress(database.db, {
    person: lead,
    identityKey: await testIdentityKey(database),
    leadId: lead.id,
    reason: 'withdrawn',
    how: 'page',
    by: 'Visitor',
    ip: '203.0.113.7',
    now: at,
  });
}

async function listStates({ sql }: TestDb): Promise<Record<string, string>> {
  const rows = await sql<{ id: string; state: string }[]>`select id, state from deliveries`;
  return Object.fromEntries(rows.map(({ id, state }) => [id, state]));
}

describe('a suppressed person', () => {
  test('is found by email or phone, and nobody else is', async () => {
    await using database = await testDb();
    const lead = await insertLead(database.db);
    const other = await insertLead(database.db);
    const services = { db: database.db, dataKeys: testDataKeys(database) };
    expect(await isSuppressed(services, lead)).toBe(false);
    await withdraw(database, lead);
    const known = (person: Partial<LeadRow>): Promise<boolean> =>
      isSuppressed(services, { ...other, ...person });
    expect(await known(lead)).toBe(true);
    expect(await known({ emailNorm: lead.emailNorm })).toBe(true);
    expect(await known({ phoneE164: lead.phoneE164 })).toBe(true);
    expect(await known({})).toBe(false);
    // The same text as a phone is another identity.
    expect(await known({ phoneE164: lead.emailNorm })).toBe(false);
    const rows = await database.sql`select * from suppressions`;
    expect(JSON.stringify(rows)).not.toContain(lead.emailNorm);
    expect(rows).toHaveLength(2);
  });

  test('gets no more deliveries for any lead; finished ones stay as they are', async () => {
    await using database = await testDb();
    const [first, again, other] = await insertLeads(database.db, [
      { email: 'Ada@example.com', phone: '(303) 555-0101' },
      { email: 'ada@example.com', phone: '(303) 555-0102' },
      {},
    ]);
    if (first === undefined || again === undefined || other === undefined) throw new Error('no leads');
    const queued = await insertDelivery(database, { leadId: first.id, channel: 'crm' });
    const held = await insertDelivery(database, { leadId: again.id, channel: 'lead-email', state: 'held' });
    const failed = await insertDelivery(database, { leadId: again.id, channel: 'crm', state: 'failed' });
    const others = await insertDelivery(database, { leadId: other.id, channel: 'crm' });
    expect((await withdraw(database, first)).leadIds).toEqual([first.id, again.id]);
    expect(await listStates(database)).toEqual({
      [queued]: 'cancelled',
      [held]: 'cancelled',
      [failed]: 'failed',
      [others]: 'queued',
    });
    const withdrawals = await database.sql`
      select lead_id, at, how, by, ip from consent_withdrawals order by lead_id`;
    const withdrawal = { at: expect.anything(), how: 'page', by: 'Visitor', ip: '203.0.113.7' };
    expect([...withdrawals]).toEqual([
      { ...withdrawal, lead_id: String(first.id) },
      { ...withdrawal, lead_id: String(again.id) },
    ]);
  });
});

describe('the notice of a withdrawal', () => {
  test('goes once to each provider that has the details, about the latest lead', async () => {
    await using database = await testDb();
    const [reached, maybeReached, never] = [
      await insertProvider(database.db),
      await insertProvider(database.db),
      await insertProvider(database.db),
    ];
    const person = { email: 'ada@example.com', phone: '(303) 555-0101' };
    const [first, latest] = await insertLeads(database.db, [person, person]);
    if (first === undefined || latest === undefined) throw new Error('no leads');
    const delivered = { channel: 'provider-email', state: 'delivered' } as const;
    await insertDelivery(database, { ...delivered, leadId: first.id, providerId: reached.id });
    await insertDelivery(database, { ...delivered, leadId: latest.id, providerId: reached.id });
    await insertDelivery(database, {
      leadId: first.id,
      channel: 'crm',
      providerId: maybeReached.id,
      attempts: 2,
    });
    await insertDelivery(database, { leadId: latest.id, channel: 'provider-email', providerId: never.id });
    await insertDelivery(database, { leadId: latest.id, channel: 'lead-email', state: 'delivered' });
    const { noticeIds } = await withdraw(database, latest);
    const queued = await database.sql`
      select id, lead_id, provider_id, channel, state from deliveries where template = 'withdrawn' order by provider_id`;
    const notice = { id: expect.any(String), channel: 'provider-email', state: 'queued' };
    expect([...queued]).toEqual([
      { ...notice, lead_id: String(latest.id), provider_id: String(reached.id) },
      { ...notice, lead_id: String(first.id), provider_id: String(maybeReached.id) },
    ]);
    expect(noticeIds.toSorted()).toEqual(queued.map(({ id }) => String(id)).toSorted());
    // A second click queues no other notice and cancels none.
    expect((await withdraw(database, first)).noticeIds).toEqual([]);
    expect(await database.sql`select 1 from deliveries where state = 'queued'`).toHaveLength(2);
    expect(await database.sql`select 1 from consent_withdrawals`).toHaveLength(2);
  });

  test.each(['email', 'phone'] as const)('goes again after only the %s was lifted', async (kind) => {
    await using database = await testDb();
    const provider = await insertProvider(database.db);
    const lead = await insertLead(database.db, { providerId: provider.id });
    const delivered = { leadId: lead.id, channel: 'provider-email', state: 'delivered' } as const;
    await insertDelivery(database, { ...delivered, providerId: provider.id });
    await withdraw(database, lead);
    await database.sql`delete from suppressions where kind = ${kind}`;
    const later = new Date(now.getTime() + 3_600_000);
    expect((await withdraw(database, lead, later)).noticeIds).toHaveLength(1);
    expect(await database.sql`select 1 from consent_withdrawals`).toHaveLength(2);
    expect((await withdraw(database, lead, new Date(later.getTime() + 1000))).noticeIds).toEqual([]);
    expect(await database.sql`select 1 from consent_withdrawals`).toHaveLength(2);
  });

  test('goes once for several clicks at the same time', async () => {
    await using database = await testDb();
    const provider = await insertProvider(database.db);
    const lead = await insertLead(database.db, { providerId: provider.id });
    await insertDelivery(database, {
      leadId: lead.id,
      channel: 'provider-email',
      state: 'delivered',
      providerId: provider.id,
    });
    await Promise.all(Array.from({ length: 6 }, () => withdraw(database, lead)));
    expect(await database.sql`select 1 from deliveries where template = 'withdrawn'`).toHaveLength(1);
    expect(await database.sql`select 1 from consent_withdrawals`).toHaveLength(1);
  });
});

test('the list shows a value as long as a lead has it, then only its hash', async () => {
  await using database = await testDb();
  const services = { db: database.db, dataKeys: testDataKeys(database) };
  const lead = await insertLead(database.db, { email: 'Kit@Example.com', phone: '(303) 555-0142' });
  await withdraw(database, lead);
  const gone = await insertLead(database.db, { email: 'ann@example.com', phone: '(303) 555-0177' });
  await withdraw(database, gone, new Date(now.getTime() + 1000));
  await database.sql`delete from leads where id = ${gone.id}`;
  const { suppressions, total } = await listSuppressions(services, { page: 1 });
  const said = { by: 'Visitor', reason: 'withdrawn', id: expect.stringMatching(/^[0-9a-f]{64}$/) };
  expect(total).toBe(4);
  expect(suppressions.slice(0, 2).map(({ value, leadId }) => [value, leadId])).toEqual([
    [null, null],
    [null, null],
  ]);
  expect(suppressions.slice(2).toSorted((a, b) => a.kind.localeCompare(b.kind))).toEqual([
    { ...said, kind: 'email', value: 'Kit@Example.com', leadId: lead.id, since: now.toISOString() },
    { ...said, kind: 'phone', value: '(303) 555-0142', leadId: lead.id, since: now.toISOString() },
  ]);
  expect((await listSuppressions(services, { page: 2 })).suppressions).toEqual([]);
});
