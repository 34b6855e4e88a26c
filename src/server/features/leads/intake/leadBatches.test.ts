import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LeadCreateOutput } from '#shared/leads/leads.ts';
import { insertProvider } from '#test/support/factories.ts';
import { arrivedAt, newLead } from '#test/support/newLeads.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { lockPersons } from '../../identity/identity.ts';
import { answerFor, type StoreResult } from '../../submissions/idempotency.ts';
import { createLeadBatches } from './leadBatches.ts';
import { type NewLead, storeLeads } from './storeLeads.ts';

type Results = readonly StoreResult<LeadCreateOutput>[];

const storeIn =
  ({ db }: TestDb) =>
  (leads: readonly NewLead[]): Promise<Results> =>
    db.transaction((tx) => storeLeads(tx, leads, { now: arrivedAt, identityKey: null }));

/** A way to store leads that ends when the test says so, and how many leads each call had. */
function heldStore(storeBatch: (leads: readonly NewLead[]) => Promise<Results>) {
  const sizes: number[] = [];
  const held: (() => void)[] = [];
  return {
    sizes,
    /** Lets one call begin. */
    release: () => held.shift()?.(),
    storeBatch: async (leads: readonly NewLead[]): Promise<Results> => {
      sizes.push(leads.length);
      await new Promise<void>((resolve) => held.push(resolve));
      return storeBatch(leads);
    },
  };
}

describe('leads that arrive at the same time', () => {
  test('share two transactions of 32 leads at most; the others join the next one', async () => {
    await using database = await testDb();
    const { id: providerId } = await insertProvider(database.db);
    const { sizes, release, storeBatch } = heldStore(storeIn(database));
    const batches = createLeadBatches(storeBatch);
    const stored = Promise.all(Array.from({ length: 70 }, () => batches.store(newLead({ providerId }))));
    await expect.poll(() => sizes).toEqual([32, 32]);
    const late = batches.store(newLead({ providerId }));
    release();
    await expect.poll(() => sizes).toEqual([32, 32, 7]);
    release();
    release();
    expect((await stored).every((result) => result.stored)).toBe(true);
    expect((await late).stored).toBe(true);
    expect(await database.sql`select 1 from leads`).toHaveLength(71);
  });

  test('start at once while fewer than two transactions run', async () => {
    await using database = await testDb();
    const { id: providerId } = await insertProvider(database.db);
    const { sizes, release, storeBatch } = heldStore(storeIn(database));
    const batches = createLeadBatches(storeBatch);
    const first = batches.store(newLead({ providerId }));
    await expect.poll(() => sizes).toEqual([1]);
    const second = batches.store(newLead({ providerId }));
    await expect.poll(() => sizes).toEqual([1, 1]);
    expect(batches.isBusy()).toBe(false);
    const third = batches.store(newLead({ providerId }));
    expect(batches.isBusy()).toBe(true);
    release();
    release();
    await expect.poll(() => sizes).toEqual([1, 1, 1]);
    release();
    for (const lead of [first, second, third]) expect((await lead).stored).toBe(true);
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
    const { sizes, release, storeBatch } = heldStore(storeIn(database));
    const batches = createLeadBatches(storeBatch);
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
    // The first and the last have nothing in common.
    for (const expected of [[2], [2, 1], [2, 1, 1]]) {
      await expect.poll(() => sizes).toEqual(expected);
      release();
    }
    const ids = (await stored).map((result) => (result.stored ? result.body.id : null));
    const rows =
      await database.sql`select id::int, duplicate_of::int as first from leads where id = any (${ids})`;
    const firstLeads = new Map(
      rows.map(({ id, first }) => [Number(id), first === null ? null : Number(first)]),
    );
    expect(ids.map((id) => firstLeads.get(id ?? 0))).toEqual([null, ids[0], ids[0], null]);
  });

  test('don’t wait for an earlier lead whose person is being erased', async () => {
    await using database = await testDb();
    const { id: providerId } = await insertProvider(database.db);
    const sizes: number[] = [];
    const batches = createLeadBatches((leads) => {
      sizes.push(leads.length);
      return storeIn(database)(leads);
    });
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
    await expect.poll(() => sizes).toEqual([1]);
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
    expect(calls).toBe(1);
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

type Outcome = PromiseSettledResult<StoreResult<LeadCreateOutput>>;

const toOutcome = (lead: NewLead, result: Outcome | undefined): string => {
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

let runs = 0;

/**
 * Stores submissions of persons of their own. Returns what each got, and everything stored, without ids and times.
 */
async function run(
  database: TestDb,
  submissions: readonly Submission[],
  store: (leads: readonly NewLead[]) => Promise<Outcome[]>,
) {
  const { sql, db } = database;
  runs += 1;
  const name = `run ${runs}`;
  const active = await insertProvider(db);
  const inactive = await insertProvider(db, { status: 'f' });
  const leads = submissions.map(({ email, phone, key, fault, quarantine }, index) => {
    const provider = fault === 'inactive provider' ? inactive : active;
    const lead = newLead({
      providerId: fault === 'no provider' ? 999_999_999 : provider.id,
      email: `person-${runs}-${email}@mail.example`,
      phone: `+1${String(2_000_000_000 + runs * 10 + phone)}`,
      key: key === null ? `${name} own ${index}` : `${name} shared ${key}`,
      ...(quarantine === undefined ? {} : { quarantineReason: quarantine }),
    });
    Object.assign(lead.lead, { matchReason: `${name} lead ${index}` });
    if (fault === 'bad zip') Object.assign(lead.lead, { zip5: 'none' });
    // A key is used with other content if the person is another.
    lead.claim.requestSha256 = `${email} ${phone}`;
    return lead;
  });
  const results = await store(leads);
  const stored = await sql`
    select l.match_reason as lead, first.match_reason as repeats, d.state, d.reason, corrected.match_reason as corrects,
      (select count(*)::int from consent_records r join consent_seal_queue q on q.record_id = r.id where r.lead_id = l.id) as records,
      (select count(*)::int from lead_attribution where lead_id = l.id) as touches,
      (select count(*)::int from over_limit_leads where lead_id = l.id) as waiting,
      (select string_agg(key, ' ') from idempotency_keys where lead_id = l.id) as key
    from leads l left join leads first on first.id = l.duplicate_of left join deliveries d on d.lead_id = l.id
      left join leads corrected on corrected.id = d.corrects_lead_id
    where l.match_reason like ${`${name} lead %`} order by l.match_reason`;
  const outcomes = leads.map((lead, index) => toOutcome(lead, results[index]));
  // Without the number of the run.
  return { outcomes, stored: JSON.stringify(stored).replaceAll(`${name} `, '') };
}

/**
 * `storeBatch`, and the order in which it stored leads: by id. A lead that was not stored comes after those whose ids were
 * known when it began.
 */
function recordOrder(storeBatch: (leads: readonly NewLead[]) => Promise<Results>) {
  const places = new Map<NewLead, number>();
  let newestId = 0;
  return {
    inOrder: (leads: readonly NewLead[]): number[] =>
      leads
        .map((lead, index) => ({ index, place: places.get(lead) ?? 0 }))
        .toSorted((a, b) => a.place - b.place)
        .map(({ index }) => index),
    storeBatch: async (leads: readonly NewLead[]): Promise<Results> => {
      for (const lead of leads) places.set(lead, newestId + 0.5);
      const results = await storeBatch(leads);
      for (const [index, result] of results.entries()) {
        const lead = leads[index];
        if (lead === undefined || !result.stored) continue;
        places.set(lead, result.body.id);
        newestId = Math.max(newestId, result.body.id);
      }
      return results;
    },
  };
}

test('any mix of concurrent submissions ends like the same ones one after the other', async () => {
  await using database = await testDb();
  await fc.assert(
    fc.asyncProperty(fc.array(submission, { minLength: 2, maxLength: 14 }), async (submissions) => {
      let order: number[] = [];
      const together = await run(database, submissions, async (leads) => {
        const { storeBatch, inOrder } = recordOrder(storeIn(database));
        const batches = createLeadBatches(storeBatch);
        const results = await Promise.allSettled(leads.map((lead) => batches.store(lead)));
        order = inOrder(leads);
        return results;
      });
      const apart = await run(database, submissions, async (leads) => {
        const results: Outcome[] = [];
        for (const index of order) {
          const storing = storeIn(database)(leads.slice(index, index + 1));
          const [result] = await Promise.allSettled([storing.then(getOne)]);
          if (result !== undefined) results[index] = result;
        }
        return results;
      });
      expect(together).toEqual(apart);
    }),
    { numRuns: 40 },
  );
});

function getOne([result]: Results): StoreResult<LeadCreateOutput> {
  if (result === undefined) throw new Error('no result');
  return result;
}
