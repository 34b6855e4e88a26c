import { returnDelayMs } from '#shared/leads/leadOutcomes.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { releaseLeads } from '#server/features/leads/changes/leadChanges.ts';
import { suppress } from '#server/features/withdrawals/suppress.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { type IntakeSetup, setUpIntake } from '#test/support/intakeSetup.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { recordByProvider, takeDueReturns } from '../../outcomes/recordOutcome.ts';
import { rematchUnmatched } from './rematch.ts';
import { requestRematch } from './rematch.ts';

const dayMs = 86_400_000;

/** Sends a lead from Denver for which there is no provider. */
async function unmatchedLead(at: IntakeSetup, zip = '80202'): Promise<number> {
  const { body } = await at.send(leadInput({ zip_code: zip }));
  expect(body.providerId).toBeUndefined();
  return body.id;
}

async function requests({ database }: IntakeSetup): Promise<number> {
  return (await database.sql`select 1 from rematch_requests`).length;
}

/** Requests a rematch, because SQL changes of providers do not; the product's writes do (test/golden/matrix). */
async function rematch(at: IntakeSetup): Promise<number> {
  await requestRematch(at.services.db);
  return rematchUnmatched(at.services);
}

async function getProvider(at: IntakeSetup, leadId: number): Promise<number | null> {
  const { provider_id: id } = await at.lead(leadId);
  return id === null ? null : Number(id);
}

test('an unmatched lead gets a new provider in its area, with the reason, once', async () => {
  await using at = await setUpIntake();
  const [near, far] = [await unmatchedLead(at), await unmatchedLead(at, '10016')];
  expect(await rematchUnmatched(at.services)).toBe(0);
  const provider = await insertProvider(at.database.db, { zipCode: '80301' });
  expect(await rematch(at)).toBe(1);
  expect(await at.lead(near)).toMatchObject({
    provider_id: String(provider.id),
    match_method: 'nearest',
    match_reason: expect.stringMatching(
      /^Rematched as providers changed\. Nearest active provider, 2\d\.\d miles from the center of 80202\.$/,
    ),
    match_distance_miles: expect.any(Number),
  });
  expect(await getProvider(at, far)).toBeNull();
  expect([...(await at.database.sql`select action, actor_name, subject_id from audit_log`)]).toEqual([
    { action: 'lead.rematch', actor_name: 'System', subject_id: String(near) },
  ]);
  expect(await requests(at)).toBe(0);
  expect(await rematchUnmatched(at.services)).toBe(0);
});

describe('an unmatched lead is matched', () => {
  const opening: [what: string, before: string, change: string][] = [
    ['is activated', "status = 'f'", "status = 't'"],
    ['is no longer paused', 'paused = true', 'paused = false'],
    ['moves near', 'latitude = 40.7, longitude = -74', 'latitude = 39.75, longitude = -105'],
    ['moves by its ZIP', "latitude = null, longitude = null, zip_code = '10016'", "zip_code = '80202'"],
    ['gets a larger radius', 'match_radius_miles = 3, latitude = 40', 'match_radius_miles = 60'],
  ];
  test.each(opening)('when a provider %s', async (_, before, change) => {
    await using at = await setUpIntake();
    const { database } = at;
    const provider = await insertProvider(database.db, { zipCode: '80202' });
    await database.sql.unsafe(`update providers set ${before}`);
    const lead = await unmatchedLead(at);
    await rematch(at);
    expect(await getProvider(at, lead)).toBeNull();
    await database.sql.unsafe(`update providers set ${change}`);
    await rematch(at);
    expect(await getProvider(at, lead)).toBe(provider.id);
  });

  test('when it is released from quarantine and a provider was added since', async () => {
    await using at = await setUpIntake();
    const lead = await unmatchedLead(at);
    await at.database.sql`update leads set quarantined_at = now(), quarantine_reason = 'honeypot'`;
    const provider = await insertProvider(at.database.db, { zipCode: '80202' });
    await rematch(at);
    expect(await getProvider(at, lead)).toBeNull();
    await releaseLeads(staffActionOn(at.database, at.clock), [lead]);
    await rematchUnmatched(at.services);
    expect(await getProvider(at, lead)).toBe(provider.id);
  });
});

describe('a lead stays unmatched', () => {
  const kept: [why: string, prepare: (at: IntakeSetup, leadId: number) => Promise<unknown>][] = [
    ['whose consent is 90 days old', async ({ clock }) => void (clock.ms += 90 * dayMs)],
    [
      'that was deleted',
      ({ database }, id) => database.sql`update leads set deleted_at = now() where id = ${id}`,
    ],
    [
      'that is quarantined',
      ({ database }, id) =>
        database.sql`update leads set quarantined_at = now(), quarantine_reason = 'honeypot' where id = ${id}`,
    ],
    ...(['emailNorm', 'phoneE164'] as const).map(
      (same): [string, (at: IntakeSetup, leadId: number) => Promise<unknown>] => [
        `whose author withdrew, known by ${same}`,
        async (at, id) => {
          const { email_norm, phone_e164 } = await at.lead(id);
          const own = { emailNorm: String(email_norm), phoneE164: String(phone_e164) };
          const other = { emailNorm: 'else@mail.example', phoneE164: '+13035550199' };
          const { key: identityKey } = await at.services.dataKeys.current('identity');
          const rest = {
            identityKey,
            leadId: null,
            how: 'page',
            by: 'Visitor',
            ip: null,
            now: new Date(at.clock.ms),
          } as const;
          const person = { ...other, [same]: own[same] };
          await suppress(at.database.db, { person, reason: 'withdrawn', ...rest });
        },
      ],
    ),
  ];
  test.each(kept)('%s', async (_, prepare) => {
    await using at = await setUpIntake();
    const [lead, free] = [await unmatchedLead(at), await unmatchedLead(at)];
    await prepare(at, lead);
    const isOld = at.clock.ms > Date.parse('2026-06-02');
    await insertProvider(at.database.db, { zipCode: '80202' });
    expect(await rematch(at)).toBe(isOld ? 0 : 1);
    expect(await getProvider(at, lead)).toBeNull();
    expect((await getProvider(at, free)) === null).toBe(isOld);
  });

  test('that has no recorded consent', async () => {
    await using at = await setUpIntake();
    const lead = await insertLead(at.database.db, { createdAt: new Date(at.clock.ms) });
    await insertProvider(at.database.db, { zipCode: '80202' });
    expect(await rematch(at)).toBe(0);
    expect(await getProvider(at, lead.id)).toBeNull();
  });
});

test('of concurrent processes, one rematches all leads, each once', async () => {
  await using at = await setUpIntake();
  const ids: number[] = [];
  for (let count = 0; count < 250; count += 1) ids.push(await unmatchedLead(at));
  await insertProvider(at.database.db, { zipCode: '80202' });
  await requestRematch(at.services.db);
  const given = await Promise.all([1, 2, 3].map(() => rematchUnmatched(at.services)));
  expect(given.toSorted((a, b) => b - a)).toEqual([250, 0, 0]);
  const lines = await at.database.sql<{ id: string }[]>`select subject_id as id from audit_log`;
  expect(lines.map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual(ids);
});

test('the next process finishes the work of a stopped one', async () => {
  await using at = await setUpIntake();
  const lead = await unmatchedLead(at);
  const provider = await insertProvider(at.database.db, { zipCode: '80202' });
  await requestRematch(at.services.db);
  expect(await rematchUnmatched(at.services, AbortSignal.abort())).toBe(0);
  expect(await getProvider(at, lead)).toBeNull();
  expect(await rematchUnmatched(at.services)).toBe(1);
  expect(await getProvider(at, lead)).toBe(provider.id);
});

test('a provider that is committed during a rematch is found by the next one', async () => {
  await using at = await setUpIntake();
  const lead = await unmatchedLead(at);
  const { sql } = at.database;
  // The request gets its id before the one in progress and commits after it.
  const committing = Promise.withResolvers<void>();
  const inserted = Promise.withResolvers<void>();
  const slow = sql.begin(async (tx) => {
    await tx`insert into providers (name, email, zip_code) values ('Slow', 'slow@clinic.example', '80202')`;
    await tx`insert into rematch_requests default values`;
    inserted.resolve();
    await committing.promise;
  });
  await inserted.promise;
  await insertProvider(at.database.db, { zipCode: '10016' });
  expect(await rematch(at)).toBe(0);
  committing.resolve();
  await slow;
  expect(await rematchUnmatched(at.services)).toBe(1);
  expect(await getProvider(at, lead)).not.toBeNull();
});

type Step = { kind: 'refuse' } | { kind: 'change'; provider: number; set: string };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constant({ kind: 'refuse' as const }),
  fc.record({
    kind: fc.constant('change' as const),
    provider: fc.nat({ max: 3 }),
    set: fc.constantFrom(
      "status = 't'",
      "status = 'f'",
      'paused = not paused',
      'match_radius_miles = 3000',
      'match_radius_miles = null',
    ),
  }),
);

test('a provider that reported ‘wrong area’ never gets the lead again', async () => {
  await using at = await setUpIntake({ MATCH_RADIUS_MILES: '60' });
  const { database, services } = at;
  const zips = ['80202', '80301', '80903', '10016'];
  const providers: number[] = [];
  for (const zipCode of zips) providers.push((await insertProvider(database.db, { zipCode })).id);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      await database.sql`update providers set status = 't', paused = false, match_radius_miles = null`;
      const { body } = await at.send(leadInput({ zip_code: '80202' }));
      const refused = new Set<number>();
      let holder: number | null = body.providerId ?? null;
      for (const done of steps) {
        if (done.kind === 'change')
          await database.sql.unsafe(
            `update providers set ${done.set} where id = ${providers[done.provider]}`,
          );
        else if (holder !== null) {
          refused.add(holder);
          await recordByProvider(services, {
            leadId: body.id,
            providerId: holder,
            outcome: 'wrong-area',
            ip: '::1',
          });
          at.clock.ms += returnDelayMs;
          await takeDueReturns(services);
        }
        await rematch(at);
        holder = await getProvider(at, body.id);
        const isBack = holder !== null && refused.has(holder);
        expect({ steps, isBack }).toEqual({ steps, isBack: false });
      }
    }),
    { numRuns: 20, seed: 20_261_121, endOnFailure: true },
  );
});
