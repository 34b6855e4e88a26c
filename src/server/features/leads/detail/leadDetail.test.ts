import { expect, test } from 'vitest';
import { leadEventNames } from '#shared/admin/leadDetailCopy.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { setUpIntake } from '#test/support/intakeSetup.ts';
import { insertDeliveryAttempts, insertLead } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';
import { testDb } from '#test/support/testDb.ts';
import { listCandidates } from '../list/candidates.ts';
import { unprovenReason } from '../../outbox/enqueueDeliveries.ts';
import { assignLeads } from '../changes/assignLeads.ts';
import { releaseLeads, removeLeads, restoreLeads } from '../changes/leadChanges.ts';
import { viewLead } from './leadDetail.ts';

test('a lead’s history lists its source, first match and every change with its actor', async () => {
  meets('P3.lead.05 D.leads.33 D.leads.36 D.leads.38 D.leads.61 D.admin.56');
  await using at = await setUpIntake();
  const { database } = at;
  const first = await insertProvider(database.db, { zipCode: '80202', name: 'First Clinic' });
  const second = await insertProvider(database.db, { zipCode: '80203', name: 'Second Clinic' });
  const input = leadInput({
    zip_code: '80202',
    acceptance_message: 'I agree to be called',
    attribution: { first: { utm_source: 'news', gclid: 'abc' }, last: { referrer_host: 'search.example' } },
  });
  const { body } = await at.send(input, { userAgent: 'Browser/1', ip: '198.51.100.7' });
  at.clock.ms += 3_600_000;
  const again = await at.send({ ...input, acceptance_message: 'I agree once more' });
  const staffAction = staffActionOn(database, at.clock);
  await assignLeads(staffAction, [body.id], second.id);
  await removeLeads(staffAction, [body.id]);
  await restoreLeads(staffAction, [body.id]);
  await viewLead(staffAction, body.id);
  const detail = await viewLead(staffAction, body.id);
  expect(detail.deletedAt).toBeNull();
  expect(detail.lead).toMatchObject({ id: body.id, provider_id: second.id, match: { method: 'manual' } });
  expect(detail.consent).toEqual({
    text: 'I agree to be called',
    version: 'Text not on record',
    purpose: null,
    provider: null,
    namesOther: false,
    form: 'api',
    prechecked: null,
    clientClock: null,
    at: '2026-06-01T12:00:00.000Z',
    ip: '198.51.100.7',
    userAgent: 'Browser/1',
    page: 'http://localhost/',
    host: 'localhost',
    isSealed: false,
  });
  expect(detail.attribution).toEqual([
    { touch: 'first', name: 'utm_source', value: 'news' },
    { touch: 'first', name: 'gclid', value: 'abc' },
    { touch: 'last', name: 'referrer_host', value: 'search.example' },
  ]);
  expect(detail.repeats).toEqual([
    {
      id: again.body.id,
      created_at: '2026-06-01T13:00:00.000Z',
      email: expect.stringContaining('@example.com'),
      phone: expect.stringContaining('555-'),
    },
  ]);
  expect((await viewLead(staffAction, again.body.id)).repeats.map(({ id }) => id)).toEqual([body.id]);
  expect(detail.candidates.map(({ id }) => id)).toEqual([first.id, second.id]);
  expect(detail.events.map(({ kind, by, detail: text }) => [kind, by, text])).toEqual([
    ['created', 'Visitor', ''],
    ['consented', 'Visitor', ''],
    ['matched', 'System', 'Nearest active provider, 0.0 miles from the center of 80202.'],
    ['delivery-withheld', 'System', `Email to the lead: ${unprovenReason}`],
    ['assigned', 'Robin Staff', expect.stringMatching(/^Second Clinic, \d\.\d miles$/)],
    ['deleted', 'Robin Staff', ''],
    ['restored', 'Robin Staff', ''],
    ['viewed', 'Robin Staff', ''],
  ]);
});

test('a deleted lead has the time of its deletion', async () => {
  await using database = await testDb();
  const staffAction = staffActionOn(database);
  const lead = await insertLead(database.db);
  await removeLeads(staffAction, [lead.id]);
  expect((await viewLead(staffAction, lead.id)).deletedAt).toBe('2026-06-10T12:00:00.000Z');
});

test('an unknown lead is not found, and no view is audited', async () => {
  await using database = await testDb();
  await expect(viewLead(staffActionOn(database), 999_999)).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: 'Lead not found',
  });
  expect(await database.sql`select 1 from audit_log`).toHaveLength(0);
});

test('views are audited once in ten minutes for each actor and address', async () => {
  await using database = await testDb();
  const { sql, db } = database;
  const [lead, other] = [await insertLead(db), await insertLead(db)];
  const staffAction = staffActionOn(database);
  const views = async (id: number) =>
    Number(
      (
        await sql`select count(*) from audit_log where action = 'lead.view' and subject_id = ${String(id)}`
      )[0]?.['count'],
    );
  /** Inserts an old entry, because audit entries cannot be updated. */
  const viewedBefore = (ago: string) => sql`
    insert into audit_log (at, actor_kind, actor_name, account_id, ip, action, subject_kind, subject_id)
    values (now() - ${ago}::interval, 'staff', ${staffAction.actor.name}, ${staffAction.actor.accountId}, ${staffAction.ip}, 'lead.view', 'lead', ${String(lead.id)})`;
  await viewedBefore('10 minutes 5 seconds');
  await viewLead(staffAction, lead.id);
  expect(await views(lead.id)).toBe(2);
  await viewLead(staffAction, lead.id);
  expect(await views(lead.id)).toBe(2);
  await viewLead(staffAction, other.id);
  expect([await views(lead.id), await views(other.id)]).toEqual([2, 1]);
  const otherActors: Parameters<typeof viewLead>[0][] = [
    { ...staffAction, ip: '203.0.113.11' },
    { ...staffAction, actor: { ...staffAction.actor, accountId: 8 } },
    { ...staffAction, actor: { ...staffAction.actor, accountId: null } },
    { ...staffAction, actor: { kind: 'token', name: staffAction.actor.name, tokenId: 7, scopes: [] } },
  ];
  for (const [index, otherAction] of otherActors.entries()) {
    await viewLead(otherAction, lead.id);
    await viewLead(otherAction, lead.id);
    expect([index, await views(lead.id)]).toEqual([index, 3 + index]);
  }
});

test('a lead without evidence or attribution has empty fields for them', async () => {
  await using database = await testDb();
  const lead = await insertLead(database.db, { quarantinedAt: new Date(), quarantineReason: 'token-early' });
  const detail = await viewLead(staffActionOn(database), lead.id);
  expect(detail).toMatchObject({ consent: null, attribution: [], candidates: [], repeats: [] });
  expect(detail.events.map(({ kind }) => kind)).toEqual(['created', 'matched', 'quarantined', 'viewed']);
});

test('a lead whose honeypot was filled in is marked, and its history says so', async () => {
  await using database = await testDb();
  const marked = await insertLead(database.db, { filledHoneypot: true });
  const { lead, events } = await viewLead(staffActionOn(database), marked.id);
  expect(lead.filledHoneypot).toBe(true);
  expect(events.map(({ kind }) => kind)).toEqual(['created', 'honeypot-filled', 'matched', 'viewed']);
});

test('a released lead’s history has the reason and time of its quarantine', async () => {
  await using database = await testDb();
  const lead = await insertLead(database.db, {
    quarantinedAt: new Date('2026-06-01T12:00:01Z'),
    quarantineReason: 'token-forged',
  });
  const staffAction = staffActionOn(database);
  await releaseLeads(staffAction, [lead.id]);
  const { lead: shown, events } = await viewLead(staffAction, lead.id);
  expect(shown.quarantineReason).toBeNull();
  expect(events.map(({ kind, detail }) => [kind, detail]).slice(2)).toEqual([
    ['quarantined', 'token-forged'],
    ['delivery-withheld', `Email to the lead: ${unprovenReason}`],
    ['released', ''],
    ['viewed', ''],
  ]);
  expect(events[2]?.at).toBe('2026-06-01T12:00:01.000Z');
});

test('a lead’s history lists delivery attempts and staff actions by time', async () => {
  meets('D.admin.57');
  await using database = await testDb();
  const { db, sql } = database;
  const lead = await insertLead(db, { createdAt: new Date('2026-06-01T12:00:00Z') });
  const other = await insertLead(db);
  const staffAction = staffActionOn(database);
  await removeLeads(staffAction, [lead.id]);
  const [removed] = await sql<
    { ms: number }[]
  >`select extract(epoch from at)::float8 * 1000 as ms from audit_log`;
  const at = (ms: number): Date => new Date((removed?.ms ?? 0) + ms);
  await insertDeliveryAttempts(db, [
    { leadId: lead.id, channel: 'crm', outcome: 'delivered', at: at(60_000), durationMs: 412 },
    { leadId: lead.id, channel: 'crm', outcome: 'failed', at: at(-60_000), durationMs: 5003, status: null },
    { leadId: lead.id, channel: 'lead-email', at: at(-90_000), durationMs: 0, status: 'SMTP 250' },
    { leadId: other.id },
  ]);
  const { events } = await viewLead(staffAction, lead.id);
  expect(events.slice(2).map(({ kind, by, detail }) => [kind, by, detail])).toEqual([
    ['delivered', 'System', 'Email to the lead: SMTP 250, 0 ms'],
    ['delivery-failed', 'System', 'CRM: 5003 ms'],
    ['deleted', 'Robin Staff', ''],
    ['viewed', 'Robin Staff', ''],
    ['delivered', 'System', 'CRM: HTTP 200, 412 ms'],
  ]);
  expect(events.map(({ kind }) => kind).every((kind) => kind in leadEventNames)).toBe(true);
});

test('candidates are active providers by distance, unlocated last, filtered by search', async () => {
  await using database = await testDb();
  const { db } = database;
  const far = await insertProvider(db, { zipCode: '10016', name: 'Far Quay', practiceName: 'Harbour Men' });
  const near = await insertProvider(db, { zipCode: '80203', name: 'Near Quay', paused: true });
  const lost = await insertProvider(db, {
    zipCode: '00001',
    latitude: null,
    longitude: null,
    name: 'Lost Quay',
  });
  await insertProvider(db, { zipCode: '80202', status: 'f' });
  const origin = { latitude: 39.75, longitude: -104.99 };
  const found = async (search?: string) =>
    (await listCandidates(db, { origin, search })).map(({ id, miles }) => [
      id,
      miles === null ? null : Math.round(miles),
    ]);
  expect(await found()).toEqual([
    [near.id, 1],
    [far.id, expect.any(Number)],
    [lost.id, null],
  ]);
  expect(await found('quay 10016')).toEqual([[far.id, expect.any(Number)]]);
  expect(await found('HARB')).toEqual([[far.id, expect.any(Number)]]);
  expect(await found(`#${lost.id}`)).toEqual([[lost.id, null]]);
  expect(await found('nobody')).toEqual([]);
  const unplaced = await listCandidates(db, { origin: null, search: undefined });
  expect(unplaced.map(({ name, miles }) => [name, miles])).toEqual([
    ['Far Quay', null],
    ['Lost Quay', null],
    ['Near Quay', null],
  ]);
});
