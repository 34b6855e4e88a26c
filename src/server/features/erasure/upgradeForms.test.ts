import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import {
  erasureLedger,
  type LeadRow,
  leads,
  recipientEmails,
  suppressions,
  unreachableAddresses,
} from '#server/db/schema/index.ts';
import { insertAgreed, insertLead } from '#test/support/leadRows.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { testDataKeys, testIdentityKey } from '#test/support/testKeys.ts';
import { getIdentity, makePerson } from '../identity/identity.ts';
import { identityHash, mailboxHash } from '../identity/identityHashes.ts';
import { firstEmailNorm, firstMailbox, firstPhoneE164 } from '../identity/normalForms.ts';
import { ledgerEntry, listUnnumbered } from '../ledger/ledgerEntry.ts';
import { recordLedgerEntry } from '../ledger/recordLedgerEntry.ts';
import { createRecipientLimits } from '../mail/recipientLimits.ts';
import { findUnreachable } from '../mail/unreachableAddresses.ts';
import { isLeadSuppressed, isMailboxSuppressed, isSuppressed } from '../suppression/suppressions.ts';
import { findPerson as findLinked } from '../withdrawals/sentTo.ts';
import { liftSuppression } from '../withdrawals/staffSuppression.ts';
import { createLog } from '#server/log.ts';
import { findPerson } from './findPerson.ts';
import { replayEntries } from './replayLedger.ts';
import { upgradeForms } from './upgradeForms.ts';

const withdrawnAt = new Date('2026-03-01T12:00:00Z');
const typed = { email: 'Kit.O’Brien@example.com', phone: '303-555-0778 after 10am' };
const clean = { email: "kit.o'brien@example.com", phone: '(303) 555-0778' };
const stranger = { email: 'stranger@mail.example', phone: '(303) 555-0199' };

function pickServices({ db }: TestDb) {
  return { db, dataKeys: testDataKeys({ db }) };
}

/** A lead with its evidence as 1.0.0 stored them. */
function insertFirst({ db }: TestDb, contact = typed): Promise<LeadRow> {
  const first = { emailNorm: firstEmailNorm(contact.email), phoneE164: firstPhoneE164(contact.phone) ?? '' };
  return insertAgreed(db, { ...contact, ...first });
}

/** What 1.0.0 stored when the person of a lead withdrew. */
async function suppressFirst(database: TestDb, { id, emailNorm, phoneE164 }: LeadRow): Promise<void> {
  const key = await testIdentityKey(database);
  const entry = { reason: 'withdrawn', leadId: id, by: 'Visitor', at: withdrawnAt } as const;
  await database.db.insert(suppressions).values([
    { ...entry, kind: 'email', valueHmac: identityHash(key, 'email', emailNorm) },
    { ...entry, kind: 'phone', valueHmac: identityHash(key, 'phone', phoneE164) },
  ]);
}

/** Whether somebody who types this now is suppressed, as found by a value and as found in SQL. */
async function isStopped(database: TestDb, contact: { email: string; phone: string }): Promise<boolean> {
  const person = makePerson(contact);
  const byValue = await isSuppressed(pickServices(database), person);
  const lead = await insertLead(database.db, { ...contact, ...person });
  const own = isLeadSuppressed(await testIdentityKey(database));
  const [row] = await database.db.select({ own }).from(leads).where(eq(leads.id, lead.id));
  expect(row?.own).toBe(byValue);
  return byValue;
}

const spellings = [
  ['as it was typed', typed],
  ['with the clean email', { ...stranger, email: clean.email }],
  ['with the clean phone', { ...stranger, phone: clean.phone }],
  ['with another spelling of both', { email: 'KIT.OʼBRIEN@example.com', phone: '001 303 555 0778 x5' }],
] as const;

describe('a withdrawal that 1.0.0 stored', () => {
  test.each(spellings)('holds for the person %s', async (_, contact) => {
    await using database = await testDb();
    await suppressFirst(database, await insertFirst(database));
    await upgradeForms(pickServices(database));
    expect(await isStopped(database, contact)).toBe(true);
    expect(await isStopped(database, stranger)).toBe(false);
  });

  test.each(spellings)('holds after the lead was purged for the person %s', async (_, contact) => {
    await using database = await testDb();
    const lead = await insertFirst(database);
    await suppressFirst(database, lead);
    await database.db.delete(leads).where(eq(leads.id, lead.id));
    await upgradeForms(pickServices(database));
    expect(await isStopped(database, contact)).toBe(true);
  });

  test('holds for the same spelling without lead and evidence, before any upgrade', async () => {
    await using database = await testDb();
    const gone = { ...(await insertLead(database.db)), emailNorm: firstEmailNorm(typed.email) };
    await suppressFirst(database, { ...gone, phoneE164: firstPhoneE164(typed.phone) ?? '' });
    expect(await isStopped(database, { ...stranger, email: typed.email })).toBe(true);
    expect(await isStopped(database, { ...stranger, phone: typed.phone })).toBe(true);
  });

  test('keeps its reason, author and time, and is in the ledger once', async () => {
    await using database = await testDb();
    const lead = await insertFirst(database);
    await suppressFirst(database, lead);
    for (let runs = 0; runs < 2; runs += 1) await upgradeForms(pickServices(database), { startsOver: true });
    const listed = await database.db.select().from(suppressions);
    const entry = { reason: 'withdrawn', leadId: lead.id, by: 'Visitor', at: withdrawnAt };
    expect(listed).toHaveLength(4);
    expect(listed.every((row) => JSON.stringify({ ...row, ...entry }) === JSON.stringify(row))).toBe(true);
    const ledger = await database.sql`
      select kind, reason, how, at, lead_public_ids from erasure_ledger order by email_hmac nulls last`;
    const noted = { kind: 'suppressed', reason: 'withdrawn', how: 'page', at: withdrawnAt };
    expect([...ledger]).toEqual(
      [1, 2].map(() => ({ ...noted, at: expect.anything(), lead_public_ids: [lead.publicId] })),
    );
  });

  test('is lifted in every form', async () => {
    await using database = await testDb();
    const lead = await insertFirst(database);
    await suppressFirst(database, lead);
    await upgradeForms(pickServices(database));
    const person = await findLinked(database.db, lead.id);
    const identityKey = await testIdentityKey(database);
    const actor = { kind: 'command', name: 'test' } as const;
    for (const kind of ['email', 'phone'] as const)
      await database.db.transaction((tx) =>
        liftSuppression(tx, {
          ...{ kind, identityKey, reason: 'asked', actor, ip: null, now: new Date() },
          person:
            kind === 'email'
              ? { emailNorm: person?.emailNorm ?? '', firstEmailNorm: person?.firstEmailNorm }
              : { phoneE164: person?.phoneE164 ?? '', firstPhoneE164: person?.firstPhoneE164 },
        }),
      );
    expect(await database.db.select().from(suppressions)).toEqual([]);
    expect(await isStopped(database, typed)).toBe(false);
  });
});

describe('a lead that 1.0.0 stored', () => {
  test('gets the current form, keeps the earlier one, and is found by the clean spelling', async () => {
    await using database = await testDb();
    const first = await insertFirst(database);
    await upgradeForms(pickServices(database));
    const [row] = await database.db.select().from(leads).where(eq(leads.id, first.id));
    expect(row).toMatchObject({ ...makePerson(clean), ...makePerson(typed), ...typed });
    expect(row).toMatchObject({ firstEmailNorm: first.emailNorm, firstPhoneE164: first.phoneE164 });
    expect(row?.searchText).toContain(' 13035550778 ');
    const now = await insertAgreed(database.db, { ...clean, ...makePerson(clean) });
    for (const key of [{ leadId: now.id }, { email: clean.email }, { leadId: first.id }])
      expect((await findPerson(database.db, key)).leadIds).toEqual([first.id, now.id]);
  });

  test('stays as it is if its form is current, if a newer one has it, or once erased', async () => {
    await using database = await testDb();
    const plain = await insertFirst(database, clean);
    const newer = await insertLead(database.db, { ...typed, ...makePerson(typed) });
    const erased = await insertLead(database.db, {
      ...{ email: 'erased-9@erased.invalid', phone: '', phoneE164: '+000000000000009' },
      ...{ deletedAt: withdrawnAt, erasedAt: withdrawnAt },
    });
    await upgradeForms(pickServices(database));
    const rows = await database.db.select().from(leads).orderBy(leads.id);
    expect(rows).toEqual([plain, newer, erased]);
  });

  test('that arrives from the last version after an upgrade is upgraded by the next run', async () => {
    await using database = await testDb();
    await insertFirst(database);
    await upgradeForms(pickServices(database));
    const late = await insertFirst(database);
    await upgradeForms(pickServices(database));
    const [row] = await database.db.select().from(leads).where(eq(leads.id, late.id));
    expect(row?.phoneE164).toBe('+13035550778');
  });
});

test('an address unreachable in 1.0.0, and its limits, count for the clean spelling', async () => {
  await using database = await testDb();
  await insertFirst(database);
  const services = pickServices(database);
  const hash = mailboxHash(await testIdentityKey(database), firstMailbox(typed.email));
  const now = new Date();
  await database.db.insert(unreachableAddresses).values({ recipientHmac: hash, cause: 'bounce', at: now });
  await database.db
    .insert(recipientEmails)
    .values({ deliveryId: crypto.randomUUID(), recipientHmac: hash, sentAt: now });
  const limits = createRecipientLimits({ ...services, log: createLog('silent'), perHour: 100 });
  const permit = (address: string) =>
    limits.permit({ deliveryId: crypto.randomUUID(), requestedBy: null, address, now });
  expect([
    await findUnreachable(services, typed.email),
    await findUnreachable(services, clean.email),
  ]).toEqual(['bounce', null]);
  expect((await permit(typed.email)).kind).toBe('withheld');
  await upgradeForms(services);
  for (const { email } of [typed, clean]) {
    expect(await findUnreachable(services, email)).toBe('bounce');
    expect((await permit(email)).kind).toBe('withheld');
  }
  expect(await findUnreachable(services, stranger.email)).toBeNull();
});

describe('the mailbox of an address that an earlier version listed', () => {
  const tagged = { email: 'M.al+news@gmail.com', phone: '(303) 555-0188' };

  async function isHeld(database: TestDb, email: string): Promise<boolean> {
    const lead = await insertLead(database.db, {
      email,
      ...getIdentity({ email, phone: '(303) 555-0189' }),
      phoneE164: '+13035550189',
    });
    const own = isMailboxSuppressed(await testIdentityKey(database));
    const [row] = await database.db.select({ own }).from(leads).where(eq(leads.id, lead.id));
    return row?.own === true;
  }

  test.each(['lead', 'evidence'])('is stored if its %s exists, once, and is in the ledger', async (left) => {
    await using database = await testDb();
    const lead = await insertFirst(database, tagged);
    await suppressFirst(database, lead);
    if (left === 'evidence') await database.db.delete(leads).where(eq(leads.id, lead.id));
    expect(await isHeld(database, 'mal@gmail.com')).toBe(false);
    // What 1.0.1 had upgraded.
    await database.sql`insert into normal_form_upgrades values ('leads', 99), ('consent_records', 99)`;
    for (let runs = 0; runs < 2; runs += 1) await upgradeForms(pickServices(database));
    for (const email of ['mal@gmail.com', 'mal+x@googlemail.com', 'm.a.l@gmail.com'])
      expect([email, await isHeld(database, email)]).toEqual([email, true]);
    expect(await isHeld(database, 'mali@gmail.com')).toBe(false);
    const ledger = await database.db.select().from(erasureLedger);
    const key = await testIdentityKey(database);
    const [own, mailbox] = [lead.emailNorm, 'mal@gmail.com'].map((of) => identityHash(key, 'email', of));
    expect(ledger).toMatchObject([
      {
        kind: 'suppression-lifted',
        emailHmac: null,
        phoneHmac: null,
        leadPublicIds: [],
        reason: `mailbox ${own} ${mailbox}`,
      },
    ]);
  });

  test('is found without an upgrade if the address is its own mailbox', async () => {
    await using database = await testDb();
    const lead = await insertFirst(database, { ...tagged, email: 'mal@gmail.com' });
    await suppressFirst(database, lead);
    await database.db.delete(leads).where(eq(leads.id, lead.id));
    expect(await isHeld(database, 'm.al+x@googlemail.com')).toBe(true);
  });

  test('is repeated by a restore after the entry, without any lead left', async () => {
    await using database = await testDb();
    const services = { ...pickServices(database), now: () => new Date() };
    const key = await testIdentityKey(database);
    await using lost = await testDb();
    const { emailNorm } = getIdentity(tagged);
    const entry = {
      person: { emailNorm },
      identityKey: key,
      leadIds: [],
      at: withdrawnAt,
      reason: 'withdrawn',
      how: 'page',
    } as const;
    await recordLedgerEntry(lost.db, { ...entry, kind: 'suppressed' });
    const rows = await lost.db.select().from(erasureLedger).orderBy(erasureLedger.id);
    expect(rows).toHaveLength(2);
    const shipped = rows.map((row, index) => ({
      ...listUnnumbered(row),
      ...{ sequence: index + 1, key: 'erasure-ledger-1', mac: String(index).padStart(64, '0') },
    }));
    // As 1.0.0 reads each line.
    for (const line of shipped) expect(ledgerEntry.parse(JSON.parse(JSON.stringify(line)))).toEqual(line);
    expect(await replayEntries(services, shipped)).toMatchObject({ suppressions: 1, lifts: 0 });
    expect(await isStopped(database, { ...stranger, email: tagged.email })).toBe(true);
    expect(await isHeld(database, 'mal@gmail.com')).toBe(true);
  });
});

describe('the ledger of 1.0.0', () => {
  /** An entry about the person of a lead, as 1.0.0 shipped it. */
  async function getEntry(
    database: TestDb,
    lead: LeadRow,
    kind: 'suppressed' | 'suppression-lifted',
    sequence: number,
  ) {
    const key = await testIdentityKey(database);
    return {
      ...{ sequence, id: crypto.randomUUID(), at: withdrawnAt.toISOString(), kind, reason: 'withdrawn' },
      how: kind === 'suppressed' ? ('page' as const) : null,
      email: identityHash(key, 'email', lead.emailNorm),
      phone: identityHash(key, 'phone', lead.phoneE164),
      ...{ leads: [lead.publicId], key: 'erasure-ledger-1', mac: String(sequence).padStart(64, '0') },
    };
  }

  test.each(['that 1.0.0 made', 'that was upgraded'])(
    'is repeated in a copy %s, for every spelling',
    async (copy) => {
      await using database = await testDb();
      const services = { ...pickServices(database), now: () => new Date() };
      const lead = await insertFirst(database);
      if (copy === 'that was upgraded') await upgradeForms(services);
      await replayEntries(services, [await getEntry(database, lead, 'suppressed', 1)]);
      for (const [, contact] of spellings) expect(await isStopped(database, contact)).toBe(true);
      await replayEntries(services, [await getEntry(database, lead, 'suppression-lifted', 2)]);
      for (const [, contact] of spellings) expect(await isStopped(database, contact)).toBe(false);
    },
  );

  test('is repeated for every spelling if only evidence is left of the lead', async () => {
    await using database = await testDb();
    const services = { ...pickServices(database), now: () => new Date() };
    const lead = await insertFirst(database);
    await database.db.delete(leads).where(eq(leads.id, lead.id));
    await upgradeForms(services);
    await replayEntries(services, [await getEntry(database, lead, 'suppressed', 1)]);
    for (const [, contact] of spellings) expect(await isStopped(database, contact)).toBe(true);
  });
});
