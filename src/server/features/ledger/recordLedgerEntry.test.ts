import { expect, test } from 'vitest';
import { insertAgreed } from '#test/support/leadRows.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { testDb } from '#test/support/testDb.ts';
import { testIdentityKey } from '#test/support/testKeys.ts';
import { erasePerson } from '../erasure/erasePerson.ts';
import { identityHash } from '../identity/identityHashes.ts';
import { liftOfLead, markDoNotContact } from '../withdrawals/staffSuppression.ts';

test('a suppression, its lift and an erasure each leave an entry with hashes only', async () => {
  await using database = await testDb();
  const lead = await insertAgreed(database.db, { email: 'Ada@mail.example', phone: '(303) 555-0101' });
  const action = staffActionOn(database);
  await markDoNotContact(action, lead.id);
  // Listed already: nothing changes, and nothing is recorded.
  await markDoNotContact(action, lead.id);
  await liftOfLead(action, { id: lead.id, kind: 'phone', reason: 'Asked to be called.' });
  await erasePerson(action, { leadId: lead.id, reason: 'asked' });
  const key = await testIdentityKey(database);
  const email_hmac = identityHash(key, 'email', 'ada@mail.example');
  const phone_hmac = identityHash(key, 'phone', '+13035550101');
  const rows = await database.sql`
    select kind, email_hmac, phone_hmac, lead_public_ids, reason, how, sequence from erasure_ledger order by id`;
  const entry = { email_hmac, phone_hmac, lead_public_ids: [lead.publicId], how: null, sequence: null };
  expect([...rows]).toEqual([
    { ...entry, kind: 'suppressed', reason: 'do-not-contact', how: 'staff' },
    { ...entry, kind: 'suppression-lifted', email_hmac: null, lead_public_ids: [], reason: null },
    { ...entry, kind: 'erased', reason: 'asked' },
  ]);
});

test('an erasure that fails leaves no entry', async () => {
  await using database = await testDb();
  const lead = await insertAgreed(database.db);
  await expect(
    erasePerson(staffActionOn(database), { leadId: lead.id, reason: 'asked', samePhone: [lead.id + 1] }),
  ).rejects.toThrow('More leads were found');
  expect(await database.sql`select 1 from erasure_ledger`).toHaveLength(0);
});
