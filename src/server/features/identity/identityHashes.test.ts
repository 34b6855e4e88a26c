import { sql } from 'drizzle-orm';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { identityKinds } from '#shared/leads/suppression.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { testDb } from '#test/support/testDb.ts';
import { testIdentityKey } from '#test/support/testKeys.ts';
import { identityHash, identityHashSql, identityPads } from './identityHashes.ts';
import { suppress } from '../withdrawals/suppress.ts';

test('the hash in SQL equals the one in TypeScript for any key, kind and value', async () => {
  await using database = await testDb();
  const keys = fc.uint8Array({ minLength: 1, maxLength: 80 }).map((bytes) => Buffer.from(bytes));
  // Postgres stores neither U+0000 nor lone surrogates.
  const values = fc.string({ unit: 'grapheme', maxLength: 60 }).filter((text) => !text.includes('\0'));
  await fc.assert(
    fc.asyncProperty(keys, fc.constantFrom(...identityKinds), values, async (key, kind, value) => {
      const hash = identityHashSql(kind, sql`${value}::text`, identityPads(key));
      const [row] = await database.db.execute(sql`select ${hash} as hash`);
      expect(row).toEqual({ hash: identityHash(key, kind, value) });
    }),
    { numRuns: 60 },
  );
});

test('the list contains no hash that can be made without the identity key', async () => {
  await using database = await testDb();
  const lead = await insertLead(database.db);
  const identityKey = await testIdentityKey(database);
  const said = { reason: 'do-not-contact', how: 'staff', by: 'Robin Staff', ip: null } as const;
  await suppress(database.db, { person: lead, identityKey, leadId: lead.id, ...said, now: new Date() });
  const plain = await database.sql`
    select 1 from suppressions s, (values ('email', ${lead.emailNorm}), ('phone', ${lead.phoneE164})) as known (kind, value)
    where value_hmac = encode(sha256(convert_to(known.kind || chr(10) || known.value, 'UTF8')), 'hex')`;
  expect(plain).toHaveLength(0);
  const rows = await database.sql<{ value_hmac: string }[]>`
    select value_hmac from suppressions order by kind`;
  expect(rows.map(({ value_hmac }) => value_hmac)).toEqual([
    identityHash(identityKey, 'email', lead.emailNorm),
    identityHash(identityKey, 'phone', lead.phoneE164),
  ]);
});
