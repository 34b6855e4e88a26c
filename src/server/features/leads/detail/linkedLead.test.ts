import { expect, test } from 'vitest';
import { longAgo, sealAll, sealKey, storeEvidence } from '#test/support/evidence.ts';
import { setUpIntake } from '#test/support/intakeSetup.ts';
import { testSecret } from '#test/support/testKeys.ts';
import { pruneEvidence } from '../../consent/pruneEvidence.ts';
import { signWithdrawal } from '../../mail/linkTokens.ts';
import { isSuppressed } from '../../suppression/suppressions.ts';
import { withdrawByLink } from '../../withdrawals/withdrawByLink.ts';

test('a withdrawal link works for a lead that is kept longer than its evidence', async () => {
  await using at = await setUpIntake();
  const { database, services } = at;
  const { sql } = database;
  await storeEvidence(database, 2, { at: longAgo });
  await sealAll(database);
  const key = await sealKey(database);
  await pruneEvidence(database.db, { secretKeys: [testSecret], key, removes: true });
  const [kept, purged] = await sql<{ public_id: string; email_norm: string; phone_e164: string }[]>`
    select public_id, email_norm, phone_e164 from leads order by id`;
  if (kept === undefined || purged === undefined) throw new Error('no lead is left');
  await sql`delete from leads where id = 2`;
  const withdraw = (publicId: string) =>
    withdrawByLink(services, {
      link: { token: signWithdrawal([testSecret], publicId) },
      ...{ how: 'page', ip: '192.0.2.1' },
      responseHeaders: new Map(),
    });
  await withdraw(kept.public_id);
  const person = { emailNorm: kept.email_norm, phoneE164: kept.phone_e164 };
  expect(await isSuppressed(services, person)).toBe(true);
  // Nothing of it is left, as after a restore: staff get an alert.
  expect(await withdraw(purged.public_id)).toBe('reported');
});
