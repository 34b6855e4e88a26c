import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LeadCreateOutput } from '#shared/leads/leads.ts';
import { insertProvider } from '#test/support/factories.ts';
import { arrivedAt, newLead } from '#test/support/newLeads.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { lockPersons } from '../identity/identity.ts';
import { answerFor, type StoreResult } from '../submissions/idempotency.ts';
import { createLeadBatches } from './leadBatches.ts';
import { type NewLead, storeLeads } from './storeLeads.ts';

type Results = readonly StoreResult<LeadCreateOutput>[];

const storeIn =
  ({ db }: TestDb) =>
  (leads: readonly NewLead[]): Promise<Results> =>
    db.transaction((tx) => storeLeads(tx, leads, { now: arrivedAt, identityKey: null }));

/** A way to store leads that ends when the test says so, and how many leads each call had. */
function heldStore(storeAll: (leads: readonly NewLead[]) => Promise<Results>) {
  const sizes: number[] = [];
  const held: (() => void)[] = [];
  return {
    sizes,
    /** Lets one call begin. */
    release: () => held.shift()?.(),
    storeAll: async (leads: readonly NewLead[]): Promise<Results> => {
      sizes.push(leads.length);
      await new Promise<void>((resolve) => held.push(resolve));
      return storeAll(leads);
    },
  };
}

describe('leads that arrive at the same time', () => {
  test('start at once while fewer than two transactions run; the others join the next, 32 at most', async () => {
    await using database = await testDb();
    const { id: providerId } = await insertProvider(database.db);
    const { sizes, release, storeAll } = heldStore(storeIn(database));
    const batches = createLeadBatches(storeAll);
    const stored = Promise.all(Array.from({ length: 37 }, () => batches.store(newLead({ providerId }))));
    expect(sizes).toEqual([1, 1]);
    release();
    await expect.poll(() => sizes).toEqual([1, 1, 32]);
    release();
    await expect.poll(() => sizes).toEqual([1, 1, 32, 3]);
    release();
    release();
    expect((await stored).every((result) => result.stored)).toBe(true);
    expect(await database.sql`select 1 from leads`).toHaveLength(37);
  });

  test('are answered after their commit', async () => {
    await using database = await testDb();
    const { id: providerId } = await insertProvider(database.db);
    const batches = createLeadBatches(storeIn(database));
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const result = await batches.store(newLead({ providerId }));
        const id = result.stored ? result.body.id : 0;
        expect(await database.sql`select 1 from leads where id = ${id}`).toHaveLength(1);
      }),
    );
  });

  test('of one person or one key are stored in the order in which they arrived', async () => {
    await using database = await testDb();
    const { id: providerId } = await insertProvider(database.db);
    const { sizes, release, storeAll } = heldStore(storeIn(database));
    const batches = createLeadBatches(storeAll);
    const email = 'one@mail.example';
    const phone = '+13035550199';
    const leads = [
      newLead({ providerId, email }),
      newLead({ providerId, email, phone }),
      // Free of the first lead, but not of the second, which waits.
      newLead({ providerId, phone }),
      newLead({ providerId }),
    ];
    const stored = Promise.all(leads.map((lead) => batches.store(lead)));
    expect(sizes).toEqual([1, 1]);
    for (let call = 0; call < leads.length; call += 1) {
      await expect.poll(() => sizes.length).toBeGreaterThan(call);
      release();
    }
    const ids = (await stored).map((result) => (result.stored ? result.body.id : null));
    const rows =
      await database.sql`select id::int, duplicate_of::int as first from leads where id = any (${ids})`;
    const firstOf = new Map(rows.map(({ id, first }) => [Number(id), first === null ? null : Number(first)]));
    expect(ids.map((id) => firstOf.get(id ?? 0))).toEqual([null, ids[0], ids[0], null]);
  });

  test('don’t wait for a person who is being erased', async () => {
    await using database = await testDb();
    const { id: providerId } = await insertProvider(database.db);
    const batches = createLeadBatches(storeIn(database));
    const erased = newLead({ providerId });
    const erasing = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const erasure = database.db.transaction(async (tx) => {
      await lockPersons(tx, [erased.lead]);
      locked.resolve();
      await erasing.promise;
    });
    await locked.promise;
    let isStored = false;
    const waiting = batches.store(erased).then(() => (isStored = true));
    await Promise.all(Array.from({ length: 10 }, () => batches.store(newLead({ providerId }))));
    expect(isStored).toBe(false);
    erasing.resolve();
    await Promise.all([erasure, waiting]);
    expect(await database.sql`select 1 from leads`).toHaveLength(11);
  });
});

describe('a batch that fails', () => {
  test('is stored lead by lead, and each lead gets its own error', async () => {
    await using database = await testDb();
    const { id: providerId } = await insertProvider(database.db);
    const batches = createLeadBatches(storeIn(database));
    const leads = Array.from({ length: 8 }, (_, index) =>
      newLead({ providerId: index === 5 ? 999_999 : providerId }),
    );
    const results = await Promise.allSettled(leads.map((lead) => batches.store(lead)));
    expect(results.map(({ status }) => status)).toEqual(
      leads.map((_, index) => (index === 5 ? 'rejected' : 'fulfilled')),
    );
    expect(results[5]).toMatchObject({ reason: { cause: { code: '23503' } } });
    expect(await database.sql`select 1 from leads`).toHaveLength(7);
  });

  test('without a database fails once, for all of its leads', async () => {
    const away = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
    let calls = 0;
    const batches = createLeadBatches(() => {
      calls += 1;
      return Promise.reject(away);
    });
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => batches.store(newLead({ providerId: 1 }))),
    );
    expect(results.every((result) => result.status === 'rejected' && result.reason === away)).toBe(true);
    expect(calls).toBe(3);
  });
});

/** One submission of the property: small numbers, so that persons and keys repeat. */
const submission = fc.record({
  email: fc.integer({ min: 0, max: 3 }),
  phone: fc.integer({ min: 0, max: 3 }),
  key: fc.option(fc.integer({ min: 0, max: 2 })),
  fault: fc.constantFrom('none', 'none', 'none', 'bad zip', 'no provider', 'inactive provider'),
  quarantine: fc.constantFrom(undefined, undefined, undefined, 'over-limit' as const, 'honeypot' as const),
});
type Submission = typeof submission extends fc.Arbitrary<infer Value> ? Value : never;

const outcomeOf = (
  lead: NewLead,
  result: PromiseSettledResult<StoreResult<LeadCreateOutput>> | undefined,
): string => {
  if (result === undefined) return 'no result';
  if (result.status === 'rejected') return `error ${String(result.reason?.cause?.code)}`;
  if (result.value.stored) return 'stored';
  try {
    answerFor(lead.claim, result.value);
    return 'replayed';
  } catch {
    return 'key used';
  }
};

/** Stores submissions in an empty database; returns what each got, and everything stored, without ids and times. */
async function run(
  submissions: readonly Submission[],
  store: (
    database: TestDb,
    leads: readonly NewLead[],
  ) => Promise<PromiseSettledResult<StoreResult<LeadCreateOutput>>[]>,
) {
  await using database = await testDb();
  const { sql, db } = database;
  const active = await insertProvider(db);
  const inactive = await insertProvider(db, { status: 'f' });
  const providers = { 'no provider': 999_999, 'inactive provider': inactive.id } as const;
  const leads = submissions.map(({ email, phone, key, fault, quarantine }, index) => {
    const providerId =
      fault === 'no provider' || fault === 'inactive provider' ? providers[fault] : active.id;
    const lead = newLead({
      providerId,
      email: `person-${email}@mail.example`,
      phone: `+1303555010${phone}`,
      key: key === null ? `own-${index}` : `shared-${key}`,
      ...(quarantine === undefined ? {} : { quarantineReason: quarantine }),
    });
    Object.assign(lead.lead, { matchReason: `lead ${index}` }, fault === 'bad zip' ? { zip5: 'none' } : {});
    // Equal keys have equal content if the person is the same.
    lead.claim.requestSha256 = `${email} ${phone}`;
    return lead;
  });
  const results = await store(database, leads);
  const stored = await sql`
    select l.match_reason as lead, first.match_reason as repeats, d.state, d.reason, corrected.match_reason as corrects,
      (select count(*)::int from consent_records where lead_id = l.id) as records,
      (select count(*)::int from lead_attribution where lead_id = l.id) as touches,
      (select count(*)::int from over_limit_leads where lead_id = l.id) as waiting,
      (select string_agg(key, ' ') from idempotency_keys where lead_id = l.id) as key
    from leads l left join leads first on first.id = l.duplicate_of left join deliveries d on d.lead_id = l.id
      left join leads corrected on corrected.id = d.corrects_lead_id
    order by l.match_reason`;
  const queued = await sql`select count(*)::int as n from consent_seal_queue`;
  return {
    outcomes: leads.map((lead, index) => outcomeOf(lead, results[index])),
    stored: [...stored],
    queued: [...queued],
  };
}

test('any mix of concurrent submissions ends like the same submissions one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(submission, { minLength: 2, maxLength: 14 }), async (submissions) => {
      const together = await run(submissions, (database, leads) => {
        const batches = createLeadBatches(storeIn(database));
        return Promise.allSettled(leads.map((lead) => batches.store(lead)));
      });
      const apart = await run(submissions, async (database, leads) => {
        const results = [];
        for (const lead of leads)
          results.push(...(await Promise.allSettled([oneOf(storeIn(database)([lead]))])));
        return results;
      });
      expect(together).toEqual(apart);
    }),
    { numRuns: 25 },
  );
});

async function oneOf(storing: Promise<Results>): Promise<StoreResult<LeadCreateOutput>> {
  const [result] = await storing;
  if (result === undefined) throw new Error('no result');
  return result;
}
