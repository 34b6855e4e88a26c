import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sealAll, sealKey, storeEvidence, tamper, verifyEvidence } from '#test/support/evidence.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { genesisHash, sealHash } from './evidenceFields.ts';

/**
 * A forgery with all rights in the database, but without SECRET_KEYS: rewrites the chain from a seal on, with any
 * HMACs.
 */
async function forgeTail(database: TestDb, from: number, keyed: 'kept' | 'dropped' | 'made-up') {
  const { sql } = database;
  const seals = await sql<
    { seq: string; prev_hash: string; seal_hash: string; sealed_at: string; row_hash: string }[]
  >`
    select s.seq, s.prev_hash, s.seal_hash, s.sealed_at, r.row_hash
    from consent_seals s join consent_records r on r.id = s.record_id order by s.seq`;
  let prevHash = genesisHash;
  for (const { seq, sealed_at: at, row_hash: rowHash, ...seal } of seals) {
    if (Number(seq) < from) {
      prevHash = seal.seal_hash;
      continue;
    }
    const hash = sealHash(prevHash, rowHash, new Date(at));
    const hmac = createHmac('sha256', 'a guess').update(hash).digest('hex');
    const set = {
      kept: '',
      dropped: ', key_id = null, seal_hmac = null',
      'made-up': `, seal_hmac = '${hmac}'`,
    }[keyed];
    await tamper(
      database,
      `update consent_seals set prev_hash = '${prevHash}', seal_hash = '${hash}'${set} where seq = ${seq}`,
    );
    prevHash = hash;
  }
}

describe('keyed seals', () => {
  test('each seal carries the HMAC of its hash under the database’s own key', async () => {
    await using database = await testDb();
    await storeEvidence(database, 3);
    expect(await sealAll(database)).toBe(3);
    const { id, key } = await sealKey(database);
    const seals = await database.sql`select seal_hash, key_id, seal_hmac from consent_seals order by seq`;
    expect(seals).toHaveLength(3);
    for (const seal of seals) {
      const hmac = createHmac('sha256', key).update(String(seal['seal_hash'])).digest('hex');
      expect(seal).toMatchObject({ key_id: id, seal_hmac: hmac });
    }
    expect((await verifyEvidence(database)).summary).toMatchObject({ faults: 0, unchecked: [] });
  });

  test.each(['kept', 'dropped', 'made-up'] as const)(
    'a tail forged without the secret, with HMACs %s, is reported',
    async (keyed) => {
      await using database = await testDb();
      const ids = await storeEvidence(database, 4);
      await sealAll(database);
      await tamper(
        database,
        `update consent_seals set sealed_at = sealed_at - interval '1 day' where record_id = ${ids[2]}`,
      );
      await forgeTail(database, 3, keyed);
      const { faults, lines } = await verifyEvidence(database);
      expect(faults.map(({ seq }) => seq)).toEqual([3, 4]);
      const problem =
        keyed === 'dropped' ? 'its seal has no HMAC, though earlier ones do' : 'its seal has a wrong HMAC';
      for (const line of lines) expect(line.endsWith(problem)).toBe(true);
    },
  );

  test('seals without a key are valid only before the first keyed seal', async () => {
    await using database = await testDb();
    await storeEvidence(database, 2);
    await sealAll(database);
    await tamper(database, `update consent_seals set key_id = null, seal_hmac = null`);
    const dropped = 'its seal has no HMAC, though there was a key when it was made';
    const { lines } = await verifyEvidence(database);
    expect(lines.map((line) => line.endsWith(dropped))).toEqual([true, true]);
    await database.sql`update data_keys set created_at = now()`;
    await storeEvidence(database, 2);
    await sealAll(database);
    const before = [{ keyId: null, seals: 2 }];
    expect((await verifyEvidence(database)).summary).toMatchObject({
      seals: 4,
      faults: 0,
      unchecked: before,
    });
    await tamper(database, `update consent_seals set key_id = null, seal_hmac = null where seq = 4`);
    expect((await verifyEvidence(database)).faults.map(({ seq }) => seq)).toEqual([4]);
  });

  test('without the secret of the key, hashes are checked and HMACs are not', async () => {
    await using database = await testDb();
    const ids = await storeEvidence(database, 2);
    await sealAll(database);
    const strangers = ['another-key-another-key-another-01'];
    expect((await verifyEvidence(database, strangers)).summary).toMatchObject({
      faults: 0,
      unchecked: [{ keyId: 'consent-seal-1', seals: 2 }],
    });
    await tamper(database, `update consent_records set first_name = 'Other' where id = ${ids[0]}`);
    expect((await verifyEvidence(database, strangers)).summary).toMatchObject({ faults: 1 });
    await database.sql`delete from data_keys`;
    const { summary, lines } = await verifyEvidence(database);
    expect(summary).toMatchObject({ faults: 3, unchecked: [] });
    expect(lines.filter((line) => line.endsWith('its seal names a key that does not exist'))).toHaveLength(2);
  });
});
