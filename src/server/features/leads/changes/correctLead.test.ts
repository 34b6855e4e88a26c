import { describe, expect, test } from 'vitest';
import { insertProvider } from '#test/support/factories.ts';
import { insertAgreed, insertLead } from '#test/support/leadRows.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { testIdentityKey } from '#test/support/testKeys.ts';
import { parseConfig } from '#server/config/config.ts';
import type { LeadRow } from '#server/db/schema/index.ts';
import { leadCorrectInput } from '#shared/submissions/leadInput.ts';
import { suppress } from '../../withdrawals/suppress.ts';
import { getLead } from '../list/leadList.ts';
import { leadHistory } from '../detail/leadHistory.ts';
import { correctLead } from './correctLead.ts';
import { eraseLeads } from './eraseLeads.ts';

const now = new Date('2026-06-10T12:00:00Z');

function correct(database: TestDb, lead: { id: number }, change: object): Promise<void> {
  const staff = staffActionOn(database, { ms: now.getTime() });
  const services = { ...staff.services, config: parseConfig({}) };
  return correctLead({ ...staff, services }, leadCorrectInput.parse({ id: lead.id, ...change }));
}

async function toRow({ sql }: TestDb, { id }: { id: number }) {
  const [row] =
    await sql`select email, email_norm, phone, phone_e164, zip_code, zip5, provider_id::int as provider, match_distance_miles as miles, match_reason from leads where id = ${id}`;
  return row;
}

/** The emails about a lead to its provider, oldest first. */
async function listEmails({ sql }: TestDb, { id }: { id: number }): Promise<unknown[]> {
  return [
    ...(await sql`
      select state, corrects_lead_id::int as corrects, provider_id::int as provider from deliveries
      where lead_id = ${id} and channel = 'provider-email' order by created_at, id`),
  ];
}

function sentTo(database: TestDb, lead: LeadRow, row: object = {}): Promise<string> {
  const { id: leadId, providerId } = lead;
  const about = { leadId, providerId, channel: 'provider-email', createdAt: lead.createdAt } as const;
  return insertDelivery(database, { ...about, state: 'delivered', ...row });
}

function withdraw(database: TestDb, key: Buffer, person: Partial<LeadRow>) {
  const said = { reason: 'withdrawn', how: 'page', by: 'Visitor', ip: null, now } as const;
  return suppress(database.db, { person, identityKey: key, leadId: null, ...said });
}

describe('a corrected lead', () => {
  test('has the new value in all its forms, and its history the old one', async () => {
    await using database = await testDb();
    const lead = await insertAgreed(database.db, { email: 'kit@exmaple.com', phone: '(303) 555-0142' });
    await correct(database, lead, { email: ' Kit@Example.com ' });
    await correct(database, lead, { phone: '303.555.0143 ext 4' });
    await correct(database, lead, { zip_code: 'Denver, CO 80205-1234' });
    expect(await toRow(database, lead)).toMatchObject({
      ...{ email: 'Kit@Example.com', email_norm: 'kit@example.com' },
      ...{ phone: '303.555.0143 ext 4', phone_e164: '+13035550143' },
      ...{ zip_code: '80205', zip5: '80205' },
    });
    const events = await leadHistory(database.db, await getLead(database.db, lead.id), {
      consentedAt: null,
      tasks: [],
    });
    expect(events.filter(({ kind }) => kind === 'corrected')).toEqual(
      [
        'Email, before: kit@exmaple.com',
        'Phone, before: (303) 555-0142',
        `Zip Code, before: ${lead.zipCode}`,
      ].map((detail) => ({ at: now.toISOString(), kind: 'corrected', by: 'Robin Staff', detail })),
    );
    // The log and the evidence: the one has no contact details, the other what the person typed.
    const log =
      await database.sql`select action, detail from audit_log where action = 'lead.correct' order by id`;
    expect(log.map(({ detail }) => detail as unknown)).toEqual([
      { field: 'email' },
      { field: 'phone' },
      { field: 'zip_code' },
    ]);
    const [evidence] =
      await database.sql`select email, phone from consent_records where lead_id = ${lead.id}`;
    expect(evidence).toEqual({ email: 'kit@exmaple.com', phone: '(303) 555-0142' });
    const events2 =
      await database.sql`select data from webhook_events where type = 'lead.updated' order by at, id`;
    for (const { data } of events2) expect(JSON.stringify(data)).not.toContain('example.com');
  });

  test('with the value that it has changes nothing', async () => {
    await using database = await testDb();
    const provider = await insertProvider(database.db);
    const lead = await insertLead(database.db, { providerId: provider.id });
    await sentTo(database, lead);
    await correct(database, lead, { email: lead.email });
    expect(await listEmails(database, lead)).toHaveLength(1);
    expect(await database.sql`select 1 from audit_log`).toHaveLength(0);
  });

  test('is sent to the provider that has it, once, and to no other', async () => {
    await using database = await testDb();
    const [former, provider] = [await insertProvider(database.db), await insertProvider(database.db)];
    const lead = await insertLead(database.db, { providerId: provider.id });
    await sentTo(database, lead, { providerId: former.id });
    await sentTo(database, lead);
    await correct(database, lead, { phone: '(303) 555-0190' });
    await correct(database, lead, { email: 'right@example.com' });
    const notice = { state: 'held', corrects: lead.id, provider: provider.id };
    const sent = { state: 'delivered', corrects: null };
    const emails = await listEmails(database, lead);
    expect(emails).toHaveLength(3);
    expect(emails).toEqual(
      expect.arrayContaining([{ ...sent, provider: former.id }, { ...sent, provider: provider.id }, notice]),
    );
  });

  test('isn’t sent to a provider that doesn’t have the lead yet', async () => {
    await using database = await testDb();
    const provider = await insertProvider(database.db);
    const lead = await insertLead(database.db, { providerId: provider.id });
    await sentTo(database, lead, { state: 'queued' });
    await correct(database, lead, { email: 'right@example.com' });
    expect(await listEmails(database, lead)).toEqual([
      { state: 'queued', corrects: null, provider: provider.id },
    ]);
  });

  test('of a person who asked not to be contacted stays as it is', async () => {
    await using database = await testDb();
    const lead = await insertAgreed(database.db);
    await withdraw(database, await testIdentityKey(database), { emailNorm: lead.emailNorm });
    const before = await toRow(database, lead);
    await expect(correct(database, lead, { email: 'other@example.com' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect(await toRow(database, lead)).toEqual(before);
  });

  test('opens a task if another person with the new phone withdrew', async () => {
    await using database = await testDb();
    const other = await insertAgreed(database.db, {
      ...{ email: 'other@example.com', phone: '(303) 555-0177' },
    });
    await withdraw(database, await testIdentityKey(database), { emailNorm: other.emailNorm });
    const lead = await insertAgreed(database.db, { email: 'own@example.com', phone: '(303) 555-0142' });
    await correct(database, lead, { phone: '(303) 555-0177' });
    const tasks =
      await database.sql`select kind, lead_id::int as lead from staff_tasks where done_at is null`;
    expect([...tasks]).toEqual([{ kind: 'phone-withdrawn', lead: lead.id }]);
  });

  test('that is deleted or unknown isn’t found', async () => {
    await using database = await testDb();
    const lead = await insertLead(database.db, { deletedAt: now });
    for (const id of [lead.id, 999_999])
      await expect(correct(database, { id }, { zip_code: '80205' })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
  });

  test('is erased with its former values', async () => {
    await using database = await testDb();
    const lead = await insertAgreed(database.db);
    await correct(database, lead, { email: 'right@example.com' });
    await database.db.transaction((tx) => eraseLeads(tx, [lead.id], now));
    expect(await database.sql`select 1 from lead_corrections`).toHaveLength(0);
  });
});

describe('a new ZIP code', () => {
  test('matches a lead again that its provider doesn’t have yet', async () => {
    await using database = await testDb();
    const denver = await insertProvider(database.db, { zipCode: '80202' });
    const newYork = await insertProvider(database.db, { zipCode: '10016' });
    const lead = await insertAgreed(database.db, { zipCode: '80202', providerId: denver.id });
    await sentTo(database, lead, { state: 'queued' });
    await correct(database, lead, { zip_code: '10016' });
    expect(await toRow(database, lead)).toMatchObject({ provider: newYork.id });
    expect(await listEmails(database, lead)).toEqual([
      { state: 'cancelled', corrects: null, provider: denver.id },
      { state: 'held', corrects: null, provider: newYork.id },
    ]);
  });

  test('that moves leaves nothing of what was typed as a ZIP in the audit log', async () => {
    await using database = await testDb();
    const denver = await insertProvider(database.db, { zipCode: '80202' });
    const typed = 'ask Kim, 303 555 0142';
    const lead = await insertAgreed(database.db, {
      ...{ zipCode: typed, zip5: null, matchMethod: 'none', providerId: null },
      matchReason: `'${typed}' is not a US ZIP code.`,
    });
    await correct(database, lead, { zip_code: '80205' });
    expect(await toRow(database, lead)).toMatchObject({ zip_code: '80205', provider: denver.id });
    const log = await database.sql`select detail::text from audit_log where action = 'lead.rematch'`;
    expect(log).toEqual([{ detail: expect.stringContaining('What was typed is not a US ZIP code.') }]);
    expect(JSON.stringify(log)).not.toContain('Kim');
  });

  test('leaves a lead with the provider that has it, and notifies it', async () => {
    await using database = await testDb();
    const denver = await insertProvider(database.db, { zipCode: '80202' });
    await insertProvider(database.db, { zipCode: '10016' });
    const lead = await insertAgreed(database.db, { zipCode: '80202', providerId: denver.id });
    await sentTo(database, lead);
    await correct(database, lead, { zip_code: '10016' });
    const row = await toRow(database, lead);
    expect(row).toMatchObject({ provider: denver.id, zip5: '10016' });
    expect(row?.['miles']).toBeGreaterThan(1_500);
    expect(await listEmails(database, lead)).toEqual([
      { state: 'delivered', corrects: null, provider: denver.id },
      { state: 'held', corrects: lead.id, provider: denver.id },
    ]);
  });

  test.each(['tenant', 'requested', 'manual'] as const)(
    'leaves a lead with the provider that it has by “%s”',
    async (matchMethod) => {
      await using database = await testDb();
      const denver = await insertProvider(database.db, { zipCode: '80202' });
      await insertProvider(database.db, { zipCode: '10016' });
      const lead = await insertAgreed(database.db, { zipCode: '80202', providerId: denver.id, matchMethod });
      await correct(database, lead, { zip_code: '10016' });
      expect(await toRow(database, lead)).toMatchObject({ provider: denver.id });
    },
  );

  test('moves a lead away from the provider that its consent names only if confirmed', async () => {
    await using database = await testDb();
    const denver = await insertProvider(database.db, { zipCode: '80202' });
    const newYork = await insertProvider(database.db, { zipCode: '10016' });
    const lead = await insertLead(database.db, { zipCode: '80202', providerId: denver.id });
    await database.sql`
      insert into consent_records (uuid, lead_id, first_name, last_name, email, phone, form_key, text_shown, text_sha256, text_known,
        checked, channels, ip, host, gpc, accepted_at, retain_until, row_hash, seller_provider_id, seller_name)
      values (${crypto.randomUUID()}, ${lead.id}, 'A', 'B', ${lead.email}, ${lead.phone}, 'landing', 'I agree.', ${'a'.repeat(64)}, false,
        true, '{email}', '203.0.113.7', 'main.example', false, now(), now() + interval '5 years', ${'b'.repeat(64)}, ${denver.id}, 'Denver Clinic')`;
    await expect(correct(database, lead, { zip_code: '10016' })).rejects.toMatchObject({
      message: 'The consent of this lead names Denver Clinic.',
      reason: 'consent-names-other-provider',
    });
    expect(await toRow(database, lead)).toMatchObject({ provider: denver.id, zip5: '80202' });
    await correct(database, lead, { zip_code: '10016', confirmed: true });
    expect(await toRow(database, lead)).toMatchObject({ provider: newYork.id, zip5: '10016' });
  });
});

test.each([
  [{}],
  [{ email: 'a@example.com', phone: '(303) 555-0142' }],
  [{ zip_code: '8020' }],
  [{ phone: 'none' }],
  [{ email: 'kit' }],
])('%j is no correction', (change) => {
  expect(leadCorrectInput.safeParse({ id: 1, ...change }).success).toBe(false);
});
