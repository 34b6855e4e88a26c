import { expect } from 'vitest';
import { createDataKeys, type DataKey } from '#server/security/dataKeys.ts';
import { consentRecord } from '#server/features/consent/recordConsent.ts';
import { sealConsent } from '#server/features/consent/consentChain.ts';
import type { ConsentFault } from '#server/features/consent/verifySeals.ts';
import { faultLine, verifyConsent } from '#server/features/consent/consentVerify.ts';
import { type NewLead, storeLeads } from '#server/features/leads/intake/storeLeads.ts';
import { leadCreateInput } from '#shared/submissions/leadInput.ts';
import { testCaller } from './caller.ts';
import { leadInput } from './factories.ts';
import { testSecret } from './testKeys.ts';
import type { TestDb } from './testDb.ts';

/** The HMAC key of seals, created if there is none. */
export function sealKey({ db }: Pick<TestDb, 'db'>): Promise<DataKey> {
  return createDataKeys({ db, secretKeys: [testSecret] }).current('consent-seal');
}

/** Seals the queued records and returns their number. */
export async function sealAll(database: Pick<TestDb, 'db'>): Promise<number> {
  return sealConsent(database.db, await sealKey(database));
}

interface EvidenceOptions {
  userAgent?: string | null;
  formSha256?: string | null;
  /** When the consent was given; now by default. */
  at?: Date;
}

/** A consent of that time is past its five years. */
export const longAgo = new Date('2019-05-01T12:00:00Z');

/** Stores leads with their evidence as the intake does; returns the ids of all consent records. */
export async function storeEvidence(
  database: TestDb,
  count: number,
  { userAgent = 'Test/1.0', formSha256 = null, at }: EvidenceOptions = {},
): Promise<number[]> {
  for (let stored = 0; stored < count; stored += 1) {
    const submission = leadCreateInput.parse(
      leadInput({ form: 'landing', client_clock: '2026-06-01T11:59:58.456Z' }),
    );
    const now = at ?? new Date();
    const publicId = crypto.randomUUID();
    const newLead: NewLead = {
      claim: { key: crypto.randomUUID(), requestSha256: 'x', expiresAt: new Date(now.getTime() + 60_000) },
      lead: {
        firstName: submission.first_name,
        lastName: submission.last_name,
        email: submission.email,
        phone: submission.phone,
        zipCode: submission.zip_code,
        acceptanceConsent: true,
        emailNorm: submission.email,
        phoneE164: '+13035550100',
        matchMethod: 'none',
        matchReason: 'test',
        publicId,
        createdAt: now,
      },
      buildConsent: (leadId) =>
        consentRecord({
          caller: testCaller({ ip: '2001:DB8:0:0:0:0:0:1', userAgent, globalPrivacyControl: true }),
          submission,
          formShown: 'landing',
          leadId,
          leadPublicId: publicId,
          acceptedAt: now,
          seller: { id: 7, label: 'Sample “Clinic” 🏥' },
          formSha256,
          msFromRender: 4_321,
        }),
      attribution: [],
      deliveries: [],
      releaseAt: null,
    };
    const results = await database.db.transaction((tx) =>
      storeLeads(tx, [newLead], { now, identityKey: null }),
    );
    expect(results).toMatchObject([{ stored: true }]);
  }
  const rows = await database.sql<{ id: string }[]>`select id from consent_records order by id`;
  return rows.map(({ id }) => Number(id));
}

/** Verifies all evidence with these keys, by default those of its seals. */
export async function verifyEvidence({ db }: TestDb, keys: readonly string[] = [testSecret]) {
  const faults: ConsentFault[] = [];
  const summary = await verifyConsent(db, (fault) => faults.push(fault), keys);
  return { summary, faults, lines: faults.map(faultLine) };
}

/** Runs a change that the append-only triggers forbid, like an owner of the database. */
export async function tamper({ sql }: TestDb, statement: string): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx.unsafe(statement);
  });
}
