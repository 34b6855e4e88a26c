import { expect, test } from 'vitest';
import type { LeadRow } from '#server/db/schema/index.ts';
import { insertAgreed } from '#test/support/leadRows.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { testDataKeys, testIdentityKey } from '#test/support/testKeys.ts';
import { identityHash } from '../identity/identityHashes.ts';
import type { LedgerEntry } from '../ledger/ledgerEntry.ts';
import { recordLedgerEntry } from '../ledger/recordLedgerEntry.ts';
import { isSuppressed } from '../suppression/suppressions.ts';
import { type Replayed, replayEntries } from './replayLedger.ts';

const now = new Date('2026-06-10T12:00:00Z');
const before = '2026-06-09T08:00:00.000Z';

type EntryInput = Partial<LedgerEntry> & Pick<LedgerEntry, 'kind'>;

/** Entries from number 1 on, about these addresses and numbers. */
async function listEntries(
  database: TestDb,
  wanted: readonly (EntryInput & { of?: { email?: string; phone?: string } })[],
): Promise<LedgerEntry[]> {
  const key = await testIdentityKey(database);
  return wanted.map(({ of = {}, ...over }, at) => ({
    ...{ sequence: at + 1, id: crypto.randomUUID(), at: before, leads: [], reason: null, how: null },
    ...{ email: of.email === undefined ? null : identityHash(key, 'email', of.email) },
    ...{ phone: of.phone === undefined ? null : identityHash(key, 'phone', of.phone) },
    ...{ key: 'erasure-ledger-1', mac: String(at + 1).padStart(64, '0') },
    ...over,
  }));
}

function replay(database: TestDb, entries: readonly LedgerEntry[]): Promise<Replayed> {
  return replayEntries({ db: database.db, dataKeys: testDataKeys(database), now: () => now }, entries);
}

function isListed(database: TestDb, person: Partial<Pick<LeadRow, 'emailNorm' | 'phoneE164'>>) {
  const nobody = { emailNorm: 'nobody@mail.example', phoneE164: '+19995550000' };
  return isSuppressed({ db: database.db, dataKeys: testDataKeys(database) }, { ...nobody, ...person });
}

const none = { known: 0, erasures: 0, leads: 0, suppressions: 0, lifts: 0 };

test('a replayed erasure reaches named leads and the email, not later or other leads', async () => {
  await using database = await testDb();
  const phone = '(303) 555-0101';
  const named = await insertAgreed(database.db, { email: 'ada@mail.example', phone });
  const byEmail = await insertAgreed(database.db, { email: 'ADA@mail.example', phone: '(303) 555-0102' });
  const chosen = await insertAgreed(database.db, { email: 'ada.work@mail.example', phone });
  const other = await insertAgreed(database.db, { email: 'bob@mail.example', phone });
  const later = await insertAgreed(database.db, { email: 'ada@mail.example', createdAt: now });
  const entries = await listEntries(database, [
    {
      kind: 'erased',
      of: { email: 'ada@mail.example', phone: '+13035550101' },
      leads: [named.publicId, chosen.publicId],
      reason: 'asked',
    },
  ]);
  expect(await replay(database, entries)).toEqual({ ...none, erasures: 1, leads: 3 });
  const left = await database.sql`select id from leads where erased_at is null order by id`;
  expect([...left]).toEqual([{ id: String(other.id) }, { id: String(later.id) }]);
  const evidence = await database.sql`select lead_id from consent_records where email <> '' order by lead_id`;
  expect([...evidence]).toEqual([{ lead_id: String(other.id) }, { lead_id: String(later.id) }]);
  expect(await isListed(database, { emailNorm: 'ada@mail.example' })).toBe(true);
  expect(await isListed(database, { phoneE164: '+13035550101' })).toBe(true);
  expect(await isListed(database, { emailNorm: 'ada.work@mail.example' })).toBe(false);
  const audit = await database.sql`
    select subject_id, actor_name from audit_log where action = 'person.erase' order by subject_id::int`;
  const actor_name = 'npm run restore';
  expect([...audit]).toEqual(
    [named, byEmail, chosen].map(({ id }) => ({ subject_id: String(id), actor_name })),
  );
});

test('a replayed erasure removes the evidence of a lead that was purged', async () => {
  await using database = await testDb();
  const lead = await insertAgreed(database.db);
  await database.sql`delete from leads where id = ${lead.id}`;
  const of = { email: lead.emailNorm, phone: lead.phoneE164 };
  const entries = await listEntries(database, [
    { kind: 'erased', of, leads: [lead.publicId], reason: 'asked' },
  ]);
  expect(await replay(database, entries)).toMatchObject({ erasures: 1, leads: 1 });
  const [record] = await database.sql`select email, phone, first_name from consent_records`;
  expect(record).toEqual({ email: '', phone: '', first_name: '' });
  expect(await isListed(database, lead)).toBe(true);
});

test('a replayed suppression lists a person of whom no lead is stored', async () => {
  await using database = await testDb();
  const of = { email: 'later@mail.example' };
  const entries = await listEntries(database, [
    { kind: 'suppressed', of, leads: [crypto.randomUUID()], reason: 'withdrawn', how: 'page' },
  ]);
  expect(await replay(database, entries)).toEqual({ ...none, suppressions: 1 });
  expect(await isListed(database, { emailNorm: 'later@mail.example' })).toBe(true);
  const [row] = await database.sql`select reason, by, lead_id, at from suppressions`;
  expect(row).toMatchObject({ reason: 'withdrawn', by: 'Visitor', lead_id: null });
});

test('a replayed suppression cancels deliveries and asks staff about the phone', async () => {
  await using database = await testDb();
  const phone = '(303) 555-0101';
  const lead = await insertAgreed(database.db, { email: 'ada@mail.example', phone });
  const sharing = await insertAgreed(database.db, { email: 'bob@mail.example', phone });
  const queued = await insertDelivery(database, { leadId: lead.id, channel: 'crm' });
  const others = await insertDelivery(database, { leadId: sharing.id, channel: 'crm' });
  const entries = await listEntries(database, [
    {
      kind: 'suppressed',
      of: { email: 'ada@mail.example' },
      leads: [lead.publicId],
      reason: 'unsubscribed',
      how: 'one-click',
    },
  ]);
  await replay(database, entries);
  const states = await database.sql<{ id: string; state: string }[]>`select id, state from deliveries`;
  expect(Object.fromEntries(states.map(({ id, state }) => [id, state]))).toEqual({
    [queued]: 'cancelled',
    [others]: 'queued',
  });
  const [withdrawal] = await database.sql`select lead_id, how, by, ip from consent_withdrawals`;
  expect(withdrawal).toEqual({ lead_id: String(lead.id), how: 'one-click', by: 'Visitor', ip: null });
  const tasks = await database.sql`select lead_id, kind from staff_tasks`;
  expect([...tasks]).toEqual([{ lead_id: String(sharing.id), kind: 'phone-withdrawn' }]);
});

test('entries are repeated in order: who was lifted last is not listed', async () => {
  await using database = await testDb();
  const lead = await insertAgreed(database.db);
  const of = { email: lead.emailNorm };
  const entries = await listEntries(database, [
    { kind: 'suppressed', of, reason: 'do-not-contact', how: 'staff' },
    { kind: 'suppression-lifted', of },
  ]);
  expect(await replay(database, entries)).toEqual({ ...none, suppressions: 1, lifts: 1 });
  expect(await isListed(database, lead)).toBe(false);
  const audit = await database.sql`select detail from audit_log where action = 'suppression.lift'`;
  expect([...audit]).toEqual([{ detail: { kind: 'email', reason: 'Repeated after a restore.' } }]);
});

test('a second replay repeats nothing and records nothing in the ledger', async () => {
  await using database = await testDb();
  const lead = await insertAgreed(database.db);
  const of = { email: lead.emailNorm, phone: lead.phoneE164 };
  const entries = await listEntries(database, [
    { kind: 'suppressed', of: { email: lead.emailNorm }, reason: 'withdrawn', how: 'page' },
    { kind: 'erased', of, leads: [lead.publicId], reason: 'asked' },
  ]);
  await replay(database, entries);
  const ledger = await database.sql`select sequence, shipped_at is not null as shipped from erasure_ledger`;
  expect([...ledger]).toEqual([
    { sequence: '1', shipped: true },
    { sequence: '2', shipped: true },
  ]);
  expect(await replay(database, entries)).toEqual({ ...none, known: 2 });
  expect(await database.sql`select 1 from erasure_ledger`).toHaveLength(2);
});

test('an entry that the database has gets its shipped number and is not repeated', async () => {
  await using database = await testDb();
  const lead = await insertAgreed(database.db);
  const identityKey = await testIdentityKey(database);
  const entry = { person: { emailNorm: lead.emailNorm }, identityKey, leadIds: [lead.id], at: now } as const;
  await recordLedgerEntry(database.db, { kind: 'suppressed', ...entry });
  await recordLedgerEntry(database.db, { kind: 'suppression-lifted', ...entry });
  // Numbered, but lost before they were shipped.
  await database.sql`
    update erasure_ledger set sequence = id, key_id = 'erasure-ledger-1', mac = repeat('a', 64)`;
  const [{ entry_id: lifted } = { entry_id: '' }] = await database.sql<{ entry_id: string }[]>`
    select entry_id from erasure_ledger where kind = 'suppression-lifted'`;
  const of = { email: lead.emailNorm };
  const entries = await listEntries(database, [
    { kind: 'suppression-lifted', of, id: lifted },
    { kind: 'suppressed', of, reason: 'withdrawn', how: 'page' },
  ]);
  expect(await replay(database, entries)).toEqual({ ...none, known: 1, suppressions: 1 });
  const rows = await database.sql`select kind, sequence from erasure_ledger order by sequence nulls last`;
  expect([...rows]).toEqual([
    { kind: 'suppression-lifted', sequence: '1' },
    { kind: 'suppressed', sequence: '2' },
    { kind: 'suppressed', sequence: null },
  ]);
});
